//! Notes: messages of the application outside the algorithm.

use super::{Configuration, Machine};
use crate::ids::ProcessId;
use crate::instance::Instance;
use crate::semantics::configuration::Note;

impl Machine {
    /// Send a note, stamped with the algorithm's clock if the program says so.
    pub fn send_note(
        &mut self,
        instance: &Instance,
        configuration: &mut Configuration,
        process: ProcessId,
        to: ProcessId,
    ) -> bool {
        if configuration.crashed(process) {
            return false;
        }
        self.begin(instance, configuration, process);
        let clock = note_clock(instance, process);
        if let Some(clock) = clock {
            self.frame.words[clock as usize] = self.frame.words[clock as usize].saturating_add(1);
        }
        let stamp = clock.map(|clock| self.frame.words[clock as usize]);
        self.commit(instance, configuration, process);
        configuration.notes.push(Note { from: process, to, stamp });
        self.metrics.notes += 1;
        true
    }

    /// Deliver the oldest note from that process. Return `false` if there is none, or if the receiver has crashed.
    pub fn receive_note(
        &mut self,
        instance: &Instance,
        configuration: &mut Configuration,
        process: ProcessId,
        from: ProcessId,
    ) -> bool {
        let it = |note: &Note| note.from == from && note.to == process;
        let Some(i) = configuration.notes.iter().position(it).filter(|_| !configuration.crashed(process))
        else {
            return false;
        };
        self.begin(instance, configuration, process);
        let note = configuration.notes.remove(i);
        if let (Some(clock), Some(stamp)) = (note_clock(instance, process), note.stamp) {
            let clock = &mut self.frame.words[clock as usize];
            *clock = stamp.max(*clock).saturating_add(1);
        }
        self.commit(instance, configuration, process);
        true
    }
}

fn note_clock(instance: &Instance, process: ProcessId) -> Option<u16> {
    if instance.unstamped_notes {
        return None;
    }
    let clocks = instance.program.note_clock.as_ref()?;
    clocks[instance.role_of(process)]
}
