//! Process heads: the sixteen bytes of each process that a delivery reads first. Most deliveries read nothing else of the
//! process, so that a run on a large network touches one cache line for each.

use super::Setting;
use crate::ids::ProcessId;
use crate::instance::Wiring;
use crate::semantics::configuration::{Configuration, reached};

/// The part of a process that determines what happens to a message.
#[derive(Clone, Copy, Debug)]
pub(super) struct Head {
    pub id: i64,
    /// Length of the longest causal chain that has reached the process.
    pub depth: u32,
    /// See [`crate::instance::FastRole::cell`].
    pub cell: u32,
}

const _: () = assert!(size_of::<Head>() == 16);

/// Return the heads of all processes.
pub(super) fn of<W: Wiring>(setting: Setting<'_, W>, configuration: &mut Configuration) -> Vec<Head> {
    let Setting { instance, fast, .. } = setting;
    let (words, stride) = configuration.blocks();
    let blocks = instance.processes().zip(words.chunks_exact(stride));
    let head = |(process, block): (ProcessId, &[i64])| Head {
        id: instance.network.id(process),
        depth: block[stride - 1] as u32,
        cell: fast.role(instance, process).cell(block),
    };
    blocks.map(head).collect()
}

/// Write the causal depths back to the configuration; the rest is there already.
pub(super) fn settle(heads: &[Head], configuration: &mut Configuration) {
    let (words, stride) = configuration.blocks();
    for (head, block) in heads.iter().zip(words.chunks_exact_mut(stride)) {
        let own = &mut block[stride - 1];
        // Every message has a depth of at least 1, so that a changed depth means that a message has reached the process.
        if head.depth != *own as u32 {
            *own = reached(*own, head.depth);
        }
    }
}
