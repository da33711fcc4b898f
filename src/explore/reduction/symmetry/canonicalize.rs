//! Canonical representatives: sort interchangeable processes by their observable content.
//!
//! The content of a process is its local state, the messages in transit to and from it, its events in the history and, repeatedly, the
//! content of the processes that it refers to (colour refinement; McKay and Piperno, «Practical graph isomorphism, II», 2014). If processes
//! that look the same refer to one another, their position breaks the tie. So some equivalent configurations may have different
//! representatives, but a representative is always equivalent to its configuration.

use crate::explore::monitor::auxiliary::AuxiliaryStates;
use crate::explore::reduction::symmetry::Interchangeable;
use crate::explore::reduction::symmetry::mixing::{hashed, mix};
use crate::explore::reduction::symmetry::tracked::Tracked;
use crate::explore::store::components::{Components, Local};
use crate::explore::store::inbox;
use crate::explore::store::inbox::Inbox;
use crate::ids::ProcessId;
use crate::instance::Instance;
use crate::ir::Value;
use rustc_hash::FxHashMap;
use smallvec::SmallVec;
use std::collections::BTreeMap;
use std::sync::Arc;

/// Number of rounds of colour refinement.
const ROUNDS: usize = 2;

/// The images of the ports, or channels, that a component refers to. Of an inbox with causal pasts also the number of the permutation.
type Moved = SmallVec<[u32; 8]>;

/// Canonicalizes vectors. One for each thread.
#[derive(Debug)]
pub(in crate::explore) struct Canonicalizer<'a> {
    interchangeable: &'a Interchangeable,
    instance: &'a Instance,
    parts: &'a Components,
    /// Present if a history is tracked.
    tracked: Option<Tracked<'a>>,
    /// Whether the processes and messages have causal pasts.
    has_pasts: bool,
    /// The index of the first auxiliary component of a vector.
    first: usize,
    /// By process: the representative whose table it shares.
    shared: Vec<ProcessId>,
    /// Cached contents of local states and inboxes, by table and id.
    locals: FxHashMap<(ProcessId, u32), Arc<Content>>,
    inboxes: FxHashMap<(ProcessId, u32), Arc<Content>>,
    /// Cached images of components.
    moved_locals: FxHashMap<(ProcessId, u32, Moved), u32>,
    moved_inboxes: FxHashMap<(ProcessId, u32, Moved), u32>,
    /// Scratch space.
    of_locals: Vec<Arc<Content>>,
    of_inboxes: Vec<Arc<Content>>,
    /// Process, another process that its content refers to, and a hash of the references.
    relations: Vec<(u32, u32, u64)>,
    colours: Vec<u64>,
    gained: Vec<u64>,
    order: Vec<ProcessId>,
    to: Vec<ProcessId>,
    next: Vec<u32>,
}

/// The observable content of a local state or an inbox.
#[derive(Debug)]
struct Content {
    /// The content apart from ports and channels.
    own: u64,
    /// By port or channel that it refers to, in ascending order: a hash of the references.
    of: Box<[(u32, u64)]>,
}

