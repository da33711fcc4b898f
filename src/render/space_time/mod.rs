//! Space-time diagrams in the terminal, after Lamport: processes side by side, time downwards, one row per event.
//!
//! A message is named where it is sent (`●╴m4`), and drawn as an arrow in the row in which it is received, from its sender's
//! lifeline to the event. However messages cross or overtake, no two arrows share a row, and the number identifies the sending.
//! The style of a lifeline is its process's control state. If there is no space for that, lifelines are close together, and
//! descriptions beside them contain the rest (`compact`).

mod compact;
mod foot;

use super::Look;
use super::canvas::{BOLD, DIM, Line, PLAIN, SgrCode, truncated, width};
use super::glyphs::{ASCII, Glyphs, Life, UNICODE};
use crate::ids::{MessageId, ProcessId};
use crate::prose::{self, right_aligned};
use crate::semantics::event::Cause;
use crate::trace::{Header, Message, Trace, TraceEvent};
use rustc_hash::FxHashMap;
use std::ops::Range;

/// Options of a diagram: its content and its width.
#[derive(Clone, Debug)]
pub struct SpaceTimeOptions {
    /// The total width, in columns.
    pub width: usize,
    /// The width at which rows of the event list are truncated.
    pub list_width: usize,
    /// The events to draw; `None`: all.
    pub events: Option<Range<usize>>,
    /// If there are more events than this, only the first and last are drawn.
    pub max_events: usize,
    /// The processes to draw, in this order; `None`: all, by position, as many as fit.
    pub processes: Option<Vec<ProcessId>>,
    /// Variables whose changes are emphasized: the outputs.
    pub outputs: Vec<String>,
    /// Lines across lifelines, between events.
    pub marks: Vec<DiagramMark>,
    /// Whether hints may refer to --process, --from and --until, which show what is not drawn.
    pub flags: bool,
    pub look: Look,
}

/// A place where a cut crosses lifelines.
#[derive(Clone, Debug)]
pub struct DiagramMark {
    /// The number of events of the trace above it.
    pub below: usize,
    /// The processes whose lifelines it crosses there.
    pub processes: Vec<ProcessId>,
    pub text: String,
}

impl Default for SpaceTimeOptions {
    fn default() -> SpaceTimeOptions {
        SpaceTimeOptions {
            width: 100,
            list_width: usize::MAX,
            events: None,
            max_events: 60,
            processes: None,
            outputs: Vec::new(),
            marks: Vec::new(),
            flags: false,
            look: Look::PLAIN,
        }
    }
}

/// The minimum distance of lifelines: an arrow with a two-digit number.
const MIN_PITCH: usize = 8;
/// The maximum distance; wider labels are moved to the notes.
const MAX_PITCH: usize = 22;
/// The width of the notes on the right, in columns.
const NOTES: usize = 26;
/// Colours of processes and of the messages that they send; they repeat cyclically.
const COLORS: [SgrCode; 6] = [36, 33, 35, 32, 34, 31];

/// Draw the diagram, with a note about everything that is omitted.
pub fn space_time(trace: &Trace, options: &SpaceTimeOptions) -> String {
    Diagram::new(trace, options).draw()
}

struct Diagram<'a> {
    trace: &'a Trace,
    options: &'a SpaceTimeOptions,
    glyphs: &'static Glyphs,
    /// The number of digits of the largest event number.
    digits: usize,
    pitch: usize,
    /// The column of each visible process.
    column: FxHashMap<ProcessId, usize>,
    visible: Vec<ProcessId>,
    hidden: Vec<ProcessId>,
    /// Whether lifelines are too close for labels.
    compact: bool,
    states: Vec<&'a str>,
    /// The width of numbers of sent messages to the right of the last lifeline, in columns.
    overhang: usize,
    // The state that changes from row to row:
    state: Vec<&'a str>,
    ended: Vec<bool>,
    /// Messages in transit, by number.
    flight: FxHashMap<MessageId, (ProcessId, &'a Message)>,
    /// For each copy, the message whose channel position it shares.
    copies: FxHashMap<MessageId, MessageId>,
}

