//! Behaviour: states with bodies and handlers, rounds, slots, moves, interactions.

use super::clauses::clause;
use super::{Generator, Where};
use crate::random::switches::Switch;
use crate::random::tree::{Tree, Ty};

impl Generator {
    pub fn behaviour(&mut self) -> Vec<Tree> {
        match self.model {
            Switch::Rounds | Switch::Radio => self.states(Generator::body_in_rounds),
            Switch::ReadsNeighbours => self.moves(),
            Switch::Pairs => self.interactions(),
            _ if self.has(Switch::Problem) => self.operations(),
            _ => self.states(Generator::body),
        }
    }

    // ---- States

    /// Return the states of all roles, each with a body and handlers.
    fn states(&mut self, body: impl Fn(&mut Generator) -> Tree) -> Vec<Tree> {
        let roles: &[Option<&str>] =
            if self.has(Switch::Roles) { &[Some("Source"), Some("Other")] } else { &[None] };
        let mut all = vec![];
        for role in roles {
            if let Some(role) = role {
                all.push(clause(format!("role {role}")));
            }
            let prefix = role.map_or("s", |role| if role == "Source" { "s" } else { "u" });
            let count = 1 + self.dice.below(3);
            self.states = (0..count).map(|number| format!("{prefix}{number}")).collect();
            for number in 0..count {
                self.state = number;
                let body = body(self);
                let handlers = self.state_handlers(body.parts.is_empty());
                let state = self.states[number].clone();
                all.push(Tree::fixed(format!("state {state}\n#\n#"), vec![body, handlers]));
                self.all_states.push(self.states[number].clone());
                if self.bare.is_some() {
                    break;
                }
            }
            if let Some(always) = self.bare.take() {
                all.extend((!always.is_empty()).then(|| clause(always)));
            } else if !self.in_rounds() {
                all.extend(self.always());
            }
        }
        all
    }

    /// Return the handlers of a state; an initial state without a body has `on wakeup`.
    fn state_handlers(&mut self, is_empty: bool) -> Tree {
        if self.bare.is_some() {
            return Tree::lines(vec![]);
        }
        if self.in_rounds() {
            let mut all = vec![];
            if !self.has(Switch::Synchronizer)
                && self.state == 0
                && self.use_it(Switch::OnWakeup, if self.has(Switch::SpontaneousStart) { 60 } else { 25 })
            {
                let first = self.received_first(Switch::WakeupReceived);
                let block = self.block_of(1, 2);
                let lines = first.into_iter().chain([block]).collect();
                all.push(Tree::fixed("on wakeup -> #", vec![Tree::lines(lines)]));
            }
            return Tree::lines(all);
        }
        let most = 1 + self.dice.below(3);
        if self.state > 0 || !is_empty {
            return self.handlers(most);
        }
        self.used.set(Switch::OnWakeup, true);
        let sent = self.initial_sends();
        let block = self.block_of(1, 1);
        let wakeup = Tree::fixed("on wakeup -> #\n#", vec![sent, block]);
        let before = self.on.has(Switch::OnWakeup);
        self.on.set(Switch::OnWakeup, false);
        let mut handlers = self.handlers(most);
        self.on.set(Switch::OnWakeup, before);
        handlers.parts.insert(0, wakeup);
        handlers
    }

    fn always(&mut self) -> Option<Tree> {
        if !self.use_it(Switch::Always, 60) {
            return None;
        }
        let most = 1 + self.dice.below(2);
        let states = std::mem::take(&mut self.states);
        let handlers = self.handlers(most);
        self.states = states;
        let mut all = vec![handlers];
        if !self.has(Switch::Layer) && self.use_it(Switch::Ignore, 70) {
            let messages = self.messages.clone();
            all.extend(messages.iter().map(|m| clause(format!("ignore {}", m.name))));
        }
        Some(Tree::fixed("always\n#", vec![Tree::lines(all)]))
    }

