//! Layout of statements and blocks. The author's line breaks are kept: between statements, after arrows, between alternatives.
//! Further breaks are made only where a line is too wide.

use super::builder::{Builder, Measured};
use super::doc::{Doc, INDENT};
use crate::syntax::rule::Rule;
use crate::syntax::shape::Pair;
use rustc_hash::FxHashMap;

/// Width of `if `, `do ` and `[] `.
const OPENER: usize = 3;

/// Indentation of commands below the guard of an alternative.
const BELOW: usize = OPENER + INDENT;

/// Arrows are aligned if their distance is at most this number of columns, or if the author has begun to.
const MAX_ARROW_DISTANCE: usize = 16;

impl<'t> Builder<'_, 't> {
    /// Return the statements of a block that begins in this column; None if it is empty.
    pub fn block(&self, pair: &Pair<'_>, column: usize) -> Option<Doc> {
        let columns = self.assignments(pair);
        let mut rows: Vec<Vec<(Doc, usize)>> = Vec::new();
        for part in pair.into_inner() {
            let index = self.index(&part);
            if part.as_rule() == Rule::semicolon {
                let comments = self.comments_of(index);
                match rows.last_mut().and_then(|row| row.last_mut()) {
                    Some((last, _)) => *last = Doc::Cat(vec![std::mem::replace(last, Doc::nil()), comments]),
                    None => rows.push(vec![(comments, index)]),
                }
                continue;
            }
            let statement = part.into_inner().next().expect("a statement is something");
            let doc = match columns.get(&index) {
                Some(assign) => self.assignment(&statement, *assign),
                None => self.statement(&statement, column),
            };
            // A `;` at the beginning of a line is equivalent to one at the end.
            let starts = self.tokens.on_new_line(index)
                || self.tokens.on_new_line(index - 1) && self.tokens.word(index - 1) == ";";
            match rows.last_mut().filter(|row| !starts && row.iter().all(|(doc, _)| doc.width().is_some())) {
                Some(row) if doc.width().is_some() => row.push((doc, index)),
                _ => rows.push(vec![(doc, index)]),
            }
        }
        let mut docs = Vec::new();
        for row in rows {
            let width: usize = row.iter().filter_map(|(doc, _)| doc.width()).map(|width| width + 2).sum();
            let together = !self.overflows(column, width.saturating_sub(2));
            for (place, (doc, index)) in row.into_iter().enumerate() {
                if place > 0 && together {
                    docs.extend([Doc::text(";"), Doc::blank()]);
                } else if !docs.is_empty() {
                    docs.push(Doc::Hard { blank: self.blank_before(index) });
                }
                docs.push(doc);
            }
        }
        (!docs.is_empty()).then_some(Doc::Cat(docs))
    }

    /// Return whether an empty line precedes a token and the comments that belong to it.
    pub fn blank_before(&self, index: usize) -> bool {
        let own = self.tokens.own_lines_before(index);
        self.tokens.after_blank(own.start)
    }

    /// Find assignments on neighbouring lines whose `:=` the author has begun to align. Return the width of their left sides, by
    /// the first token of each.
    fn assignments(&self, block: &Pair<'_>) -> FxHashMap<usize, usize> {
        let mut columns = FxHashMap::default();
        let mut run: Vec<(usize, usize, usize)> = Vec::new();
        let mut close = |run: &mut Vec<(usize, usize, usize)>| {
            if run.len() > 1 && run.iter().any(|(_, _, gap)| *gap > 1) {
                let widest = run.iter().map(|(_, width, _)| *width).max().unwrap_or(0);
                columns.extend(run.iter().map(|(index, ..)| (*index, widest)));
            }
            run.clear();
        };
        for part in block.into_inner() {
            let index = self.index(&part);
            let statement = part.into_inner().next();
            let parts = statement.filter(|statement| statement.as_rule() == Rule::assignment_or_call);
            let parts: Vec<Pair<'_>> = parts.map_or(Vec::new(), |statement| statement.into_inner().collect());
            let split = parts.iter().position(|part| part.as_rule() == Rule::assign);
            let width = split.and_then(|at| self.row(&parts[..at]).width());
            let (Some(at), Some(width)) = (split, width) else {
                close(&mut run);
                continue;
            };
            let assign = self.index(&parts[at]);
            let below = self.tokens.on_new_line(index)
                && self.tokens.own_lines_before(index).is_empty()
                && !self.tokens.after_blank(index);
            // Not if another statement follows on the line: `a := 1; b := 2`.
            if !below {
                close(&mut run);
            }
            if self.tokens.on_new_line(index) {
                run.push((index, width, self.tokens.gap(assign)));
            }
        }
        close(&mut run);
        columns
    }

    /// Lay out an assignment with its `:=` in this column.
    fn assignment(&self, pair: &Pair<'_>, column: usize) -> Doc {
        let parts: Vec<Pair<'_>> = pair.into_inner().collect();
        let split = parts.iter().position(|part| part.as_rule() == Rule::assign).unwrap_or(parts.len());
        let (head, tail) = parts.split_at(split);
        let head = self.row(head);
        let missing = column.saturating_sub(head.width().unwrap_or(column));
        Doc::Cat(vec![head, Doc::Blanks(missing + 1), self.row(tail).align()])
    }

    fn statement(&self, pair: &Pair<'_>, column: usize) -> Doc {
        match pair.as_rule() {
            Rule::choice | Rule::repetition => self.alternatives(pair, column),
            Rule::iteration => self.iteration(pair, column),
            _ => self.spaced(pair),
        }
    }

    /// `send e to d`: the destination moves to the next line before the message is broken.
    pub fn send(&self, pair: &Pair<'_>) -> Doc {
        let parts: Vec<Pair<'_>> = pair.into_inner().collect();
        let [k_send, message, to @ ..] = parts.as_slice() else { unreachable!("something is sent") };
        let mut line = vec![self.part(message)];
        for to in to {
            line.extend([self.line(self.index(to)), self.part(to)]);
        }
        Doc::Cat(vec![self.leaf(k_send), Doc::blank(), Doc::Cat(line).group().align()])
    }

    /// Return whether a statement is on one line, and there is room for it.
    fn stays_on_a_line(&self, pair: &Pair<'_>, column: usize) -> bool {
        let width = self.measures.and_then(|reaches| reaches.get(&Measured::Line(self.start(pair))));
        self.tokens.on_one_line(self.range(pair)) && width.is_none_or(|width| !self.overflows(column, *width))
    }

    /// Record the width of a statement that is on one line, so that nothing is laid out twice to find it.
    fn on_found_line(&self, pair: &Pair<'_>, doc: Doc) -> Doc {
        if self.measures.is_none() {
            self.found
                .borrow_mut()
                .insert(Measured::Line(self.start(pair)), doc.width().unwrap_or(usize::MAX / 2));
        }
        doc
    }

    fn found_reach(&self, start: usize, body: &Doc) {
        if self.measures.is_none() {
            self.found.borrow_mut().insert(Measured::Block(start), body.reach());
        }
    }

    fn start(&self, pair: &Pair<'_>) -> usize {
        self.offset + pair.start()
    }

    /// `for p in S do … od`
    fn iteration(&self, pair: &Pair<'_>, column: usize) -> Doc {
        let parts: Vec<Pair<'_>> = pair.into_inner().collect();
        let [head @ .., block, k_od] = parts.as_slice() else { unreachable!("a loop has a body") };
        if self.stays_on_a_line(pair, column) {
            let mut docs = vec![self.row(head), Doc::blank()];
            if let Some(body) = self.block(block, column) {
                docs.extend([body, Doc::blank()]);
            }
            docs.push(self.leaf(k_od));
            return self.on_found_line(pair, Doc::Cat(docs));
        }
        let mut docs = vec![self.row(head)];
        let body = self.block_before(block, self.index(k_od), column + INDENT);
        docs.extend(body.map(|body| Doc::Cat(vec![Doc::Hard { blank: false }, body]).nest(INDENT)));
        docs.extend([self.new_line(k_od), self.closing(k_od)]);
        Doc::Cat(docs)
    }

    /// Return a block and the comments at its end, before the word that closes it.
    fn block_before(&self, block: &Pair<'_>, closing: usize, column: usize) -> Option<Doc> {
        let (inside, _) = self.tokens.inside(closing);
        let body = self.block(block, column);
        if inside.is_empty() {
            return body;
        }
        let mut docs = Vec::from_iter(body);
        if !docs.is_empty() {
            docs.push(Doc::Hard { blank: self.tokens.after_blank(inside.start) });
        }
        docs.extend(self.tokens.own(inside));
        Some(Doc::Cat(docs))
    }

    /// Return a new line before a word that continues or closes a construct.
    fn new_line(&self, word: &Pair<'_>) -> Doc {
        let (_, own) = self.tokens.inside(self.index(word));
        Doc::Hard { blank: self.tokens.after_blank(own.start) }
    }

    /// `if … [] … fi` and `do … [] … od`
    fn alternatives(&self, pair: &Pair<'_>, column: usize) -> Doc {
        let parts: Vec<Pair<'_>> = pair.into_inner().collect();
        if self.stays_on_a_line(pair, column) {
            let mut docs = Vec::new();
            for part in &parts {
                if !docs.is_empty() {
                    docs.push(Doc::blank());
                }
                docs.push(match part.as_rule() {
                    Rule::branch => self.branch_on_a_line(part, column),
                    _ => self.leaf(part),
                });
            }
            return self.on_found_line(pair, Doc::Cat(docs));
        }
        let branches: Vec<Branch<'_>> = parts
            .iter()
            .filter(|part| part.as_rule() == Rule::branch)
            .map(|part| self.branch(part))
            .collect();
        let columns = self.arrows(&branches, column + OPENER);
        let mut docs = Vec::new();
        let mut branches = branches.into_iter().zip(columns);
        for (at, part) in parts.iter().enumerate() {
            if part.as_rule() != Rule::branch {
                if at > 0 {
                    docs.push(self.new_line(part));
                }
                docs.push(if at > 0 { self.closing(part) } else { self.leaf(part) });
                if at + 1 < parts.len() {
                    let width = self.signs.write(part.as_rule(), part.as_str().into()).chars().count();
                    docs.push(Doc::Blanks(OPENER.saturating_sub(width)));
                }
                continue;
            }
            let (branch, arrow) = branches.next().expect("each branch has been read");
            let closing = self.index(&parts[at + 1]);
            docs.extend(self.with_arrow(
                branch,
                arrow,
                column + OPENER,
                |builder, block, column| builder.block_before(block, closing, column),
                column + BELOW,
                BELOW,
            ));
        }
        Doc::Cat(docs)
    }

    fn branch_on_a_line(&self, pair: &Pair<'_>, column: usize) -> Doc {
        let branch = self.branch(pair);
        let mut docs = vec![branch.head, Doc::blank(), branch.arrow];
        if let Some(body) = self.block(&branch.block, column) {
            self.found_reach(branch.start, &body);
            docs.extend([Doc::blank(), body]);
        }
        Doc::Cat(docs)
    }

    fn branch<'i>(&self, pair: &Pair<'i>) -> Branch<'i> {
        let parts: Vec<Pair<'i>> = pair.into_inner().collect();
        let [head, arrow, block] = parts.as_slice() else { unreachable!("a branch has a guard and a block") };
        self.guarded(self.part(head), arrow, block)
    }

    /// Return a branch: a guard, an arrow, and the commands.
    pub fn guarded<'i>(&self, head: Doc, arrow: &Pair<'i>, block: &Pair<'i>) -> Branch<'i> {
        let index = self.index(arrow);
        // The comment after the arrow, too.
        let next = index + 1;
        let empty = block.into_inner().next().is_none();
        let below = !empty && (self.tokens.is_comment(next) || self.tokens.on_new_line(next));
        Branch {
            width: head.width().filter(|_| !self.tokens.is_comment(index - 1)),
            arrow_width: self.signs.write(Rule::arrow, arrow.as_str().into()).chars().count(),
            head,
            arrow: self.leaf(arrow),
            gap: self.tokens.gap(index),
            block: *block,
            below: below || empty,
            start: self.start(block),
        }
    }

    /// Return the column of each arrow, from the column where guards begin; None where the commands are below the guard.
    ///
    /// Commands that would extend too far to the right are moved below, and their arrow does not count for the others.
    pub fn arrows(&self, branches: &[Branch<'_>], column: usize) -> Vec<Option<usize>> {
        let mut beside: Vec<bool> = branches.iter().map(Branch::may_follow_arrow).collect();
        loop {
            let chosen =
                || branches.iter().zip(&beside).filter(|(_, beside)| **beside).map(|(branch, _)| branch);
            let widths = || chosen().filter_map(|branch| branch.width);
            let (least, most) = (widths().min().unwrap_or(0), widths().max().unwrap_or(0));
            let together = most - least <= MAX_ARROW_DISTANCE || chosen().any(|branch| branch.gap > 1);
            let place = |branch: &Branch<'_>| if together { most } else { branch.width.unwrap_or(0) };
            let too_far = |branch: &Branch<'_>| {
                let reach = self
                    .measures
                    .and_then(|reaches| reaches.get(&Measured::Block(branch.start)))
                    .copied()
                    .unwrap_or(0);
                self.overflows(column + place(branch) + branch.arrow_width + 2, reach)
            };
            let worst = (0..branches.len()).find(|&at| beside[at] && too_far(&branches[at]));
            match worst {
                Some(at) => beside[at] = false,
                None => {
                    let columns = branches.iter().zip(&beside).map(|(b, beside)| beside.then(|| place(b)));
                    return columns.collect();
                }
            }
        }
    }

    /// Lay out guard, arrow and commands: after the arrow in one column, or below.
    pub fn with_arrow(
        &self,
        branch: Branch<'_>,
        arrow: Option<usize>,
        column: usize,
        block: impl Fn(&Self, &Pair<'_>, usize) -> Option<Doc>,
        below: usize,
        indent: usize,
    ) -> Vec<Doc> {
        let mut docs = vec![branch.head.align()];
        let Some(arrow) = arrow else {
            docs.extend([Doc::blank(), branch.arrow]);
            let body = block(self, &branch.block, below);
            docs.extend(body.map(|body| Doc::Cat(vec![Doc::Hard { blank: false }, body]).nest(indent)));
            return docs;
        };
        docs.push(Doc::Blanks(arrow - branch.width.unwrap_or(arrow) + 1));
        docs.push(branch.arrow);
        let column = column + arrow + branch.arrow_width + 2;
        if let Some(body) = block(self, &branch.block, column) {
            self.found_reach(branch.start, &body);
            docs.extend([Doc::blank(), Doc::Margin, body.align()]);
        }
        docs
    }
}

/// A guarded command.
pub struct Branch<'i> {
    head: Doc,
    arrow: Doc,
    /// Number of blanks before the arrow in the source.
    gap: usize,
    /// Width of the guard, if it is on one line.
    width: Option<usize>,
    arrow_width: usize,
    block: Pair<'i>,
    /// Whether the commands are below the guard, or there are none.
    below: bool,
    start: usize,
}

impl Branch<'_> {
    /// Return whether its commands may follow its arrow, if there is room.
    pub fn may_follow_arrow(&self) -> bool {
        !self.below && self.width.is_some()
    }
}
