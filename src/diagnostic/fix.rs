//! Corrections as edits.

use crate::source::Span;

/// Replacement of the text of a span; an insertion where the span is empty.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Edit {
    pub span: Span,
    pub text: String,
}

impl Edit {
    pub fn new(span: Span, text: impl Into<String>) -> Edit {
        Edit { span, text: text.into() }
    }

    pub fn insert(file: u32, at: u32, text: impl Into<String>) -> Edit {
        Edit::new(Span { file, start: at, end: at }, text)
    }
}

/// An edit that carries out the hint. Editors offer it as a quick fix.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fix {
    /// In the imperative, without a full stop: `Add unique ids to the assumptions`.
    pub title: String,
    pub edits: Vec<Edit>,
    /// Whether nothing else can be intended; `synod check --fix` applies only such fixes.
    pub is_certain: bool,
}

impl Fix {
    pub fn new(title: impl Into<String>, edits: Vec<Edit>) -> Fix {
        Fix { title: title.into(), edits, is_certain: false }
    }

    pub fn certain(self) -> Fix {
        Fix { is_certain: true, ..self }
    }

    pub fn remove(span: Span) -> Fix {
        Fix::new("Remove it", vec![Edit::new(span, "")])
    }

    pub fn replace(span: Span, text: &str) -> Fix {
        Fix::new(format!("Write `{}`", text.trim()), vec![Edit::new(span, text)])
    }
}

/// Apply the certain ones of these fixes to the text of the checked file, file 0. A fix is omitted if it edits another file, or a
/// place that an earlier one edits. Return the new text and the number of fixes; None if there are none.
pub fn apply(text: &str, fixes: impl IntoIterator<Item = Fix>) -> Option<(String, usize)> {
    let mut edits: Vec<Edit> = Vec::new();
    let mut count = 0;
    for fix in fixes {
        let is_own = fix.edits.iter().all(|edit| edit.span.file == 0);
        let is_free = |edit: &Edit| edits.iter().all(|other| !overlap(edit.span, other.span));
        if fix.is_certain && is_own && fix.edits.iter().all(is_free) {
            edits.extend(fix.edits);
            count += 1;
        }
    }
    edits.sort_by_key(|edit| (edit.span.start, edit.span.end));
    let mut fixed = String::with_capacity(text.len());
    let mut at = 0;
    for edit in edits {
        fixed.push_str(text.get(at..edit.span.start as usize)?);
        fixed.push_str(&edit.text);
        at = edit.span.end as usize;
    }
    fixed.push_str(text.get(at..)?);
    (count > 0).then_some((fixed, count))
}

/// Return whether two edits change the same text; insertions beside each other do not.
fn overlap(a: Span, b: Span) -> bool {
    a.start < b.end && b.start < a.end
}
