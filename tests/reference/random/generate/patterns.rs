//! Sequences of statements that seldom arise at random, and in which wrong verdicts have been found.

use super::{Generator, waiting};
use crate::random::switches::Switch;
use crate::random::tree::{Tree, Ty};

impl Generator {
    /// Return two unlike messages to each neighbour; one is taken from each, and then another one. The result depends on the order.
    pub fn unlike_from_each(&mut self) -> Option<Tree> {
        if !self.has(Switch::Unordered) || !self.on.has(Switch::FromEach) {
            return None;
        }
        let (name, rest) = self.unlike_message()?;
        if !self.use_it(Switch::UnlikeFromEach, 70) {
            return None;
        }
        self.used.set(Switch::FromEach, true);
        let q = self.new_name("q");
        let maps = self.vars.iter().find(|v| v.ty == Ty::map(Ty::Port, Ty::Int));
        let kept = maps.map_or("_".to_string(), |map| format!("{}[{q}]", map.name));
        let take = |into: &str| waiting::pattern(&name, &arguments(into, &rest, |_| "_".into()));
        let waits = format!("receive {} from each {q} in neighbours\nreceive {}", take(&kept), take("a"));
        Some(Tree::lines(vec![self.unlike_sends(&name, &rest), Tree::fixed(waits, vec![])]))
    }

    /// Return two unlike messages in one round, which the next statements read.
    pub fn many_in_round(&mut self) -> Option<Tree> {
        if !self.has(Switch::Unordered) {
            return None;
        }
        let (name, rest) = self.unlike_message()?;
        self.use_it(Switch::ManyInRound, 60).then(|| self.unlike_sends(&name, &rest))
    }

    /// Return a message with a number, and the types of its other fields, if there are neighbours to send it to.
    fn unlike_message(&self) -> Option<(String, Vec<Ty>)> {
        if self.by_ids() || self.shape == Switch::UnidirectionalRing {
            return None;
        }
        let message =
            self.messages.iter().find(|m| m.fields.first().is_some_and(|(_, ty)| *ty == Ty::Int))?;
        Some((message.name.clone(), message.fields[1..].iter().map(|(_, ty)| ty.clone()).collect()))
    }

    fn unlike_sends(&mut self, name: &str, rest: &[Ty]) -> Tree {
        let mut numbers = ["1", "0"];
        if self.dice.chance(50) {
            numbers.reverse();
        }
        let send = |number: &&str| {
            let message = waiting::pattern(name, &arguments(number, rest, plain));
            Tree::fixed(format!("send {message} to neighbours"), vec![])
        };
        Tree::lines(numbers.iter().map(send).collect())
    }

    /// Return a first statement that reads `received`, after a wake-up or a restart: earlier messages must be absent.
    pub fn received_first(&mut self, switch: Switch) -> Option<Tree> {
        if !self.use_it(switch, 70) {
            return None;
        }
        let before = std::mem::replace(&mut self.has_received, true);
        let made = self.read_received();
        self.has_received = before;
        Some(made)
    }

    /// Return a comparison of a value with an optional part and one without it, in either order.
    pub fn optional_compared(&mut self, depth: usize) -> Tree {
        let mut sides = [self.expr(&Ty::optional(Ty::Int), depth), self.int(depth)];
        if self.dice.chance(50) {
            sides.reverse();
        }
        let signs = if self.fails { 4 } else { 2 };
        let sign = ["=", "!=", "<", ">="][self.dice.below(signs)];
        let form = match self.dice.below(5) {
            0 | 1 => format!("((#, true) {sign} (#, true))"),
            2 => format!("([#] {} [#])", ["=", "!="][self.dice.below(2)]),
            3 => format!("({{#}} {} {{#}})", ["=", "!=", "<="][self.dice.below(3)]),
            _ => "(# in {#})".to_string(),
        };
        Tree::expr(Ty::Bool, form, sides.to_vec())
    }
}

fn arguments(first: &str, rest: &[Ty], other: impl Fn(&Ty) -> String) -> Vec<String> {
    [first.to_string()].into_iter().chain(rest.iter().map(other)).collect()
}

/// Return a value of a message's field.
fn plain(ty: &Ty) -> String {
    let text = match ty {
        Ty::Bool => "true",
        Ty::Set(_) => "{}",
        Ty::Optional(_) => "none",
        _ => "0",
    };
    text.into()
}
