//! The glossary as data: `docs/glossary.md`, one entry for each heading below «Words».

use crate::prose;

/// The text of the page.
pub const TEXT: &str = include_str!("../docs/glossary.md");

/// An entry of the glossary.
pub struct Entry {
    pub word: &'static str,
    /// The field's term for it.
    pub term: &'static str,
    /// Its definition, as Markdown.
    pub text: &'static str,
}

/// Return all entries, in alphabetical order.
pub fn entries() -> Vec<Entry> {
    let section = TEXT.split("\n## ").find(|section| section.starts_with("Words"));
    section.unwrap_or_default().split("\n### ").skip(1).filter_map(entry).collect()
}

fn entry(text: &'static str) -> Option<Entry> {
    let (word, rest) = text.split_once('\n')?;
    let (term, text) = rest.trim_start().strip_prefix("**Field's term**: ")?.split_once('\n')?;
    Some(Entry { word: word.trim(), term: term.trim(), text: text.trim() })
}

/// Return the spelling that is compared: lower case, with blanks in place of `-` and `_`.
fn normal(word: &str) -> String {
    let word = word.to_lowercase().replace(['-', '_'], " ");
    word.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// Return the entry of a word, also of its plural.
pub fn find<'e>(entries: &'e [Entry], written: &str) -> Option<&'e Entry> {
    let wanted = normal(written);
    let exact = |wanted: &str| entries.iter().find(|entry| normal(entry.word) == wanted);
    exact(&wanted).or_else(|| exact(wanted.strip_suffix('s')?))
}

/// Return a hint for a word without an entry: the entries that contain it, else the nearest one.
pub fn hint(entries: &[Entry], written: &str) -> Option<String> {
    let wanted = normal(written);
    let containing: Vec<String> = entries
        .iter()
        .filter(|entry| normal(entry.word).split(' ').any(|part| part == wanted))
        .map(|entry| format!("'{}'", entry.word))
        .collect();
    match &containing[..] {
        [] => {
            let known: Vec<String> = entries.iter().map(|entry| entry.word.to_string()).collect();
            prose::nearest(&wanted, &known).map(|near| format!("did you mean '{near}'?"))
        }
        [one] => Some(format!("did you mean {one}?")),
        several => Some(format!("there are {}", prose::and(several))),
    }
}
