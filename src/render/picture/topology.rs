//! Configurations in the plane, as in the literature on elections: vertices are processes, and messages in transit are written at
//! the arrows of their channels.
//!
//! A vertex is filled if the process is passive, and labelled with the values of a few variables. The messages of a channel are
//! listed at its arrow in the order of sending, separated by semicolons.

use super::boxes::{Box, LabelSpace};
use super::chart::Chart;
use super::choice::{DrawSelection, filled_states};
use super::marks::{cross, head};
use super::moment::{BUILTIN_VARIABLES, Moment};
use super::stage::{DrawnChannel, NetworkLayout};
use super::style::kind_class;
use super::svg::{self, text_width, truncated};
use crate::ids::ProcessId;
use crate::render::picture::geometry::unit_vector;
use crate::trace::Trace;
use crate::xml::element;
use std::collections::{BTreeMap, BTreeSet};

const LABEL: f64 = 11.0;
/// The maximum length of a value, in characters; longer ones are truncated.
const VALUE_LETTERS: usize = 12;
/// The maximum length of the contents of a channel, in characters; longer ones are truncated.
const CHANNEL_LETTERS: usize = 34;
/// The maximum length of the contents of a channel in a note below the picture, in characters.
const NOTE_LETTERS: usize = 90;
/// The maximum number of notes.
const MOST_NOTES: usize = 40;
/// Vertices of larger networks have no labels.
const MOST_LABELLED: usize = 60;

/// The parts that all frames of one run share.
pub struct Scene<'c, 'a> {
    pub chart: &'c Chart<'a>,
    pub stage: &'c NetworkLayout,
    pub variables: Vec<&'a str>,
    pub gives_way: Vec<bool>,
    pub kinds: Vec<&'a str>,
    pub anonymous: bool,
    choice: &'c DrawSelection,
}

/// A frame in its own coordinates, and its extent.
pub struct Frame {
    pub body: String,
    pub low: (f64, f64),
    pub high: (f64, f64),
}

impl Frame {
    pub fn holds(&mut self, b: &Box) {
        let (w, h) = b.extent();
        self.low = (self.low.0.min(b.x - w), self.low.1.min(b.y - h));
        self.high = (self.high.0.max(b.x + w), self.high.1.max(b.y + h));
    }

    /// Add lines below the frame, in as many columns as fit.
    fn notes(&mut self, notes: &[String]) {
        let Some(widest) = notes.iter().map(|note| text_width(note, LABEL)).reduce(f64::max) else { return };
        let (left, top, column) = (self.low.0, self.high.1 + 22.0, widest + 18.0);
        let columns = (((self.high.0 - left) / column) as usize).clamp(1, notes.len());
        let rows = notes.len().div_ceil(columns);
        for (i, note) in notes.iter().enumerate() {
            let (x, y) = (left + column * (i / rows) as f64, top + 14.0 * (i % rows) as f64);
            self.body += &svg::text("small", x, y + 4.0, note).to_string();
            self.holds(&Box::upright(x + widest / 2.0, y, widest, 13.0));
        }
    }
}

impl<'c, 'a> Scene<'c, 'a> {
    pub fn new(
        chart: &'c Chart<'a>,
        stage: &'c NetworkLayout,
        choice: &'c DrawSelection,
        facts: &ProgramFacts,
    ) -> Scene<'c, 'a> {
        Scene {
            variables: label_variables(chart.trace, choice, &facts.outputs),
            gives_way: filled_states(&chart.states, choice.filled.as_deref()),
            kinds: chart.kinds(),
            anonymous: facts.anonymous,
            chart,
            stage,
            choice,
        }
    }

    /// Return the values of a vertex: `(4, 1, 3)`.
    pub fn values(&self, moment: &Moment, p: ProcessId) -> String {
        let shown = self.variables.iter().filter_map(|name| {
            let value = moment.value(p, name)?;
            Some(if value == "unset" { "–".into() } else { truncated(value, VALUE_LETTERS) })
        });
        let shown: Vec<String> = shown.collect();
        match shown.as_slice() {
            [] => String::new(),
            [one] => one.clone(),
            all => format!("({})", all.join(", ")),
        }
    }

