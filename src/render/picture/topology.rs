//! Configurations in the plane, as in the literature on elections: vertices are processes, and at the arrows stands
//! what is under way on the channels.
//!
//! A vertex is filled where the process gives way, labelled with the values of a few variables, and the messages of
//! a channel stand at its arrow in the order of sending, separated by semicolons.

use super::boxes::{Box, Taken};
use super::chart::Chart;
use super::choice::{Choice, filled_states};
use super::layout::turn;
use super::marks::{cross, head, title};
use super::moment::{Moment, OWN};
use super::stage::Stage;
use super::style::kind_class;
use super::xml::{cut, escape, num, wide};
use crate::trace::Trace;
use std::collections::BTreeMap;

const LABEL: f64 = 11.0;
/// Values longer than this are cut.
const VALUE_LETTERS: usize = 12;
/// Contents of a channel longer than this are cut.
const CHANNEL_LETTERS: usize = 34;
/// Vertices of larger networks have no labels.
const MOST_LABELLED: usize = 60;

/// What all frames of one run share.
pub struct Scene<'c, 'a> {
    pub chart: &'c Chart<'a>,
    pub stage: &'c Stage,
    pub variables: Vec<&'a str>,
    pub gives_way: Vec<bool>,
    pub kinds: Vec<&'a str>,
    pub anonymous: bool,
    choice: &'c Choice,
}

/// A frame in its own coordinates, and what it takes up.
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
}

