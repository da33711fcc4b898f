//! Waiting statements, and handlers.

use super::{Generator, Message, Where};
use crate::random::switches::Switch;
use crate::random::tree::{Tree, Ty};

const WAITS: &[Switch] = {
    use Switch::*;
    &[
        Receive,
        Receive,
        ReceiveFrom,
        ReceiveInto,
        FromEach,
        FromEach,
        Await,
        Pause,
        GuardedWait,
        GuardedWait,
        WaitLoop,
        ForWaiting,
        After,
    ]
};

impl Generator {
    /// Return a waiting statement; the names that it binds are locals of the rest of the block.
    pub fn wait(&mut self) -> Tree {
        let made = self.one_of(WAITS, |g, s| g.wait_of(s));
        made.unwrap_or_else(|| match self.dice.chance(50) {
            true => Tree::fixed("pause", vec![]),
            false => self.receive(false),
        })
    }

    fn wait_of(&mut self, switch: Switch) -> Option<Tree> {
        use Switch::*;
        let timed = self.has(Timers) || self.has(BoundedDelay);
        match switch {
            Receive => Some(self.receive(false)),
            ReceiveFrom => Some(self.receive(true)),
            ReceiveInto => {
                let message = self.dice.pick(&self.messages).clone();
                let mut into: Vec<String> =
                    message.fields.iter().map(|(_, ty)| self.variable_for(ty)).collect();
                if let [first, second] = into.as_mut_slice()
                    && first == second
                {
                    *second = "_".into();
                }
                Some(Tree::fixed(format!("receive {}", pattern(&message.name, &into)), vec![]))
            }
            FromEach => self.gathering(),
            Await => {
                let guard = self.within(Where::Guard, |g| g.bool(2));
                Some(Tree::fixed("await #", vec![guard]))
            }
            Pause => Some(Tree::fixed("pause", vec![])),
            GuardedWait => {
                let mut all: Vec<Tree> = (0..1 + self.dice.below(2)).map(|_| self.input_branch()).collect();
                if self.dice.chance(30) {
                    all.push(self.guard_branch());
                }
                if timed && self.use_it(After, 60) {
                    let block = self.block_of(1, 1);
                    all.push(Tree::fixed(format!("after {} -> #", 1 + self.dice.below(3)), vec![block]));
                }
                Some(Tree::fixed("if # fi", vec![Tree::branches(all)]))
            }
            WaitLoop => {
                let before = self.repeated;
                self.repeated = true;
                let message = self.dice.pick(&self.messages).clone();
                let (names, locals) = self.parts_of(&message);
                let count = self.locals.len();
                self.locals.extend(locals);
                let block = self.block_of(1, 1);
                self.locals.truncate(count);
                self.repeated = before;
                let input = pattern(&message.name, &names);
                Some(Tree::fixed(
                    format!("do receive {input} when fuel > 0 -> fuel := fuel - 1\n# od\npause"),
                    vec![block],
                ))
            }
            ForWaiting if !self.by_ids() && !self.alike => {
                let name = self.new_name("q");
                let message = self.dice.pick(&self.messages).clone();
                let names: Vec<String> = message.fields.iter().map(|_| "_".into()).collect();
                let block = self.with_local(&name, Ty::Port, |g| g.block_of(1, 1));
                let input = pattern(&message.name, &names);
                Some(Tree::fixed(
                    format!("for {name} in neighbours do receive {input} from {name}\n# od\npause"),
                    vec![block],
                ))
            }
            After if timed => {
                let parts = (0..2).map(|_| self.block_of(1, 1)).collect();
                let guard = self.within(Where::Guard, |g| g.bool(1));
                let parts: Vec<Tree> = [vec![guard], parts].concat();
                Some(Tree::fixed(format!("if # -> # [] after {} -> # fi", self.dice.below(3)), parts))
            }
            _ => None,
        }
    }

    /// Return a variable that a pattern may assign, or `_`.
    fn variable_for(&mut self, ty: &Ty) -> String {
        let fit: Vec<String> = self
            .vars
            .iter()
            .filter(|v| v.ty == *ty && v.most.is_none() && v.role == super::Role::Plain)
            .map(|v| v.name.clone())
            .collect();
        if fit.is_empty() { "_".into() } else { self.dice.pick(&fit).clone() }
    }