    /// Return the messages in transit, by channel.
    pub fn channels(&self, position: usize) -> BTreeMap<(ProcessId, ProcessId), Vec<(&'a str, &'a str)>> {
        let mut channels: BTreeMap<(ProcessId, ProcessId), Vec<(&str, &str)>> = BTreeMap::new();
        for flight in self.chart.in_transit(position).filter(|f| f.id.is_some() && self.choice.wants(f.text))
        {
            channels.entry((flight.from, flight.to)).or_default().push((flight.text, flight.kind()));
        }
        channels
    }

    /// Draw the configuration of a moment.
    pub fn frame(&self, moment: &Moment) -> Frame {
        let (low, high) = self.stage.bounds();
        let r = self.stage.radius + 4.0;
        let mut frame =
            Frame { body: String::new(), low: (low.0 - r, low.1 - r), high: (high.0 + r, high.1 + r) };
        let mut room = LabelSpace::default();
        for (x, y) in &self.stage.places {
            room.taken.add(Box::upright(*x, *y, 2.0 * r, 2.0 * r));
        }
        let ways = self.stage.ways.iter().flat_map(|way| way.points.windows(2));
        ways.for_each(|ends| room.line(ends[0], ends[1]));
        self.edges(&mut frame);
        let vertices = self.vertices(moment, &mut frame, &mut room);
        self.messages(moment.position, &mut frame, &mut room);
        frame.body += &vertices;
        frame
    }

    pub fn edges(&self, frame: &mut Frame) {
        for edge in &self.stage.edges {
            frame.body += &svg::path("edge", &edge.path).to_string();
            if let Some(way) = edge.one_way.map(|i| &self.stage.ways[i]) {
                frame.body += &head(way.tip.0, way.tip.1, way.direction, "head");
                frame.holds(&Box::upright(way.tip.0, way.tip.1, 8.0, 8.0));
            }
        }
        // Loops and the ends of edges that leave the picture extend beyond the vertices.
        for way in &self.stage.ways {
            frame.holds(&Box::upright(way.label.0, way.label.1, 8.0, 8.0));
        }
    }

    fn messages(&self, position: usize, frame: &mut Frame, room: &mut LabelSpace) {
        let mut labels = String::new();
        let (mut notes, mut untold): (Vec<String>, usize) = (Vec::new(), 0);
        let channels = self.channels(position);
        let ways: Vec<DrawnChannel> =
            channels.keys().map(|(from, to)| self.stage.channel_or_straight(*from, *to)).collect();
        for way in &ways {
            // Channels without an edge of their own also take space.
            if self.stage.channel(way.from, way.to).is_none() {
                way.points.windows(2).for_each(|ends| room.line(ends[0], ends[1]));
            }
            let (bx, by) = (way.tip.0 - 4.0 * way.direction.0, way.tip.1 - 4.0 * way.direction.1);
            room.taken.add(Box { x: bx, y: by, half: (5.0, 4.0), along: way.direction });
        }
        for (((from, to), contents), way) in channels.iter().zip(&ways) {
            let kind = kind_class(&self.kinds, contents[0].1);
            let texts: Vec<&str> = contents.iter().map(|(text, _)| bare(text)).collect();
            let all = texts.join("; ");
            let tooltip = || svg::title(&format!("in transit: {all}"));
            frame.body += &svg::path(&format!("a {kind}"), &way.path).markup(tooltip()).to_string();
            frame.body += &head(way.tip.0, way.tip.1, way.direction, &kind);
            let mut text = truncated(&all, CHANNEL_LETTERS);
            let mut class = "small middle halo";
            // The opposite side may have another arrow with its own label: then the label keeps to its side.
            let sides: &[f64] = if channels.contains_key(&(*to, *from)) { &[1.0] } else { &[1.0, -1.0] };
            let mut found = room.best(beside(way, sides, text_width(&text, LABEL)));
            if found.is_none_or(|(_, is_clear)| !is_clear) {
                // There is no space: a number refers to a note below.
                if notes.len() == MOST_NOTES {
                    untold += 1;
                    continue;
                }
                let header = &self.chart.trace.header;
                let number = notes.len() + 1;
                let what = format!("{number}  {} → {}: {all}", header.name(*from), header.name(*to));
                notes.push(truncated(&what, NOTE_LETTERS));
                text = number.to_string();
                class = "small middle halo note";
                found = room.best(beside(way, sides, text_width(&text, LABEL) + 2.0));
            }
            let Some((b, _)) = found else { continue };
            room.taken.add(b);
            frame.holds(&b);
            let label = svg::text(&format!("{class} {kind}"), b.x, b.y + 4.0, &text);
            labels += &label.markup(tooltip()).to_string();
        }
        frame.body += &labels;
        if untold > 0 {
            notes.push(format!("and {untold} more channels, omitted for lack of space"));
        }
        frame.notes(&notes);
    }