    /// Return a body in which every path waits.
    fn body(&mut self) -> Tree {
        let has_pattern = self.state == 0 && (self.has(Switch::WaitingLayer) || !self.profile.is_empty());
        if !has_pattern && (self.dice.chance(25) || self.has(Switch::Layer) && self.dice.chance(60)) {
            return Tree::lines(vec![]);
        }
        let once = self.state == 0 && self.dice.chance(80);
        let before = std::mem::replace(&mut self.repeated, !once);
        let locals = self.locals.len();
        let mut all = vec![];
        if let Some(made) = (self.state == 0).then(|| self.pattern_of_body()).flatten() {
            all.push(made);
            if self.bare.is_some() {
                self.locals.truncate(locals);
                self.repeated = before;
                if self.bare.as_deref() == Some("") {
                    all.push(clause("pause\nhalt"));
                }
                return Tree::lines(all);
            }
        } else if self.state == 0 {
            all.push(self.initial_sends());
        } else if self.sends_messages() && self.dice.chance(50) {
            all.extend(self.sending());
        }
        if self.dice.chance(50) {
            all.push(self.block_of(2, 2));
        }
        let waits = 1 + usize::from(self.dice.chance(40));
        for _ in 0..waits {
            let wait = match self.has(Switch::Layer) {
                true => Tree::fixed("pause", vec![]),
                false => self.wait(),
            };
            all.push(wait);
            if self.dice.chance(60) {
                all.push(self.block_of(2, 2));
            }
        }
        self.locals.truncate(locals);
        self.repeated = before;
        all.extend(self.end_of_body(once));
        Tree::lines(all)
    }

    /// Return the end of a body, which prevents its repetition if `once`.
    fn end_of_body(&mut self, once: bool) -> Option<Tree> {
        let last = self.states.len() - 1;
        let on = (self.state < last).then(|| self.states[self.state + 1].clone());
        match on {
            Some(state) if once || self.dice.chance(60) => {
                self.used.set(Switch::Become, true);
                Some(clause(format!("become {state}")))
            }
            None if once || self.dice.chance(50) => {
                self.used.set(Switch::Halt, true);
                Some(clause("halt"))
            }
            _ => None,
        }
    }

    // ---- Rounds

    fn body_in_rounds(&mut self) -> Tree {
        use Switch::*;
        let mut all = vec![];
        let rounds = 1 + self.dice.below(2);
        let locals = self.locals.len();
        if self.state == 0 && self.has(Restarts) && !self.has(Beeps) {
            all.extend(self.received_first(RestartReceived));
        }
        for round in 0..rounds {
            if self.model == Radio {
                all.push(self.slot());
                self.use_it(RoundStatement, 100);
                all.push(clause("round"));
                self.has_received = true;
            } else {
                self.has_received = round > 0 || self.state > 0;
                match self.many_in_round() {
                    Some(sent) => all.push(sent),
                    None if self.dice.chance(70) => all.extend(self.sending()),
                    None => {}
                }
                if self.dice.chance(50) {
                    all.push(self.block_of(2, 2));
                }
                all.push(self.end_of_round());
                self.has_received = true;
            }
            if self.dice.chance(60) {
                all.push(self.read_received());
            }
        }
        self.has_received = false;
        self.locals.truncate(locals);
        all.extend(self.end_of_body(false));
        Tree::lines(all)
    }

    fn slot(&mut self) -> Tree {
        let sent = match self.has(Switch::Beeps) {
            true => clause("transmit beep"),
            false => {
                let message = self.message(false);
                Tree::fixed("transmit #", vec![message])
            }
        };
        let guard = self.bool(1);
        let block = self.block_of(1, 1);
        Tree::fixed("if # -> # [] otherwise -> listen fi\n#", vec![guard, sent, block])
    }

    fn end_of_round(&mut self) -> Tree {
        use Switch::*;
        match self.take(&[RoundStatement, RoundStatement, AwaitRound, GuardedWait]) {
            // The names remain in the rest of the body.
            Some(AwaitRound) if !self.has(Beeps) && self.use_it(AwaitArrived, 40) => {
                self.has_received = true;
                let form = self.arrived();
                let word = [" when #", " and #", ""][self.dice.below(3)];
                let guard = (!word.is_empty()).then(|| self.within(Where::Guard, |g| g.bool(1)));
                Tree::fixed(format!("await {form}{word}"), guard.into_iter().collect())
            }
            Some(AwaitRound) => {
                self.has_received = true;
                let guard = self.within(Where::Guard, |g| g.bool(2));
                Tree::fixed("await #", vec![guard])
            }
            Some(GuardedWait) => {
                self.has_received = true;
                let mut all = vec![];
                for _ in 0..1 + self.dice.below(2) {
                    all.push(self.received_branch());
                }
                let block = self.block_of(1, 1);
                let rounds = self.dice.below(3);
                all.push(Tree::fixed(format!("after {rounds} -> #"), vec![block]));
                // `after 0` does not wait, and a body has to wait.
                let form = if rounds == 0 { "if # fi\nround" } else { "if # fi" };
                Tree::fixed(form, vec![Tree::branches(all)])
            }
            _ => clause("round"),
        }
    }