    /// Return `receive M(m1) from q2`, whose names are locals of the rest of the block.
    fn receive(&mut self, from: bool) -> Tree {
        let message = self.dice.pick(&self.messages).clone();
        let (names, bound) = self.parts_of(&message);
        let mut form = format!("receive {}", pattern(&message.name, &names));
        let mut parts = vec![];
        let origin = match from {
            false => None,
            true if self.dice.chance(50) => {
                let ty = self.sender_type();
                form.push_str(" from #");
                if self.dice.chance(50) {
                    parts.push(self.set_of(&ty, 1));
                } else {
                    parts.push(self.leaf(&ty));
                }
                None
            }
            true => {
                let q = self.new_name("q");
                form.push_str(&format!(" from {q}"));
                Some(q)
            }
        };
        self.locals.extend(bound);
        if let Some(q) = origin {
            let ty = self.sender_type();
            self.locals.push((q, ty));
        }
        Tree::fixed(form, parts)
    }

    /// Return the parts of a pattern, most of which bind a new name, and these names.
    pub fn parts_of(&mut self, message: &Message) -> (Vec<String>, Vec<(String, Ty)>) {
        let mut bound = vec![];
        let parts = message.fields.iter().map(|(_, ty)| {
            let literals: &[&str] = match ty {
                Ty::Int => &["0", "1", "2", "-1"],
                Ty::Bool => &["true", "false"],
                Ty::Optional(_) => &["none", "1"],
                _ => &[],
            };
            if !literals.is_empty() && self.use_it(Switch::LiteralPattern, 15) {
                return (*self.dice.pick(literals)).to_string();
            }
            let name = self.new_name("m");
            bound.push((name.clone(), ty.clone()));
            name
        });
        (parts.collect(), bound)
    }

    fn gathering(&mut self) -> Option<Tree> {
        let message =
            self.messages.iter().find(|m| !m.fields.is_empty() && m.fields[0].1 == Ty::Int)?.clone();
        let sender = self.sender_type();
        let q = self.new_name("q");
        let set = match (self.by_ids(), self.has(Switch::Peers)) {
            (true, false) => return None,
            (true, true) if self.dice.chance(60) => Tree::expr(Ty::set(Ty::Id), "others", vec![]),
            (false, _) if self.dice.chance(60) => Tree::expr(Ty::set(Ty::Port), "neighbours", vec![]),
            _ => self.within(Where::Guard, |g| g.set_of(&sender, 1)),
        };
        let maps: Vec<String> = self
            .vars
            .iter()
            .filter(|v| v.ty == Ty::map(sender.clone(), Ty::Int))
            .map(|v| v.name.clone())
            .collect();
        let first = match maps.as_slice() {
            [] if !self.alike => self.variable_for(&Ty::Int),
            [map, ..] if self.alike || self.dice.chance(75) => format!("{map}[{q}]"),
            _ if self.alike => "_".into(),
            _ => self.variable_for(&Ty::Int),
        };
        let rest = message.fields[1..].iter().map(|_| "_".to_string());
        let into: Vec<String> = [first].into_iter().chain(rest).collect();
        Some(Tree::fixed(format!("receive {} from each {q} in #", pattern(&message.name, &into)), vec![set]))
    }

    /// Return `receive M(m1) from q when g -> …`, as a guard.
    fn input_branch(&mut self) -> Tree {
        let locals = self.locals.len();
        let from = self.dice.chance(30);
        let input = self.receive(from);
        let guard = self.dice.chance(40).then(|| self.within(Where::Guard, |g| g.bool(1)));
        let block = self.block_of(1, 2);
        self.locals.truncate(locals);
        match guard {
            Some(guard) => Tree::fixed("# when # -> #", vec![input, guard, block]),
            None => Tree::fixed("# -> #", vec![input, block]),
        }
    }