impl<'a> Diagram<'a> {
    fn new(trace: &'a Trace, options: &'a SpaceTimeOptions) -> Diagram<'a> {
        let n = trace.n();
        let digits = trace.events.len().saturating_sub(1).to_string().len().max(2);
        let wanted: Vec<ProcessId> = match &options.processes {
            // Each once, even if named twice.
            Some(list) => {
                let once =
                    |(i, p): (usize, &ProcessId)| (p.index() < n && !list[..i].contains(p)).then_some(*p);
                list.iter().enumerate().filter_map(once).collect()
            }
            None => trace.processes().collect(),
        };
        let room = options.width.saturating_sub(digits + 2 + NOTES);
        let compact = room / MIN_PITCH < wanted.len();
        let fits = |wanted: usize| compact::room(options.width, digits + 2, wanted);
        let wanted = match &options.events {
            // For a part of the run, draw the processes that act in it.
            Some(part) if compact && options.processes.is_none() && fits(n).0 < n => {
                acting_processes(trace, part)
            }
            _ => wanted,
        };
        let (fit, close) = if compact { fits(wanted.len()) } else { (wanted.len(), 0) };
        let visible: Vec<ProcessId> = wanted.iter().copied().take(fit).collect();
        let hidden: Vec<ProcessId> = trace.processes().filter(|p| !visible.contains(p)).collect();
        let labels = trace
            .events
            .iter()
            .flat_map(|e| e.received.iter().chain(&e.lost))
            .map(|m| width(&label(&trace.header, m)));
        let usual = labels.filter(|w| w + 6 <= MAX_PITCH).max().unwrap_or(0) + 6;
        let names = visible.iter().map(|p| width(&trace.header.name(*p)) + 2).max().unwrap_or(0);
        let pitch = match compact {
            true => close,
            false => usual.max(names).max(10).min(room / visible.len().max(1)).max(MIN_PITCH),
        };
        let column = (0..).zip(&visible).map(|(i, p)| (*p, digits + 2 + pitch / 2 + i * pitch));
        let beside = trace.events.iter().filter(|e| Some(&e.process) == visible.last());
        let beside = beside.map(|e| width(&numbers(&e.sent))).filter(|w| *w > 0).max();
        let state_of = |p: usize| {
            let initial = trace.header.initial.get(p).into_iter().flatten();
            initial.into_iter().find(|c| c.name == "state").map_or("", |c| c.value.as_str())
        };
        let state: Vec<&str> = (0..n).map(state_of).collect();
        let mut states: Vec<&str> = Vec::new();
        let later = trace.events.iter().filter_map(|e| e.change("state"));
        for s in state.iter().copied().chain(later) {
            if !s.is_empty() && !states.contains(&s) {
                states.push(s);
            }
        }
        Diagram {
            trace,
            options,
            glyphs: if options.look.ascii { &ASCII } else { &UNICODE },
            digits,
            pitch,
            column: column.collect(),
            hidden,
            compact,
            overhang: if compact { 3 } else { beside.map_or(0, |w| w.min(pitch - 3) + 4) },
            visible,
            states,
            state,
            ended: vec![false; n],
            flight: FxHashMap::default(),
            copies: FxHashMap::default(),
        }
    }

    fn draw(mut self) -> String {
        let mut out = self.heading();
        let all = self.trace.events.len();
        let range = self.options.events.clone().unwrap_or(0..all);
        let range = range.start.min(range.end).min(all)..range.end.min(all);
        let here = |i: &usize| self.column.contains_key(&self.trace.events[*i].process);
        let drawn: Vec<usize> = range.clone().filter(here).collect();
        let elsewhere = range.len() - drawn.len();
        let most = self.options.max_events.max(2);
        // If there are too many events, draw the beginning and the end.
        let cut = match drawn.len() > most {
            true => most.div_ceil(2)..drawn.len() - most / 2,
            false => 0..0,
        };
        let (mut place, mut left_out) = (0, None);
        for (i, event) in self.trace.events[..range.end].iter().enumerate() {
            if drawn.get(place) == Some(&i) {
                if !cut.contains(&place) {
                    self.marks(i, &mut out);
                    self.together(i, &mut out);
                    self.event(event, &mut out);
                } else if place == cut.start {
                    left_out = Some(drawn[cut.start]);
                    self.left_out(cut.len(), drawn[cut.start], drawn[cut.end - 1], &mut out);
                }
                place += 1;
            }
            self.advance(event);
        }
        self.marks(range.end, &mut out);
        self.footing(&range, elsewhere, left_out.map(|first| (first, most)), &mut out);
        out
    }

    /// Write names, ids, roles and initial states above the lifelines, with the legend.
    fn heading(&self) -> String {
        let mut out = String::new();
        let header = &self.trace.header;
        let mut rows: Vec<Vec<String>> = vec![
            self.visible.iter().map(|p| header.name(*p)).collect(),
            self.visible.iter().map(|p| format!("id {}", header.ids[p.index()])).collect(),
        ];
        if !header.roles.is_empty() {
            rows.push(self.visible.iter().map(|p| header.roles[p.index()].clone()).collect());
        }
        if self.states.len() > 1 {
            rows.push(self.visible.iter().map(|p| self.state[p.index()].to_string()).collect());
        }
        if self.compact {
            for (row, texts) in rows.into_iter().enumerate() {
                let paint = |p: &ProcessId| if row == 0 { self.color(*p) } else { DIM };
                let texts: Vec<(String, SgrCode)> =
                    texts.into_iter().zip(&self.visible).map(|(text, p)| (text, paint(p))).collect();
                self.over_lifelines(&texts, row == 0, &mut out);
            }
            return out;
        }
        for (row, texts) in rows.iter().enumerate() {
            let mut line = Line::new(self.options.width);
            for (p, text) in self.visible.iter().zip(texts) {
                let text = truncated(text, self.pitch - 1, self.glyphs.ellipsis);
                line.write_around(self.column[p], &text, if row == 0 { self.color(*p) } else { DIM });
            }
            line.finish(self.options.look.color, &mut out);
        }
        out
    }

    /// Write the rows of the marks with this many events above them.
    fn marks(&self, above: usize, out: &mut String) {
        for mark in self.options.marks.iter().filter(|mark| mark.below == above) {
            let mut line = self.lifelines();
            let across = mark.processes.iter().filter_map(|p| self.column.get(p)).copied();
            // From the first to the last, if it crosses everything between them.
            if let (Some(first), Some(last)) = (across.clone().min(), across.clone().max())
                && self.column.values().filter(|x| (first..=last).contains(x)).count()
                    == across.clone().count()
            {
                for x in first.saturating_sub(1)..=last + 1 {
                    line.put(x, self.glyphs.cut, BOLD);
                }
            }
            for x in across {
                line.put(x, self.glyphs.cut_crosses, BOLD);
            }
            line.write(self.notes_column(), &mark.text, BOLD);
            line.finish(self.options.look.color, out);
        }
    }

    /// Write a row where the cycle of a run, a round, or a joint step of several processes begins.
    fn together(&self, event: usize, out: &mut String) {
        let round = self.trace.is_cycle_start(event).then(|| prose::CYCLE_BEGINS.to_string());
        for text in round.into_iter().chain(self.trace.joint_step_heading(event)) {
            let mut line = self.lifelines();
            line.write(self.notes_column(), &text, BOLD);
            line.finish(self.options.look.color, out);
        }
    }

    /// Write the rows of one event: one for each message but the last, and its own.
    fn event(&self, event: &'a TraceEvent, out: &mut String) {
        let from_others: Vec<&Message> = event.received.iter().filter(|m| m.peer != event.process).collect();
        let last = from_others.last().copied();
        for message in from_others.iter().take(from_others.len().saturating_sub(1)) {
            let mut line = self.lifelines();
            self.arrow(&mut line, message, event.process);
            line.finish(self.options.look.color, out);
        }
        let mut line = self.lifelines();
        line.write(0, &right_aligned(event.index, self.digits), DIM);
        if let Some(message) = event.lost.first() {
            // No process acts: only the message ends.
            let head = self.column[&event.process];
            let from_the_right = match message.peer == event.process {
                true => true, // a message to the process itself: no arrow, and always space on this side
                false => self.arrow(&mut line, message, event.process) == Some(1),
            };
            let end = if from_the_right { head + 1 } else { head - 1 };
            line.put(end, self.glyphs.lost, self.color(message.peer));
            self.notes(&mut line, event);
            line.finish(self.options.look.color, out);
            return;
        }
        self.meeting(&mut line, event);
        let side = last.and_then(|m| self.arrow(&mut line, m, event.process));
        self.node(&mut line, event, side);
        self.notes(&mut line, event);
        line.finish(self.options.look.color, out);
    }

    /// Draw a double line between the two processes of an interaction.
    fn meeting(&self, line: &mut Line, event: &TraceEvent) {
        let Some(with) = event.with.as_ref().filter(|with| with.process != event.process) else { return };
        let Some(other) = self.column.get(&with.process).copied() else { return };
        let here = self.column[&event.process];
        for x in here.min(other) + 1..here.max(other) {
            line.put(x, self.glyphs.meet, self.color(event.process));
        }
        line.put(other, self.glyphs.event, self.color(with.process));
    }

    fn lifelines(&self) -> Line {
        let mut line = Line::new(self.options.width);
        for p in &self.visible {
            if !self.ended[p.index()] {
                line.put(self.column[p], self.life(*p).line, PLAIN);
            }
        }
        line
    }

    /// Draw an arrow to the receiver's lifeline, and return its side: -1 left, 1 right.
    fn arrow(&self, line: &mut Line, message: &Message, to: ProcessId) -> Option<i32> {
        let (g, paint) = (self.glyphs, self.color(message.peer));
        let target = self.column[&to];
        let Some(&source) = self.column.get(&message.peer) else {
            // The sender is not drawn: a short arrow from its name.
            line.put(target - 1, g.head_right, paint);
            if self.compact {
                return Some(-1);
            }
            // To the left of the first lifeline are the numbers of the events.
            let room = (target - 1).saturating_sub(self.digits + 1).min(self.pitch - 2);
            let text = truncated(&message.id.to_string(), room, g.ellipsis);
            line.write(target.saturating_sub(1 + width(&text)), &text, paint);
            return Some(-1);
        };
        let right = source < target;
        let (low, high) = (source.min(target), source.max(target));
        for x in low + 1..high {
            line.put(x, g.line, paint);
        }
        for p in &self.visible {
            let x = self.column[p];
            if low < x && x < high && !self.ended[p.index()] {
                line.put(x, self.life(*p).cross, paint);
            }
        }
        let life = self.life(message.peer);
        let tee = match (self.ended[message.peer.index()], right) {
            (true, _) => g.ended,
            (false, true) => life.tee_right,
            (false, false) => life.tee_left,
        };
        line.put(source, tee, paint);
        line.put(if right { target - 1 } else { target + 1 }, g.head_right_or_left(right), paint);
        if self.compact {
            return Some(if right { -1 } else { 1 });
        }
        // The label is in the gap next to the sender, as complete as space permits.
        let room = self.pitch.saturating_sub(if high - low == self.pitch { 4 } else { 3 });
        let text = Some(label(&self.trace.header, message))
            .filter(|l| width(l) <= room)
            .unwrap_or(message.id.to_string());
        let before = (self.pitch.saturating_sub(1 + width(&text)) / 2).max(1);
        let start = match right {
            true => source + 1 + before,
            false => source - self.pitch + 1 + before + usize::from(high - low == self.pitch && before == 1),
        };
        line.write(start, &text, paint);
        Some(if right { -1 } else { 1 })
    }

    /// Draw the event itself, with the messages that it sends on the side without an incoming arrow.
    fn node(&self, line: &mut Line, event: &TraceEvent, side: Option<i32>) {
        let g = self.glyphs;
        let x = self.column[&event.process];
        let glyph = match (event.change("halted"), event.change("up"), &event.choice.cause) {
            (Some("true"), ..) => g.halt,
            (_, Some("false"), _) => g.crash,
            (.., Cause::Start) => g.start,
            (.., Cause::Restart) => g.restart,
            (.., Cause::Timeout) => g.timeout,
            _ => g.event,
        };
        line.put(x, glyph, self.color(event.process));
        if event.sent.is_empty() || self.compact {
            return;
        }
        let towards = |m: &Message| self.column.get(&m.peer).is_some_and(|to| *to < x);
        let leftwards = match side {
            Some(side) => side > 0,
            None => event.sent.iter().all(towards),
        };
        let paint = self.color(event.process);
        // To the left of the first lifeline are the numbers of the events.
        let room = if leftwards { x - 1 - (self.digits + 1).min(x - 1) } else { usize::MAX };
        let text = truncated(&numbers(&event.sent), room.min(self.pitch - 3), g.ellipsis);
        if leftwards {
            line.put(x - 1, g.stub_left, paint);
            line.write((x - 1).saturating_sub(width(&text)), &text, paint);
        } else {
            line.put(x + 1, g.stub_right, paint);
            line.write(x + 2, &text, paint);
        }
    }

    /// Write the notes to the right: a violation, the action, changes, observations, and special message orders.
    fn notes(&self, line: &mut Line, event: &'a TraceEvent) {
        let g = self.glyphs;
        let violation = self.trace.header.violation_at(event.index);
        let violation = violation.map(|text| (format!("{}{text}", g.violated), 31));
        let mut notes: Vec<(String, SgrCode)> = violation.into_iter().collect();
        if self.compact {
            notes.extend(self.in_words(event));
        }
        notes.extend(event.at.map(|at| (format!("t={at}"), DIM)));
        // In the compact form, messages imply the action; and the effects of a crash identify it.
        let told = self.compact && !event.received.is_empty() || changes_describe_action(event);
        notes.extend((!told).then(|| (self.trace.header.shown_action(event).into_owned(), DIM)));
        notes.extend(event.copied.map(|original| (format!("copy of {original}"), 31)));
        for change in &event.changes {
            notes.push(match (change.name.as_str(), change.value.as_str()) {
                ("state", state) => (format!("{}{state}", g.becomes), BOLD),
                ("halted", "true") => ("halts".into(), BOLD),
                ("up", "false") => ("crashes".into(), 31),
                ("up", _) => ("restarts".into(), BOLD),
                (name, value) => {
                    let output = self.options.outputs.iter().any(|o| o == name);
                    let value = self.trace.header.shown(value);
                    (format!("{name}={value}"), if output { BOLD } else { PLAIN })
                }
            });
        }
        if let Some(with) = &event.with {
            let name = self.trace.header.name(with.process);
            notes.push((format!("with {name}"), DIM));
            let header = &self.trace.header;
            let changes = with.changes.iter();
            notes.extend(changes.map(|c| (format!("{name}.{}={}", c.name, header.shown(&c.value)), PLAIN)));
        }
        notes.extend(
            event.observations.iter().map(|o| (format!("{}{}", g.seen, self.trace.header.shown(o)), BOLD)),
        );
        // In rounds messages always cross.
        let rounds = matches!(event.choice.cause, Cause::Round { .. });
        for message in event.received.iter().filter(|_| !rounds && !self.compact) {
            notes.extend(self.oddities(message, event.process).into_iter().map(|text| (text, 31)));
        }
        let hidden = |m: &&Message| !self.compact && !self.column.contains_key(&m.peer);
        for m in event.sent.iter().filter(hidden) {
            notes.push((format!("{} {} {}", m.id, g.to, self.trace.header.name(m.peer)), DIM));
        }
        let mut at = self.notes_column();
        for (text, paint) in notes {
            let room = self.options.width.saturating_sub(at);
            let text = truncated(&text, room, g.ellipsis);
            line.write(at, &text, paint);
            at += width(&text) + 2;
            if width(&text) == room {
                break;
            }
        }
    }

    /// Return the sort key of a message in a channel: a copy, whatever its number, directly follows its original.
    fn turn(&self, message: MessageId) -> (MessageId, MessageId) {
        (self.copies.get(&message).copied().unwrap_or(message), message)
    }

    /// Return the special features of a message: to the sender itself, from a process not drawn, overtaking or crossing another.
    fn oddities(&self, message: &Message, to: ProcessId) -> Vec<String> {
        let from = message.peer;
        let mut odd = Vec::new();
        if from == to {
            odd.push(format!("{} from itself", message.id));
        } else if !self.column.contains_key(&from) {
            odd.push(format!("{} from {}", message.id, self.trace.header.name(from)));
        }
        let Some((_, _)) = self.flight.get(&message.id) else {
            return odd;
        };
        let mut passed: Vec<MessageId> = Vec::new();
        let mut crossed: Vec<MessageId> = Vec::new();
        for (id, (sender, other)) in &self.flight {
            if from != to && *sender == from && other.peer == to && self.turn(*id) < self.turn(message.id) {
                passed.push(*id);
            }
            if from != to && *sender == to && other.peer == from {
                crossed.push(*id);
            }
        }
        for (word, mut ids) in [("overtakes", passed), ("crosses", crossed)] {
            ids.sort_unstable();
            let named: Vec<String> = ids.iter().take(3).map(|id| id.to_string()).collect();
            if !named.is_empty() {
                let more = if ids.len() > 3 { self.glyphs.ellipsis } else { "" };
                odd.push(format!("{} {word} {}{more}", message.id, named.join(", ")));
            }
        }
        odd
    }

    /// Update the state of the drawing after an event.
    fn advance(&mut self, event: &'a TraceEvent) {
        let p = event.process.index();
        for change in event.with.iter().flat_map(|with| &with.changes).filter(|c| c.name == "state") {
            let q = event.with.as_ref().map_or(p, |with| with.process.index());
            self.state[q] = &change.value;
        }
        if let Some(state) = event.change("state") {
            self.state[p] = state;
        }
        if let Some(halted) = event.change("halted") {
            self.ended[p] = halted == "true";
        }
        if let Some(up) = event.change("up") {
            self.ended[p] = up == "false";
        }
        for m in &event.sent {
            if let Some(original) = event.copied {
                self.copies.insert(m.id, self.turn(original).0);
            }
            self.flight.insert(m.id, (event.process, m));
        }
        for m in event.received.iter().chain(&event.lost) {
            self.flight.remove(&m.id);
        }
    }

    /// Return the first column to the right of the last lifeline and its labels.
    fn notes_column(&self) -> usize {
        let last = self.digits + 2 + self.pitch / 2 + self.visible.len().saturating_sub(1) * self.pitch;
        last + (self.pitch / 2 + 1).max(self.overhang)
    }

    fn life(&self, process: ProcessId) -> &'static Life {
        let state = self.state[process.index()];
        let at = self.states.iter().position(|s| *s == state).unwrap_or(0);
        self.glyphs.lives.get(at).unwrap_or(&self.glyphs.lives[0])
    }

    fn color(&self, process: ProcessId) -> SgrCode {
        COLORS[process.index() % COLORS.len()]
    }
}

