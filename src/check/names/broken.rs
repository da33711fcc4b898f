//! Clauses that cannot be parsed yet, because they are being typed: their words still declare and refer to names.

use super::resolve::Resolver;
use super::scope::Space;
use super::{Access, Kind};
use crate::source::Span;
use crate::syntax::ast::{ClauseKind, Name};
use crate::syntax::{CLAUSE_WORDS, Token, TokenKind, is_reserved};

/// The tokens of a clause that could not be parsed, without comments.
type Piece = Vec<Token>;

/// Return the kind of the declarations in a clause with these words.
fn declared_kind(words: &[&str]) -> Option<Kind> {
    Some(match (*words.first()?, words.get(1).copied()) {
        ("persistent" | "stable", Some("var")) | ("var", _) => Kind::Variable,
        ("initial", Some("state")) | ("state", _) => Kind::State,
        ("output", _) => Kind::Output,
        ("message", _) => Kind::Message,
        ("const", _) => Kind::Const,
        ("param", _) => Kind::Param,
        ("function", _) => Kind::Function,
        ("procedure", _) => Kind::Procedure,
        ("operation", _) => Kind::Operation,
        ("role" | "process", _) => Kind::Role,
        ("record", _) => Kind::Record,
        ("enum", _) => Kind::Enum,
        ("algorithm", _) => Kind::Algorithm,
        ("problem", _) => Kind::Problem,
        (
            "invariant" | "finally" | "eventually" | "settles" | "stable" | "leads" | "bound" | "exactly"
            | "order",
            _,
        ) => Kind::Property,
        ("scenario", _) => Kind::Scenario,
        _ => return None,
    })
}