    fn guard_branch(&mut self) -> Tree {
        let guard = self.within(Where::Guard, |g| g.bool(2));
        let block = self.block_of(1, 1);
        Tree::fixed("# -> #", vec![guard, block])
    }

    // ---- Handlers

    /// Return the command of a handler, which may end with `become` or `halt`.
    fn command(&mut self) -> Tree {
        let before = self.repeated;
        self.repeated = true;
        let block = self.block(2);
        self.repeated = before;
        let end = self.ending();
        Tree::lines([vec![block], end].concat())
    }

    /// Return `become`, `halt` or nothing, for the end of a command.
    pub fn ending(&mut self) -> Vec<Tree> {
        use Switch::*;
        let last = self.states.len().saturating_sub(1);
        if self.dice.chance(20) && self.state < last && self.use_it(Become, 100) {
            let to = self.state + 1 + self.dice.below(last - self.state);
            return vec![Tree::fixed(format!("become {}", self.states[to]), vec![])];
        }
        if self.dice.chance(10) && !self.states.is_empty() && self.use_it(BecomeBack, 100) {
            let to = self.dice.below(self.states.len());
            return vec![Tree::fixed(format!("become {}", self.states[to]), vec![])];
        }
        if self.dice.chance(12) && !self.has(Problem) && !self.has(Layer) && self.use_it(Halt, 100) {
            return vec![Tree::fixed("halt", vec![])];
        }
        vec![]
    }

    /// Return `M(m1, m2) from q when g`, with its names as locals while `make` runs.
    fn with_input(&mut self, from: bool, when: bool, make: impl FnOnce(&mut Generator) -> Tree) -> Tree {
        let message = self.dice.pick(&self.messages).clone();
        let (names, bound) = self.parts_of(&message);
        let mut form = pattern(&message.name, &names);
        let locals = self.locals.len();
        if self.has(Switch::Layer) && self.use_it(Switch::LiteralPattern, 30) {
            form = format!("Low.deliver({})", self.dice.below(2));
        } else if self.has(Switch::Layer) {
            form = "Low.deliver(m0)".into();
            self.locals.push(("m0".into(), Ty::Int));
        } else {
            self.locals.extend(bound);
            if from {
                let q = self.new_name("q");
                form.push_str(&format!(" from {q}"));
                let ty = self.sender_type();
                self.locals.push((q, ty));
            }
        }
        let guard = (when && !self.has(Switch::Layer)).then(|| self.within(Where::Guard, |g| g.bool(2)));
        let command = make(self);
        self.locals.truncate(locals);
        let mut parts = vec![];
        if let Some(guard) = guard {
            form.push_str(" when #");
            parts.push(guard);
        }
        form.push_str(" -> #");
        parts.push(command);
        Tree::fixed(format!("on {form}"), parts)
    }