    fn vertices(&self, moment: &Moment, frame: &mut Frame, room: &mut LabelSpace) -> String {
        let mut out = String::new();
        let acting = moment.position.checked_sub(1).map(|e| &self.chart.trace.events[e]);
        let small = self.stage.places.len() > MOST_LABELLED;
        for p in self.chart.trace.processes() {
            let (x, y) = self.stage.places[p.index()];
            let acts = acting.is_some_and(|e| super::chart::both(e).any(|q| q == p));
            out += &self.vertex(moment, p, acts);
            if small {
                continue;
            }
            let text = self.values(moment, p);
            let name = self.beside(p);
            let fresh = moment.changed.iter().any(|(q, name)| *q == p && self.variables.contains(name));
            let rows: Vec<(&str, String)> = [
                ("small quiet middle halo", name),
                (if fresh { "small middle halo fresh" } else { "small middle halo" }, text),
            ]
            .into_iter()
            .filter(|(_, text)| !text.is_empty())
            .collect();
            if rows.is_empty() {
                continue;
            }
            let width = rows.iter().map(|(_, text)| text_width(text, LABEL)).fold(0.0, f64::max);
            let height = 13.0 * rows.len() as f64;
            let away = self.stage.radius + 5.0;
            let place = |(ux, uy): (f64, f64), away: f64| {
                let x = x + ux * away + aside(ux) * width / 2.0;
                Box::upright(x, y + uy * away + aside(uy) * height / 2.0, width, height)
            };
            let widest = self.stage.room[p.index()];
            let around = || (0..16).map(|k| unit_vector(f64::from((k * 8 + k / 2) % 16) / 16.0));
            let near = [widest].into_iter().chain(around()).map(|d| place(d, away));
            let Some((b, _)) = room.best(near.chain(around().map(|d| place(d, away * 1.6)))) else {
                continue;
            };
            room.taken.add(b);
            frame.holds(&b);
            for (i, (class, text)) in rows.iter().enumerate() {
                let y = b.y - height / 2.0 + 13.0 * i as f64 + 10.0;
                out += &svg::text(class, b.x, y, text).to_string();
            }
        }
        out
    }

    /// Draw one vertex with its content.
    pub fn vertex(&self, moment: &Moment, p: ProcessId, acts: bool) -> String {
        let (x, y) = self.stage.places[p.index()];
        let r = self.stage.radius;
        let state = moment.state(p).and_then(|s| self.chart.states.iter().position(|t| *t == s));
        let filled = state.is_some_and(|s| self.gives_way[s]);
        let fill = match state.filter(|_| self.chart.states.len() > 1) {
            _ if filled => "filled".to_string(),
            Some(s) => format!("s{s}"),
            None => "plain".into(),
        };
        let now = if acts { " now" } else { "" };
        let mut group = element("g").with("class", "v").markup(svg::title(&self.described(moment, p)));
        let circle = svg::circle(&format!("vertex {fill}{now}"), x, y, r);
        group = group.markup(if moment.is_up(p) { circle } else { circle.with("stroke-dasharray", "3 3") });
        if moment.has_halted(p) {
            group = group.markup(svg::circle("line", x, y, r + 3.2));
        }
        if r >= 9.0 {
            let inside = self.inside(p);
            let room = ((2.0 * r - 4.0) / (12.0 * 0.58)) as usize;
            let class = if filled { "name middle on" } else { "name middle" };
            group = group.markup(svg::text(class, x, y + 4.2, &truncated(&inside, room)));
        }
        if !moment.is_up(p) {
            group = group.markup(cross(x, y, r * 0.72, "bad"));
        }
        group.to_string()
    }

    /// Return the text inside a vertex: its id, or its position if there are no ids.
    fn inside(&self, p: ProcessId) -> String {
        match self.anonymous {
            true => self.chart.trace.header.name(p),
            false => self.chart.trace.header.ids[p.index()].to_string(),
        }
    }

