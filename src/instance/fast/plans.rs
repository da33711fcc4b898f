//! Plans: steps executed without running code. Most commands only compare a few words, assign a few variables, and send at most
//! one message. Their code is evaluated symbolically once, to a tree of comparisons with a plan at each leaf. Unchanged variables
//! are then not copied.

use super::{Entry, FastKind, FastOp, FastRole, ID, MESSAGE, MOST_WORDS, Route, SENDER, STAY};
use crate::instance::Layout;
use crate::ir::{HALTED, PC};

/// Maximum number of operations on one path.
const MOST_OPS: usize = 24;

/// Maximum number of comparisons of one entry.
const MOST_STEPS: usize = 12;

/// Maximum number of variables that a plan assigns.
const MOST_STORES: usize = 4;

/// Kind of the message of a plan that sends none.
pub const NO_MESSAGE: u8 = u8::MAX;

/// The next action: one of the constants, a further comparison, or a plan.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct End(u32);

impl End {
    /// The message is consumed without effect.
    pub const DROP: End = End(0);
    /// The message is forwarded unchanged, at the only port.
    pub const FORWARD: End = End(1);
    /// The code of the entry must be run.
    pub const CODE: End = End(2);
    const FIRST: u32 = 3;

    /// Return the comparison or plan.
    #[inline(always)]
    pub fn step(self, plans: &Plans) -> Option<&Step> {
        plans.0.get(self.0.wrapping_sub(End::FIRST) as usize)
    }
}

/// A node of a decision tree. A register below the number of a process's words is a variable.
#[derive(Clone, Copy, Debug)]
pub enum Step {
    /// Three-way comparison of two registers: less, equal, greater.
    Compare {
        a: u8,
        b: u8,
        ends: [End; 3],
    },
    Plan(Plan),
}

/// The effects of a command. The message is constructed before anything is stored.
#[derive(Clone, Copy, Debug)]
pub struct Plan {
    /// Kind of the message sent at the only port, or [`NO_MESSAGE`].
    pub kind: u8,
    pub words: [u8; MOST_WORDS],
    stores: [(u8, u8); MOST_STORES],
    len: u8,
    /// The new waiting point; [`STAY`]: unchanged.
    pub wait: i64,
    /// Whether the process may be in another cell afterwards ([`FastRole::cell`]).
    pub moves: bool,
}

impl Plan {
    /// Return the variables and the registers with their new values; none of the latter is a variable stored earlier.
    #[inline(always)]
    pub fn stores(&self) -> &[(u8, u8)] {
        &self.stores[..usize::from(self.len).min(MOST_STORES)]
    }
}

#[derive(Clone, Debug, Default)]
pub struct Plans(Vec<Step>);

impl Plans {
    /// Evaluate the code of each entry, and of the first commands of each role. `onward`: every process has exactly one port that
    /// sends.
    pub(super) fn new(
        code: &[FastOp],
        roles: &mut [FastRole],
        layout: &Layout,
        kinds: &[FastKind],
        onward: bool,
    ) -> Plans {
        let mut plans = Plans::default();
        for role in roles {
            let selectors = role.selectors.iter().map(|(slot, _)| *slot).collect();
            let mut way = PlanPath {
                code,
                layout,
                kinds,
                selectors,
                onward,
                kind: None,
                wait: STAY,
                steps: Vec::new(),
            };
            role.start_end = plans.keep(&mut way, role.start);
            for kind in 0..role.kinds.len() {
                let of = role.kinds[kind];
                let cells = role.cells(kind);
                for (place, entry) in (0..).zip(&mut role.entries[cells]) {
                    way.kind = Some(kind);
                    way.wait = place / of.states;
                    plans.note(&mut way, entry);
                }
            }
        }
        plans
    }

    fn note(&mut self, way: &mut PlanPath<'_>, entry: &mut Entry) {
        let end = self.keep(way, entry.code);
        entry.ends = [end; 3];
        // The first comparison needs no look-up if its operands are available immediately.
        if let Some(Step::Compare { a, b, ends }) = end.step(self)
            && !way.is_variable(*a)
            && !way.is_variable(*b)
        {
            (entry.a, entry.b, entry.ends) = (*a, *b, *ends);
        }
    }

    /// Store the decision tree of the code at `start`, and return its root.
    fn keep(&mut self, way: &mut PlanPath<'_>, start: u32) -> End {
        way.steps.clear();
        let base = End::FIRST + self.0.len() as u32;
        let end = way.end(base, start, &mut Known::default());
        self.0.append(&mut way.steps);
        end
    }
}

/// Symbolic state on a path.
#[derive(Clone, Default)]
struct Known {
    /// Registers that have been assigned the initial value of others.
    values: Vec<(u8, u8)>,
    sent: Option<(u8, [u8; MOST_WORDS])>,
}

impl Known {
    /// Return the register that held the value initially.
    fn source(&self, register: u8) -> u8 {
        self.values.iter().find(|(to, _)| *to == register).map_or(register, |(_, from)| *from)
    }

    fn set(&mut self, to: u8, from: u8) {
        let from = self.source(from);
        self.values.retain(|(register, _)| *register != to);
        self.values.push((to, from));
    }
}

