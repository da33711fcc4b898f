//! From pest's pairs to documents: the common parts of all constructs.

use super::comments::Tokens;
use super::doc::{Doc, WIDTH};
use super::symbols::Signs;
use crate::syntax::rule::Rule;
use crate::syntax::shape::Pair;
use rustc_hash::FxHashMap;
use std::cell::RefCell;
use std::ops::Range;

/// A quantity that is measured before columns are assigned, by its first byte.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub enum Measured {
    /// For a block that begins after an arrow: the distance from its beginning to the right end of its lines, in columns.
    Block(usize),
    /// For a statement on one line: its width.
    Line(usize),
}

/// Builds documents of one clause.
pub struct Builder<'b, 't> {
    pub tokens: &'b Tokens<'t>,
    pub signs: Signs,
    /// Offset of the clause, from which pest counts.
    pub offset: usize,
    /// The clause's first token; earlier tokens do not belong to it.
    pub first: usize,
    /// The measured quantities. None while they are being measured: then there is room for everything.
    pub measures: Option<&'b FxHashMap<Measured, usize>>,
    pub found: &'b RefCell<FxHashMap<Measured, usize>>,
}

impl Builder<'_, '_> {
    /// Return the index of a pair's first token.
    pub fn index(&self, pair: &Pair<'_>) -> usize {
        self.tokens.at(self.offset + pair.start())
    }

    /// Return the tokens of a pair, with the comments between them.
    pub fn range(&self, pair: &Pair<'_>) -> Range<usize> {
        let end = self.offset + pair.end();
        let mut range = self.index(pair)..self.tokens.at(end);
        // A rule may have skipped white space and comments before it found that an optional part is missing.
        while !range.is_empty() && self.tokens.is_comment(range.end - 1) {
            range.end -= 1;
        }
        range
    }

    /// Return whether a text of this width, beginning in this column, is too wide.
    pub fn overflows(&self, column: usize, width: usize) -> bool {
        self.measures.is_some() && column + width > WIDTH
    }

    /// Return the comments before a token, then the text written for it, then the comment after it.
    fn with_comments(&self, first: usize, last: usize, own: Range<usize>, text: String) -> Doc {
        let mut docs = Vec::new();
        if first != self.first && !own.is_empty() {
            docs = self.tokens.own(own);
            docs.push(Doc::Hard { blank: self.tokens.after_blank(first) });
        }
        docs.push(Doc::Text(text));
        docs.push(self.tokens.trailing(last));
        Doc::Cat(docs)
    }

    /// Return the document of a rule without parts.
    pub fn leaf(&self, pair: &Pair<'_>) -> Doc {
        let range = self.range(pair);
        if range.is_empty() {
            return Doc::nil();
        }
        self.written(pair, self.tokens.own_lines_before(range.start))
    }

    /// The same for a word that closes or continues a construct: some comments before it belong to the preceding block.
    pub fn closing(&self, pair: &Pair<'_>) -> Doc {
        let (_, own) = self.tokens.inside(self.index(pair));
        self.written(pair, own)
    }

    fn written(&self, pair: &Pair<'_>, own: Range<usize>) -> Doc {
        let range = self.range(pair);
        let mut text = String::new();
        for index in range.clone() {
            if index > range.start && !self.tokens.token(index).touches {
                text.push(' ');
            }
            text.push_str(self.tokens.word(index));
        }
        let text = self.signs.write(pair.as_rule(), text);
        self.with_comments(range.start, range.end - 1, own, text)
    }

    /// Return one token, unchanged.
    pub fn token(&self, index: usize) -> Doc {
        let own = self.tokens.own_lines_before(index);
        self.with_comments(index, index, own, self.tokens.word(index).to_string())
    }

    /// Return a text that replaces some tokens.
    pub fn sign(&self, first: usize, last: usize, text: &str) -> Doc {
        self.with_comments(first, last, self.tokens.own_lines_before(first), text.to_string())
    }

