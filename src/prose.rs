//! Small pieces of prose for diagnostics.

use crate::diagnostic::Diagnostic;
use std::fmt::Display;

/// `an Int`, `a Bool`, `a set of Id`, `an unknown type`.
pub fn a(what: &str) -> String {
    if what.starts_with("an ") || what.starts_with("a ") {
        return what.into();
    }
    let vowel = what.chars().next().is_some_and(|c| "AEIOaeio".contains(c));
    format!("{} `{what}`", if vowel { "an" } else { "a" })
}

/// `1 field`, `2 fields`, `no field`.
pub fn count(n: usize, what: &str) -> String {
    match n {
        0 => format!("no {what}"),
        1 => format!("1 {what}"),
        n => format!("{n} {what}s"),
    }
}

/// Where a run begins to go round for ever.
pub const FROM_HERE: &str = "from here on for ever";

/// Why what is asked of ends holds where there are none.
pub const NO_RUN_ENDS: &str = "no run comes to an end, so nothing was asked of ends";

/// The same of a single run.
pub const RUN_NEVER_ENDS: &str = "the run never comes to an end";

/// `in all 3 configurations`, of which there may be one only, or none yet.
pub fn in_all_configurations(n: u64) -> String {
    match n {
        0 => "in no configuration so far".into(),
        1 => "in the only configuration".into(),
        n => format!("in all {n} configurations"),
    }
}

/// What runs cost at least, where that is known, and at most: `4 in every run`, `from 2 to 6`, `at most 6`.
pub fn in_runs(least: Option<i64>, most: i64) -> String {
    match least {
        Some(least) if least == most => format!("{most} in every run"),
        Some(least) => format!("from {least} to {most}"),
        None => format!("at most {most}"),
    }
}

/// The same where others may go on for ever, which are not meant: `4 in every run that ends`, `from 2 to 6 in runs that end`.
pub fn in_runs_that_end(least: Option<i64>, most: i64) -> String {
    let of_all = in_runs(least, most);
    if of_all.ends_with("every run") { of_all + " that ends" } else { of_all + " in runs that end" }
}

/// `none is given`, `1 is given`, `2 are given`.
pub fn given(n: usize) -> String {
    match n {
        0 => "none is given".into(),
        1 => "1 is given".into(),
        n => format!("{n} are given"),
    }
}

/// `` `a`, `b` and `c` ``
pub fn list(items: &[String]) -> String {
    let quoted: Vec<String> = items.iter().map(|i| format!("`{i}`")).collect();
    if quoted.is_empty() { "none".into() } else { and(&quoted) }
}

/// What there is, for who asked for something else: `there is only a`, `there are a, b`.
pub fn there<S: AsRef<str>>(names: &[S]) -> String {
    let all: Vec<&str> = names.iter().map(AsRef::as_ref).collect();
    match all.as_slice() {
        [] => "there is none".into(),
        [one] => format!("there is only {one}"),
        all => format!("there are {}", all.join(", ")),
    }
}

/// `a`, `a and b`, `a, b and c`
pub fn and<S: AsRef<str>>(items: &[S]) -> String {
    joined(items, " and ")
}

/// Numbers that grow: `0, 1, 3 to 54`.
pub fn numbers(all: &[u64]) -> String {
    let parts = all.chunk_by(|a, b| a + 1 == *b).flat_map(|run| match run {
        [first, .., last] if run.len() > 2 => vec![format!("{first} to {last}")],
        few => few.iter().map(u64::to_string).collect(),
    });
    parts.collect::<Vec<_>>().join(", ")
}

/// Whole clauses, with a comma before the last: `it fails, and it stops`, `it fails, it stops, and it is wrong`.
pub fn clauses<S: AsRef<str>>(items: &[S]) -> String {
    joined(items, ", and ")
}

/// Alternatives that are clauses: `it fails, or it stops`.
pub fn alternatives<S: AsRef<str>>(items: &[S]) -> String {
    joined(items, ", or ")
}

fn joined<S: AsRef<str>>(items: &[S], before_last: &str) -> String {
    let mut text = String::new();
    for (place, item) in items.iter().enumerate() {
        text += match place {
            0 => "",
            _ if place + 1 == items.len() => before_last,
            _ => ", ",
        };
        text += item.as_ref();
    }
    text
}

