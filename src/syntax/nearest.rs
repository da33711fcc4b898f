//! «Did you mean …?»

/// The candidate within one or two typing mistakes of a word, if there is one.
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

/// Letters added, lost, replaced, or swapped with their neighbour (Damerau; `sned` is one mistake, not two).
fn distance(a: &str, b: &str) -> usize {
    let (a, b): (Vec<char>, Vec<char>) = (a.chars().collect(), b.chars().collect());
    let mut before: Vec<usize> = Vec::new();
    let mut last: Vec<usize> = (0..=b.len()).collect();
    for i in 0..a.len() {
        let mut row = vec![i + 1];
        for j in 0..b.len() {
            let replaced = last[j] + usize::from(a[i] != b[j]);
            let mut best = replaced.min(last[j + 1] + 1).min(row[j] + 1);
            if i > 0 && j > 0 && a[i] == b[j - 1] && a[i - 1] == b[j] {
                best = best.min(before[j - 1] + 1);
            }
            row.push(best);
        }
        before = std::mem::replace(&mut last, row);
    }
    last[b.len()]
}
