//! Words of earlier versions. The grammar reads them like the words that replaced them; here they are refused, with the
//! replacement as fix.

use pest::iterators::Pairs;

use crate::diagnostic::{Diagnostic, Fix, Grammar};
use crate::source::Span;
use crate::syntax::rule::Rule;
use crate::syntax::tokens::Token;

/// What each word became. The replacement of `except` depends on types, so `check` refuses it.
const FORMER: &[(Rule, &str, &str)] = &[
    (Rule::former_exists, "exists", "some"),
    (Rule::former_else, "else", "otherwise"),
    (Rule::former_process, "process", "role"),
    (Rule::former_received, "received", "arrived"),
    (Rule::former_stable, "stable", "persistent"),
];

/// Return the findings about the former words of a clause that starts at `offset`.
pub fn former_words(
    file: u32,
    text: &str,
    offset: usize,
    tokens: &[Token],
    pairs: Pairs<'_, Rule>,
) -> Vec<Diagnostic> {
    let is_former = |token: &Token| FORMER.iter().any(|(_, word, _)| *word == token.text(text));
    if !tokens.iter().any(is_former) {
        return Vec::new();
    }
    let finding = |(rule, at): (Rule, usize)| {
        let (_, word, present) = FORMER.iter().find(|(former, ..)| *former == rule)?;
        let span = Span::new(file, offset + at, offset + at + word.len());
        Some(
            Grammar::FormerWord((*word).into(), (*present).into())
                .at(span)
                .fix(Fix::replace(span, present).certain()),
        )
    };
    pairs.flatten().filter_map(|pair| finding((pair.as_rule(), pair.as_span().start()))).collect()
}