    /// Return handlers of one state, or of all states.
    pub fn handlers(&mut self, most: usize) -> Tree {
        use Switch::*;
        let timed = self.has(Timers) || self.has(BoundedDelay);
        let (detector, restarts) = (self.has(Detector), self.has(Restarts));
        let mut all = vec![];
        let kinds: &[Switch] = match self.has(Layer) {
            true => &[On, On, When, WhenSome, OnWakeup],
            false => &[
                On,
                On,
                OnFrom,
                OnFrom,
                OnWhen,
                When,
                WhenSome,
                AfterState,
                OnTimeout,
                OnWakeup,
                OnArrival,
                OnSuspect,
                OnTrust,
                OnRestart,
                Defer,
                Ignore,
                IgnoreTimeout,
            ],
        };
        let (mut woken, mut arrived) = (false, false);
        if self.has(ViewWithout) && !self.has(Layer) && self.dice.chance(70) {
            let form = ["w0 := w", "w0 := max(w0, w)", "w0 := w0 + 1", "w0 := a"][self.dice.below(4)];
            all.push(Tree::fixed(format!("on Note(w) -> {form}"), vec![]));
        }
        if self.has(ViewShift) && self.dice.chance(70) {
            let forms = [
                "z0 := max(z0, z) + 1",
                "z0 := z + 1",
                "z0 := z; z1 := z",
                "if z < z0 -> a := 1 [] otherwise -> a := 0; z0 := z fi",
            ];
            let form = *self.dice.pick(&forms);
            all.push(Tree::fixed(format!("on Clock(z) -> {form}"), vec![]));
        }
        for _ in 0..most {
            let drawn = self.draw(kinds);
            let made = match drawn {
                Some(On) => Some(self.with_input(false, false, Generator::command)),
                Some(OnFrom) => Some(self.with_input(true, false, Generator::command)),
                Some(OnWhen) => Some(self.with_input(true, true, Generator::command)),
                Some(When) => {
                    let guard = self.within(Where::Guard, |g| g.bool(2));
                    let command = self.command();
                    Some(Tree::fixed("when # -> #", vec![guard, command]))
                }
                Some(WhenSome) => {
                    let of = self.element();
                    let x = self.new_name("x");
                    let set = self.within(Where::Guard, |g| g.set_of(&of, 1));
                    let made = self.with_local(&x, of, |g| {
                        let guard = g.within(Where::Guard, |g| g.bool(2));
                        (guard, g.command())
                    });
                    Some(Tree::fixed(format!("when some {x} in # with # -> #"), vec![set, made.0, made.1]))
                }
                Some(AfterState) if timed && !self.states.is_empty() => {
                    let command = self.command();
                    Some(Tree::fixed(format!("after {} -> #", 1 + self.dice.below(3)), vec![command]))
                }
                Some(OnTimeout) if timed => {
                    let command = self.command();
                    Some(Tree::fixed("on timeout(again) -> #", vec![command]))
                }
                Some(IgnoreTimeout) if timed => Some(Tree::fixed("ignore timeout(again)", vec![])),
                Some(OnWakeup) if !woken => {
                    woken = true;
                    let before = std::mem::replace(&mut self.repeated, false);
                    let block = self.block(2);
                    self.repeated = before;
                    Some(Tree::fixed("on wakeup -> #", vec![block]))
                }
                Some(OnArrival) if !arrived && self.state == 0 && self.states.len() > 1 => {
                    arrived = true;
                    let to = self.states[1].clone();
                    let block = self.block_of(1, 1);
                    Some(Tree::fixed(format!("on arrival -> #\nbecome {to}"), vec![block]))
                }
                Some(OnSuspect | OnTrust) if detector => {
                    let word = if self.dice.chance(60) { "suspect" } else { "trust" };
                    let q = self.new_name("q");
                    let ty = if self.has_ids() && self.by_ids() { Ty::Id } else { Ty::Port };
                    let command = match ty {
                        Ty::Id => self.with_local(&q, ty, Generator::command),
                        _ if self.has_ids() => self.command(),
                        _ => self.with_local(&q, ty, Generator::command),
                    };
                    Some(Tree::fixed(format!("on {word}({q}) -> #"), vec![command]))
                }
                Some(OnRestart) if restarts => {
                    let block = self.block_of(1, 1);
                    Some(Tree::fixed("on restart -> #", vec![block]))
                }
                Some(kind @ (Defer | Ignore)) => {
                    let message = self.dice.pick(&self.messages).clone();
                    let word = if kind == Defer { "defer" } else { "ignore" };
                    let guard = self.within(Where::Guard, |g| g.bool(1));
                    let shape = match self.use_it(LiteralPattern, 40) {
                        true => pattern(&message.name, &self.parts_of(&message).0),
                        false => message.name,
                    };
                    Some(match self.dice.chance(50) {
                        true => Tree::fixed(format!("{word} {shape} when #"), vec![guard]),
                        false if kind == Ignore => Tree::fixed(format!("ignore {shape}"), vec![]),
                        false => continue,
                    })
                }
                _ => None,
            };
            if let (Some(drawn), true) = (drawn, made.is_some()) {
                self.used.set(drawn, true);
            }
            all.extend(made);
        }
        Tree::lines(all)
    }
}

/// Return `M(a, b)`, or `M`.
pub fn pattern(name: &str, arguments: &[String]) -> String {
    if arguments.is_empty() { name.into() } else { format!("{name}({})", arguments.join(", ")) }
}