/// The widest column that is padded. A name of a thousand letters leaves no table readable, padding for all other rows would
/// fill memory with blanks, and the formatter of the standard library panics beyond 65 535.
const MAX_PADDING: usize = 1_000;

/// The text, followed by blanks up to a width in characters.
pub fn padded(text: impl Display, width: usize) -> String {
    let text = text.to_string();
    let blanks = blanks(text.chars().count(), width);
    text + &blanks
}

/// The text, preceded by blanks up to a width in characters.
pub fn right_aligned(text: impl Display, width: usize) -> String {
    let text = text.to_string();
    blanks(text.chars().count(), width) + &text
}

/// The blanks that pad a cell of `taken` columns to a width.
pub fn blanks(taken: usize, width: usize) -> String {
    " ".repeat(width.min(MAX_PADDING).saturating_sub(taken))
}

/// Is the text as the pattern says? `*` stands for any characters, `?` for one.
pub fn is_like(pattern: &str, text: &str) -> bool {
    let (pattern, text): (Vec<char>, Vec<char>) = (pattern.chars().collect(), text.chars().collect());
    let (mut p, mut t) = (0, 0);
    // The last star, and how much of the text it takes: one more where what follows it does not fit.
    let mut star = None;
    while t < text.len() {
        match pattern.get(p) {
            Some('*') => {
                star = Some((p, t));
                p += 1;
            }
            Some(c) if *c == '?' || *c == text[t] => (p, t) = (p + 1, t + 1),
            _ => {
                let Some((at, taken)) = star else { return false };
                star = Some((at, taken + 1));
                (p, t) = (at + 1, taken + 1);
            }
        }
    }
    pattern[p..].iter().all(|c| *c == '*')
}

/// Number of insertions, deletions, replacements and swaps of neighbours that turn one word into the other.
pub fn distance(a: &str, b: &str) -> usize {
    let (a, b): (Vec<char>, Vec<char>) = (a.chars().collect(), b.chars().collect());
    let mut rows = vec![vec![0usize; b.len() + 1]; a.len() + 1];
    for (i, row) in rows.iter_mut().enumerate() {
        row[0] = i;
    }
    for (j, cell) in rows[0].iter_mut().enumerate() {
        *cell = j;
    }
    for i in 1..=a.len() {
        for j in 1..=b.len() {
            let replace = rows[i - 1][j - 1] + usize::from(a[i - 1] != b[j - 1]);
            let mut best = replace.min(rows[i - 1][j] + 1).min(rows[i][j - 1] + 1);
            if i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1] {
                best = best.min(rows[i - 2][j - 2] + 1);
            }
            rows[i][j] = best;
        }
    }
    rows[a.len()][b.len()]
}

/// The known word nearest to a misspelt one, if it is near enough to be meant.
pub fn nearest<'k>(word: &str, known: &'k [String]) -> Option<&'k str> {
    // One or two letters are no misspelling of others, but perhaps of their capitals, or cut off; nor is `p3`
    // one of `p2`.
    let length = word.chars().count();
    let allowed = if length < 2 { 0 } else { (length / 3).clamp(1, 3) };
    let letters = |w: &str| w.chars().filter(|c| !c.is_ascii_digit()).collect::<String>();
    known
        .iter()
        .map(|k| (distance(&word.to_lowercase(), &k.to_lowercase()), k.as_str()))
        .filter(|(d, k)| *d <= allowed && *k != word)
        .filter(|(d, k)| *d == 0 || k.len() != word.len() || letters(k) != letters(word))
        .filter(|(d, k)| *d == 0 || length > 2 || k.starts_with(word))
        .min()
        .map(|(_, k)| k)
}

pub fn did_you_mean(d: Diagnostic, word: &str, known: &[String]) -> Diagnostic {
    match nearest(word, known) {
        Some(k) => d.meant(k),
        None => d,
    }
}