impl<'a> Canonicalizer<'a> {
    /// `first`: the index of the first auxiliary component of a vector.
    pub fn new(
        interchangeable: &'a Interchangeable,
        instance: &'a Instance,
        parts: &'a Components,
        auxiliary: &'a AuxiliaryStates<'a>,
        first: usize,
    ) -> Canonicalizer<'a> {
        Canonicalizer {
            interchangeable,
            instance,
            parts,
            tracked: Tracked::new(auxiliary),
            has_pasts: auxiliary.needs.pasts(),
            first,
            shared: interchangeable.representatives(),
            locals: FxHashMap::default(),
            inboxes: FxHashMap::default(),
            moved_locals: FxHashMap::default(),
            moved_inboxes: FxHashMap::default(),
            of_locals: Vec::new(),
            of_inboxes: Vec::new(),
            relations: Vec::new(),
            colours: Vec::new(),
            gained: Vec::new(),
            order: Vec::new(),
            to: Vec::new(),
            next: Vec::new(),
        }
    }

    /// Return the approximate number of bytes of the caches.
    pub fn bytes(&self) -> usize {
        let seen = self.locals.len() + self.inboxes.len();
        let moved = self.moved_locals.len() + self.moved_inboxes.len();
        let tracked = self.tracked.as_ref().map_or(0, Tracked::bytes);
        seen * (size_of::<Content>() + 64) + moved * size_of::<((ProcessId, u32, Moved), u32)>() + tracked
    }

    /// Replace a vector by its representative. Return the permutation of processes; `None`: the vector is its own
    /// representative.
    pub fn canonicalize(&mut self, key: &mut Vec<u32>) -> Option<&[ProcessId]> {
        self.look(key);
        self.refine();
        self.break_ties();
        self.put_in_order();
        if self.to.iter().zip(0..).all(|(to, process)| to.0 == process) {
            return None;
        }
        let to = std::mem::take(&mut self.to);
        let mut next = std::mem::take(&mut self.next);
        next.clone_from(key);
        self.renumber(key, &to, &mut next);
        self.next = std::mem::replace(key, next);
        self.to = to;
        Some(&self.to)
    }

    /// Return the size of the equivalence class of a vector. A lower bound, unless processes that look the same can be
    /// exchanged freely.
    pub fn members(&mut self, key: &[u32]) -> u64 {
        self.look(key);
        self.refine();
        let mut all = 1u64;
        for class in &self.interchangeable.classes {
            let mut colours: Vec<u64> = class.iter().map(|process| self.colours[process.index()]).collect();
            colours.sort_unstable();
            // The multinomial coefficient of the groups that look the same, one factor after the other.
            let mut before = 0;
            for group in colours.chunk_by(|a, b| a == b).map(|group| group.len() as u64) {
                all = (1..=group).fold(all, |all, turn| all.saturating_mul(before + turn) / turn);
                before += group;
            }
        }
        all
    }

    /// Return the vector after an exchange.
    pub fn renumbered(&mut self, key: &[u32], to: &[ProcessId]) -> Vec<u32> {
        let mut next = key.to_vec();
        self.look(key);
        self.renumber(key, to, &mut next);
        next
    }

    /// Look up the contents of all components, and colour the processes by them.
    fn look(&mut self, key: &[u32]) {
        let Canonicalizer { interchangeable, parts, shared, locals, inboxes, of_locals, of_inboxes, .. } =
            self;
        let n = interchangeable.n();
        of_locals.clear();
        of_inboxes.clear();
        for process in 0..n {
            let (table, local, inbox) = (shared[process], key[process], key[n + process]);
            let seen = locals.entry((table, local)).or_insert_with(|| {
                Arc::new(Content::of_local(parts.locals[process].get(local), &interchangeable.ports[process]))
            });
            of_locals.push(seen.clone());
            let seen = inboxes.entry((table, inbox)).or_insert_with(|| {
                Arc::new(Content::of_inbox(Inbox::new(parts.inboxes[process].get(inbox)), parts))
            });
            of_inboxes.push(seen.clone());
        }
        // Processes that are not interchangeable are distinguished by their position.
        self.colours.clear();
        self.colours.extend((0..n).map(|process| mix(self.of_locals[process].own, shared[process].0.into())));
        self.relate(key);
    }

    /// Collect the references of all processes to others, and mix the rest of the auxiliary components into the colours.
    fn relate(&mut self, key: &[u32]) {
        let pasts = self.pasts(key);
        let Canonicalizer {
            interchangeable, parts, tracked, of_locals, of_inboxes, relations, colours, ..
        } = self;
        relations.clear();
        for process in 0..interchangeable.n() {
            for (port, what) in &of_locals[process].of {
                let peer = interchangeable.peers[process][*port as usize];
                relations.push((process as u32, peer.0, *what));
            }
            for (at, what) in &of_inboxes[process].of {
                let (lane, sender) = interchangeable.senders[process][*at as usize];
                relations.push((process as u32, sender.0, mix(*what, u64::from(lane) + 3)));
            }
        }
        for (process, past) in (0u32..).zip(pasts) {
            let past = parts.pasts.get(*past);
            let colour = &mut colours[process as usize];
            *colour = mix(*colour, past.chain.into());
            for (other, known) in (0u32..).zip(&past.known).filter(|(_, known)| **known > 0) {
                match other == process {
                    true => *colour = mix(*colour, (*known).into()),
                    false => relations.push((process, other, mix(14, (*known).into()))),
                }
            }
        }
        if let (Some(tracked), Some(state)) = (tracked, key.last()) {
            let content = tracked.content(*state);
            colours.iter_mut().zip(&content.own).for_each(|(colour, own)| *colour = mix(*colour, *own));
            relations.extend_from_slice(&content.relations);
        }
    }

    /// Return the causal pasts of the processes in a vector, if it contains them.
    fn pasts<'k>(&self, key: &'k [u32]) -> &'k [u32] {
        let n = self.interchangeable.n();
        if self.has_pasts { &key[self.first..self.first + n] } else { &[] }
    }

    /// Refine the colours of all processes by those of the processes that they refer to.
    fn refine(&mut self) {
        let Canonicalizer { relations, colours, gained, .. } = self;
        for _ in 0..ROUNDS {
            gained.clear();
            gained.resize(colours.len(), 0);
            for (a, b, what) in &*relations {
                let (a, b) = (*a as usize, *b as usize);
                gained[a] = gained[a].wrapping_add(mix(mix(colours[b], *what), 1));
                gained[b] = gained[b].wrapping_add(mix(mix(colours[a], *what), 2));
            }
            colours.iter_mut().zip(&*gained).for_each(|(colour, gained)| *colour = mix(*colour, *gained));
        }
    }

    /// Break ties between processes that look the same, unless their contents show that the tie does not matter.
    fn break_ties(&mut self) {
        for _ in 0..self.interchangeable.n() {
            let Some(process) = self.entangled() else { return };
            self.colours[process] = mix(self.colours[process], 4);
            self.refine();
        }
    }

    /// Return a process that looks the same as another one of its class and refers to such processes, or is referred to by
    /// them.
    fn entangled(&self) -> Option<usize> {
        let Canonicalizer { interchangeable, relations, colours, .. } = self;
        let is_tied = |process: u32| {
            let same = |other: &&ProcessId| colours[other.index()] == colours[process as usize];
            let class = interchangeable.classes.iter().find(|class| class.contains(&ProcessId(process)));
            class.is_some_and(|class| class.iter().filter(same).count() > 1)
        };
        let tied = relations.iter().filter(|(a, b, _)| is_tied(*a) && is_tied(*b));
        tied.map(|(process, ..)| *process as usize).min_by_key(|process| (colours[*process], *process))
    }

    /// Compute the permutation of processes into `self.to`.
    fn put_in_order(&mut self) {
        let Canonicalizer { interchangeable, colours, order, to, .. } = self;
        to.clear();
        to.extend((0..interchangeable.n() as u32).map(ProcessId));
        for class in &interchangeable.classes {
            order.clone_from(class);
            order.sort_by_key(|process| (colours[process.index()], *process));
            for (process, place) in order.iter().zip(class) {
                to[process.index()] = *place;
            }
        }
    }

    /// Compute the vector after an exchange. Its components must have been looked up.
    fn renumber(&mut self, key: &[u32], to: &[ProcessId], next: &mut [u32]) {
        let Canonicalizer {
            interchangeable,
            parts,
            shared,
            of_locals,
            of_inboxes,
            moved_locals,
            moved_inboxes,
            instance,
            tracked,
            has_pasts,
            first,
            ..
        } = self;
        let n = interchangeable.n();
        // Only a history makes causal pasts refer to processes.
        let mut tracked = tracked.as_mut();
        let to = (to, tracked.as_mut().map_or(0, |tracked| tracked.permutation(to)));
        for process in 0..n {
            let (at, table) = (to.0[process].index(), shared[process]);
            let (local, inbox) = (key[process], key[n + process]);
            let speaks_of = &of_locals[process].of;
            next[at] = if speaks_of.is_empty() {
                local
            } else {
                let moved = speaks_of
                    .iter()
                    .map(|(port, _)| interchangeable.port(process, *port as usize, to.0))
                    .collect();
                *moved_locals.entry((table, local, moved)).or_insert_with_key(|(_, _, moved)| {
                    let becomes = |port: i64| {
                        let place = speaks_of.iter().position(|(known, _)| i64::from(*known) == port);
                        place.map_or(port, |place| moved[place].into())
                    };
                    let before = parts.locals[process].get(local);
                    parts.locals[at].number(before.with_ports(&interchangeable.ports[process], &becomes))
                })
            };
            let speaks_of = &of_inboxes[process].of;
            next[n + at] = if speaks_of.is_empty() {
                inbox
            } else {
                let mut moved: Moved = speaks_of
                    .iter()
                    .map(|(place, _)| interchangeable.channel(process, *place as usize, to.0))
                    .collect();
                let tracked = tracked.as_mut().filter(|_| *has_pasts);
                moved.extend(tracked.is_some().then_some(to.1));
                *moved_inboxes.entry((table, inbox, moved)).or_insert_with_key(|(_, _, moved)| {
                    let inbox = tracked.map_or(inbox, |tracked| {
                        let past = |past| tracked.past(past, to);
                        parts.map_pasts(instance, ProcessId(process as u32), inbox, past)
                    });
                    let before = parts.inboxes[process].get(inbox);
                    let before = Inbox::new(before);
                    let mut contents: Vec<&[u32]> = before.channels().map(|_| [].as_slice()).collect();
                    for ((place, _), becomes) in speaks_of.iter().zip(moved) {
                        contents[*becomes as usize] = before.channel(*place as usize);
                    }
                    parts.inboxes[at].number(&inbox::list(&contents)[..])
                })
            };
        }
        let pasts = if *has_pasts { &key[*first..*first + n] } else { &[] };
        for (to_process, past) in to.0.iter().zip(pasts) {
            let past = tracked.as_mut().map_or(*past, |tracked| tracked.past(*past, to));
            next[*first + to_process.index()] = past;
        }
        if let (Some(tracked), Some(state)) = (tracked, next.last_mut()) {
            *state = tracked.state(*state, to);
        }
    }
}

