//! Formatting in the style of `synod fmt`, for a whole text or the clauses of a part of it.

use crate::diagnostic::Edit;
use crate::source::Span;
use crate::syntax::Parsed;
use crate::syntax::format::Formatter;

/// Return the edit that formats the text; `None` if it is formatted already, or has errors. Unchanged lines at the beginning and
/// at the end are not part of the edit.
pub fn whole(formatter: &mut Formatter, read: &Parsed) -> Option<Edit> {
    let formatted = formatter.whole(read).ok()?;
    let (before, after) = (read.text.as_bytes(), formatted.as_bytes());
    if before == after {
        return None;
    }
    let same = before.iter().zip(after).take_while(|(a, b)| a == b).count();
    let start = before[..same].iter().rposition(|byte| *byte == b'\n').map_or(0, |newline| newline + 1);
    let rest = before[start..].iter().rev().zip(after[start..].iter().rev());
    let same = rest.take_while(|(a, b)| a == b).count();
    let tail = &before[before.len() - same..];
    let same = tail.iter().position(|byte| *byte == b'\n').map_or(0, |newline| same - newline - 1);
    let (end, new_end) = (before.len() - same, after.len() - same);
    Some(Edit { span: Span::new(0, start, end), text: formatted[start..new_end].to_string() })
}

/// Return the edit that formats the clauses that a part of the text touches.
pub fn part(formatter: &mut Formatter, read: &Parsed, part: Span) -> Option<Edit> {
    let edit = formatter.range(read, part.range()).ok()??;
    (read.text.get(edit.range.clone()) != Some(&edit.text))
        .then(|| Edit { span: Span::new(0, edit.range.start, edit.range.end), text: edit.text })
}
