//! Dispatch tables: for each waiting point, control state and message kind, the alternatives that can take the message, in order
//! of precedence.

use super::candidates::{Candidate, Copies, Level};
use super::disjoint_guards::are_exclusive;
use super::micro::{Compiler, MicroCode};
use super::timing::{TimerPlace, runs_out};
use crate::ir::{Alternative, Component, Handlers, Input, PC, Pattern, Program, Role, Sender, Slot};

/// Marks a cell without register code: it has choices, deferral, or patterns, and needs the general path.
pub const NO_SELECTOR: u32 = u32::MAX;

/// The candidates for one kind at one waiting point and control state: a range of `RoleTable::lists`.
#[derive(Clone, Copy, Debug, Default)]
pub struct Cell {
    pub start: u32,
    pub len: u32,
    /// No two candidates of one level can be acceptable at once: the first acceptable candidate is the only one.
    pub exclusive: bool,
}

/// Offset of the cells of a kind, and the control state on which they depend.
#[derive(Clone, Copy, Debug)]
struct KindCells {
    state_slot: u16,
    states: u32,
    base: u32,
}

/// Alternatives that take no channel message, or several, at one waiting point or control state, by kind.
#[derive(Clone, Debug, Default)]
pub struct InternalAlternatives {
    /// Conditions and pauses.
    pub conditions: Vec<u32>,
    pub wakeups: Vec<u32>,
    pub gathers: Vec<u32>,
    pub arrivals: Vec<u32>,
    pub upcalls: Vec<u32>,
    /// `after e`, and the expiry of named timers.
    pub timeouts: Vec<u32>,
    /// `on restart`.
    pub restarts: Vec<u32>,
    /// `on suspect(p)`, `on trust(p)`.
    pub detections: Vec<u32>,
}

impl InternalAlternatives {
    fn is_empty(&self) -> bool {
        self.conditions.is_empty()
            && self.wakeups.is_empty()
            && self.gathers.is_empty()
            && self.detections.is_empty()
            && self.timeouts.is_empty()
    }
}

/// The dispatch table of one role.
#[derive(Clone, Debug)]
pub struct RoleTable {
    pub candidates: Vec<Candidate>,
    lists: Vec<u32>,
    cells: Vec<Cell>,
    /// By cell: the register code that selects the candidate, or NO_SELECTOR.
    selectors: Vec<u32>,
    pub micro: MicroCode,
    kinds: Vec<KindCells>,
    /// By waiting point (the last entry: halted), by component and state, and of `always` by component.
    pub waits: Vec<InternalAlternatives>,
    pub states: Vec<Vec<InternalAlternatives>>,
    pub always: Vec<InternalAlternatives>,
    /// By component: the slot of its control state, if it has states.
    pub state_slots: Vec<Option<u16>>,
    /// The timers of a process, and what arms each of them.
    pub timers: Vec<TimerPlace>,
    /// Whether there is a handler `on trust(p)`.
    pub trusts: bool,
    /// Whether there is any alternative other than messages. Most programs for rings have none.
    pub internal: bool,
    pub gathers: bool,
    pub wakes: bool,
    pub defers: bool,
}

/// Return the index of the waiting point in the table; a halted process has the last one.
pub(crate) fn wait_index(table: &RoleTable, pc: i64) -> usize {
    if pc >= 0 { pc as usize } else { table.waits.len() - 1 }
}

