//! Assertions on runs.

use crate::api::Run;
use crate::input;
use crate::render::Look;
use crate::render::diff::Comparison;
use crate::trace::Trace;
use crate::trace::diff::diff;
use crate::trace::snapshot::Snapshot;
use std::path::Path;

/// For tests: see [`testing`](crate::testing).
impl Run {
    /// Assert that every property that the algorithm claims holds (none is pending), and that the run is neither stuck,
    /// aborted nor cut off.
    ///
    /// # Panics
    /// If not: with every failed property, and the reason.
    #[track_caller]
    pub fn assert_holds(&self) {
        let findings = self.findings();
        assert!(findings.is_empty(), "{self}:\n  {}", findings.join("\n  "));
    }

    /// Return the trace as text for a snapshot: see [`testing`](crate::testing#snapshots). All commands of `synod trace` accept it.
    pub fn snapshot(&self) -> String {
        self.snapshot_without("")
    }

    /// Return the snapshot without some variables and fields of messages: `p*.clock, Request(*)`.
    ///
    /// # Panics
    /// If `omitted` is not of this form.
    #[track_caller]
    pub fn snapshot_without(&self, omitted: &str) -> String {
        self.trace().to_snapshot(omitted).unwrap_or_else(|error| panic!("{error}"))
    }

    /// Assert that the other run is the same, up to the order of concurrent events.
    ///
    /// ```
    /// use synod::testing::Schedule;
    /// let ring = synod::testing::library("chang_roberts").on("ring(4)");
    /// ring.run().assert_same_run(&ring.clone().schedule(Schedule::RoundRobin).run());
    /// ```
    ///
    /// # Panics
    /// If not: with the differences.
    #[track_caller]
    pub fn assert_same_run(&self, other: &Run) {
        compare("this run", "the other run", self.trace(), other.trace());
    }

    /// Assert that the run is the same as in a file, up to the order of concurrent events: a snapshot of `synod test`,
    /// or any trace. Redactions of the snapshot apply to the run, too.
    ///
    /// # Panics
    /// If not: with the differences. Also if the file is not a trace.
    #[track_caller]
    pub fn assert_like_file(&self, path: impl AsRef<Path>) {
        let name = path.as_ref().display().to_string();
        let text = input::read_trace(&name).unwrap_or_else(|error| panic!("{error}"));
        let kept = Snapshot::read(&text).unwrap_or_else(|error| panic!("{name} is not a trace: {error}"));
        let now = Snapshot::new(self.trace().clone(), kept.redactions.clone());
        compare(&name, "this run", kept.trace(), now.trace());
    }
}

#[track_caller]
fn compare(a: &str, b: &str, left: &Trace, right: &Trace) {
    let diff = diff(left, right);
    if !diff.is_equal(false) {
        let (look, list_width) = (Look::PLAIN, usize::MAX);
        panic!("{}", Comparison { diff: &diff, a: (a, left), b: (b, right), look, list_width }.text(false));
    }
}
