//! Views: configurations that differ only in data of the program's `view` clauses are equivalent.
//!
//! As with symmetry, the first configuration found is stored unchanged, so that every counterexample is a real run. Two vectors
//! are equivalent if their components belong to the same classes: disregarded data is removed from a local state or inbox, and
//! numbers up to shift are taken relative to the least of them there. The distance of these minima from the minimum of the
//! whole configuration must agree, too.

use crate::explore::reduction::flow::{Flow, Objection};
use crate::explore::reduction::shape::{Shape, Shapes};
use crate::explore::store::components::{Components, Local, Message};
use crate::explore::store::hash_index::share;
use crate::explore::store::inbox::Inbox;
use crate::explore::store::interner::Interner;
use crate::ids::ProcessId;
use crate::instance::Instance;
use crate::ir::{NONE_WORD, Property, Value, ViewKind};
use smallvec::SmallVec;
use std::sync::{Arc, PoisonError, RwLock};

/// The result for the views of a program in an exploration.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ViewReport {
    /// The clauses, as written except for whitespace.
    pub clauses: Vec<String>,
    pub standing: ViewStatus,
    /// Properties that distinguish equivalent configurations; they were checked in a separate search. It uses a view up to shift only for
    /// numbers that the properties do not distinguish.
    pub apart: Vec<String>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ViewStatus {
    /// Sound: neither the program nor a property that is checked with the view distinguishes equivalent configurations.
    Sound,
    /// Not proved, so the author's claim. States why, with the place.
    Claimed { why: String },
    /// The view was not used. States why.
    Unused { why: String },
}

/// Return the views of a program, if it has any, and the shapes of its data, if they apply. `by_tables`: vectors consist of
/// local states and inboxes.
pub(in crate::explore) fn of(
    instance: &Instance,
    properties: &[&Property],
    by_tables: bool,
) -> Option<(ViewReport, Option<Shapes>)> {
    let program = &instance.program;
    if program.views.is_empty() {
        return None;
    }
    let clauses = program.views.iter().map(|view| {
        let names: Vec<&str> = view.of.iter().map(|viewed| viewed.name.as_str()).collect();
        match view.kind {
            ViewKind::Without => format!("without {}", names.join(", ")),
            ViewKind::UpToShift => format!("{} up to shift", names.join(", ")),
        }
    });
    let clauses: Vec<String> = clauses.collect();
    let unused = |why: String| {
        Some((
            ViewReport { clauses: clauses.clone(), standing: ViewStatus::Unused { why }, apart: Vec::new() },
            None,
        ))
    };
    if !by_tables {
        return unused("this model does not support views".into());
    }
    let mut flow = Flow::of(instance);
    let mut floors = vec![i64::MIN; flow.views_up_to_shift()];
    let of_properties = properties.iter().map(|p| (format!("property {}", p.name), flow.of_property(p)));
    let findings: Vec<_> = of_properties.collect();
    let of_outputs = program.outputs.iter().map(|o| (format!("output {}", o.name), flow.of_output(&o.value)));
    for (what, finding) in findings.into_iter().chain(of_outputs) {
        if let Some(Objection { span, why }) = finding.objection {
            let place = program.sources.place(span);
            return unused(format!("{what} distinguishes equivalent configurations: {why} ({place})"));
        }
        floors.iter_mut().zip(finding.floors).for_each(|(floor, own)| *floor = own.max(*floor));
    }
    let standing = match flow.objections().first() {
        None => ViewStatus::Sound,
        Some(Objection { span, why }) => {
            ViewStatus::Claimed { why: format!("{why} ({})", program.sources.place(*span)) }
        }
    };
    let marks = Shapes { floors, ..flow.into_marks() };
    Some((ViewReport { clauses, standing, apart: Vec::new() }, Some(marks)))
}

/// Return whether the property distinguishes configurations that all views identify, or would with a lesser floor.
pub(in crate::explore) fn distinguishes_equivalent(instance: &Instance, property: &Property) -> bool {
    if instance.program.views.is_empty() {
        return false;
    }
    let finding = Flow::of(instance).of_property(property);
    finding.objection.is_some() || finding.floors.iter().any(|floor| *floor > i64::MIN)
}

