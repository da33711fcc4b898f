//! Traces: replay, causal order and pictures.

use super::error::Error;
use super::instance::Instance;
use crate::ir::Program;
use crate::render::html;
use crate::render::picture::choice::DrawSelection;
use crate::render::picture::space_time as svg;
use crate::render::picture::topology::ProgramFacts;
use crate::render::picture::{Chart, NetworkLayout};
use crate::render::space_time::{SpaceTimeOptions, space_time};
use crate::trace::causality::Causality;
use crate::trace::diff::diff;
use crate::trace::histories::Histories;
use crate::trace::snapshot::{Redactions, Snapshot};
use crate::trace::{Trace, TraceError};

impl Instance {
    /// Replay a trace step by step: every event has to be possible, with the recorded effects.
    ///
    /// ```
    /// use synod::{RunOptions, Trace};
    ///
    /// let instance = synod::Program::library("chang_roberts")?.on("ring(4)").instantiate()?;
    /// let run = instance.simulate(&RunOptions::default());
    /// let read = Trace::read(&run.trace().to_text())?;
    /// instance.replay(&read)?;
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// States the first event that diverges, or the difference between the instances.
    pub fn replay(&self, trace: &Trace) -> Result<(), Error> {
        let replayed = trace.replay(&self.instance);
        if replayed.reproduced() { Ok(()) } else { Err(Error::new(replayed.summary())) }
    }

    /// Return the page of a run: one HTML file to step through, with the network, the diagram and all variables. It loads nothing.
    ///
    /// ```
    /// # let instance = synod::Program::library("chang_roberts")?.on("ring(4)").instantiate()?;
    /// let run = instance.simulate(&synod::RunOptions::default());
    /// assert!(instance.to_html(run.trace()).starts_with("<!doctype html>"));
    /// # Ok::<(), synod::Error>(())
    /// ```
    pub fn to_html(&self, trace: &Trace) -> String {
        let layout = NetworkLayout::of(&self.instance.network).map(|layout| layout.for_run(trace));
        let facts = facts(&self.instance.program);
        html::page(&Chart::new(&trace.with_names()), layout.as_ref(), &DrawSelection::default(), &facts)
    }
}

impl Trace {
    /// Return the space-time diagram as text, as `synod run` draws it.
    ///
    /// ```
    /// # let instance = synod::Program::library("chang_roberts")?.on("ring(2)").instantiate()?;
    /// let run = instance.simulate(&synod::RunOptions::default());
    /// assert!(run.trace().diagram().contains("id 1"));
    /// # Ok::<(), synod::Error>(())
    /// ```
    pub fn diagram(&self) -> String {
        space_time(self, &SpaceTimeOptions::default())
    }

    /// Return the space-time diagram as SVG. Of a long run, it shows the first events.
    ///
    /// ```
    /// # let instance = synod::Program::library("chang_roberts")?.on("ring(2)").instantiate()?;
    /// let run = instance.simulate(&synod::RunOptions::default());
    /// assert!(run.trace().to_svg().contains("<svg"));
    /// # Ok::<(), synod::Error>(())
    /// ```
    pub fn to_svg(&self) -> String {
        svg::space_time(&Chart::new(&self.with_names()), &DrawSelection::default(), None).svg
    }

    /// Return the causal order of the events.
    ///
    /// ```
    /// # let instance = synod::Program::library("chang_roberts")?.on("ring(2)").instantiate()?;
    /// let run = instance.simulate(&synod::RunOptions::default());
    /// let (order, events) = (run.trace().causality(), &run.trace().events);
    /// // A message is sent before it is received.
    /// let receipt = events.iter().position(|event| !event.received.is_empty()).unwrap();
    /// let message = events[receipt].received[0].id;
    /// let sending = events.iter().position(|event| event.sent.iter().any(|sent| sent.id == message)).unwrap();
    /// assert!(order.happened_before(sending, receipt));
    /// # Ok::<(), synod::Error>(())
    /// ```
    pub fn causality(&self) -> Causality {
        Causality::of(self)
    }

    /// Return the number of consistent cuts. `None` if there are too many to count.
    ///
    /// ```
    /// # let instance = synod::Program::library("chang_roberts")?.on("ring(2)").instantiate()?;
    /// let run = instance.simulate(&synod::RunOptions::default());
    /// assert!(run.trace().consistent_cuts()? > Some(4));
    /// # Ok::<(), synod::Error>(())
    /// ```
    ///
    /// # Errors
    /// If the model of the run has no cuts: processes step together, or read each other's variables.
    pub fn consistent_cuts(&self) -> Result<Option<u64>, Error> {
        let histories = Histories::of(self).map_err(Error::new)?;
        let lattice = histories.lattice(histories.usual_limit()).ok();
        Ok(lattice.and_then(|lattice| u64::try_from(lattice.cuts).ok()))
    }

    /// Whether both are the same run, up to the order of concurrent events: no process can distinguish them.
    pub fn is_same_run(&self, other: &Trace) -> bool {
        diff(self, other).is_equal(false)
    }

    /// Return the trace as text for a snapshot, which contains neither the version of Synod nor the text of the program. It omits
    /// some variables and fields of messages: `p*.clock, Request(*)`; nothing if `omitted` is empty.
    ///
    /// # Errors
    /// If `omitted` is not of this form.
    pub fn to_snapshot(&self, omitted: &str) -> Result<String, Error> {
        let redactions = Redactions::parse(omitted).map_err(Error::new)?;
        Ok(Snapshot::new(self.clone(), redactions).to_text())
    }
}

impl From<TraceError> for Error {
    fn from(error: TraceError) -> Error {
        Error::new(error.to_string())
    }
}

/// Return the facts about a program that pictures show.
pub(crate) fn facts(program: &Program) -> ProgramFacts {
    ProgramFacts {
        outputs: program.outputs.iter().map(|output| output.name.clone()).collect(),
        anonymous: program.assumptions.anonymous,
    }
}
