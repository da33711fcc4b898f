//! Open constructs (brackets, `if … fi`, `do … od`) and nesting depth.
//!
//! pest and everything that traverses the tree recurse. So the depth is measured here, without recursion, before pest sees the
//! text. A text that is too deep gives the same error on every machine.

use crate::diagnostic::{Diagnostic, Fix, Grammar, Hint, Label};
use crate::prose::foreign_equivalent;
use crate::source::Span;
use crate::syntax::tokens::{Token, TokenKind, is_reserved};

/// Maximum depth of brackets, blocks and quantifiers. Programs stay below 20. 100 levels of pest's frames, and of a traversal of
/// the tree, fit a thread of 2 MB in a debug build with room to spare.
pub const MAX_NESTING: usize = 100;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Kind {
    If,
    Do,
    Paren,
    Bracket,
    Brace,
}

impl Kind {
    fn opened_by(word: &str) -> Option<Kind> {
        Some(match word {
            "if" => Kind::If,
            "do" => Kind::Do,
            "(" => Kind::Paren,
            "[" => Kind::Bracket,
            "{" => Kind::Brace,
            _ => return None,
        })
    }

    fn closed_by(word: &str) -> Option<Kind> {
        Some(match word {
            "fi" => Kind::If,
            "od" => Kind::Do,
            ")" => Kind::Paren,
            "]" => Kind::Bracket,
            "}" => Kind::Brace,
            _ => return None,
        })
    }

    fn words(self) -> (&'static str, &'static str) {
        match self {
            Kind::If => ("if", "fi"),
            Kind::Do => ("do", "od"),
            Kind::Paren => ("(", ")"),
            Kind::Bracket => ("[", "]"),
            Kind::Brace => ("{", "}"),
        }
    }

    fn is_block(self) -> bool {
        matches!(self, Kind::If | Kind::Do)
    }
}

#[derive(Clone, Copy)]
struct Open {
    kind: Kind,
    span: Span,
    line: usize,
    column: usize,
    /// The `else` right before this `if`, if any.
    after_else: Option<Span>,
    /// Number of open quantifiers and the like at the enclosing level.
    load_outside: usize,
    /// Whether its first `->` has been seen.
    arrow_seen: bool,
    /// A `:` in place of the first `->`.
    colon: Option<Span>,
    /// The word of another language that begins the line.
    foreign_head: Option<Span>,
    /// Whether it is in the head of a handler, before its `->`.
    in_head: bool,
}

/// State of one clause, updated token by token.
pub struct Nesting<'t> {
    file: u32,
    text: &'t str,
    open: Vec<Open>,
    /// Number of open constructs of each kind: shows without a search that a closing word has no partner.
    counts: [usize; 5],
    /// Open quantifiers, conditionals and type words at the innermost level, and at all levels.
    recursive_words: usize,
    load_of_all: usize,
    line: usize,
    line_start: usize,
    previous: Option<Token>,
    /// An inner `if` whose `fi` is below an outer `if`: if a `fi` is missing, it is probably this one's.
    suspect: Option<Open>,
    /// `end` or braces that were passed: they explain a missing `fi`.
    foreign_end: Option<(Span, Label)>,
    /// The last `then`: if there is one `fi` too many, the `if` was meant as a statement.
    then: Option<Span>,
    /// A `for` without its `do`: this explains a superfluous `od`.
    loop_head: Option<Span>,
    /// The word that begins the line, if it is one of another language: `upon`, `while`.
    foreign_head: Option<Span>,
    /// Whether this is the head of a handler, before its `->`.
    in_head: bool,
    /// `end if`, after an `if` that was taken for a conditional expression.
    end_if: Option<Span>,
    /// Whether an error has been reported in this clause: one structural error explains all that follow.
    reported: bool,
}