impl Glyphs {
    fn head_right_or_left(&self, right: bool) -> char {
        if right { self.head_right } else { self.head_left }
    }
}

/// Return the processes that act in a part of a run, by position.
fn acting_processes(trace: &Trace, part: &Range<usize>) -> Vec<ProcessId> {
    let events = trace.events.get(part.start..part.end.min(trace.events.len())).unwrap_or(&[]);
    let both = |e: &TraceEvent| std::iter::once(e.process).chain(e.with.as_ref().map(|with| with.process));
    let all: std::collections::BTreeSet<ProcessId> = events.iter().flat_map(both).collect();
    all.into_iter().collect()
}

/// Return the label of a message: `m4 Request(1)`.
fn label(header: &Header, message: &Message) -> String {
    format!("{} {}", message.id, header.shown(&message.text))
}

/// Return the numbers of messages: `m4`, `m4,m7`, `m4..m9`.
fn numbers(sent: &[Message]) -> String {
    let consecutive = sent.windows(2).all(|pair| pair[0].id.plus(1) == pair[1].id);
    match sent {
        [first, .., last] if consecutive && sent.len() > 2 => format!("{}..{}", first.id, last.id),
        all => all.iter().map(|m| m.id.to_string()).collect::<Vec<_>>().join(","),
    }
}

/// Return whether the changes of an event already describe its action.
fn changes_describe_action(event: &TraceEvent) -> bool {
    match event.choice.cause {
        Cause::Crash => event.change("up").is_some(),
        Cause::Restart => event.change("up") == Some("true"),
        _ => false,
    }
}