    /// Return only the comments of a token that is removed, such as `;`.
    pub fn comments_of(&self, index: usize) -> Doc {
        let mut docs = self.tokens.own(self.tokens.own_lines_before(index));
        docs.push(self.tokens.trailing(index));
        Doc::Cat(docs)
    }

    /// Return an optional line break before this token.
    pub fn line(&self, index: usize) -> Doc {
        Doc::Line { tight: false, kept: self.tokens.on_new_line(index) }
    }

    /// Return the parts of a rule, separated by blanks, with their comments; lists continue below their first element.
    pub fn spaced(&self, pair: &Pair<'_>) -> Doc {
        let parts: Vec<Pair<'_>> = pair.into_inner().collect();
        let Some((first, rest)) = parts.split_first() else { return self.leaf(pair) };
        let head = self.part(first);
        if rest.is_empty() {
            return head;
        }
        if is_word(first) && !is_tight(first.as_rule(), &rest[0]) {
            return Doc::Cat(vec![head, Doc::blank(), self.row(rest).align()]);
        }
        self.row(&parts).align()
    }

    /// Return parts in a row. Brackets keep their content together.
    pub fn row(&self, parts: &[Pair<'_>]) -> Doc {
        let mut docs = Vec::new();
        let mut before: Option<Rule> = None;
        let mut at = 0;
        while let Some(part) = parts.get(at) {
            let closing = (part.as_rule() == Rule::open_paren)
                .then(|| parts[at..].iter().position(|other| other.as_rule() == Rule::close_paren))
                .flatten();
            let last = closing.map_or(at, |length| at + length);
            let doc = match closing {
                Some(_) => self.between(part, &parts[at + 1..last], &parts[last], |row| self.row(row), 0),
                None => self.part(part),
            };
            match before {
                None => docs.push(doc),
                Some(rule) if is_tight(rule, part) => docs.push(doc),
                Some(Rule::comma) => {
                    docs.push(Doc::Cat(vec![self.line(self.index(part)), doc]).group());
                }
                Some(_) => docs.extend([Doc::blank(), doc]),
            }
            before = Some(parts[last].as_rule());
            at = last + 1;
        }
        Doc::Cat(docs)
    }

    /// Return the document of any part.
    pub fn part(&self, pair: &Pair<'_>) -> Doc {
        match pair.as_rule() {
            Rule::EOI => Doc::nil(),
            Rule::expr | Rule::bound => self.expr(pair, ExprContext::Align),
            Rule::operand
            | Rule::place
            | Rule::place_pattern
            | Rule::literal_pattern
            | Rule::message_pattern
            | Rule::act_call => self.touching(pair),
            Rule::layer => {
                let inner = pair.into_inner().next().expect("a layer has a name");
                Doc::Cat(vec![self.leaf(&inner), Doc::text(".")])
            }
            Rule::field => {
                let inner = pair.into_inner().next().expect("a field has a name");
                Doc::Cat(vec![Doc::text("."), self.leaf(&inner)])
            }
            Rule::viewed | Rule::counted => self.leaf(pair),
            Rule::group | Rule::list | Rule::braces => self.collection(pair),
            Rule::call
            | Rule::index
            | Rule::pattern_args
            | Rule::params
            | Rule::tuple_pattern
            | Rule::tuple_place
            | Rule::tuple_type => self.bracketed(pair),
            Rule::conditional => self.conditional(pair),
            Rule::quantified => self.quantified(pair),
            Rule::best => self.best(pair),
            Rule::topology => self.topology(pair),
            _ if pair.into_inner().next().is_none() => self.leaf(pair),
            Rule::arrived => self.on_a_line(pair),
            Rule::send => self.send(pair),
            _ => self.spaced(pair),
        }
    }

    /// Return parts without blanks between them.
    fn touching(&self, pair: &Pair<'_>) -> Doc {
        Doc::Cat(pair.into_inner().map(|part| self.part(&part)).collect())
    }

    /// Return parts that must stay on one line.
    fn on_a_line(&self, pair: &Pair<'_>) -> Doc {
        let mut docs = Vec::new();
        for part in pair.into_inner() {
            if !docs.is_empty() {
                docs.push(Doc::blank());
            }
            docs.push(self.part(&part));
        }
        Doc::Cat(docs).align()
    }

    /// Lay out `(a, b)` and the like without blanks inside. Further lines begin below the first element or, if the author broke
    /// the line after the bracket, are indented.
    pub fn bracketed(&self, pair: &Pair<'_>) -> Doc {
        let parts: Vec<Pair<'_>> = pair.into_inner().collect();
        let [open, inner @ .., close] = parts.as_slice() else { return self.spaced(pair) };
        self.between(open, inner, close, |row| self.row(row), 0)
    }

    pub fn between(
        &self,
        open: &Pair<'_>,
        inner: &[Pair<'_>],
        close: &Pair<'_>,
        row: impl Fn(&[Pair<'_>]) -> Doc,
        blanks: usize,
    ) -> Doc {
        let opening = self.leaf(open);
        let Some(first) = inner.first() else { return Doc::Cat(vec![opening, self.leaf(close)]) };
        let closing = self.closing(close);
        let mut content = vec![row(inner)];
        content.extend(self.tokens.own(self.tokens.inside(self.index(close)).0));
        let content = Doc::Cat(content);
        let new_line = Doc::Line { tight: true, kept: true };
        if self.tokens.on_new_line(self.index(first)) {
            let content = Doc::Cat(vec![new_line.clone(), content]).nest(super::doc::INDENT);
            let end = if self.tokens.on_new_line(self.index(close)) { new_line } else { Doc::nil() };
            return Doc::Cat(vec![opening, content, end, closing]).base();
        }
        // A bracket alone on a line closes only a construct that began on its own line.
        Doc::Cat(vec![opening, Doc::Blanks(blanks), content.align(), Doc::Blanks(blanks), closing])
    }

    /// The arguments of a topology have their own notation. Only white space is normalised.
    fn topology(&self, pair: &Pair<'_>) -> Doc {
        let range = self.range(pair);
        let mut docs: Vec<Doc> = Vec::new();
        let mut before = "";
        for index in range.filter(|index| !self.tokens.is_comment(*index)) {
            let word = self.tokens.word(index);
            let apart = matches!(before, "," | ":") || !self.tokens.token(index).touches && word != "(";
            if !docs.is_empty() && apart && before != "(" && !matches!(word, ")" | "," | ":") {
                docs.push(Doc::blank());
            }
            docs.push(self.token(index));
            before = word;
        }
        Doc::Cat(docs).align()
    }
}

/// Return whether the rule is a keyword at the beginning of a construct.
fn is_word(pair: &Pair<'_>) -> bool {
    pair.as_str().starts_with(|c: char| c.is_ascii_alphabetic())
        && pair.as_rule() != Rule::word
        && pair.as_rule() != Rule::name
}

/// Return whether no blank separates these two.
fn is_tight(before: Rule, part: &Pair<'_>) -> bool {
    let opens = matches!(before, Rule::open_paren | Rule::open_bracket | Rule::open_brace | Rule::layer);
    let attached = match part.as_rule() {
        Rule::comma | Rule::colon | Rule::close_paren | Rule::close_bracket | Rule::close_brace => true,
        Rule::optional | Rule::params | Rule::slash | Rule::op_range => true,
        Rule::EOI | Rule::semicolon => true,
        // `x: T` of a parameter; clauses that declare handle it themselves.
        Rule::annotation => true,
        Rule::open_paren => before == Rule::name,
        _ => false,
    };
    let after = matches!(before, Rule::slash | Rule::op_range);
    opens || attached || after
}

/// The position of the continuation lines of a long expression.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum ExprContext {
    /// Below its beginning.
    Align,
    /// Indented relative to the surrounding document.
    Nest(usize),
}