/// Return the inverse of a permutation.
pub(in crate::explore) fn inverse(to: &[ProcessId]) -> Vec<ProcessId> {
    let mut from = vec![ProcessId(0); to.len()];
    (0..).map(ProcessId).zip(to).for_each(|(process, to)| from[to.index()] = process);
    from
}

/// Return the composition of two permutations.
pub(in crate::explore) fn then(first: &[ProcessId], second: &[ProcessId]) -> Vec<ProcessId> {
    first.iter().map(|to| second[to.index()]).collect()
}

impl Content {
    /// `ports`: the word slots that hold ports.
    fn of_local(local: &Local, ports: &[usize]) -> Content {
        let mut of = BTreeMap::new();
        let mut own = hashed(&(local.wake_state, &local.timers));
        for (at, word) in local.words.iter().enumerate() {
            if ports.contains(&at) && *word >= 0 {
                say(&mut of, *word, at as u64);
                own = mix(own, at as u64);
            } else {
                own = mix(own, *word as u64);
            }
        }
        for (at, value) in local.values.iter().enumerate() {
            let place = (local.words.len() + at) as u64;
            own = mix(own, nameless(value));
            speak(value, place, &mut of);
        }
        Content { own, of: of.into_iter().map(|(port, what)| (port as u32, what)).collect() }
    }