impl RoleTable {
    pub(super) fn new(program: &Program, role: usize, frame_words: usize) -> RoleTable {
        let role = &program.roles[role];
        let timers = (0..role.timers.len() as u16).map(TimerPlace::Named).collect();
        let mut build = Build { program, role, candidates: Vec::new(), timers };
        let mut waits: Vec<Vec<u32>> = Vec::new();
        for (number, wait) in (0u32..).zip(&role.waits) {
            waits.push(build.all(&wait.alternatives, Level::Wait));
            build.arm(waits.last().into_iter().flatten(), TimerPlace::Wait(number));
        }
        waits.push(Vec::new());
        let components: Vec<ComponentLists> = role.components.iter().map(|c| build.component(c)).collect();
        for (component, lists) in (0u16..).zip(&components) {
            for (state, lists) in (0u32..).zip(&lists.states) {
                build.arm(lists.iter().flatten(), TimerPlace::State { component, state });
            }
        }

        let mut cells = Vec::new();
        let mut lists = Vec::new();
        let mut kinds = Vec::new();
        for (number, kind) in program.kinds.iter().enumerate() {
            let owner = role.components.iter().position(|c| c.lane == kind.lane);
            let states = owner.map_or(1, |c| role.components[c].states.len().max(1));
            kinds.push(KindCells {
                state_slot: owner
                    .filter(|c| !role.components[*c].states.is_empty())
                    .map_or(PC, |c| role.components[c].state_slot),
                states: owner.map_or(0, |c| role.components[c].states.len()) as u32,
                base: cells.len() as u32,
            });
            for (place, wait) in waits.iter().enumerate() {
                let halted = place + 1 == waits.len();
                for state in 0..states {
                    let start = lists.len();
                    build.select(wait, number, &mut lists);
                    let owner = owner.map(|c| &components[c]);
                    let own = owner.and_then(|c| c.states.get(state)).filter(|_| !halted);
                    for list in own.into_iter().flatten() {
                        build.select(list, number, &mut lists);
                    }
                    for list in owner.into_iter().flat_map(|c| &c.always[if halted { 2 } else { 0 }..]) {
                        build.select(list, number, &mut lists);
                    }
                    // The sort is stable: within a level, the order of the program remains.
                    lists[start..].sort_by_key(|c| build.candidates[*c as usize].level);
                    cells.push(Cell {
                        start: start as u32,
                        len: (lists.len() - start) as u32,
                        exclusive: are_exclusive(&build.candidates, &lists[start..]),
                    });
                }
            }
        }

        let mut compiler = Compiler::new(role, &program.kinds, frame_words, !build.timers.is_empty());
        let selector = |cell: &Cell| {
            let list = &lists[cell.start as usize..(cell.start + cell.len) as usize];
            // Register code does not clear what a guard has left behind.
            let leaves = list.len() > 1
                && list.iter().any(|c| !build.candidates[*c as usize].bound_for_guard.is_empty());
            (cell.exclusive && !leaves)
                .then(|| compiler.selector(&build.candidates, list))
                .flatten()
                .unwrap_or(NO_SELECTOR)
        };
        let selectors = cells.iter().map(selector).collect();

        let waits: Vec<InternalAlternatives> = waits.iter().map(|w| build.internal(w)).collect();
        let states: Vec<Vec<InternalAlternatives>> = components
            .iter()
            .map(|c| c.states.iter().map(|s| build.internal(&s[1..].concat())).collect())
            .collect();
        let always: Vec<InternalAlternatives> =
            components.iter().map(|c| build.internal(&c.always[1..].concat())).collect();
        let every = || waits.iter().chain(states.iter().flatten()).chain(&always);
        RoleTable {
            internal: every().any(|i| !i.is_empty()),
            gathers: every().any(|i| !i.gathers.is_empty()),
            wakes: every().any(|i| !i.wakeups.is_empty()),
            trusts: every().flat_map(|i| &i.detections).any(|c| {
                let input = &build.candidates[*c as usize].alternative.input;
                matches!(input, Input::Detected { trusted: true, .. })
            }),
            timers: build.timers,
            defers: build.candidates.iter().any(|c| c.level.defers()),
            state_slots: role
                .components
                .iter()
                .map(|c| (!c.states.is_empty()).then_some(c.state_slot))
                .collect(),
            candidates: build.candidates,
            lists,
            selectors,
            micro: compiler.finish(),
            cells,
            kinds,
            waits,
            states,
            always,
        }
    }

