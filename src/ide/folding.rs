//! Folding ranges: clauses, sections, blocks, comments.

use super::Analysis;
use super::symbols::Symbol;
use crate::syntax::TokenKind;

/// A foldable range of lines, numbered from 0, both ends included.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Fold {
    pub first: usize,
    pub last: usize,
    pub comment: bool,
}

impl Analysis {
    pub fn folds(&self) -> Vec<Fold> {
        let file = self.user_file();
        let starts: Vec<usize> =
            std::iter::once(0).chain(file.text.match_indices('\n').map(|(i, _)| i + 1)).collect();
        let line = |offset: usize| starts.partition_point(|s| *s <= offset) - 1;
        let mut folds: Vec<Fold> = Vec::new();
        let mut add = |start: usize, end: usize, comment: bool| {
            let (first, last) = (line(start), line(end.saturating_sub(1).max(start)));
            if last > first {
                folds.push(Fold { first, last, comment });
            }
        };
        for clause in &file.module.clauses {
            add(clause.span.start as usize, clause.span.end as usize, false);
        }
        fn sections(symbols: &[Symbol], add: &mut impl FnMut(usize, usize, bool)) {
            for symbol in symbols.iter().filter(|s| !s.children.is_empty()) {
                add(symbol.whole.start as usize, symbol.whole.end as usize, false);
                sections(&symbol.children, add);
            }
        }
        sections(&self.symbols(), &mut add);
        // `if … fi` and `do … od` are matched by tokens, so that half-typed ones fold too.
        let mut open: Vec<(&str, usize)> = Vec::new();
        let mut comments: Option<(usize, usize)> = None;
        for token in &file.tokens {
            let is_comment = matches!(token.kind, TokenKind::Comment | TokenKind::Doc);
            comments = match comments {
                Some((start, end))
                    if is_comment && token.first_of_line && line(token.start) == line(end) + 1 =>
                {
                    Some((start, token.end - 1))
                }
                had => {
                    if let Some((start, end)) = had {
                        add(start, end + 1, true);
                    }
                    (is_comment && token.first_of_line).then(|| (token.start, token.end - 1))
                }
            };
            let closes = match token.text(&file.text) {
                "if" => {
                    open.push(("fi", token.start));
                    continue;
                }
                "do" => {
                    open.push(("od", token.start));
                    continue;
                }
                // A conditional expression has no closing keyword.
                "then" => {
                    if open.last().is_some_and(|(end, _)| *end == "fi") {
                        open.pop();
                    }
                    continue;
                }
                closing @ ("fi" | "od") => closing,
                _ => continue,
            };
            if let Some(at) = open.iter().rposition(|(end, _)| *end == closes) {
                add(open[at].1, token.end, false);
                open.truncate(at);
            }
        }
        if let Some((start, end)) = comments {
            add(start, end + 1, true);
        }
        folds.sort_unstable();
        // Keep one fold per line: the largest.
        folds.dedup_by(|next, kept| {
            let same = next.first == kept.first && next.comment == kept.comment;
            if same {
                kept.last = kept.last.max(next.last);
            }
            same
        });
        folds
    }
}
