//! Spelling suggestions for keywords, which are short and few: stricter than `prose::nearest`, which knows the names of a
//! program.

use crate::prose::distance;

/// Return the candidate within one or two typing mistakes of a word, if there is one.
pub fn nearest<'c>(word: &str, candidates: &[&'c str]) -> Option<&'c str> {
    if word.len() > 20 {
        return None;
    }
    candidates
        .iter()
        .map(|candidate| (distance(word, candidate), *candidate))
        .filter(|(distance, candidate)| *distance <= if candidate.len() > 4 { 2 } else { 1 })
        .filter(|(_, candidate)| word.len() > 2 && candidate.len() > 2)
        .min_by_key(|(distance, _)| *distance)
        .map(|(_, candidate)| candidate)
}
