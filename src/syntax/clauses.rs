//! Find the beginnings of clauses: one hand-written pass over the tokens.
//!
//! pest stops at its first error. If the text is cut into clauses first, two broken clauses give two errors, and the clauses
//! around them are parsed.

use crate::diagnostic::{Diagnostic, Grammar, Hint};
use crate::prose::foreign_clause;
use crate::source::Span;
use crate::syntax::clause_words::{CLAUSE_WORDS, CONTINUATIONS, WITHOUT_STATEMENTS};
use crate::syntax::lexical;
use crate::syntax::nearest::nearest;
use crate::syntax::nesting::Nesting;
use crate::syntax::tokens::{Token, TokenKind, is_reserved};

/// Maximum number of lexical errors reported for one clause; a text with more is not a program.
const MAX_LEXICAL_ERRORS: usize = 5;

/// Maximum number of tokens before the `->` of a `when`.
const MAX_GUARD_TOKENS: usize = 64;

/// One clause, not yet parsed.
#[derive(Debug)]
pub struct ClausePiece {
    pub doc: Option<String>,
    pub start: usize,
    pub end: usize,
    /// Its tokens, without comments.
    pub tokens: std::ops::Range<usize>,
    /// Whether its errors have been reported, so that pest need not parse it.
    pub broken: bool,
}

#[derive(Default)]
pub struct ClauseCut {
    pub pieces: Vec<ClausePiece>,
    /// All tokens except comments.
    pub tokens: Vec<Token>,
    pub comments: Vec<(Span, String)>,
    pub diagnostics: Vec<Diagnostic>,
}

/// Cut a text into clauses.
pub fn cut(file: u32, text: &str, all: &[Token]) -> ClauseCut {
    let is_comment = |token: &Token| matches!(token.kind, TokenKind::Comment | TokenKind::Doc);
    let mut splitter = Splitter {
        file,
        text,
        tokens: all.iter().filter(|t| !is_comment(t)).copied().collect(),
        nesting: Nesting::new(file, text),
        current: None,
        skipping: false,
        arrow_seen: false,
        lexical_errors: 0,
        topology_end: 0,
        docs: Vec::new(),
        done: ClauseCut::default(),
    };
    let mut index = 0;
    for token in all {
        match token.kind {
            TokenKind::Doc => splitter.docs.push(*token),
            TokenKind::Comment => splitter.comment(token),
            _ => {
                splitter.take(index);
                index += 1;
            }
        }
    }
    splitter.finish()
}

/// Whether a clause begins at a word.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Start {
    No,
    /// A clause begins, if outside `if … fi` and brackets.
    OutsideBlocks,
    /// A clause begins even inside these, if the word starts a line: no other construct begins with it, so something was not
    /// closed.
    Anywhere,
}

struct Splitter<'t> {
    file: u32,
    text: &'t str,
    tokens: Vec<Token>,
    nesting: Nesting<'t>,
    current: Option<ClausePiece>,
    /// Whether text that is not a clause is being skipped, up to the next clause.
    skipping: bool,
    /// Whether the `->` of the current handler has been passed.
    arrow_seen: bool,
    lexical_errors: usize,
    /// Index of the first token after the topology of a scenario.
    topology_end: usize,
    /// `///` lines that wait for their clause.
    docs: Vec<Token>,
    done: ClauseCut,
}

impl<'t> Splitter<'t> {
    fn span(&self, token: &Token) -> Span {
        Span::new(self.file, token.start, token.end)
    }