impl<'t> Nesting<'t> {
    pub fn new(file: u32, text: &'t str) -> Nesting<'t> {
        Nesting {
            file,
            text,
            open: Vec::new(),
            counts: [0; 5],
            recursive_words: 0,
            load_of_all: 0,
            line: 0,
            line_start: 0,
            previous: None,
            suspect: None,
            foreign_end: None,
            then: None,
            loop_head: None,
            foreign_head: None,
            in_head: false,
            end_if: None,
            reported: false,
        }
    }

    /// Reset the state for a new clause.
    pub fn restart(&mut self) {
        let (line, line_start) = (self.line, self.line_start);
        *self = Nesting::new(self.file, self.text);
        (self.line, self.line_start) = (line, line_start);
    }

    /// Stop checking this clause: a text without end hides the rest.
    pub fn give_up(&mut self) {
        self.reported = true;
    }

    pub fn is_flat(&self) -> bool {
        self.open.is_empty()
    }

    /// Return whether the innermost open construct is a bracket.
    pub fn in_brackets(&self) -> bool {
        self.open.last().is_some_and(|open| !open.kind.is_block())
    }

    fn span(&self, token: &Token) -> Span {
        Span::new(self.file, token.start, token.end)
    }

    pub fn feed(&mut self, token: &Token) -> Option<Diagnostic> {
        if token.first_of_line {
            self.line += 1;
            self.line_start = self.text[..token.start].rfind('\n').map_or(0, |i| i + 1);
        }
        let word = token.text(self.text);
        let is_field = token.touches && self.previous_word() == ".";
        let finding = if is_field { None } else { self.take(token, word) };
        self.previous = Some(*token);
        // The tree after the first error is never built, so further errors need no report.
        let first = finding.filter(|_| !self.reported);
        self.reported |= first.is_some();
        first
    }

    fn take(&mut self, token: &Token, word: &str) -> Option<Diagnostic> {
        self.weigh(token, word);
        if matches!(word, "end" | "endif" | "done" | "esac") {
            self.foreign_end = Some((self.span(token), Label::NoEnd));
        }
        if token.first_of_line && self.previous_word() == "{" {
            self.foreign_end = self.open.last().map(|brace| (brace.span, Label::BracesEncloseCollections));
        }
        let mut finding = None;
        match self.previous {
            None => self.in_head = matches!(word, "on" | "when"),
            Some(_) if self.open.is_empty() && matches!(word, "->" | "→") => self.in_head = false,
            Some(_) => {}
        }
        if token.first_of_line {
            self.foreign_head = matches!(word, "upon" | "whenever" | "while").then(|| self.span(token));
        }
        if word == "if" && self.previous_word() == "end" || word == "endif" {
            self.end_if = Some(self.span(token));
            if word == "if" && self.then.is_some() && self.open.is_empty() {
                return None;
            }
        }
        if word == ":" && self.recursive_words == 0 {
            let here = self.span(token);
            if let Some(open) = self.open.last_mut().filter(|open| open.kind.is_block() && !open.arrow_seen) {
                open.colon.get_or_insert(here);
            }
        }
        if word == "for" {
            self.loop_head = Some(self.span(token));
        }
        if let Some(kind) = Kind::opened_by(word) {
            if kind == Kind::Do {
                self.loop_head = None;
            }
            self.push(kind, token);
        } else if let Some(kind) = Kind::closed_by(word) {
            finding = self.close(kind, token);
        } else if word == "then" && self.top_is(Kind::If) {
            // It was a conditional expression, which has no `fi`.
            self.pop();
            self.add_load(1);
            self.then = Some(self.span(token));
        } else if matches!(word, "->" | "→") {
            finding = self.else_if();
            if let Some(open) = self.open.last_mut() {
                open.arrow_seen = true;
            }
        }
        finding.or_else(|| self.too_deep(token))
    }

    fn previous_word(&self) -> &'t str {
        self.previous.map_or("", |token| token.text(self.text))
    }

    fn top_is(&self, kind: Kind) -> bool {
        self.open.last().is_some_and(|open| open.kind == kind)
    }

    fn push(&mut self, kind: Kind, token: &Token) {
        let previous = self.previous.filter(|p| p.text(self.text) == "else");
        self.open.push(Open {
            kind,
            span: self.span(token),
            line: self.line,
            column: token.start - self.line_start,
            after_else: previous.filter(|_| kind == Kind::If).map(|token| self.span(&token)),
            load_outside: self.recursive_words,
            arrow_seen: false,
            colon: None,
            foreign_head: self.foreign_head,
            in_head: self.in_head && self.open.is_empty(),
        });
        self.counts[kind as usize] += 1;
        self.recursive_words = 0;
    }

    fn pop(&mut self) -> Option<Open> {
        let open = self.open.pop()?;
        self.counts[open.kind as usize] -= 1;
        self.load_of_all -= self.recursive_words;
        self.recursive_words = open.load_outside;
        Some(open)
    }

    fn add_load(&mut self, more: usize) {
        self.recursive_words += more;
        self.load_of_all += more;
    }

    /// Count the words after which the grammar recurses, until a sign that cannot occur in an expression or type.
    fn weigh(&mut self, token: &Token, word: &str) {
        let ends = matches!(
            word,
            ";" | ":="
                | "←"
                | "->"
                | "→"
                | "send"
                | "receive"
                | "await"
                | "become"
                | "remove"
                | "choose"
                | "expect"
        );
        if ends || (token.first_of_line && !self.in_brackets() && self.starts_new_construct(token, word)) {
            self.load_of_all -= self.recursive_words;
            self.recursive_words = 0;
        }
        let recurs = matches!(
            word,
            "forall"
                | "exists"
                | "some"
                | "∀"
                | "∃"
                | "count"
                | "sum"
                | "least"
                | "greatest"
                | "arrived"
                | "received"
                | "of"
        );
        if recurs {
            self.add_load(1);
        }
    }