    fn beside(&self, p: ProcessId) -> String {
        if self.anonymous { String::new() } else { truncated(&self.chart.trace.header.name(p), 20) }
    }

    fn described(&self, moment: &Moment, p: ProcessId) -> String {
        let header = &self.chart.trace.header;
        let mut words = vec![format!("{}, id {}", header.name(p), header.ids[p.index()])];
        words.extend(header.roles.get(p.index()).cloned());
        words.extend(moment.variables[p.index()].iter().map(|(name, value)| format!("{name} = {value}")));
        words.join(" · ")
    }

    /// Return the last event, as the caption of a frame.
    pub fn caption(&self, position: usize) -> String {
        let trace = self.chart.trace;
        match position.checked_sub(1) {
            None => "initial configuration".into(),
            Some(e) => {
                let event = &trace.events[e];
                let at = event.at.map_or(String::new(), |at| format!(" · time {at}"));
                format!("after event {e}: {} · {}{at}", trace.header.name(event.process), event.action)
            }
        }
    }

    /// Return the legend of vertices and their labels, in lines.
    pub fn legend(&self) -> Vec<String> {
        let mut lines = Vec::new();
        if self.stage.places.len() <= MOST_LABELLED {
            lines.extend(label_legend(self.chart.trace, &self.variables));
        }
        let filled: Vec<&str> =
            self.chart.states.iter().zip(&self.gives_way).filter(|(_, f)| **f).map(|(s, _)| *s).collect();
        if !filled.is_empty() {
            lines.push(format!("filled: {}", filled.join(", ")));
        }
        if self.stage.too_many_edges {
            lines.push("too many edges to draw: only channels with messages in transit are shown".into());
        }
        lines
    }

    /// Return the swatches of the states whose vertices have a tint, with their width.
    pub fn swatches(&self, x: f64, y: f64) -> (String, f64) {
        let mut out = String::new();
        let mut at = x;
        if self.chart.states.len() > 1 {
            for (i, state) in self.chart.states.iter().enumerate() {
                let fill = if self.gives_way[i] { "filled".to_string() } else { format!("s{i}") };
                out += &svg::circle(&format!("vertex {fill}"), at + 6.0, y, 6.0).to_string();
                out += &svg::text("small", at + 17.0, y + 3.8, state).to_string();
                at += 17.0 + text_width(state, LABEL) + 16.0;
            }
        }
        (out, at)
    }
}

/// Return the variables shown beside the processes, in lines: one line per role if roles have different variables.
pub fn label_legend(trace: &Trace, variables: &[&str]) -> Vec<String> {
    let first = Moment::initial(trace);
    let mut own: Vec<BTreeSet<&str>> = trace
        .processes()
        .map(|p| variables.iter().copied().filter(|v| first.value(p, v).is_some()).collect())
        .collect();
    for event in &trace.events {
        let also = event.with.iter().map(|with| (with.process, &with.changes));
        for (process, changes) in also.chain([(event.process, &event.changes)]) {
            let known = changes.iter().filter_map(|c| variables.iter().copied().find(|v| *v == c.name));
            own[process.index()].extend(known);
        }
    }
    let line = |whom: &str, own: &BTreeSet<&str>| {
        let shown: Vec<&str> = variables.iter().copied().filter(|v| own.contains(v)).collect();
        match shown.as_slice() {
            [] => None,
            [one] => Some(format!("beside {whom}: {one}")),
            all => Some(format!("beside {whom}: ({})", all.join(", "))),
        }
    };
    let roles = &trace.header.roles;
    if roles.len() < own.len() || own.windows(2).all(|two| two[0] == two[1]) {
        let all = own.into_iter().flatten().collect();
        return line("each process", &all).into_iter().collect();
    }
    let mut of_roles: Vec<(&str, usize, BTreeSet<&str>)> = Vec::new();
    for (role, own) in roles.iter().zip(own) {
        match of_roles.iter_mut().find(|(known, ..)| known == role) {
            Some((_, processes, all)) => {
                *processes += 1;
                all.extend(own);
            }
            None => of_roles.push((role, 1, own)),
        }
    }
    let whom = |role: &str, processes| match processes {
        1 => role.to_string(),
        _ => format!("each {role}"),
    };
    of_roles.iter().filter_map(|(role, processes, own)| line(&whom(role, *processes), own)).collect()
}