    /// Return the number of the cell for a message of this kind at a process with these words.
    #[inline]
    pub fn cell_number(&self, kind: u32, words: &[i64]) -> usize {
        let pc = words[PC as usize];
        let wait = if pc >= 0 { pc as usize } else { self.waits.len() - 1 };
        let of = &self.kinds[kind as usize];
        let (states, state) = if of.states == 0 {
            (1, 0)
        } else {
            (of.states as usize, words[of.state_slot as usize] as usize)
        };
        of.base as usize + wait * states + state
    }

    #[inline]
    pub fn cell(&self, number: usize) -> Cell {
        self.cells[number]
    }

    /// Return the offset of the register code of a cell, or [`NO_SELECTOR`].
    #[inline]
    pub fn selector(&self, number: usize) -> u32 {
        self.selectors[number]
    }

    /// Return the control state on which the cells of a kind depend, the number of its states (0: no dependence), and the cells:
    /// by waiting point, halted last, then by state.
    pub fn cells_of(&self, kind: u32) -> (u16, u32, impl Iterator<Item = Cell> + '_) {
        let of = &self.kinds[kind as usize];
        let count = self.waits.len() * of.states.max(1) as usize;
        (of.state_slot, of.states, self.cells[of.base as usize..][..count].iter().copied())
    }

    /// Return the candidates of a cell, in order of precedence.
    #[inline]
    pub fn list(&self, cell: Cell) -> &[u32] {
        &self.lists[cell.start as usize..(cell.start + cell.len) as usize]
    }

    /// Return the groups of internal alternatives that apply to a process with these words, in order: waiting point, control
    /// states, `always` by component. A halted process has none.
    pub fn places<'a>(&'a self, words: &'a [i64]) -> impl Iterator<Item = &'a InternalAlternatives> + 'a {
        let pc = words[PC as usize];
        let live = pc >= 0;
        let states = self.state_slots.iter().zip(&self.states);
        self.waits[wait_index(self, pc)..]
            .iter()
            .take(1)
            .chain(
                states.filter_map(move |(slot, states)| {
                    slot.map(|slot| &states[words[slot as usize] as usize])
                }),
            )
            .chain(&self.always)
            .filter(move |_| live)
    }
}

/// Candidates of `[defer, handlers, ignore]`.
type Lists = [Vec<u32>; 3];

struct ComponentLists {
    states: Vec<Lists>,
    always: Lists,
}

struct Build<'a> {
    program: &'a Program,
    role: &'a Role,
    candidates: Vec<Candidate>,
    timers: Vec<TimerPlace>,
}