/// The symbolic evaluation of the messages of one kind at one waiting point; no kind: of the first commands.
struct PlanPath<'a> {
    code: &'a [FastOp],
    layout: &'a Layout,
    kinds: &'a [FastKind],
    /// Slots of control states that distinguish cells.
    selectors: Vec<u16>,
    onward: bool,
    kind: Option<usize>,
    wait: u32,
    steps: Vec<Step>,
}

impl PlanPath<'_> {
    fn is_variable(&self, register: u8) -> bool {
        usize::from(register) < self.layout.words
    }

    /// Return whether the register is set before any code runs. The sender is not, and only the existing words of the message
    /// are.
    fn is_at_hand(&self, register: u8) -> bool {
        let register = usize::from(register);
        let words = self.kind.map_or(0, |kind| self.layout.kinds[kind].words);
        match register {
            SENDER => false,
            ID => true,
            MESSAGE.. => register < MESSAGE + words,
            _ => true,
        }
    }

    /// Evaluate the code from `start`. `base`: index of the first of the steps.
    fn end(&mut self, base: u32, start: u32, known: &mut Known) -> End {
        let mut pc = start;
        for _ in 0..MOST_OPS {
            match self.code[pc as usize] {
                FastOp::Jump { target } | FastOp::Load { target } => {
                    pc = target;
                    continue;
                }
                FastOp::Move { to, from } => known.set(to, from),
                FastOp::Test { a, b, less, equal, greater } => {
                    let (a, b) = (known.source(a), known.source(b));
                    if !self.is_at_hand(a) || !self.is_at_hand(b) || self.steps.len() >= MOST_STEPS {
                        return End::CODE;
                    }
                    let place = self.steps.len();
                    self.steps.push(Step::Compare { a, b, ends: [End::CODE; 3] });
                    let ends = [less, equal, greater].map(|pc| self.end(base, pc, &mut known.clone()));
                    if ends == [End::CODE; 3] {
                        self.steps.truncate(place);
                        return End::CODE;
                    }
                    self.steps[place] = Step::Compare { a, b, ends };
                    return End(base + place as u32);
                }
                FastOp::Send { kind, to: Route::Only, words } if self.may_send(known) => {
                    known.sent = Some((kind, words.map(|word| known.source(word))));
                }
                FastOp::SendEnd { kind, to: Route::Only, words, wait } if self.may_send(known) => {
                    known.sent = Some((kind, words.map(|word| known.source(word))));
                    return self.plan(base, known, i64::from(wait));
                }
                FastOp::Pass { kind, to: Route::Only, words } if self.may_send(known) => {
                    known.sent = Some((kind, words.map(|word| known.source(word))));
                    return self.plan(base, known, i64::from(STAY));
                }
                FastOp::Done | FastOp::Finish => return self.plan(base, known, i64::from(STAY)),
                FastOp::Wait { wait } => return self.plan(base, known, i64::from(wait)),
                FastOp::Halt => return self.plan(base, known, HALTED),
                _ => return End::CODE,
            }
            pc += 1;
        }
        End::CODE
    }

    /// Return whether a message can be sent: at most one, at the only port.
    fn may_send(&self, known: &Known) -> bool {
        self.onward && known.sent.is_none()
    }

    /// Return the plan at the end of a path.
    fn plan(&mut self, base: u32, known: &Known, wait: i64) -> End {
        let wait = match self.kind {
            // A process that has started is at a waiting point.
            None if wait == i64::from(STAY) => 0,
            _ => wait,
        };
        let stays = self.kind.is_some() && (wait == i64::from(STAY) || wait == i64::from(self.wait));
        let mut plan = Plan {
            kind: NO_MESSAGE,
            words: [ID as u8; MOST_WORDS],
            stores: [(0, 0); MOST_STORES],
            len: 0,
            wait: if stays { i64::from(STAY) } else { wait },
            moves: !stays,
        };
        let stores: Vec<(u8, u8)> =
            known.values.iter().filter(|(to, from)| self.is_variable(*to) && to != from).copied().collect();
        // A variable that receives the old value of another variable after the latter has been assigned.
        let overtaken =
            stores.iter().enumerate().any(|(i, (to, _))| stores[i..].iter().any(|(_, from)| from == to));
        if stores.len() > MOST_STORES
            || overtaken
            || stores.iter().any(|(to, from)| usize::from(*to) == PC as usize || !self.is_at_hand(*from))
        {
            return End::CODE;
        }
        plan.moves |= stores.iter().any(|(to, _)| self.selectors.contains(&u16::from(*to)));
        plan.stores[..stores.len()].copy_from_slice(&stores);
        plan.len = stores.len() as u8;
        if let Some((kind, words)) = known.sent {
            let len = self.layout.kinds[kind as usize].words;
            if words.iter().any(|word| !self.is_at_hand(*word)) {
                return End::CODE;
            }
            (plan.kind, plan.words) = (kind, words);
            let same = self.kind == Some(usize::from(kind))
                && !self.kinds[usize::from(kind)].any_optional
                && words[..len].iter().enumerate().all(|(i, word)| usize::from(*word) == MESSAGE + i);
            if same && stays && stores.is_empty() {
                return End::FORWARD;
            }
        } else if stays && stores.is_empty() {
            return End::DROP;
        }
        self.steps.push(Step::Plan(plan));
        End(base + self.steps.len() as u32 - 1)
    }
}
