//! Searches for choices: assignments of events to the universally quantified variables of a sentence.
//!
//! Each search is for the choices that contain one given event, as in the semi-naive evaluation of a query after an insertion (S.
//! Abiteboul, R. Hull and V. Vianu, *Foundations of Databases*, 1995, §13.1): all others are known already.

use crate::explore::monitor::history::formula::{Denoted, Evaluation, Quantified, Truth, kind_of};
use crate::explore::monitor::history::sentence::Sentence;
use crate::ids::ProcessId;

/// A search for a choice that satisfies the conditions of a sentence in some future.
struct Search<'s> {
    sentence: &'s Sentence,
    /// A variable, by its depth, and the event that it denotes.
    fixed: Option<(usize, Denoted)>,
    /// A variable, by its depth, that denotes an event of this process.
    beside: Option<(usize, ProcessId)>,
    /// By position, the past events that the other variables may denote.
    among: &'s [bool],
    /// Whether they may denote future events.
    has_future: bool,
}

impl Search<'_> {
    /// Return whether there is a choice that `accept` accepts. It is the first part of `evaluation.denoted`.
    fn finds(
        &self,
        evaluation: &mut Evaluation<'_, '_>,
        accept: &mut impl FnMut(&mut Evaluation<'_, '_>) -> bool,
    ) -> bool {
        let depth = evaluation.denoted.len();
        if evaluation.truth(&self.sentence.conditions[depth]) == Truth::False {
            return false;
        }
        let Some(quantified) = self.sentence.universals.get(depth) else { return accept(evaluation) };
        let all = match self.beside {
            Some((beside, process)) if beside == depth => evaluation.events_of(quantified, process),
            _ => evaluation.events(quantified),
        };
        let may_denote = |event: &Denoted| match (self.fixed, event) {
            (Some((fixed, own)), _) if fixed == depth => own == *event,
            (_, Denoted::Past(at)) => self.among[*at],
            (_, Denoted::Future(_)) => self.has_future,
        };
        // A future event mostly leaves the matrix unknown, which decides a search at once.
        all.iter().rev().filter(|event| may_denote(event)).any(|event| {
            evaluation.with(depth, *event, |own| {
                let found = self.finds(own, accept);
                found || {
                    own.denoted.truncate(depth);
                    false
                }
            })
        })
    }
}

/// Return the outer variable beside which this one ranges, with a process.
fn beside(quantified: &Quantified, process: ProcessId) -> Option<(usize, ProcessId)> {
    quantified.beside.map(|outer| (outer.depth, process))
}

/// Return whether a choice that contains a past event satisfies the conditions, and the matrix is not certainly true for it. The choice is
/// the first part of `evaluation.denoted` then. `has_future`: whether choices contain future events.
pub fn is_open(
    sentence: &Sentence,
    event: usize,
    has_future: bool,
    evaluation: &mut Evaluation<'_, '_>,
) -> bool {
    let entry = &evaluation.history.entries()[event];
    let (kind, process, all) = (kind_of(entry), entry.process, vec![true; evaluation.kept.len()]);
    sentence.universals.iter().filter(|own| own.variable.kind == kind).any(|own| {
        let fixed = Some((own.variable.depth, Denoted::Past(event)));
        let search = Search { sentence, fixed, beside: beside(own, process), among: &all, has_future };
        evaluation.denoted.clear();
        search.finds(evaluation, &mut |own| own.truth(&sentence.matrix) != Truth::True)
    })
}

/// Return whether some choice among the kept events and future ones may need a past event as a witness: kept events do not make the matrix
/// true for this choice.
pub fn may_be_needed(
    sentence: &Sentence,
    event: usize,
    kept: &[bool],
    evaluation: &mut Evaluation<'_, '_>,
) -> bool {
    let entry = &evaluation.history.entries()[event];
    let (kind, process) = (kind_of(entry), entry.process);
    let count = sentence.universals.len();
    sentence.witnesses.iter().filter(|own| own.variable.kind == kind).any(|own| {
        let beside = beside(own, process).filter(|(depth, _)| *depth < count);
        let search = Search { sentence, fixed: None, beside, among: kept, has_future: true };
        evaluation.denoted.clear();
        search.finds(evaluation, &mut |own| {
            own.kept.copy_from_slice(kept);
            let is_true = own.truth(&sentence.matrix) == Truth::True;
            own.kept.fill(true);
            !is_true && own.may_witness(&sentence.matrix, event)
        })
    })
}