    /// Return `arrived M(m1) from q2 when g -> …`, as a guard.
    fn received_branch(&mut self) -> Tree {
        self.used.set(Switch::ReceivedGuard, true);
        if self.has(Switch::Beeps) {
            let block = self.block_of(1, 1);
            return Tree::fixed("heard = beep -> #", vec![block]);
        }
        let locals = self.locals.len();
        let form = self.arrived();
        let guard = self.dice.chance(50).then(|| self.within(Where::Guard, |g| g.bool(1)));
        let block = self.block_of(1, 2);
        self.locals.truncate(locals);
        match guard {
            Some(guard) => Tree::fixed(format!("{form} when # -> #"), vec![guard, block]),
            None => Tree::fixed(format!("{form} -> #"), vec![block]),
        }
    }

    /// Return `arrived M(m1) from q2`, whose names become locals.
    fn arrived(&mut self) -> String {
        let message = self.dice.pick(&self.messages).clone();
        let (names, bound) = self.parts_of(&message);
        let mut form = format!("arrived {}", super::waiting::pattern(&message.name, &names));
        self.locals.extend(bound);
        if self.model == Switch::Rounds && self.dice.chance(35) {
            let q = self.new_name("q");
            form.push_str(&format!(" from {q}"));
            let ty = self.sender_type();
            self.locals.push((q, ty));
        }
        form
    }

    pub fn read_received(&mut self) -> Tree {
        let first = self.received_branch();
        let other = self.block_of(1, 1);
        let otherwise = Tree::fixed("otherwise -> #", vec![other]);
        Tree::fixed("if # fi", vec![Tree::branches(vec![first, otherwise])])
    }

    /// Return `(some M(m1) in received: …)`, or a condition on the number of messages received.
    pub fn some_received(&mut self, depth: usize) -> Option<Tree> {
        if self.has(Switch::Beeps) {
            return None;
        }
        let message = self.dice.pick(&self.messages).clone();
        let names: Vec<String> = message.fields.iter().map(|_| self.new_name("m")).collect();
        let input = super::waiting::pattern(&message.name, &names);
        if names.is_empty() || self.dice.chance(30) {
            let value = self.int(0);
            return Some(Tree::expr(Ty::Bool, "(size(received) > #)", vec![value]));
        }
        let locals = self.locals.len();
        let types = message.fields.iter().map(|(_, ty)| ty.clone());
        self.locals.extend(names.into_iter().zip(types));
        let body = self.bool(depth);
        self.locals.truncate(locals);
        let word = ["some", "forall"][self.dice.below(2)];
        Some(Tree::expr(Ty::Bool, format!("({word} {input} in received: #)"), vec![body]))
    }

    // ---- Moves, interactions

    fn moves(&mut self) -> Vec<Tree> {
        let mut all = vec![];
        for _ in 0..1 + self.dice.below(3) {
            let local = self.use_it(Switch::WhenSome, 50);
            let made = match local {
                true => {
                    let q = self.new_name("q");
                    self.with_local(&q, Ty::Port, |g| {
                        let guard = g.within(Where::Guard, |g| g.bool(3));
                        let block = g.block(1);
                        Tree::fixed(format!("when some {q} in neighbours with # -> #"), vec![guard, block])
                    })
                }
                false => {
                    let guard = self.within(Where::Guard, |g| g.bool(3));
                    let block = self.block(1);
                    Tree::fixed("when # -> #", vec![guard, block])
                }
            };
            all.push(made);
        }
        vec![Tree::fixed("always\n#", vec![Tree::lines(all)])]
    }

    fn interactions(&mut self) -> Vec<Tree> {
        let all = (0..1 + self.dice.below(3)).map(|_| {
            self.with_local("v", Ty::Port, |g| {
                let guard = g.within(Where::Guard, |g| g.bool(3));
                let block = g.block(1);
                Tree::fixed("on interaction(v) when # -> #", vec![guard, block])
            })
        });
        let all = all.collect();
        vec![Tree::lines(all)]
    }
}