/// Return by view up to shift: the increase of a bound's limit if all numbers of the view increase by 1.
pub(in crate::explore) fn slopes(instance: &Instance, property: &Property) -> Vec<i64> {
    let mut flow = Flow::of(instance);
    let mut slopes = flow.of_property(property).slopes;
    slopes.truncate(flow.views_up_to_shift());
    slopes
}

/// Classes of local states and inboxes under the views.
#[derive(Debug)]
pub(in crate::explore) struct View {
    marks: Shapes,
    /// By process. Processes with a common table of local states share their classes, too.
    locals: Vec<Arc<ViewClasses<Local>>>,
    inboxes: Vec<Arc<ViewClasses<Vec<Vec<Message>>>>>,
    real_locals: Vec<Arc<Interner<Local>>>,
    real_inboxes: Vec<Arc<Interner<[u32]>>>,
    messages: Arc<Interner<Message>>,
    /// By process: its role. By process and channel of its inbox: whether the channel is ordered.
    roles: Vec<usize>,
    ordered: Vec<Box<[bool]>>,
}

/// A class of local states or inboxes: its id, and the minimum of each view up to shift in this member.
#[derive(Clone, Debug, PartialEq, Eq)]
struct ViewClass {
    number: u32,
    least: Least,
}

type Least = SmallVec<[Option<i64>; 1]>;

/// A shift: the increment of the numbers of each view up to shift.
pub(in crate::explore) type Shift = SmallVec<[i64; 1]>;

/// The classes of the members of one table, by their ids there.
#[derive(Debug)]
struct ViewClasses<T> {
    known: RwLock<Vec<Option<ViewClass>>>,
    numbers: Interner<T>,
}

impl<T: Eq + std::hash::Hash> ViewClasses<T> {
    fn new() -> ViewClasses<T> {
        ViewClasses { known: RwLock::new(Vec::new()), numbers: Interner::default() }
    }

    fn get(&self, member: u32, find: impl FnOnce() -> (T, Least)) -> ViewClass {
        let known = self.known.read().unwrap_or_else(PoisonError::into_inner);
        if let Some(Some(class)) = known.get(member as usize) {
            return class.clone();
        }
        drop(known);
        let (normal, least) = find();
        let class = ViewClass { number: self.numbers.number(normal), least };
        let mut known = self.known.write().unwrap_or_else(PoisonError::into_inner);
        if known.len() <= member as usize {
            known.resize(member as usize + 1, None);
        }
        known[member as usize] = Some(class.clone());
        class
    }
}

impl View {
    /// Return a view without classes. `common`: by process, the process whose tables it uses.
    pub fn new(instance: &Instance, marks: Shapes, parts: &Components, common: Option<&[ProcessId]>) -> View {
        let n = parts.n();
        let representative = |p: usize| common.map_or(p, |common| common[p].index());
        let locals: Vec<_> = (0..n).map(|_| Arc::new(ViewClasses::new())).collect();
        let inboxes: Vec<_> = (0..n).map(|_| Arc::new(ViewClasses::new())).collect();
        let ordered = parts.incoming.iter();
        let ordered = ordered.map(|all| all.iter().map(|c| instance.layout.keeps_order(*c)).collect());
        View {
            marks,
            locals: (0..n).map(|p| locals[representative(p)].clone()).collect(),
            inboxes: (0..n).map(|p| inboxes[representative(p)].clone()).collect(),
            real_locals: parts.locals.clone(),
            real_inboxes: parts.inboxes.clone(),
            messages: parts.messages.clone(),
            roles: instance.processes().map(|p| instance.role_of(p)).collect(),
            ordered: ordered.collect(),
        }
    }

    /// Return the class of each component before the auxiliary ones.
    fn classes(&self, key: &[u32]) -> SmallVec<[ViewClass; 16]> {
        let n = self.roles.len();
        let locals = (0..n).map(|p| self.locals[p].get(key[p], || self.local(p, key[p])));
        let inboxes = (0..n).map(|p| self.inboxes[p].get(key[n + p], || self.inbox(p, key[n + p])));
        locals.chain(inboxes).collect()
    }