/// What here says what this word says in other languages.
pub fn elsewhere(word: &str) -> Option<&'static str> {
    Some(match word {
        "self" | "me" | "myself" | "this" | "myid" | "my_id" | "pid" => {
            "a process calls its variables by their names alone, and its identifier `id`"
        }
        "all" | "everyone" | "nodes" => {
            "in a process `neighbours` are its ports and `others` the ids of all others; in properties `processes` are all"
        }
        "null" | "nil" | "undefined" | "None" | "NULL" | "bottom" => {
            "where there is no value there is `none`"
        }
        "True" | "TRUE" | "False" | "FALSE" => "the truth values are `true` and `false`",
        "size" | "len" | "length" | "card" | "cardinality" => "`size(S)` is the number of elements",
        "append" | "push" | "enqueue" | "add" | "insert" => {
            "elements are put in with `+`: `l := l + [x]` behind a list, `S := S + {x}` into a set, `m[k] := v` into a map"
        }
        "pop" | "dequeue" => "`head(l)` is the first element of a list, and `tail(l)` are the others",
        "delete" | "erase" | "discard" => "`remove x from S`",
        "union" => "the union is `S + T`",
        "intersection" | "intersect" => "the common part is `S inter T`",
        "contains" | "member" | "elem" => "`x in S` asks whether x is in S",
        "empty" | "is_empty" | "isEmpty" | "isempty" => {
            "`S = {}` asks whether a set is empty, `l = []` a list"
        }
        "sender" => "`on M from p` and `receive M from p` name the sender",
        "inf" | "infinity" | "INF" | "INFINITY" | "maxint" => {
            "there is no infinite number: an option, `Int?`, is `none` as long as there is none"
        }
        "rand" | "randint" | "flip" => "`random(S)` is an element drawn by lot, `coin(1/2)` a truth value",
        "now" | "clock" | "timestamp" => "programs cannot read the time: they set timers, `after e -> …`",
        "print" | "println" | "printf" | "log" => {
            "nothing is printed: a run shows its messages and what they change"
        }
        "begin" | "end" => {
            "blocks end by themselves: `if g -> … fi`, `do g -> … od`, a command where the next clause begins"
        }
        "goto" | "transition" | "switch" => "`become s` goes to the state `s`",
        "let" => "a new name needs no word: `x := e`",
        "decide" => "a decision is an output that is assigned: `decision := x`, where the problem has it",
        "reply" | "respond" | "answer" => "an answer is a message: `on Ask from p -> send Answer to p`",
        "assert" => "what always holds is said by a clause: `invariant NAME: …`",
        "broadcast" => "`send M to others`, or `send M to neighbours`, sends to all of them",
        "wait" | "sleep" | "delay" => {
            "`await e` waits for a condition, and `if after k -> skip fi` for a time"
        }
        "range" => "the numbers from a to b are `a..b`, both ends included: `0..2` are three",
        "select" | "case" | "match" => {
            "alternatives are `if g -> … [] g -> … fi`: a guard is a condition, `receive M(x)` or `after k`"
        }
        "elif" | "elsif" | "elseif" => "alternatives are separated by `[]`: `[] else g -> …`",
        "return" => "a function is an expression, without `return`; a procedure gives no value",
        "sqrt" | "floor" | "ceil" | "log2" => {
            "numbers are whole: there are `div`, `mod`, `pow(b, e)`, `log2_floor(x)` and `log2_ceil(x)`"
        }
        _ => return None,
    })
}

/// The word of another language, or the nearest that is known here.
pub fn elsewhere_or_meant(d: Diagnostic, word: &str, known: &[String]) -> Diagnostic {
    match elsewhere(word) {
        Some(hint) => d.hint(hint),
        None => did_you_mean(d, word, known),
    }
}

#[cfg(test)]
mod tests {
    use super::{is_like, numbers};

    #[test]
    fn numbers_that_follow_one_another_are_told_by_the_first_and_the_last() {
        assert_eq!(numbers(&[]), "");
        assert_eq!(numbers(&[0, 1, 3, 4, 5, 9]), "0, 1, 3 to 5, 9");
    }

    #[test]
    fn patterns() {
        for (pattern, text) in [
            ("", ""),
            ("*", ""),
            ("*", "abc"),
            ("a*c", "abc"),
            ("a*c", "ac"),
            ("a?c", "abc"),
            ("**b*", "aab"),
            ("*ab", "aab"),
            ("a*b*c", "aXbYbZc"),
            ("?", "ä"),
            ("a*", "a"),
        ] {
            assert!(is_like(pattern, text), "{pattern} {text}");
        }
        for (pattern, text) in [
            ("", "a"),
            ("a", ""),
            ("?", ""),
            ("a*c", "abd"),
            ("a", "ab"),
            ("b*", "ab"),
            ("*b", "ba"),
            ("a?", "a"),
        ] {
            assert!(!is_like(pattern, text), "{pattern} {text}");
        }
    }
}