    /// Return whether a word starts a line after a complete operand: no expression continues so.
    fn starts_new_construct(&self, token: &Token, word: &str) -> bool {
        let Some(previous) = self.previous else {
            return false;
        };
        let before = previous.text(self.text);
        let complete = match previous.kind {
            TokenKind::Word => !is_reserved(before) && !matches!(before, "of" | "by" | "per" | "each" | "as"),
            TokenKind::Int | TokenKind::Text => true,
            _ => matches!(before, ")" | "]" | "}"),
        };
        complete
            && token.kind == TokenKind::Word
            && !is_reserved(word)
            && !matches!(word, "of" | "by" | "per" | "happened" | "leads")
    }

    fn too_deep(&self, token: &Token) -> Option<Diagnostic> {
        (self.open.len() + self.load_of_all > MAX_NESTING).then(|| too_deep(self.span(token)))
    }

    fn else_if(&mut self) -> Option<Diagnostic> {
        let open = *self.open.last()?;
        let before = open.after_else?;
        // Remove it: this `if` is an alternative of the enclosing one, which has the `fi`.
        self.pop();
        Some(Grammar::ElseIfInBlock.at(before.to(open.span)))
    }

    fn close(&mut self, kind: Kind, token: &Token) -> Option<Diagnostic> {
        let here = self.span(token);
        let (opening, closing) = kind.words();
        if self.counts[kind as usize] == 0 {
            // `if c then a fi`: after `then`, the `if` was taken for a conditional expression.
            if let (Kind::If, Some(then)) = (kind, self.then) {
                let finding = Grammar::ThenWithFi.at(then).related(here, Label::FiEndsStatement);
                return Some(finding.fix(Fix::replace(then, "->")));
            }
            if kind.is_block()
                && let Some(open) = self.open.last().copied().filter(|open| open.kind.is_block())
            {
                self.pop();
                let finding = Grammar::WrongEnd(closing, open.kind.words().0);
                return Some(finding.at(here).related(open.span, Label::OpenBlock));
            }
            if let (Kind::Do, Some(head)) = (kind, self.loop_head) {
                return Some(Grammar::ForWithoutDo.at(head).related(here, Label::OdEndsLoop));
            }
            let finding = match kind {
                Kind::If => Grammar::IfNotOpened,
                Kind::Do => Grammar::DoNotOpened,
                _ => Grammar::BracketNotOpened(closing, opening),
            };
            return Some(finding.at(here));
        }
        let mut finding = None;
        while let Some(open) = self.open.last().copied() {
            if open.kind == kind {
                break;
            }
            finding = finding.or_else(|| {
                Some(self.not_closed(open).related(here, Label::ExpectedBefore(open.kind.words().1)))
            });
            self.pop();
        }
        self.note_suspect(token);
        self.pop();
        finding
    }

    fn note_suspect(&mut self, token: &Token) {
        let [.., outer, inner] = self.open[..] else {
            return;
        };
        let column = token.start - self.line_start;
        let below_outer = inner.column != column && outer.column == column && outer.kind == inner.kind;
        if token.first_of_line && inner.line != self.line && below_outer {
            self.suspect.get_or_insert(inner);
        }
    }

    /// End of the clause: report a construct that is still open.
    pub fn finish(&mut self) -> Option<Diagnostic> {
        if self.reported {
            return None;
        }
        if let (true, Some(then), Some(end)) = (self.open.is_empty(), self.then, self.end_if) {
            let finding = Grammar::Then.at(then).related(end, Label::NoEnd);
            return Some(finding.fix(Fix::replace(then, "->")));
        }
        let last = *self.open.last()?;
        let blamed = self.suspect.filter(|s| s.kind == last.kind).unwrap_or(last);
        Some(self.not_closed(blamed))
    }

    fn not_closed(&self, open: Open) -> Diagnostic {
        let (opening, closing) = open.kind.words();
        if !open.kind.is_block() {
            return Grammar::BracketNotClosed(opening, closing).at(open.span);
        }
        if let Some(head) = open.foreign_head {
            let word = &self.text[head.range()];
            return match foreign_equivalent(word) {
                Some(hint) => Grammar::ForeignStatement(word.into()).at(head).hint(Hint::Word(hint)),
                None => Grammar::ForeignLoop(word.into()).at(head),
            };
        }
        if open.in_head && open.kind == Kind::If {
            let finding = Grammar::ConditionOfHandler(opening.into()).at(open.span);
            return finding.fix(Fix::replace(open.span, "when"));
        }
        if let Some(colon) = open.colon.filter(|_| !open.arrow_seen) {
            return Grammar::ColonAfterGuard(opening.into()).at(colon);
        }
        let finding = Grammar::BlockNotClosed(opening, closing).at(open.span);
        match &self.foreign_end {
            Some((place, why)) => finding.related(*place, why.clone()).hint(Hint::BlockEnds),
            None if !open.arrow_seen && self.text[open.span.range().end..].contains('{') => {
                finding.hint(Hint::NoBraces)
            }
            None => finding,
        }
    }
}

pub fn too_deep(span: Span) -> Diagnostic {
    Grammar::TooDeep(MAX_NESTING).at(span)
}