    /// Return the minimum of each view up to shift.
    fn least(&self, classes: &[ViewClass]) -> Least {
        let mut least: Least = smallvec::smallvec![None; self.marks.shifts];
        for class in classes {
            for (all, own) in least.iter_mut().zip(&class.least) {
                take(all, *own);
            }
        }
        least
    }

    /// Return a hash that is equal for equivalent vectors.
    pub fn hash(&self, key: &[u32]) -> u64 {
        let classes = self.classes(key);
        let least = self.least(&classes);
        let mut hash = 0u64;
        let mut add = |at: usize, number: u32| hash = hash.wrapping_add(share(at as u32, number));
        for (view, (least, floor)) in least.iter().zip(&self.marks.floors).enumerate() {
            add(usize::MAX - view, low(*least, *floor).unwrap_or(0) as u32);
        }
        for (at, class) in classes.iter().enumerate() {
            add(at, class.number);
            for (view, (own, all)) in class.least.iter().zip(&least).enumerate() {
                if let (Some(own), Some(all)) = (own, all) {
                    add((view + 1) * key.len() + at, own.wrapping_sub(*all) as u32);
                }
            }
        }
        for (at, ghost) in key.iter().enumerate().skip(classes.len()) {
            add(at, *ghost);
        }
        hash
    }

    /// Return whether the vectors are equivalent.
    pub fn same(&self, a: &[u32], b: &[u32]) -> bool {
        if a == b {
            return true;
        }
        let before_ghosts = 2 * self.roles.len();
        if a[before_ghosts..] != b[before_ghosts..] {
            return false;
        }
        let (own, other) = (self.classes(a), self.classes(b));
        if own.iter().zip(&other).any(|(a, b)| a.number != b.number) {
            return false;
        }
        let (least_own, least_other) = (self.least(&own), self.least(&other));
        let mut lows = least_own.iter().zip(&least_other).zip(&self.marks.floors);
        if lows.any(|((a, b), floor)| low(*a, *floor) != low(*b, *floor)) {
            return false;
        }
        let far = |own: Option<i64>, least: Option<i64>| Some(own?.wrapping_sub(least?));
        own.iter().zip(&other).all(|(a, b)| {
            (0..self.marks.shifts)
                .all(|view| far(a.least[view], least_own[view]) == far(b.least[view], least_other[view]))
        })
    }

    /// Return the vector with the ids of classes instead of components. A renumbering of processes may be applied to it, if
    /// there is no view up to shift.
    pub fn numbers(&self, key: &[u32]) -> Vec<u32> {
        let classes = self.classes(key);
        let auxiliary = key[classes.len()..].iter().copied();
        classes.iter().map(|class| class.number).chain(auxiliary).collect()
    }

    /// The zero shift.
    pub fn unmoved(&self) -> Shift {
        smallvec::smallvec![0; self.marks.shifts]
    }

    /// Return whether any of the views is a view up to shift.
    pub fn has_shifts(&self) -> bool {
        self.marks.shifts > 0
    }

    /// The shift of each view from the vector `from` to the equivalent vector `to`.
    pub fn shift_between(&self, from: &[u32], to: &[u32]) -> Shift {
        let (from, to) = (self.least(&self.classes(from)), self.least(&self.classes(to)));
        let far = |(from, to): (&Option<i64>, &Option<i64>)| (*to)?.checked_sub((*from)?);
        from.iter().zip(&to).map(|both| far(both).unwrap_or(0)).collect()
    }

    /// Return a message without disregarded fields.
    pub fn blanked(&self, message: &Message) -> Message {
        self.marks.normal_message(message, &smallvec::smallvec![None; self.marks.shifts])
    }

    /// A message with its numbers up to shift incremented by the shift.
    pub fn shifted(&self, message: &Message, by: &Shift) -> Message {
        self.marks.normal_message(message, &by.iter().map(|by| Some(by.wrapping_neg())).collect())
    }