/// Facts about the program that the trace does not contain.
#[derive(Clone, Debug, Default)]
pub struct ProgramFacts {
    pub outputs: Vec<String>,
    pub anonymous: bool,
}

/// Return the boxes for the contents of a channel: along its arrow, on the side with free space, then on the other side.
fn beside(way: &DrawnChannel, sides: &[f64], width: f64) -> Vec<Box> {
    let mut lengths = vec![0.0];
    for ends in way.points.windows(2) {
        let piece = ((ends[1].0 - ends[0].0).powi(2) + (ends[1].1 - ends[0].1).powi(2)).sqrt();
        lengths.push(lengths[lengths.len() - 1] + piece);
    }
    let all = lengths[lengths.len() - 1].max(0.1);
    let at = |part: f64, side: f64| {
        let wanted = part * all;
        let piece = (1..way.points.len().saturating_sub(1)).find(|i| lengths[*i] >= wanted);
        let piece = piece.unwrap_or(way.points.len() - 1);
        let ((x0, y0), (x1, y1)) = (way.points[piece - 1], way.points[piece]);
        let length = (lengths[piece] - lengths[piece - 1]).max(0.1);
        let (ux, uy) = ((x1 - x0) / length, (y1 - y0) / length);
        let along = wanted - lengths[piece - 1];
        // The side with free space is to the left or to the right of the whole arrow.
        let right = if way.side.1 * ux - way.side.0 * uy >= 0.0 { side } else { -side };
        let (sx, sy) = (-uy * right, ux * right);
        // The offset is the width of the text in that direction. On the other side, the reverse line is in between.
        let out = 6.0 + sx.abs() * width / 2.0 + sy.abs() * 6.5 + if side < 0.0 { 11.0 } else { 0.0 };
        Box::upright(x0 + ux * along + sx * out, y0 + uy * along + sy * out, width, 12.0)
    };
    let first = Box::upright(
        way.label.0 + way.side.0 * (4.0 + way.side.0.abs() * width / 2.0 + way.side.1.abs() * 6.5),
        way.label.1 + way.side.1 * (4.0 + way.side.0.abs() * width / 2.0 + way.side.1.abs() * 6.5),
        width,
        12.0,
    );
    let parts = [0.5, 0.42, 0.58, 0.34, 0.66, 0.26, 0.74, 0.18, 0.82];
    let along = sides.iter().flat_map(|side| parts.map(|part| at(part, *side)));
    [first].into_iter().chain(along).collect()
}

/// Return how far a label is shifted away from its target, as a fraction of its own extent in a direction.
pub fn aside(component: f64) -> f64 {
    (component / 0.38).clamp(-1.0, 1.0)
}

/// Return `4` for the bare value `(4)`.
fn bare(text: &str) -> &str {
    text.strip_prefix('(').and_then(|t| t.strip_suffix(')')).unwrap_or(text)
}

/// Return the variables that label the vertices: those requested, else the first three that change and stay short. The outputs
/// come last, since a program's own variables are more informative.
pub fn label_variables<'a>(trace: &'a Trace, choice: &DrawSelection, outputs: &[String]) -> Vec<&'a str> {
    let changes =
        || trace.events.iter().flat_map(|e| e.changes.iter().chain(e.with.iter().flat_map(|w| &w.changes)));
    let mut names: Vec<&str> = Vec::new();
    for change in trace.header.initial.iter().flatten().chain(changes()) {
        if !names.contains(&change.name.as_str()) {
            names.push(&change.name);
        }
    }
    if let Some(wanted) = &choice.variables {
        return wanted.iter().filter_map(|w| names.iter().copied().find(|n| n == w)).collect();
    }
    let mut short: BTreeMap<&str, bool> = BTreeMap::new();
    for change in changes() {
        let fits = crate::render::canvas::width(&change.value) <= VALUE_LETTERS;
        short.entry(&change.name).and_modify(|s| *s &= fits).or_insert(fits);
    }
    let useful = |name: &&str| !BUILTIN_VARIABLES.contains(name) && short.get(name) == Some(&true);
    let (given_out, own): (Vec<&str>, Vec<&str>) =
        names.into_iter().filter(useful).partition(|name| outputs.iter().any(|o| o == name));
    own.into_iter().chain(given_out).take(3).collect()
}
