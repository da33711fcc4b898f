//! Words of earlier versions. The grammar reads them like the words that replaced them; here they are refused, with the
//! replacement as fix.

use pest::iterators::{Pair, Pairs};

use crate::diagnostic::{Diagnostic, Fix, Grammar};
use crate::source::Span;
use crate::syntax::rule::Rule;
use crate::syntax::tokens::Token;

/// Former words and what they became. The replacement of `except` depends on types, so `check` refuses it.
const FORMER: &[(Rule, &str, &str)] = &[
    (Rule::former_exists, "exists", "some"),
    (Rule::former_else, "else", "otherwise"),
    (Rule::former_process, "process", "role"),
    (Rule::former_received, "received", "arrived"),
    (Rule::former_stable, "stable", "persistent"),
    (Rule::former_any, ":= any", "initially any"),
];

/// Return the findings about the former words of a clause that starts at `offset`.
pub fn former_words(
    file: u32,
    text: &str,
    offset: usize,
    tokens: &[Token],
    pairs: Pairs<'_, Rule>,
) -> Vec<Diagnostic> {
    let is_last = |former: &str, token: &Token| former.rsplit(' ').next() == Some(token.text(text));
    let is_former = |token: &Token| FORMER.iter().any(|(_, former, _)| is_last(former, token));
    if !tokens.iter().any(is_former) {
        return Vec::new();
    }
    let finding = |pair: Pair<'_, Rule>| {
        let (_, former, present) = FORMER.iter().find(|(rule, ..)| *rule == pair.as_rule())?;
        let span = Span::new(file, offset + pair.as_span().start(), offset + pair.as_span().end());
        let finding = Grammar::FormerWord((*former).into(), (*present).into()).at(span);
        Some(finding.fix(Fix::replace(span, present).certain()))
    };
    pairs.flatten().filter_map(finding).collect()
}
