//! The neighbourhood of a process: messages received in a round, variables of neighbours, answers of oracles.

use super::binders::{fits, store};
use super::{Env, Eval, abort, elements, truth, value, word};
use crate::ids::ProcessId;
use crate::ir::{Expr, ReceivedMessage, Sender, Slot, Type, Value};
use crate::source::Span;
use smallvec::SmallVec;
use std::borrow::Cow;

/// The neighbourhood, filled in before a process evaluates guards or steps, in models that use it.
#[derive(Clone, Debug, Default)]
pub struct Neighbourhood {
    /// The messages received in this round, in the order of ports or, if processes are addressed by identifier, of senders.
    pub received: Vec<ReceivedInRound>,
    /// Radio: a case of `heard`.
    pub heard: i64,
    pub neighbours: Neighbours,
    /// The answers of the oracles.
    pub answers: Vec<Eval<bool>>,
}

impl Neighbourhood {
    /// Clear the data of an earlier step, so that no process reads the messages of another one.
    pub fn clear(&mut self) {
        let Neighbourhood { received, heard, neighbours, answers } = self;
        received.clear();
        *heard = 0;
        neighbours.clear();
        answers.clear();
    }
}

/// A message received in the round.
#[derive(Clone, Debug)]
pub struct ReceivedInRound {
    pub kind: u32,
    /// The sender as the receiver identifies it.
    pub from: i64,
    pub words: Vec<i64>,
    pub values: Vec<Value>,
}

/// The variables of the processes at the other ends of the ports.
#[derive(Clone, Debug, Default)]
pub struct Neighbours {
    /// By port: the process, and where its words and values begin. `None`: the port leads to no process.
    ports: Vec<Option<(ProcessId, usize, usize)>>,
    /// The ports that were added, in ascending order, if only some were. `None`: all.
    added: Option<SmallVec<[u32; 2]>>,
    words: Vec<i64>,
    values: Vec<Value>,
}

/// A process with its variables. The words and values of further neighbours may follow.
#[derive(Clone, Copy, Debug)]
pub struct Neighbour<'a> {
    pub process: ProcessId,
    pub words: &'a [i64],
    pub values: &'a [Value],
}

impl Neighbours {
    pub fn clear(&mut self) {
        self.ports.clear();
        self.added = None;
        self.words.clear();
        self.values.clear();
    }

    /// Add the neighbour at the next port.
    pub fn push(&mut self, neighbour: Option<Neighbour<'_>>) {
        let (words, values) = (self.words.len(), self.values.len());
        self.ports.push(neighbour.map(|neighbour| (neighbour.process, words, values)));
        if let Some(Neighbour { words, values, .. }) = neighbour {
            self.words.extend_from_slice(words);
            self.values.extend_from_slice(values);
        }
    }

    /// Add the neighbour at this port, which is above those added before. Ports that are not added count as ports that lead to no process.
    pub fn push_at(&mut self, port: u32, neighbour: Neighbour<'_>) {
        self.added.get_or_insert_default().push(port);
        self.push(Some(neighbour));
    }

    pub fn at(&self, port: usize) -> Option<Neighbour<'_>> {
        let place = match &self.added {
            None => port,
            Some(added) => added.binary_search(&u32::try_from(port).ok()?).ok()?,
        };
        let (process, words, values) = (*self.ports.get(place)?)?;
        Some(Neighbour { process, words: &self.words[words..], values: &self.values[values..] })
    }
}

fn around<'a>(span: Span, env: &Env<'a>) -> Eval<&'a Neighbourhood> {
    match env.neighbourhood {
        Some(around) => Ok(around),
        None => abort(span, "this is defined only for a process during a run"),
    }
}

/// Return the messages of the round: from the engine, or from the synchronizer that simulates the rounds.
fn brought<'a>(span: Span, env: &Env<'a>) -> Eval<Cow<'a, [ReceivedInRound]>> {
    let role = env.instance.role_of(env.process);
    match env.instance.program.roles[role].received_slot {
        None => Ok(Cow::Borrowed(&around(span, env)?.received)),
        Some(slot) => {
            let mut all: Vec<ReceivedInRound> = elements(&env.values[slot as usize])
                .filter_map(|pair| ReceivedInRound::of(pair, env))
                .collect();
            // In the order of ports, as in other models.
            all.sort_by_key(|message| message.from);
            Ok(Cow::Owned(all))
        }
    }
}

impl ReceivedInRound {
    /// Convert a pair of port and message from a layer's list.
    fn of(pair: &Value, env: &Env<'_>) -> Option<ReceivedInRound> {
        let Value::Tuple(parts) = pair else { return None };
        let [from, Value::Message(kind, fields)] = parts.as_slice() else { return None };
        let layout = &env.instance.layout.kinds[*kind as usize];
        let (mut words, mut values) = (vec![0; layout.words], vec![Value::None; layout.values]);
        for (field, value) in env.instance.program.kinds[*kind as usize].fields.iter().zip(fields.iter()) {
            match field.place {
                Slot::Word(place) => words[place as usize] = value.word(),
                Slot::Value(place) => values[place as usize] = value.clone(),
            }
        }
        Some(ReceivedInRound { kind: *kind, from: from.word(), words, values })
    }