    fn local(&self, process: usize, number: u32) -> (Local, Least) {
        let local = self.real_locals[process].get(number);
        let frame = &self.marks.roles[self.roles[process]];
        let mut least: Least = smallvec::smallvec![None; self.marks.shifts];
        for (word, shape) in local.words.iter().zip(&frame.words) {
            if let Shape::Shifted(view) = shape {
                take(&mut least[*view], Some(*word));
            }
        }
        for (value, shape) in local.values.iter().zip(&frame.values) {
            self.marks.least(shape, value, &mut least);
        }
        let words = local.words.iter().zip(&frame.words);
        let values = local.values.iter().zip(&frame.values);
        let normal = Local {
            words: words.map(|(word, shape)| normal_word(shape, *word, &least)).collect(),
            values: values.map(|(value, shape)| self.marks.normal(shape, value, &least)).collect(),
            wake_state: local.wake_state,
            timers: local.timers.clone(),
        };
        (normal, least)
    }

    fn inbox(&self, process: usize, number: u32) -> (Vec<Vec<Message>>, Least) {
        let inbox = self.real_inboxes[process].get(number);
        let content = |numbers: &[u32]| numbers.iter().map(|m| self.messages.get(*m)).collect::<Vec<_>>();
        let channels: Vec<Vec<&Message>> = Inbox::new(inbox).channels().map(content).collect();
        let mut least: Least = smallvec::smallvec![None; self.marks.shifts];
        for message in channels.iter().flatten() {
            self.marks.least_of_message(message, &mut least);
        }
        let normal = channels.iter().zip(&self.ordered[process]).map(|(messages, ordered)| {
            let mut messages: Vec<Message> =
                messages.iter().map(|m| self.marks.normal_message(m, &least)).collect();
            if !ordered {
                // Any total order will do: the messages are only compared.
                messages.sort_by(|a, b| (a.content(), a.past).cmp(&(b.content(), b.past)));
            }
            messages
        });
        (normal.collect(), least)
    }
}

/// Numbers beyond half the range of an Int may soon overflow: no view identifies configurations with such numbers.
const FAR: u64 = 1 << 62;

/// Take the lesser of two numbers. A number beyond [`FAR`] counts as the least possible, so that all numbers relative to it
/// keep their absolute value.
fn take(least: &mut Option<i64>, number: Option<i64>) {
    let number = number.map(|number| if number.unsigned_abs() > FAR { i64::MIN } else { number });
    *least = match (*least, number) {
        (Some(a), Some(b)) => Some(a.min(b)),
        (a, b) => a.or(b),
    };
}

/// Return what properties distinguish of the least number of a view with this floor.
fn low(least: Option<i64>, floor: i64) -> Option<i64> {
    least.map(|least| least.min(floor))
}

/// Return whether the value contains a number beyond [`FAR`].
fn is_far(value: &Value) -> bool {
    let mut found = matches!(value, Value::Int(number) if number.unsigned_abs() > FAR);
    inside(value, &mut |part| found |= is_far(part));
    found
}

fn normal_word(shape: &Shape, word: i64, least: &Least) -> i64 {
    match shape {
        Shape::Disregarded if word.unsigned_abs() <= FAR || word == NONE_WORD => 0,
        Shape::Shifted(view) => word.wrapping_sub(least[*view].unwrap_or(0)),
        _ => word,
    }
}

impl Shapes {
    fn least(&self, shape: &Shape, value: &Value, least: &mut Least) {
        match (shape, value) {
            (Shape::Shifted(view), Value::Int(number)) => take(&mut least[*view], Some(*number)),
            (Shape::Parts(shapes), Value::Tuple(parts) | Value::Record(_, parts)) => {
                shapes.iter().zip(parts.iter()).for_each(|(s, part)| self.least(s, part, least));
            }
            (Shape::Elements(s), Value::List(items)) => items.iter().for_each(|i| self.least(s, i, least)),
            (Shape::Elements(s), Value::Set(items)) => items.iter().for_each(|i| self.least(s, i, least)),
            (Shape::Map(keys, values), Value::Map(items)) => {
                for (key, item) in items.iter() {
                    self.least(keys, key, least);
                    self.least(values, item, least);
                }
            }
            (Shape::Disregarded, _) => {}
            // A payload may be a message with numbers of a view.
            (_, Value::Message(kind, fields)) if self.carried => {
                let shapes = &self.fields[*kind as usize];
                shapes.iter().zip(fields.iter()).for_each(|(s, field)| self.least(s, field, least));
            }
            (shape, value) if self.carried => inside(value, &mut |v| self.least(shape, v, least)),
            _ => {}
        }
    }

