//! The rules that pest matched in a clause, as one flat list.
//!
//! pest's own pairs borrow the text and cannot outlive it. These are stored beside the tree, are valid at any offset, and are
//! cheap to copy.

use super::rule::Rule;
use pest::Token;
use std::sync::Arc;

/// All matched rules of one clause, from the outermost to the innermost and from left to right.
#[derive(Clone, Debug)]
pub struct Shape(Arc<[Node]>);

#[derive(Clone, Copy, Debug)]
struct Node {
    rule: Rule,
    /// In bytes, from the beginning of the clause.
    start: u32,
    end: u32,
    /// The first node that is not part of this one.
    next: u32,
}

impl Shape {
    pub fn of(pair: pest::iterators::Pair<'_, Rule>) -> Shape {
        let mut nodes: Vec<Node> = Vec::new();
        let mut open: Vec<usize> = Vec::new();
        for token in pair.tokens() {
            match token {
                Token::Start { rule, pos } => {
                    let start = pos.pos() as u32;
                    open.push(nodes.len());
                    nodes.push(Node { rule, start, end: start, next: 0 });
                }
                Token::End { pos, .. } => {
                    let next = nodes.len() as u32;
                    if let Some(node) = open.pop().and_then(|at| nodes.get_mut(at)) {
                        (node.end, node.next) = (pos.pos() as u32, next);
                    }
                }
            }
        }
        Shape(nodes.into())
    }

    /// Return the whole clause, given its text.
    pub fn whole<'s>(&'s self, text: &'s str) -> Pair<'s> {
        Pair { nodes: &self.0, text, at: 0 }
    }
}

/// A matched rule with its text.
#[derive(Clone, Copy)]
pub struct Pair<'s> {
    nodes: &'s [Node],
    text: &'s str,
    at: usize,
}

impl<'s> Pair<'s> {
    fn node(&self) -> &'s Node {
        &self.nodes[self.at]
    }

    pub fn as_rule(&self) -> Rule {
        self.node().rule
    }

    pub fn as_str(&self) -> &'s str {
        &self.text[self.start()..self.end()]
    }

    /// In bytes, from the beginning of the clause.
    pub fn start(&self) -> usize {
        self.node().start as usize
    }

    pub fn end(&self) -> usize {
        self.node().end as usize
    }

    /// Return the parts of the matched rule.
    pub fn into_inner(self) -> Inner<'s> {
        Inner { end: self.node().next as usize, next: Pair { at: self.at + 1, ..self } }
    }
}

/// The parts of a matched rule, in order.
#[derive(Clone)]
pub struct Inner<'s> {
    next: Pair<'s>,
    end: usize,
}

impl<'s> Iterator for Inner<'s> {
    type Item = Pair<'s>;

    fn next(&mut self) -> Option<Pair<'s>> {
        let pair = self.next;
        (pair.at < self.end).then(|| {
            self.next.at = pair.node().next as usize;
            pair
        })
    }
}
