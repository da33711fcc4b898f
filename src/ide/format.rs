//! Formatting: the one style of `synod fmt`, for a whole text or the clauses of a part of it.

use crate::diagnostic::Edit;
use crate::source::Span;
use crate::syntax::format::{Signs, format, format_range};

/// What makes the text look as it should; nothing where it does already, or where it has errors.
pub fn whole(text: &str) -> Option<Edit> {
    let formatted = format(text, Signs::AsWritten).ok()?;
    (formatted != text).then(|| Edit { span: Span::new(0, 0, text.len()), text: formatted })
}

/// The same for the clauses that a part of the text touches.
pub fn part(text: &str, part: Span) -> Option<Edit> {
    let edit = format_range(text, part.start as usize..part.end as usize, Signs::AsWritten).ok()??;
    (text.get(edit.range.clone()) != Some(&edit.text))
        .then(|| Edit { span: Span::new(0, edit.range.start, edit.range.end), text: edit.text })
}