impl Build<'_> {
    /// Assign a timer to each `after` among the candidates.
    fn arm<'n>(&mut self, numbers: impl Iterator<Item = &'n u32>, place: TimerPlace) {
        for number in numbers {
            let candidate = &mut self.candidates[*number as usize];
            if runs_out(&candidate.alternative.input) {
                candidate.timer = Some(self.timers.len() as u16);
                self.timers.push(place);
            }
        }
    }

    fn component(&mut self, component: &Component) -> ComponentLists {
        ComponentLists {
            states: component
                .states
                .iter()
                .map(|s| {
                    let levels = [Level::DeferState, Level::State, Level::IgnoreState];
                    self.handlers(&s.handlers, levels)
                })
                .collect(),
            always: self
                .handlers(&component.always, [Level::DeferAlways, Level::Always, Level::IgnoreAlways]),
        }
    }

    fn handlers(&mut self, handlers: &Handlers, levels: [Level; 3]) -> Lists {
        [
            self.all(&handlers.defer, levels[0]),
            self.all(&handlers.alternatives, levels[1]),
            self.all(&handlers.ignore, levels[2]),
        ]
    }

    fn all(&mut self, alternatives: &[Alternative], level: Level) -> Vec<u32> {
        let mut conditions = Vec::new();
        let mut numbers = Vec::new();
        for alternative in alternatives {
            let number = self.candidates.len() as u32;
            let copies = copies(self.program, &alternative.input);
            let level = match alternative.input {
                Input::Arrival => Level::Arrival,
                _ => level,
            };
            self.candidates.push(Candidate {
                level,
                always_taken: alternative.guard.is_none()
                    && !alternative.after_earlier
                    && (copies.is_some() || matches!(alternative.input, Input::Arrival)),
                copies,
                timer: match &alternative.input {
                    Input::Timer(named) => Some(*named),
                    _ => None,
                },
                earlier: if alternative.after_earlier { conditions.clone() } else { Vec::new() },
                bound_for_guard: self.bound_for_guard(alternative),
                alternative: alternative.clone(),
            });
            if matches!(alternative.input, Input::Condition { .. } | Input::Interaction { .. }) {
                conditions.push(number);
            }
            numbers.push(number);
        }
        numbers
    }

    /// Return the state slots that an input binds before its guard is evaluated.
    fn bound_for_guard(&self, alternative: &Alternative) -> Vec<Slot> {
        let (Input::Message { fields, from, .. }, Some(_)) = (&alternative.input, &alternative.guard) else {
            return Vec::new();
        };
        let sender = match from {
            Sender::Bind(slot) => Some(Slot::Word(*slot)),
            _ => None,
        };
        let is_kept = |slot: &Slot| match slot {
            Slot::Word(slot) => *slot < self.role.words,
            Slot::Value(slot) => *slot < self.role.values,
        };
        fields.iter().flat_map(Pattern::slots).chain(sender).filter(is_kept).collect()
    }

    /// Append the candidates that can take a message of this kind.
    fn select(&self, numbers: &[u32], kind: usize, to: &mut Vec<u32>) {
        for number in numbers {
            match &self.candidates[*number as usize].alternative.input {
                Input::Message { kind: k, .. } | Input::Each { kind: k, .. } if *k as usize == kind => {
                    to.push(*number);
                }
                Input::Arrival => to.push(*number),
                _ => {}
            }
        }
    }

    fn internal(&self, numbers: &[u32]) -> InternalAlternatives {
        let of = |wanted: fn(&Input) -> bool| {
            let fits = |n: &&u32| wanted(&self.candidates[**n as usize].alternative.input);
            numbers.iter().filter(fits).copied().collect()
        };
        InternalAlternatives {
            conditions: of(|i| {
                matches!(i, Input::Condition { .. } | Input::Interaction { .. } | Input::Pause)
            }),
            wakeups: of(|i| matches!(i, Input::Wakeup)),
            gathers: of(|i| matches!(i, Input::Each { .. })),
            arrivals: of(|i| matches!(i, Input::Arrival)),
            upcalls: of(|i| matches!(i, Input::Upcall { .. })),
            timeouts: of(|i| matches!(i, Input::After(_) | Input::Timer(_))),
            restarts: of(|i| matches!(i, Input::Restart)),
            detections: of(|i| matches!(i, Input::Detected { .. })),
        }
    }
}

/// Return the word copies that bind the input, if its pattern cannot fail and binds only words.
fn copies(program: &Program, input: &Input) -> Option<Copies> {
    let Input::Message { kind, fields, from } = input else {
        return None;
    };
    let mut copies = Copies::default();
    match from {
        Sender::Any => {}
        Sender::Bind(slot) => copies.from = Some(*slot),
        Sender::Is(_) | Sender::Member(_) => return None,
    }
    for (field, pattern) in program.kinds[*kind as usize].fields.iter().zip(fields) {
        match (pattern, field.place) {
            (Pattern::Wildcard, _) => {}
            (Pattern::Slot(Slot::Word(slot)), Slot::Word(place)) => {
                copies.words.push((place, *slot));
            }
            _ => return None,
        }
    }
    Some(copies)
}
