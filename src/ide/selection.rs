//! Selection ranges: word, expression, statement, block, clause, text.

use super::Analysis;
use crate::source::Span;
use crate::syntax::{MAX_NESTING, TokenKind};

impl Analysis {
    /// Return the enclosing ranges of an offset, from the smallest to the whole text.
    pub fn selections(&self, offset: usize) -> Vec<Span> {
        let file = self.user_file();
        let mut spans: Vec<Span> = Vec::new();
        if let Some(token) = file.token_at(offset) {
            spans.push(Span::new(0, token.start, token.end));
        }
        // Enclosing brackets and blocks, with and without their delimiters. An explicit stack allows any nesting depth.
        let mut open: Vec<(&str, usize, usize)> = Vec::new();
        for token in file
            .tokens
            .iter()
            .filter(|t| !matches!(t.kind, TokenKind::Comment | TokenKind::Doc | TokenKind::Text))
        {
            let closes = match token.text(&file.text) {
                "(" => ")",
                "[" => "]",
                "{" => "}",
                "if" => "fi",
                "do" => "od",
                "then" => {
                    if open.last().is_some_and(|(end, ..)| *end == "fi") {
                        open.pop();
                    }
                    continue;
                }
                closing @ (")" | "]" | "}" | "fi" | "od") => {
                    let Some(at) = open.iter().rposition(|(end, ..)| *end == closing) else { continue };
                    let (_, start, inner) = open[at];
                    open.truncate(at);
                    let is_around = start <= offset && offset <= token.end;
                    spans.extend(is_around.then(|| Span::new(0, start, token.end)));
                    if is_around && inner <= offset && offset <= token.start && inner < token.start {
                        spans.push(self.trimmed(inner, token.start));
                    }
                    continue;
                }
                _ => continue,
            };
            open.push((closes, token.start, token.end));
        }
        // The line without its indentation.
        let line_start = file.text[..offset].rfind('\n').map_or(0, |i| i + 1);
        let line_end = file.text[offset..].find('\n').map_or(file.text.len(), |i| offset + i);
        spans.push(self.trimmed(line_start, line_end));
        let at = offset as u32;
        spans.extend(file.module.clauses.iter().map(|c| c.span).filter(|s| s.start <= at && at <= s.end));
        fn of_symbols(symbols: &[super::symbols::Symbol], at: u32, spans: &mut Vec<Span>) {
            for symbol in symbols.iter().filter(|s| s.whole.start <= at && at <= s.whole.end) {
                spans.push(symbol.whole);
                of_symbols(&symbol.children, at, spans);
            }
        }
        of_symbols(&self.symbols(), at, &mut spans);
        spans.push(Span::new(0, 0, file.text.len()));
        spans.retain(|s| s.start <= at && at <= s.end);
        spans.sort_by_key(|s| (s.end - s.start, s.start));
        // If a text is nested more deeply than a program can be, keep the innermost and the outermost ranges.
        if spans.len() > 2 * MAX_NESTING {
            spans.drain(MAX_NESTING..spans.len() - MAX_NESTING);
        }
        // Each range contains the previous one.
        let mut growing: Vec<Span> = Vec::new();
        for span in spans {
            match growing.last() {
                Some(last) if *last == span => {}
                Some(last) if span.start > last.start || span.end < last.end => {}
                _ => growing.push(span),
            }
        }
        growing
    }

    fn trimmed(&self, start: usize, end: usize) -> Span {
        let text = &self.user_file().text[start..end];
        let front = text.len() - text.trim_start().len();
        let whole = text.trim();
        Span::new(0, start + front, start + front + whole.len())
    }
}