impl Resolver<'_> {
    /// Return the tokens between the parsed clauses, split at lines that begin with a clause keyword.
    fn pieces(&self) -> Vec<Piece> {
        let file = self.parsed;
        let mut clauses = file.module.clauses.iter().map(|c| c.span).peekable();
        let mut pieces: Vec<Piece> = Vec::new();
        let mut open = false;
        for token in &file.tokens {
            if matches!(token.kind, TokenKind::Comment | TokenKind::Doc) {
                continue;
            }
            while clauses.next_if(|c| c.end as usize <= token.start).is_some() {
                open = false;
            }
            if clauses.peek().is_some_and(|c| c.start as usize <= token.start) {
                open = false;
                continue;
            }
            let begins = token.first_of_line && CLAUSE_WORDS.contains(&token.text(&file.text));
            if begins || !open {
                pieces.push(Vec::new());
                open = true;
            }
            if let Some(piece) = pieces.last_mut() {
                piece.push(*token);
            }
        }
        pieces
    }

    fn name_of(&self, token: &Token) -> Name {
        let text = token.text(&self.parsed.text).to_string();
        Name { text, span: Span::new(self.file, token.start, token.end) }
    }

    fn is_name(&self, token: &Token) -> bool {
        token.kind == TokenKind::Word && !is_reserved(token.text(&self.parsed.text))
    }

    fn piece_span(&self, piece: &[Token]) -> Span {
        let (first, last) = (piece[0].start, piece[piece.len() - 1].end);
        Span::new(self.file, first, last)
    }

    /// Return the role at an offset: that of the last `role` before it.
    fn role_at(&self, offset: u32) -> Option<String> {
        let before = self.parsed.module.clauses.iter().take_while(|c| c.span.start <= offset);
        let named = before.filter_map(|c| match &c.kind {
            ClauseKind::Role { name } => Some(name.text.clone()),
            _ => None,
        });
        named.last()
    }

    pub fn declare_broken(&mut self) {
        for piece in self.pieces() {
            let span = self.piece_span(&piece);
            self.role = self.role_at(span.start);
            let words: Vec<&str> = piece.iter().map(|t| t.text(&self.parsed.text)).collect();
            if self.file == 0 && piece[0].first_of_line {
                let line = piece.iter().skip(1).take_while(|token| !token.first_of_line);
                let words =
                    std::iter::once(&piece[0]).chain(line).map(|t| t.text(&self.parsed.text).to_string());
                self.names.unread.push(words.collect());
            }
            let Some(kind) = declared_kind(&words) else { continue };
            let skip = if matches!(words[0], "persistent" | "stable" | "initial") { 2 } else { 1 };
            let skip = if kind == Kind::Property { 1 } else { skip };
            let several = matches!(kind, Kind::Variable | Kind::State | Kind::Output | Kind::Message);
            for token in self.declared_in(&piece[skip.min(piece.len())..], several) {
                let name = self.name_of(&token);
                let known = self.scopes[self.unit].common.get(Space::of(kind), &name.text);
                if known.is_none() {
                    self.clause = span;
                    self.declare_word(kind, &name);
                }
            }
        }
    }

    /// Return the names that a list declares: outside brackets, at its beginning and after commas.
    fn declared_in(&self, tokens: &[Token], several: bool) -> Vec<Token> {
        let text = &self.parsed.text;
        let mut found = Vec::new();
        let (mut depth, mut expected) = (0, true);
        for token in tokens {
            match token.text(text) {
                "(" | "[" | "{" => depth += 1,
                ")" | "]" | "}" => depth -= 1,
                "," if depth == 0 => expected = several,
                _ if depth == 0 && expected && self.is_name(token) => {
                    found.push(*token);
                    expected = false;
                }
                // No names follow the type or value.
                ":" | ":=" | "=" if depth == 0 => break,
                _ if depth == 0 && expected => break,
                _ => {}
            }
        }
        found
    }

    pub fn resolve_broken(&mut self) {
        for piece in self.pieces() {
            let span = self.piece_span(&piece);
            self.role = self.role_at(span.start);
            self.clause = span;
            let head = piece[0].text(&self.parsed.text).to_string();
            self.global = matches!(
                head.as_str(),
                "scenario"
                    | "invariant"
                    | "finally"
                    | "eventually"
                    | "settles"
                    | "leads"
                    | "bound"
                    | "exactly"
                    | "order"
                    | "stable"
                    | "function"
            );
            self.locals = vec![Vec::new()];
            let file = self.parsed;
            let next = file.module.clauses.iter().find(|c| c.span.start >= span.end);
            self.ends = vec![next.map_or(file.text.len() as u32, |c| c.span.start)];
            self.extent = None;
            for (i, token) in piece.iter().enumerate() {
                if self.is_name(token) {
                    self.word(&piece, i, &head);
                }
            }
        }
    }

    fn word(&mut self, piece: &[Token], index: usize, head: &str) {
        let text = &self.parsed.text;
        let before = if index == 0 { "" } else { piece[index - 1].text(text) };
        let after = piece.get(index + 1).map_or("", |t| t.text(text));
        let is_sent =
            piece[..index].iter().rev().take(2).any(|t| matches!(t.text(text), "send" | "transmit"));
        let name = self.name_of(&piece[index]);
        if self.names.declared_at(name.span).is_some() {
            return;
        }
        if before == "." && piece[index].touches {
            let variables = self.variables(self.unit, &name.text);
            return self.add_uses(name.span, &variables, Access::Read);
        }
        let found = self.find(&name.text);
        if let Some(first) = found.first() {
            let access = match self.names.decl(*first).kind {
                Kind::Message if is_sent => Access::Send,
                Kind::Message
                    if matches!(head, "on" | "ignore" | "defer") && index <= 2 || before == "receive" =>
                {
                    Access::Take
                }
                _ if after == ":=" => Access::Write,
                _ => Access::Read,
            };
            return self.add_uses(name.span, &found, access);
        }
        // Forms that bind a name: `receive M(a, b) from p`, `forall p`, `for x in`, `x := …`.
        let declared = matches!(
            head,
            "message" | "var" | "record" | "enum" | "assumes" | "algorithm" | "problem" | "uses"
        );
        let in_list = matches!(before, "(" | ",") && !is_sent;
        let binds = matches!(
            before,
            "from" | "for" | "forall" | "some" | "exists" | "count" | "sum" | "choose" | "each" | "receive"
        );
        if !declared && (in_list || binds || after == ":=") {
            self.bind(&name, Kind::Local);
        }
    }
}