    fn field(&self, place: Slot, ty: &Type) -> Value {
        match place {
            Slot::Word(place) => Value::from_word(ty, self.words[place as usize]),
            Slot::Value(place) => self.values[place as usize].clone(),
        }
    }
}

/// Return all messages received: bare values as a set, or messages as a list.
pub(super) fn received(e: &Expr, env: &Env<'_>) -> Eval<Value> {
    let brought = brought(e.span, env)?;
    let kinds = &env.instance.program.kinds;
    if matches!(e.ty, Type::Set(_)) {
        let bare = brought.iter().filter(|m| kinds[m.kind as usize].name.is_empty());
        return Ok(Value::set(bare.filter_map(|m| {
            let field = kinds[m.kind as usize].fields.first()?;
            Some(m.field(field.place, &field.ty))
        })));
    }
    Ok(Value::list(brought.iter().map(|m| {
        let fields = kinds[m.kind as usize].fields.iter();
        let parts: Vec<Value> = fields.map(|f| m.field(f.place, &f.ty)).collect();
        Value::Message(m.kind, parts.into())
    })))
}

pub(super) fn received_kind(kind: u32, span: Span, env: &Env<'_>) -> Eval<bool> {
    Ok(brought(span, env)?.iter().any(|m| m.kind == kind))
}

/// Bind the first matching message.
pub(super) fn received_message(wanted: &ReceivedMessage, span: Span, env: &mut Env<'_>) -> Eval<bool> {
    let brought = brought(span, env)?;
    let kind = &env.instance.program.kinds[wanted.kind as usize];
    // As with `some`: a matching message suffices, whichever others fail.
    let mut failure = None;
    for message in brought.iter().filter(|m| m.kind == wanted.kind) {
        let field = |i: usize| message.field(kind.fields[i].place, &kind.fields[i].ty);
        if !wanted.fields.iter().enumerate().all(|(i, pattern)| fits(pattern, &field(i))) {
            continue;
        }
        match is_from(wanted, message.from, env) {
            Ok(true) => {}
            Ok(false) => continue,
            Err(abort) => {
                failure.get_or_insert(abort);
                continue;
            }
        }
        for (i, pattern) in wanted.fields.iter().enumerate() {
            store(pattern, &field(i), env.words, env.values);
        }
        if let Sender::Bind(to) = wanted.from {
            env.words[to as usize] = message.from;
        }
        match wanted.when.as_ref().map_or(Ok(true), |when| truth(when, env)) {
            Ok(true) => return Ok(true),
            Ok(false) => {}
            Err(abort) => drop(failure.get_or_insert(abort)),
        }
    }
    failure.map_or(Ok(false), Err)
}

fn is_from(wanted: &ReceivedMessage, sender: i64, env: &mut Env<'_>) -> Eval<bool> {
    Ok(match &wanted.from {
        Sender::Any | Sender::Bind(_) => true,
        Sender::Is(e) => word(e, env)? == sender,
        Sender::Member(set) => elements(&value(set, env)?).any(|member| member.word() == sender),
    })
}

pub(super) fn heard(span: Span, env: &Env<'_>) -> Eval<i64> {
    Ok(around(span, env)?.heard)
}

/// Return the answer of an oracle.
pub(super) fn oracle(number: u16, span: Span, env: &Env<'_>) -> Eval<bool> {
    match around(span, env)?.answers.get(number as usize) {
        Some(answer) => answer.clone(),
        None => abort(span, "oracles are defined only after all processes have started"),
    }
}

/// A variable of the process at the other end of a port, as a word or a value.
pub(super) enum Read {
    Word(i64),
    Value(Value),
}

pub(super) fn neighbour(port: &Expr, variable: u16, span: Span, env: &mut Env<'_>) -> Eval<Read> {
    let k = word(port, env)?;
    let around = around(span, env)?;
    let neighbour = usize::try_from(k).ok().and_then(|k| around.neighbours.at(k));
    let Some(neighbour) = neighbour else {
        let p = env.process;
        return abort(span, format!("{p} has no neighbour at port {k}"));
    };
    let shared = &env.instance.program.shared[variable as usize];
    let role = env.instance.role_of(neighbour.process);
    // A link to itself leads to the variables of the command, with what the command has assigned.
    let (words, values) = if neighbour.process == env.process {
        (&*env.words, &*env.values)
    } else {
        (neighbour.words, neighbour.values)
    };
    match shared.slots.get(role).copied().flatten() {
        Some(Slot::Word(slot)) => Ok(Read::Word(words[slot as usize])),
        Some(Slot::Value(slot)) => Ok(Read::Value(values[slot as usize].clone())),
        None => {
            let (q, name) = (neighbour.process, &env.instance.program.roles[role].name);
            abort(span, format!("{q} has role {name}, which has no variable {}", shared.name))
        }
    }
}
