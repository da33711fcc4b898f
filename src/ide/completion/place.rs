//! The context of a completion: the tokens before the cursor.

use crate::ide::{Analysis, File};
use crate::source::Span;
use crate::syntax::ast::ClauseKind;
use crate::syntax::{CLAUSE_WORDS, Token, TokenKind};

/// The tokens before an offset.
pub(super) struct CompletionContext<'a> {
    pub(super) file: &'a File,
    /// The tokens of the clause before the word being typed, without comments.
    pub(super) before: Vec<&'a Token>,
    pub(super) replace: Span,
    /// Whether only blanks precede the word on its line.
    pub(super) begins_line: bool,
}

impl CompletionContext<'_> {
    pub(super) fn back(&self, n: usize) -> &str {
        let at = self.before.len().checked_sub(n);
        at.and_then(|i| self.before.get(i)).map_or("", |t| t.text(&self.file.text))
    }

    pub(super) fn head(&self) -> &str {
        match (self.word(0), self.word(1)) {
            ("persistent" | "stable", "var") => "var",
            ("initial", _) => "state",
            (head, _) => head,
        }
    }

    pub(super) fn word(&self, i: usize) -> &str {
        self.before.get(i).map_or("", |t| t.text(&self.file.text))
    }

    pub(super) fn has(&self, word: &str) -> bool {
        self.before.iter().any(|t| t.text(&self.file.text) == word)
    }

    /// Return the number of open brackets.
    pub(super) fn depth(&self) -> usize {
        self.before.iter().fold(0usize, |depth, t| match t.text(&self.file.text) {
            "(" | "[" | "{" => depth + 1,
            ")" | "]" | "}" => depth.saturating_sub(1),
            _ => depth,
        })
    }

    /// Return the last of these words, and the number of words after it.
    pub(super) fn last_of(&self, words: &[&str]) -> Option<(&str, usize)> {
        let mut all = self.before.iter().rev().enumerate();
        all.find_map(|(i, t)| Some(t.text(&self.file.text)).filter(|w| words.contains(w)).map(|w| (w, i)))
    }
}

impl Analysis {
    pub(super) fn place(&self, offset: usize) -> CompletionContext<'_> {
        let file = self.user_file();
        let typed = file
            .tokens
            .iter()
            .find(|t| matches!(t.kind, TokenKind::Word) && t.start < offset && offset <= t.end);
        let start = typed.map_or(offset, |t| t.start);
        let before: Vec<&Token> = file
            .tokens
            .iter()
            .take_while(|t| t.end <= start)
            .filter(|t| !matches!(t.kind, TokenKind::Comment | TokenKind::Doc))
            .collect();
        let begins_clause = |t: &&Token| t.first_of_line && CLAUSE_WORDS.contains(&t.text(&file.text));
        // `assumes` and `message` are often on the header's line.
        let inline = |t: &&Token| matches!(t.text(&file.text), "assumes" | "uses" | "message");
        let first = before.iter().rposition(|t| begins_clause(t) || inline(t)).unwrap_or(0);
        let line_start = file.text[..start].rfind('\n').map_or(0, |i| i + 1);
        CompletionContext {
            file,
            before: before[first..].to_vec(),
            replace: Span::new(0, start, offset),
            begins_line: file.text[line_start..start].trim().is_empty(),
        }
    }

    pub(super) fn role_at(&self, offset: usize) -> Option<String> {
        let before = self.user_file().module.clauses.iter().take_while(|c| (c.span.start as usize) < offset);
        let named = before.filter_map(|c| match &c.kind {
            ClauseKind::Role { name } => Some(name.text.clone()),
            _ => None,
        });
        named.last()
    }
}
