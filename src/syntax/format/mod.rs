//! One style for all programs: text to text, words and comments unchanged.
//!
//! A text is laid out clause by clause, from what pest has read of each and all its tokens. Words keep their order and comments
//! their places among them; what changes is where lines begin and how many blanks stand between words. Breaks that the author has
//! made between statements, alternatives, elements and operands are kept, and more are made only where a line would get too long.
//!
//! How a clause looks depends on its text and on the clauses that stand directly above and below it, and on nothing else
//! (`stretch`): so a [`Formatter`] lays out only what is new.

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
pub use formatter::Formatter;
pub use symbols::Signs;

use crate::diagnostic::Diagnostic;
use crate::syntax::Parsed;
use crate::syntax::tokens::{self, Token};
use std::ops::Range;

/// A text to be put in the place of a part of another.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Edit {
    /// Bytes of the text before.
    pub range: Range<usize>,
    pub text: String,
}

/// A program in the one style. What is in that style stays as it is.
///
/// # Errors
/// All that is wrong with its syntax: only what can be read can be laid out.
pub fn format(text: &str, signs: Signs) -> Result<String, Vec<Diagnostic>> {
    Formatter::new(signs).whole(&Parsed::new(0, text)).map_err(<[_]>::to_vec)
}

/// The same for those clauses alone, with their comments, that a range of bytes touches; None if it touches none.
///
/// # Errors
/// All that is wrong with the syntax of the whole text.
pub fn format_range(text: &str, range: Range<usize>, signs: Signs) -> Result<Option<Edit>, Vec<Diagnostic>> {
    Formatter::new(signs).range(&Parsed::new(0, text), range).map_err(<[_]>::to_vec)
}

/// Two texts must have the same words and comments; only `;` between statements may come and go. Whoever asks for blanks to be put
/// in order gets nothing else, and nothing rather than something else.
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