    fn of_inbox(inbox: Inbox<'_>, parts: &Components) -> Content {
        let of_message = |number: &u32| {
            let message = parts.messages.get(*number);
            let past = parts.pasts.get(message.past);
            // The processes that the message knows of are interchangeable, so their order must not matter.
            let known = past.known.iter().filter(|known| **known > 0);
            let known = known.fold(0u64, |all, known| all.wrapping_add(mix(15, (*known).into())));
            let kind = mix(message.kind.into(), u64::from(past.chain).wrapping_add(known));
            let words = message.words.iter().fold(kind, |all, word| mix(all, *word as u64));
            message.values.iter().fold(words, |all, value| mix(all, hashed(value)))
        };
        let content =
            |content: &[u32]| content.iter().fold(content.len() as u64, |all, m| mix(all, of_message(m)));
        let channels = (0..).zip(inbox.channels()).filter(|(_, content)| !content.is_empty());
        Content { own: 0, of: channels.map(|(at, messages)| (at, content(messages))).collect() }
    }
}

fn say(of: &mut BTreeMap<i64, u64>, port: i64, what: u64) {
    let said = of.entry(port).or_default();
    *said = said.wrapping_add(mix(what, 5));
}

/// Add the references to ports in a value at this place.
fn speak(value: &Value, place: u64, of: &mut BTreeMap<i64, u64>) {
    match value {
        Value::Port(port) => say(of, *port, place),
        Value::Tuple(parts) | Value::Record(_, parts) | Value::Message(_, parts) => {
            (0..).zip(parts.iter()).for_each(|(at, part)| speak(part, mix(place, at), of));
        }
        Value::List(parts) => (0..).zip(parts.iter()).for_each(|(at, part)| speak(part, mix(place, at), of)),
        // Elements without an order are identified by their content.
        Value::Set(parts) => parts.iter().for_each(|part| speak(part, mix(place, nameless(part)), of)),
        Value::Map(pairs) => {
            for (key, value) in pairs.iter() {
                let place = mix(mix(place, nameless(key)), nameless(value));
                speak(key, mix(place, 6), of);
                speak(value, mix(place, 7), of);
            }
        }
        _ => {}
    }
}