    fn word(&self, index: usize) -> &'t str {
        self.tokens.get(index).map_or("", |token| token.text(self.text))
    }

    fn comment(&mut self, token: &Token) {
        let comment = (self.span(token), token.text(self.text).to_string());
        self.done.comments.push(comment);
    }

    fn take(&mut self, index: usize) {
        let token = self.tokens[index];
        // In a skipped text of another language, a word within a line begins no clause.
        let begins = (!self.skipping || token.first_of_line) && self.begins_clause(index);
        if begins {
            self.end_clause(index);
            self.begin_clause(index);
        } else if self.nesting.is_flat()
            && (self.misspelled(index) || self.is_foreign(index) || self.follows_declaration(index))
        {
            self.end_clause(index);
            self.skipping = false;
        }
        // A `///` inside a clause is an ordinary comment.
        for doc in std::mem::take(&mut self.docs) {
            self.comment(&doc);
        }
        if self.current.is_none() {
            return self.outside(index);
        }
        self.arrow_seen |= self.nesting.is_flat() && matches!(token.text(self.text), "->" | "→");
        let mut finding = self.nesting.feed(&token);
        if self.is_second_word(index) && self.head() == "scenario" {
            self.topology_end = self.topology_end(index);
        }
        if self.lexical_errors < MAX_LEXICAL_ERRORS && index >= self.topology_end {
            let lexical = lexical::check(self.file, self.text, &token);
            self.lexical_errors += usize::from(lexical.is_some());
            if lexical.is_some() && token.kind == TokenKind::OpenText {
                self.nesting.give_up();
            }
            finding = lexical.or(finding);
        }
        self.report(finding);
    }

    fn report(&mut self, finding: Option<Diagnostic>) {
        let Some(finding) = finding else { return };
        if let Some(piece) = &mut self.current {
            piece.broken = true;
        }
        self.done.diagnostics.push(finding);
    }

    fn begin_clause(&mut self, index: usize) {
        let token = self.tokens[index];
        self.current = Some(ClausePiece {
            doc: self.take_docs(),
            start: token.start,
            end: token.end,
            tokens: index..index,
            broken: false,
        });
        self.skipping = false;
        self.arrow_seen = false;
        self.lexical_errors = 0;
        self.nesting.restart();
    }

    fn take_docs(&mut self) -> Option<String> {
        let lines: Vec<&str> = std::mem::take(&mut self.docs)
            .iter()
            .map(|doc| &doc.text(self.text)["///".len()..])
            .map(|line| line.strip_prefix(' ').unwrap_or(line))
            .collect();
        (!lines.is_empty()).then(|| lines.join("\n"))
    }

    fn end_clause(&mut self, index: usize) {
        let finding = self.nesting.finish().filter(|_| self.current.is_some());
        self.report(finding);
        self.nesting.restart();
        if let Some(mut piece) = self.current.take() {
            piece.end = self.tokens[index - 1].end;
            piece.tokens.end = index;
            self.done.pieces.push(piece);
        }
    }

    /// Process a token that belongs to no clause.
    fn outside(&mut self, index: usize) {
        if std::mem::replace(&mut self.skipping, true) {
            return;
        }
        // `---- MODULE M ----`
        let words =
            (index..self.tokens.len()).take_while(|at| *at == index || !self.tokens[*at].first_of_line);
        let module = words.into_iter().find(|at| self.word(*at) == "MODULE").unwrap_or(index);
        let token = &self.tokens[module];
        let word = token.text(self.text);
        // `end` belongs to the `begin` that was reported.
        let is_begin = |d: &Diagnostic| d.finding == Grammar::ForeignClause("begin".into()).into();
        if word == "end" && self.done.diagnostics.iter().any(is_begin) {
            return;
        }
        let finding = Grammar::NoClause(word.into()).at(self.span(token));
        let in_small = CLAUSE_WORDS.iter().find(|clause| clause.eq_ignore_ascii_case(word));
        let finding = match (in_small, foreign_clause(word), nearest(word, CLAUSE_WORDS)) {
            _ if word == "variant" => finding.hint(Hint::VariantNeedsName),
            _ if matches!(word, "safety" | "liveness") && self.word(module + 2) == ":" => {
                Grammar::no_property(word, self.span(token))
            }
            (Some(meant), ..) => finding.suggest(meant),
            (_, Some(hint), _) => {
                Grammar::ForeignClause(word.into()).at(self.span(token)).hint(Hint::Word(hint))
            }
            (_, _, Some(meant)) => finding.suggest(meant),
            _ => finding,
        };
        self.done.diagnostics.push(finding);
    }

    fn finish(mut self) -> ClauseCut {
        self.end_clause(self.tokens.len());
        for doc in std::mem::take(&mut self.docs) {
            self.comment(&doc);
        }
        self.done.comments.sort_by_key(|(span, _)| span.start);
        self.done.tokens = self.tokens;
        self.done
    }

    fn begins_clause(&self, index: usize) -> bool {
        let start = self.start(index);
        if self.nesting.is_flat() || start == Start::No {
            return start != Start::No;
        }
        // Inside brackets a keyword may be a mistaken name: `message M(
        //  state: Int)`.
        let used_as_name = self.nesting.in_brackets()
            && matches!(self.word(index + 1), ":" | "," | ")" | "]" | "}" | "|" | ".");
        start == Start::Anywhere && self.tokens[index].first_of_line && !used_as_name
    }

    /// Return the first word of the current clause.
    fn head(&self) -> &'t str {
        self.current.as_ref().map_or("", |piece| self.word(piece.tokens.start))
    }

    fn start(&self, index: usize) -> Start {
        let token = self.tokens[index];
        let previous = if index == 0 { "" } else { self.word(index - 1) };
        let next = self.word(index + 1);
        let in_scenario = self.head() == "scenario";
        if token.kind != TokenKind::Word || (token.touches && previous == ".") {
            return Start::No;
        }
        // `var state : Int`: a keyword as the name in a declaration.
        let declares = matches!(
            previous,
            "var"
                | "message"
                | "const"
                | "param"
                | "output"
                | "enum"
                | "record"
                | "function"
                | "procedure"
                | "operation"
                | "role"
                | "process"
                | "state"
                | "problem"
                | "algorithm"
        ) || (previous == "," && matches!(self.head(), "var" | "message"));
        if declares && !token.first_of_line {
            return Start::No;
        }
        // `on message M`: a mistake in the handler.
        if token.text(self.text) == "message"
            && !token.first_of_line
            && matches!(previous, "on" | "receive" | "send")
        {
            return Start::No;
        }
        // `client: read`: processes of a scenario may have any name.
        if in_scenario && matches!(next, ":" | "->" | "→") {
            return Start::No;
        }
        // `var state : Int`: a keyword where a name is expected is a mistake there, not the next clause.
        if !token.first_of_line && (expects_name(previous) || matches!(previous, "," | ":=" | "=")) {
            return Start::No;
        }
        let firm_if = |yes: bool| if yes { Start::Anywhere } else { Start::No };
        let names_property = || {
            self.tokens.get(index + 1).is_some_and(|t| t.kind == TokenKind::Word)
                && matches!(self.word(index + 2), ":" | "for")
        };
        match token.text(self.text) {
            "problem" | "assumes" | "uses" | "message" | "enum" | "record" | "const" | "param" | "output"
            | "function" | "procedure" | "operation" | "role" | "process" | "always" | "defer" | "ignore"
            | "scenario" | "invariant" | "finally" | "initial" => Start::Anywhere,
            // `eventually perfect detector` is an assumption, even at the start of a line.
            "eventually" => firm_if(next != "perfect" || names_property()),
            "algorithm" => firm_if(next != "."),
            "client" => firm_if(!in_scenario || token.first_of_line),
            "var" => firm_if(!matches!(previous, "persistent" | "stable")),
            "state" => firm_if(previous != "initial"),
            "persistent" => firm_if(next == "var"),
            "stable" => firm_if(next == "var" || names_property()),
            "bound" | "exactly" | "order" | "leads" | "settles" => firm_if(names_property()),
            "stamps" => firm_if(next == "notes"),
            "view" => firm_if(self.is_view(index)),
            "on" => firm_if(!(in_scenario && self.is_second_word(index))),
            "when" => self.when_start(index),
            "after" => {
                let is_timer = index >= 2 && self.word(index - 2) == "timer";
                if is_timer || in_scenario { Start::No } else { Start::OutsideBlocks }
            }
            _ => Start::No,
        }
    }

    /// Return whether this is `view without a` or `view a, M.b up to shift`: the names follow the word on its line. A procedure
    /// or variable may also be called `view`.
    fn is_view(&self, index: usize) -> bool {
        let word_follows =
            |at: usize| self.tokens.get(at).is_some_and(|t| t.kind == TokenKind::Word && !t.first_of_line);
        let behind = if self.word(index + 2) == "." { index + 4 } else { index + 2 };
        let ends = self.tokens.get(behind).is_none_or(|t| t.first_of_line);
        self.tokens[index].first_of_line
            && word_follows(index + 1)
            && !is_reserved(self.word(index + 1))
            && (self.word(index + 1) == "without" || ends || matches!(self.word(behind), "," | "up"))
    }

    /// Return the end of the arguments of a scenario's topology, which have their own notation: `0.4`, `10^6`, `seed: 0x1F`. `on`
    /// is at `index`.
    fn topology_end(&self, index: usize) -> usize {
        let (mut at, mut depth) = (index + 1, 0);
        while self.tokens.get(at).is_some_and(|t| t.kind == TokenKind::Word) || self.word(at) == "-" {
            at += 1;
        }
        if self.word(index) != "on" || self.word(at) != "(" {
            return 0;
        }
        loop {
            match self.word(at) {
                "(" => depth += 1,
                ")" if depth == 1 => return at,
                ")" => depth -= 1,
                // It is not closed, so the rest is ordinary text.
                "" | "scenario" => return 0,
                _ => {}
            }
            at += 1;
        }
    }

    /// `scenario NAME on …`
    fn is_second_word(&self, index: usize) -> bool {
        self.current.as_ref().is_some_and(|piece| index == piece.tokens.start + 2)
    }

    /// `when` also occurs in the heads of other clauses, before their `->`.
    fn when_start(&self, index: usize) -> Start {
        let belongs_to_head = match self.head() {
            "on" | "when" | "after" => !self.arrow_seen,
            "defer" | "ignore" => !self.tokens[index].first_of_line || !self.arrow_follows(index),
            _ => false,
        };
        let belongs_to_head = belongs_to_head || self.after_arrived(index);
        if belongs_to_head { Start::No } else { Start::OutsideBlocks }
    }

    /// `arrived M(x) from p when g` is an expression; its `when` is on the same line.
    fn after_arrived(&self, index: usize) -> bool {
        let back = (0..=index).rev().take(MAX_GUARD_TOKENS);
        for at in back {
            match self.word(at) {
                "arrived" | "received" => return at < index,
                ";" | "->" | "→" => return false,
                _ if self.tokens[at].first_of_line => return false,
                _ => {}
            }
        }
        false
    }

    fn arrow_follows(&self, index: usize) -> bool {
        let ahead = self.tokens[index + 1..].iter().take(MAX_GUARD_TOKENS);
        for token in ahead {
            match token.text(self.text) {
                "->" | "→" => return true,
                word if token.first_of_line && CLAUSE_WORDS.contains(&word) => return false,
                _ => {}
            }
        }
        false
    }

    /// Return whether a token is at the beginning of its line, without indentation.
    fn is_in_first_column(&self, index: usize) -> bool {
        let start = self.tokens[index].start;
        start == 0 || self.text[..start].ends_with('\n')
    }

    /// Return whether the clause has no statements, and a name in the first column cannot belong to it.
    fn follows_declaration(&self, index: usize) -> bool {
        let (token, word) = (self.tokens[index], self.word(index));
        if !WITHOUT_STATEMENTS.contains(&self.head())
            || token.kind != TokenKind::Word
            || !self.is_in_first_column(index)
        {
            return false;
        }
        let joins = |word: &str| CONTINUATIONS.contains(&word);
        let previous = self.tokens[index - 1];
        let before = self.word(index - 1);
        let is_complete = match previous.kind {
            TokenKind::Word => {
                !(is_reserved(before) || CLAUSE_WORDS.contains(&before) || joins(before))
                    || matches!(before, "true" | "false" | "none" | "any")
            }
            TokenKind::Int | TokenKind::Text => true,
            _ => matches!(before, ")" | "]" | "}" | "?" | "∅" | "⊥"),
        };
        is_complete && !is_reserved(word) && !joins(word) && !CLAUSE_WORDS.contains(&word)
    }

    /// `init`, `ltl p { … }` or `STATE s` in the first column: the beginning of a part of a program in another language.
    fn is_foreign(&self, index: usize) -> bool {
        let token = self.tokens[index];
        let word = token.text(self.text);
        let in_first_column = self.is_in_first_column(index);
        // `set timer t after 5` is a statement, and the words of loops are reported as such.
        let is_statement = matches!(word, "set" | "cancel" | "repeat" | "loop" | "while");
        let next = self.tokens.get(index + 1);
        let is_alone = next.is_none_or(|next| next.first_of_line);
        let word_follows = next.is_some_and(|next| next.kind == TokenKind::Word);
        // Otherwise it is the number of messages.
        let names_a_message = self.word(index + 1).starts_with(|c: char| c.is_ascii_uppercase());
        // A procedure or variable may have this name.
        let is_name = matches!(self.word(index + 1), ":=" | "←" | "," | "." | "[" | ";" | ":" | "->" | "→")
            || next.is_some_and(|next| next.touches && next.text(self.text) == "(");
        let continues =
            index > 0 && matches!(self.word(index - 1), "," | "=" | "|" | "assumes" | "uses" | "and" | "or");
        let in_small = |clause: &&str| clause.eq_ignore_ascii_case(word);
        in_first_column
            && token.kind == TokenKind::Word
            && (self.current.is_some() || self.skipping)
            && !is_statement
            && (!is_reserved(word) || word == "messages" && names_a_message)
            && !CLAUSE_WORDS.contains(&word)
            && !is_name
            && !continues
            && (is_alone || word_follows || foreign_clause(word).is_some())
            && (foreign_clause(word).is_some() || word_follows && CLAUSE_WORDS.iter().any(in_small))
            && self.is_not_declared(word)
    }

    /// Return whether no procedure or operation has this name, so that it does not begin a statement.
    fn is_not_declared(&self, name: &str) -> bool {
        let declares = |pair: &[Token]| {
            matches!(pair[0].text(self.text), "procedure" | "operation") && pair[1].text(self.text) == name
        };
        !self.tokens.windows(2).any(declares)
    }

    /// `mesage Foo` at the start of a line. It parses as two calls. But two words on their own line, the first similar to a
    /// clause keyword, are probably a clause.
    fn misspelled(&self, index: usize) -> bool {
        let token = self.tokens[index];
        let word = token.text(self.text);
        let candidate = token.kind == TokenKind::Word
            && token.first_of_line
            && word.len() >= 4
            && self.current.is_some()
            && self.head() != "scenario"
            && !(self.head() == "algorithm" && matches!(word, "variant" | "solves" | "without"))
            && !(self.head() == "assumes" && matches!(self.word(index - 1), "," | "assumes"))
            && !is_reserved(word)
            && !matches!(word, "cancel" | "count" | "least" | "greatest" | "arrived" | "received")
            && !CLAUSE_WORDS.contains(&word);
        candidate
            && self.tokens.get(index + 1).is_some_and(|next| {
                next.kind == TokenKind::Word && !next.first_of_line && !is_reserved(next.text(self.text))
            })
            && nearest(word, CLAUSE_WORDS).is_some()
    }
}

/// Return whether a name follows a word. (`initial state` and `persistent var` are two keywords for one clause.)
fn expects_name(word: &str) -> bool {
    matches!(
        word,
        "algorithm"
            | "problem"
            | "message"
            | "enum"
            | "record"
            | "const"
            | "param"
            | "var"
            | "output"
            | "function"
            | "procedure"
            | "operation"
            | "role"
            | "process"
            | "state"
            | "scenario"
            | "become"
            | "choose"
            | "for"
    )
}