    fn normal(&self, shape: &Shape, value: &Value, least: &Least) -> Value {
        let of = |shape: &Shape, value: &Value| self.normal(shape, value, least);
        match (shape, value) {
            (Shape::Disregarded, value) if !is_far(value) => Value::None,
            (Shape::Shifted(_), Value::Int(number)) => Value::Int(normal_word(shape, *number, least)),
            (Shape::Parts(shapes), Value::Tuple(parts)) => {
                Value::tuple(shapes.iter().zip(parts.iter()).map(|(s, part)| of(s, part)).collect())
            }
            (Shape::Parts(shapes), Value::Record(record, parts)) => {
                let parts: Vec<Value> = shapes.iter().zip(parts.iter()).map(|(s, p)| of(s, p)).collect();
                Value::Record(*record, parts.into())
            }
            (Shape::Elements(s), Value::List(items)) => Value::list(items.iter().map(|i| of(s, i))),
            (Shape::Elements(s), Value::Set(items)) => Value::set(items.iter().map(|i| of(s, i))),
            (Shape::Map(keys, values), Value::Map(items)) => {
                Value::map(items.iter().map(|(key, item)| (of(keys, key), of(values, item))))
            }
            (_, Value::Message(kind, fields)) if self.carried => {
                let shapes = &self.fields[*kind as usize];
                let fields: Vec<Value> = shapes.iter().zip(fields.iter()).map(|(s, f)| of(s, f)).collect();
                Value::Message(*kind, fields.into())
            }
            (shape, value) if self.carried => match value {
                Value::Tuple(parts) => Value::tuple(parts.iter().map(|v| of(shape, v)).collect()),
                Value::Record(record, parts) => {
                    let parts: Vec<Value> = parts.iter().map(|v| of(shape, v)).collect();
                    Value::Record(*record, parts.into())
                }
                Value::List(items) => Value::list(items.iter().map(|v| of(shape, v))),
                Value::Set(items) => Value::set(items.iter().map(|v| of(shape, v))),
                Value::Map(items) => Value::map(items.iter().map(|(k, v)| (of(shape, k), of(shape, v)))),
                plain => plain.clone(),
            },
            (_, value) => value.clone(),
        }
    }

    fn least_of_message(&self, message: &Message, least: &mut Least) {
        let (mut words, mut values) = (message.words.iter(), message.values.iter());
        for (shape, is_word) in self.places(message.kind) {
            if is_word {
                let word = words.next();
                if let Shape::Shifted(view) = shape {
                    take(&mut least[*view], word.copied());
                }
            } else if let Some(value) = values.next() {
                self.least(shape, value, least);
            }
        }
    }

    fn normal_message(&self, message: &Message, least: &Least) -> Message {
        let (mut words, mut values) = (Vec::new(), Vec::new());
        let (mut own_words, mut own_values) = (message.words.iter(), message.values.iter());
        for (shape, is_word) in self.places(message.kind) {
            if is_word {
                words.extend(own_words.next().map(|word| normal_word(shape, *word, least)));
            } else {
                values.extend(own_values.next().map(|value| self.normal(shape, value, least)));
            }
        }
        Message { words: words.into(), values: values.into(), ..message.clone() }
    }

    /// Return the fields of a message in the order of their slots, and whether they are words.
    fn places(&self, kind: u32) -> impl Iterator<Item = (&Shape, bool)> {
        let fields = &self.fields[kind as usize];
        fields.iter().zip(&self.word_fields[kind as usize]).map(|(shape, is_word)| (shape, *is_word))
    }
}

/// Call `f` for every direct part of a value.
fn inside(value: &Value, f: &mut dyn FnMut(&Value)) {
    match value {
        Value::Tuple(parts) | Value::Record(_, parts) | Value::Message(_, parts) => parts.iter().for_each(f),
        Value::List(items) => items.iter().for_each(f),
        Value::Set(items) => items.iter().for_each(f),
        Value::Map(items) => {
            for (key, item) in items.iter() {
                f(key);
                f(item);
            }
        }
        _ => {}
    }
}
