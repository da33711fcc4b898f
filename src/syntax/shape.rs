//! What pest has read of a clause, kept: which rule has read what, as one flat list.
//!
//! pest's own pairs hold on to the text and are gone with it. These can be kept beside the tree, are as good at any other place of
//! a text, and cost nothing to copy.

use super::rule::Rule;
use pest::Token;
use std::sync::Arc;

/// All that the rules of one clause have read, from the outermost to the innermost and from left to right.
#[derive(Clone, Debug)]
pub struct Shape(Arc<[Node]>);

#[derive(Clone, Copy, Debug)]
struct Node {
    rule: Rule,
    /// In bytes, from where the clause begins.
    start: u32,
    end: u32,
    /// The first node that is no part of this one.
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

    /// The whole clause, whose text this is.
    pub fn whole<'s>(&'s self, text: &'s str) -> Pair<'s> {
        Pair { nodes: &self.0, text, at: 0 }
    }
}

/// A rule and what it has read.
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

    /// In bytes, from where the clause begins.
    pub fn start(&self) -> usize {
        self.node().start as usize
    }

    pub fn end(&self) -> usize {
        self.node().end as usize
    }

    /// The parts it consists of.
    pub fn into_inner(self) -> Inner<'s> {
        Inner { end: self.node().next as usize, next: Pair { at: self.at + 1, ..self } }
    }
}

/// The parts of a rule, in order.
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
