//! Words of a line, some of them in quotes.

/// Split a text into words at white space; a word in quotes may contain white space, and loses the quotes.
pub(super) fn words(text: &str) -> Vec<&str> {
    let mut words = Vec::new();
    let mut rest = text.trim_start();
    while !rest.is_empty() {
        let (word, after) = match rest.strip_prefix('"') {
            Some(quoted) => quoted.split_once('"').unwrap_or((quoted, "")),
            None => rest.split_at(rest.find(char::is_whitespace).unwrap_or(rest.len())),
        };
        words.push(word);
        rest = after.trim_start();
    }
    words
}

/// Return the lines of a text that are neither empty nor comments, trimmed, with their numbers from 1.
pub(super) fn numbered<'a>(text: &'a str, comments: &'a [char]) -> impl Iterator<Item = (usize, &'a str)> {
    let lines = (1..).zip(text.lines()).map(|(number, line)| (number, line.trim()));
    lines.filter(move |(_, line)| !line.is_empty() && !line.starts_with(comments))
}
