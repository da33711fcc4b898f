//! The formatter: one style for all programs; words and comments stay unchanged.
//!
//! A text is laid out clause by clause, from the rules that pest matched and all its tokens. Words keep their order and comments
//! their places among them; only line breaks and blanks change. Line breaks by the author between statements, alternatives,
//! elements and operands are kept. Others are added only where a line would be too long.
//!
//! The layout of a clause depends only on its text and on the clauses directly above and below it (`stretch`), so a [`Formatter`]
//! lays out only changed clauses.

mod doc;
mod comments;
mod symbols;
mod builder;
mod expr;
mod stmt;
mod clause;
mod sheet;
mod clause_group;
mod page;
mod formatter;

pub use doc::WIDTH;
pub use formatter::{Formatter, line_end};
pub use symbols::Signs;

use crate::diagnostic::Diagnostic;
use crate::syntax::Parsed;
use crate::syntax::tokens::{self, Token};
use std::ops::Range;

/// A text that replaces a part of another.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Edit {
    /// In bytes of the text before the edit.
    pub range: Range<usize>,
    pub text: String,
}

/// Format a program. A formatted program stays unchanged.
///
/// # Errors
/// All syntax errors: only a text without them can be formatted.
pub fn format(text: &str, signs: Signs) -> Result<String, Vec<Diagnostic>> {
    Formatter::new(signs).whole(&Parsed::new(0, text)).map_err(<[_]>::to_vec)
}

/// Format the clauses that a range of bytes touches, with their comments. `None` if it touches none.
///
/// # Errors
/// All syntax errors of the whole text.
pub fn format_range(text: &str, range: Range<usize>, signs: Signs) -> Result<Option<Edit>, Vec<Diagnostic>> {
    Formatter::new(signs).range(&Parsed::new(0, text), range).map_err(<[_]>::to_vec)
}

/// Panic unless two texts have the same words and comments, except `;` between statements. The formatter must change only white
/// space: it is better to fail than to change a program.
fn keeps_words(text: &str, tokens: &[Token], formatted: &str) {
    let formatted_tokens = tokens::tokens(formatted);
    let (mut before, mut after) = (words(text, tokens), words(formatted, &formatted_tokens));
    for at in 0.. {
        let (before, after) = (before.next(), after.next());
        if before != after {
            let shown = |word: Option<&str>| word.map_or("the end".into(), |word| format!("`{word}`"));
            panic!("formatting would have made {} of {} (word {at})", shown(after), shown(before));
        }
        if before.is_none() {
            return;
        }
    }
}

fn words<'t>(text: &'t str, tokens: &'t [Token]) -> impl Iterator<Item = &'t str> {
    let mut words = tokens.iter().map(|token| token.text(text)).filter(|word| *word != ";").peekable();
    std::iter::from_fn(move || {
        let word = words.next()?;
        // `[ ]` and `[]` are the same list.
        let is_empty_list = word == "[" && words.next_if_eq(&"]").is_some();
        Some(if is_empty_list { "[]" } else { word })
    })
}