/// Return a hash that is equal for values that differ only in the ports that they name.
fn nameless(value: &Value) -> u64 {
    let in_order =
        |parts: &mut dyn Iterator<Item = &Value>| parts.fold(8, |all, part| mix(all, nameless(part)));
    match value {
        Value::Port(_) => 9,
        Value::Tuple(parts) | Value::Record(_, parts) | Value::Message(_, parts) => {
            in_order(&mut parts.iter())
        }
        Value::List(parts) => in_order(&mut parts.iter()),
        Value::Set(parts) => parts.iter().fold(10, |all, part| all.wrapping_add(mix(nameless(part), 11))),
        Value::Map(pairs) => {
            let of = |(key, value): (&Value, &Value)| mix(mix(nameless(key), 12), nameless(value));
            pairs.iter().fold(13, |all, pair| all.wrapping_add(of(pair)))
        }
        other => hashed(other),
    }
}

impl Local {
    /// Return the local state with its ports replaced. `ports`: the word slots that hold ports.
    fn with_ports(&self, ports: &[usize], becomes: &dyn Fn(i64) -> i64) -> Local {
        let mut next = self.clone();
        for at in ports {
            let word = &mut next.words[*at];
            *word = if *word >= 0 { becomes(*word) } else { *word };
        }
        next.values.iter_mut().for_each(|value| *value = with_ports(value, becomes));
        next
    }
}

fn with_ports(value: &Value, becomes: &dyn Fn(i64) -> i64) -> Value {
    let all = |parts: &[Value]| parts.iter().map(|part| with_ports(part, becomes)).collect::<Vec<Value>>();
    match value {
        Value::Port(port) => Value::Port(becomes(*port)),
        Value::Tuple(parts) => Value::tuple(all(parts)),
        Value::Record(record, parts) => Value::Record(*record, Arc::new(all(parts))),
        Value::Message(kind, parts) => Value::Message(*kind, Arc::new(all(parts))),
        Value::List(parts) => Value::list(parts.iter().map(|part| with_ports(part, becomes))),
        Value::Set(parts) => Value::set(parts.iter().map(|part| with_ports(part, becomes))),
        Value::Map(pairs) => Value::map(
            pairs.iter().map(|(key, value)| (with_ports(key, becomes), with_ports(value, becomes))),
        ),
        other => other.clone(),
    }
}