impl<'c, 'a> Scene<'c, 'a> {
    pub fn new(chart: &'c Chart<'a>, stage: &'c Stage, choice: &'c Choice, facts: &Facts) -> Scene<'c, 'a> {
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

    /// `(4, 1, 3)`
    pub fn values(&self, moment: &Moment, p: u32) -> String {
        let shown = self.variables.iter().filter_map(|name| {
            let value = moment.value(p, name)?;
            Some(if value == "unset" { "–".into() } else { cut(value, VALUE_LETTERS) })
        });
        let shown: Vec<String> = shown.collect();
        match shown.as_slice() {
            [] => String::new(),
            [one] => one.clone(),
            all => format!("({})", all.join(", ")),
        }
    }

    /// Messages under way, by channel.
    pub fn channels(&self, position: usize) -> BTreeMap<(u32, u32), Vec<(&'a str, &'a str)>> {
        let mut channels: BTreeMap<(u32, u32), Vec<(&str, &str)>> = BTreeMap::new();
        for flight in self.chart.under_way(position).filter(|f| f.id.is_some() && self.choice.wants(f.text)) {
            channels.entry((flight.from, flight.to)).or_default().push((flight.text, flight.kind()));
        }
        channels
    }

    /// The configuration after so many events.
    pub fn frame(&self, moment: &Moment) -> Frame {
        let (low, high) = self.stage.bounds();
        let r = self.stage.radius + 4.0;
        let mut frame =
            Frame { body: String::new(), low: (low.0 - r, low.1 - r), high: (high.0 + r, high.1 + r) };
        let mut taken = Taken::default();
        // Boxes are looked for from 0 on.
        let shift = -frame.low.0 + 400.0;
        for (x, y) in &self.stage.places {
            taken.add(Box::upright(x + shift, *y, 2.0 * r, 2.0 * r));
        }
        self.edges(&mut frame);
        let lines = self.lines(shift);
        let vertices = self.vertices(moment, &mut frame, &mut taken, &lines, shift);
        self.messages(moment.position, &mut frame, &mut taken, &lines, shift);
        frame.body += &vertices;
        frame
    }

    pub fn edges(&self, frame: &mut Frame) {
        for edge in &self.stage.edges {
            frame.body += &format!("<path class=\"edge\" d=\"{}\"/>", edge.path);
            if let Some(way) = edge.one_way.map(|i| &self.stage.ways[i]) {
                frame.body += &head(way.tip.0, way.tip.1, way.direction, "head");
                frame.holds(&Box::upright(way.tip.0, way.tip.1, 8.0, 8.0));
            }
        }
        // Loops and the ends of edges that leave the picture stick out.
        for way in &self.stage.ways {
            frame.holds(&Box::upright(way.label.0, way.label.1, 8.0, 8.0));
        }
    }

    /// Straight edges, that labels should not lie on.
    fn lines(&self, shift: f64) -> Taken {
        let mut lines = Taken::default();
        for way in self.stage.ways.iter().filter(|way| way.is_straight) {
            let ((x0, y0), (x1, y1)) =
                (self.stage.places[way.from as usize], self.stage.places[way.to as usize]);
            let length = ((x1 - x0).powi(2) + (y1 - y0).powi(2)).sqrt().max(1.0);
            let along = ((x1 - x0) / length, (y1 - y0) / length);
            let (x, y) = ((x0 + x1) / 2.0 + shift, (y0 + y1) / 2.0);
            lines.add(Box { x, y, half: (length / 2.0, 0.5), along });
        }
        lines
    }

    fn messages(&self, position: usize, frame: &mut Frame, taken: &mut Taken, lines: &Taken, shift: f64) {
        let mut labels = String::new();
        for ((from, to), contents) in self.channels(position) {
            let way = self.stage.way_or_straight(from, to);
            let kind = kind_class(&self.kinds, contents[0].1);
            frame.body += &format!("<path class=\"a {kind}\" d=\"{}\"/>", way.path);
            frame.body += &head(way.tip.0, way.tip.1, way.direction, &kind);
            let texts: Vec<&str> = contents.iter().map(|(text, _)| bare(text)).collect();
            let text = cut(&texts.join("; "), CHANNEL_LETTERS);
            let width = wide(&text, LABEL);
            let place = |slide: f64, side: f64| {
                let (sx, sy) = (way.side.0 * side, way.side.1 * side);
                let (ax, ay) = (-way.side.1, way.side.0);
                // Beside the arrow: as far out as the text is wide in that direction. On the other side the line is in between.
                let out = 4.0 + sx.abs() * width / 2.0 + sy.abs() * 6.5 + if side < 0.0 { 14.0 } else { 0.0 };
                let x = way.label.0 + ax * slide + sx * out;
                let y = way.label.1 + ay * slide + sy * out;
                Box::upright(x + shift, y, width, 12.0)
            };
            let slides = [0.0, 12.0, -12.0, 24.0, -24.0, 36.0, -36.0, 48.0, -48.0];
            let candidates: Vec<Box> =
                [1.0, -1.0].into_iter().flat_map(|side| slides.map(|slide| place(slide, side))).collect();
            let clear: Vec<Box> = candidates.iter().copied().filter(|b| lines.is_free(b)).collect();
            // What is under way has to be read: if there is no room, it lies upon something.
            let b = taken.first_free(clear.into_iter().chain(candidates)).unwrap_or_else(|| place(0.0, 1.0));
            taken.add(b);
            let b = Box { x: b.x - shift, ..b };
            frame.holds(&b);
            let all = title(&format!("under way: {}", texts.join("; ")));
            labels += &format!(
                "<text class=\"small middle halo {kind}\" x=\"{}\" y=\"{}\">{}{all}</text>",
                num(b.x),
                num(b.y + 4.0),
                escape(&text)
            );
        }
        frame.body += &labels;
    }

    fn vertices(
        &self,
        moment: &Moment,
        frame: &mut Frame,
        taken: &mut Taken,
        lines: &Taken,
        shift: f64,
    ) -> String {
        let mut out = String::new();
        let acting = moment.position.checked_sub(1).map(|e| &self.chart.trace.events[e]);
        let small = self.stage.places.len() > MOST_LABELLED;
        for p in 0..self.stage.places.len() as u32 {
            let (x, y) = self.stage.places[p as usize];
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
            let width = rows.iter().map(|(_, text)| wide(text, LABEL)).fold(0.0, f64::max);
            let height = 13.0 * rows.len() as f64;
            let away = self.stage.radius + 5.0;
            let place = |(ux, uy): (f64, f64), away: f64| {
                let x = x + ux * away + aside(ux) * width / 2.0 + shift;
                Box::upright(x, y + uy * away + aside(uy) * height / 2.0, width, height)
            };
            let room = self.stage.room[p as usize];
            let around = || (0..16).map(|k| turn(f64::from((k * 8 + k / 2) % 16) / 16.0));
            let near = [room].into_iter().chain(around()).map(|d| place(d, away));
            let candidates: Vec<Box> = near.chain(around().map(|d| place(d, away * 1.6))).collect();
            let clear: Vec<Box> = candidates.iter().copied().filter(|b| lines.is_free(b)).collect();
            let first = candidates[0];
            let b = taken.first_free(clear.into_iter().chain(candidates)).unwrap_or(first);
            taken.add(b);
            let b = Box { x: b.x - shift, ..b };
            frame.holds(&b);
            for (i, (class, text)) in rows.iter().enumerate() {
                let y = b.y - height / 2.0 + 13.0 * i as f64 + 10.0;
                out += &format!(
                    "<text class=\"{class}\" x=\"{}\" y=\"{}\">{}</text>",
                    num(b.x),
                    num(y),
                    escape(text)
                );
            }
        }
        out
    }

    /// One vertex, with what stands in it.
    pub fn vertex(&self, moment: &Moment, p: u32, acts: bool) -> String {
        let (x, y) = self.stage.places[p as usize];
        let r = self.stage.radius;
        let state = moment.state(p).and_then(|s| self.chart.states.iter().position(|t| *t == s));
        let filled = state.is_some_and(|s| self.gives_way[s]);
        let fill = match state.filter(|_| self.chart.states.len() > 1) {
            _ if filled => "filled".to_string(),
            Some(s) => format!("s{s}"),
            None => "plain".into(),
        };
        let now = if acts { " now" } else { "" };
        let mut out = format!("<g class=\"v\">{}", title(&self.described(moment, p)));
        let dashed = if moment.is_up(p) { "" } else { " stroke-dasharray=\"3 3\"" };
        out += &format!(
            "<circle class=\"vertex {fill}{now}\" cx=\"{}\" cy=\"{}\" r=\"{}\"{dashed}/>",
            num(x),
            num(y),
            num(r)
        );
        if moment.has_halted(p) {
            out += &format!(
                "<circle class=\"line\" cx=\"{}\" cy=\"{}\" r=\"{}\"/>",
                num(x),
                num(y),
                num(r + 3.2)
            );
        }
        if r >= 9.0 {
            let inside = self.inside(p);
            let room = ((2.0 * r - 4.0) / (12.0 * 0.58)) as usize;
            let class = if filled { "name middle on" } else { "name middle" };
            let y = num(y + 4.2);
            out += &format!(
                "<text class=\"{class}\" x=\"{}\" y=\"{y}\">{}</text>",
                num(x),
                escape(&cut(&inside, room))
            );
        }
        if !moment.is_up(p) {
            out += &cross(x, y, r * 0.72, "bad");
        }
        out + "</g>"
    }

    /// What stands in a vertex: its id, or where there are none its position.
    fn inside(&self, p: u32) -> String {
        match self.anonymous {
            true => self.chart.trace.header.name(p),
            false => self.chart.trace.header.ids[p as usize].to_string(),
        }
    }

    fn beside(&self, p: u32) -> String {
        if self.anonymous { String::new() } else { cut(&self.chart.trace.header.name(p), 20) }
    }

    fn described(&self, moment: &Moment, p: u32) -> String {
        let header = &self.chart.trace.header;
        let mut words = vec![format!("{}, id {}", header.name(p), header.ids[p as usize])];
        words.extend(header.roles.get(p as usize).cloned());
        words.extend(moment.variables[p as usize].iter().map(|(name, value)| format!("{name} = {value}")));
        words.join(" · ")
    }

    /// What happened last, below a frame.
    pub fn caption(&self, position: usize) -> String {
        let trace = self.chart.trace;
        match position.checked_sub(1) {
            None => "the beginning".into(),
            Some(e) => {
                let event = &trace.events[e];
                let at = event.at.map_or(String::new(), |at| format!(" · time {at}"));
                format!("after event {e}: {} · {}{at}", trace.header.name(event.process), event.action)
            }
        }
    }

    /// What vertices and their labels mean, in lines.
    pub fn legend(&self) -> Vec<String> {
        let mut lines = Vec::new();
        if !self.variables.is_empty() && self.stage.places.len() <= MOST_LABELLED {
            lines.push(match self.variables.as_slice() {
                [one] => format!("beside each process: {one}"),
                all => format!("beside each process: ({})", all.join(", ")),
            });
        }
        let filled: Vec<&str> =
            self.chart.states.iter().zip(&self.gives_way).filter(|(_, f)| **f).map(|(s, _)| *s).collect();
        if !filled.is_empty() {
            lines.push(format!("filled: {}", filled.join(", ")));
        }
        if self.stage.too_many_edges {
            lines.push("there are too many edges to draw: only what is under way is shown".into());
        }
        lines
    }

    /// Swatches of the states whose vertices have a tint; with their width.
    pub fn swatches(&self, x: f64, y: f64) -> (String, f64) {
        let mut out = String::new();
        let mut at = x;
        if self.chart.states.len() > 1 {
            for (i, state) in self.chart.states.iter().enumerate() {
                let fill = if self.gives_way[i] { "filled".to_string() } else { format!("s{i}") };
                out += &format!(
                    "<circle class=\"vertex {fill}\" cx=\"{}\" cy=\"{}\" r=\"6\"/>",
                    num(at + 6.0),
                    num(y)
                );
                out += &format!(
                    "<text class=\"small\" x=\"{}\" y=\"{}\">{}</text>",
                    num(at + 17.0),
                    num(y + 3.8),
                    escape(state)
                );
                at += 17.0 + wide(state, LABEL) + 16.0;
            }
        }
        (out, at)
    }
}

/// What the trace does not tell of the program.
#[derive(Clone, Debug, Default)]
pub struct Facts {
    pub outputs: Vec<String>,
    pub anonymous: bool,
}

/// How far a label goes out of the way of what it belongs to, as a part of its own extent in a direction.
pub fn aside(component: f64) -> f64 {
    (component / 0.38).clamp(-1.0, 1.0)
}

/// `4` for the bare value `(4)`.
fn bare(text: &str) -> &str {
    text.strip_prefix('(').and_then(|t| t.strip_suffix(')')).unwrap_or(text)
}

/// Which variables label the vertices: those that were asked for, else the first three that change and stay short;
/// what the problem wants to know comes last, as a program's own variables tell more.
pub fn label_variables<'a>(trace: &'a Trace, choice: &Choice, outputs: &[String]) -> Vec<&'a str> {
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
    let useful = |name: &&str| !OWN.contains(name) && short.get(name) == Some(&true);
    let (given_out, own): (Vec<&str>, Vec<&str>) =
        names.into_iter().filter(useful).partition(|name| outputs.iter().any(|o| o == name));
    own.into_iter().chain(given_out).take(3).collect()
}
