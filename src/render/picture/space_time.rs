//! Space-time diagrams as SVG: a line for each process, time to the right, messages as slanted arrows.
//!
//! The tint along a line is its control state. Labels stand along their arrows where there is room, and are left
//! out where there is none (the pointer that rests on an arrow still gets them).

use super::boxes::{Box, Taken};
use super::chart::{Chart, Condition, Fate, Flight, both};
use super::choice::{Choice, filled_states};
use super::cut::Cut;
use super::marks::{Mark, cross, head, title, told};
use super::spans::What;
use super::style::{kind_class, style};
use super::xml::{cut, escape, fine, num, wide};
use rustc_hash::FxHashMap;
use std::ops::Range;

/// A picture, and what has to be said beside it.
#[derive(Clone, Debug)]
pub struct Picture {
    pub svg: String,
    pub width: f64,
    pub height: f64,
    /// What was not drawn, and the like.
    pub notes: Vec<String>,
}

/// Wider pictures are of no use to anybody: of longer runs the first events are drawn.
pub const MOST_EVENTS: usize = 600;
pub const MOST_PROCESSES: usize = 100;

const TOP: f64 = 62.0;
/// From there to the first line.
const FIRST: f64 = 42.0;
const LABEL: f64 = 10.5;
/// Labels longer than this are cut.
const LABEL_LETTERS: usize = 20;

struct Drawing<'c, 'a> {
    chart: &'c Chart<'a>,
    choice: &'c Choice,
    range: Range<usize>,
    rows: Vec<u32>,
    row: FxHashMap<u32, usize>,
    kinds: Vec<&'a str>,
    gives_way: Vec<bool>,
    cut: Option<&'c Cut>,
    pitch: f64,
    gap: f64,
    left: f64,
    /// Where the lines begin to have no more events, and where they end.
    right: f64,
    bottom: f64,
    first_place: f64,
    /// Room that signs and labels have taken, and lines that labels should not lie on.
    taken: Taken,
    lines: Taken,
    out: String,
    left_out: usize,
}

/// The space-time diagram of a run, or of the part that was chosen.
pub fn space_time(chart: &Chart, choice: &Choice, cut: Option<&Cut>) -> Picture {
    let mut best: Option<(usize, Picture)> = None;
    // Where labels find no room, the picture becomes wider; but not without end.
    for wider in [1.0, 1.35, 1.8] {
        if best.as_ref().is_some_and(|best| best.0 == 0 || best.1.width * 1.35 > WIDE_ENOUGH) {
            break;
        }
        let drawn = Drawing::new(chart, choice, cut, wider).draw();
        if best.as_ref().is_none_or(|best| drawn.0 < best.0) {
            best = Some(drawn);
        }
    }
    best.map_or_else(|| Drawing::new(chart, choice, cut, 1.0).draw().1, |(_, picture)| picture)
}

/// In pixels: wider than this no picture is made for the sake of its labels.
const WIDE_ENOUGH: f64 = 1800.0;

impl<'c, 'a> Drawing<'c, 'a> {
    fn new(chart: &'c Chart<'a>, choice: &'c Choice, cut: Option<&'c Cut>, wider: f64) -> Drawing<'c, 'a> {
        let trace = chart.trace;
        let mut range = choice.window(trace.events.len());
        range.end = range.end.min(range.start.saturating_add(MOST_EVENTS));
        let mut rows: Vec<u32> = choice.processes.clone().unwrap_or_else(|| (0..trace.n() as u32).collect());
        rows.truncate(MOST_PROCESSES);
        let row: FxHashMap<u32, usize> = rows.iter().enumerate().map(|(i, p)| (*p, i)).collect();
        let gap = match rows.len() {
            0..=6 => 78.0,
            7..=12 => 62.0,
            13..=30 => 46.0,
            _ => 30.0,
        };
        let in_range = |f: &&Flight| f.sent.is_some_and(|e| range.contains(&e)) && row.contains_key(&f.from);
        let labels = chart.flights.iter().filter(in_range).map(|f| wide(&cut_label(f), LABEL));
        let widest = labels.fold(0.0, f64::max);
        // An arrow to the next line and the next column is as long as most labels.
        let pitch = (0.8 * widest + 14.0 - 0.4 * gap).clamp(48.0, 84.0) * wider;
        let names = rows.iter().map(|p| wide(&trace.header.name(*p), 12.0).max(wide(&under(chart, *p), LABEL)));
        let left = names.fold(30.0, f64::max).min(190.0) + 34.0;
        let first_place = if range.is_empty() { 0.0 } else { chart.place(range.start) };
        let last_place = if range.is_empty() { 0.0 } else { chart.place(range.end - 1) };
        let right = left + 34.0 + (last_place - first_place) * pitch + 46.0;
        let bottom = TOP + FIRST + rows.len().saturating_sub(1) as f64 * gap;
        Drawing {
            kinds: chart.kinds(),
            gives_way: filled_states(&chart.states, choice.filled.as_deref()),
            taken: Taken::default(),
            lines: Taken::default(),
            out: String::new(),
            left_out: 0,
            chart,
            choice,
            range,
            rows,
            row,
            cut,
            pitch,
            gap,
            left,
            right,
            bottom,
            first_place,
        }
    }

    /// With the number of labels that found no room.
    fn draw(mut self) -> (usize, Picture) {
        self.bands();
        self.axis();
        self.lines();
        self.spans();
        self.reserve_events();
        self.cut_line();
        let arrows = self.arrows();
        self.out += &arrows;
        self.events();
        self.names();
        let (foot, foot_width) = self.foot();
        (self.left_out, self.finish(&foot, foot_width))
    }

    fn y(&self, row: usize) -> f64 {
        TOP + FIRST + row as f64 * self.gap
    }

    fn x(&self, event: usize) -> f64 {
        self.left + 34.0 + (self.chart.place(event) - self.first_place) * self.pitch
    }

    /// An event that is drawn.
    fn shows(&self, event: usize) -> bool {
        self.range.contains(&event)
    }

    fn top(&self) -> f64 {
        TOP + 6.0
    }

    /// Rounds and joint moves, shaded in turn.
    fn bands(&mut self) {
        let all = &self.chart.bands;
        for (i, band) in all.iter().enumerate() {
            let end = all.get(i + 1).map_or(self.chart.trace.events.len(), |next| next.from);
            let (from, to) = (band.from.max(self.range.start), end.min(self.range.end));
            if from >= to {
                continue;
            }
            let x0 = self.x(from) - self.pitch * 0.62;
            let more = end < self.range.end;
            let x1 = if more { self.x(end) - self.pitch * 0.62 } else { self.right - 8.0 };
            let y = self.top();
            if i % 2 == 0 {
                self.out += &format!(
                    "<rect class=\"band\" x=\"{}\" y=\"{}\" width=\"{}\" height=\"{}\"/>",
                    num(x0),
                    num(y),
                    num(x1 - x0),
                    num(self.bottom + 22.0 - y)
                );
            }
            let short = band.name.strip_prefix("round ").unwrap_or("");
            let fitting = [band.name.as_str(), short].into_iter().find(|t| wide(t, LABEL) < x1 - x0 - 4.0);
            if let Some(text) = fitting {
                self.text((x0 + x1) / 2.0, y + 13.0, "small quiet middle", text);
            }
        }
    }

    /// Instants, where there is time.
    fn axis(&mut self) {
        if !self.chart.is_timed() {
            return;
        }
        let y = self.top() - 2.0;
        self.out += &format!(
            "<path class=\"rule\" d=\"M{} {}H{}\"/>",
            num(self.left),
            num(y),
            num(self.right)
        );
        let mut last_instant = None;
        let mut free_from = f64::MIN;
        for e in self.range.clone() {
            let at = self.chart.trace.events[e].at;
            if at == last_instant {
                continue;
            }
            last_instant = at;
            let (x, text) = (self.x(e), at.unwrap_or(0).to_string());
            self.out += &format!("<path class=\"rule\" d=\"M{} {}V{}\"/>", num(x), num(y - 4.0), num(self.bottom + 18.0));
            let half = wide(&text, LABEL) / 2.0;
            if x - half > free_from {
                self.text(x, y - 7.0, "small quiet middle", &text);
                free_from = x + half + 5.0;
            }
        }
        self.text(self.left - 10.0, y + 2.0, "small quiet end", "time");
    }

    /// A line for each process, tinted by its states; nothing where it is down, thin when it has halted.
    fn lines(&mut self) {
        let several = self.chart.states.len() > 1;
        let mut tints = String::new();
        let mut lines = String::new();
        let mut words: Vec<(f64, f64, String)> = Vec::new();
        for (row, p) in self.rows.iter().enumerate() {
            let y = self.y(row);
            let lives = &self.chart.lives[*p as usize];
            let mut shown = None;
            for (i, life) in lives.iter().enumerate() {
                let until = lives.get(i + 1).and_then(|next| next.from);
                let begins = life.from.unwrap_or(0);
                if begins >= self.range.end && life.from.is_some() || until.is_some_and(|e| e < self.range.start) {
                    continue;
                }
                let edge = |e: Option<usize>, otherwise: f64| match e.filter(|e| self.shows(*e)) {
                    Some(e) => self.x(e),
                    None => otherwise,
                };
                let (x0, x1) = (edge(life.from, self.left), edge(until, self.right));
                let span = format!("M{} {}H{}", num(x0), num(y), num(x1));
                let class = if life.condition == Condition::Up { "line" } else { "over" };
                lines += &format!("<path class=\"{class}\" d=\"{span}\"/>");
                let Some(state) = life.state.filter(|_| several && life.condition == Condition::Up) else { continue };
                tints += &format!("<path class=\"tint s{state}\" d=\"{span}\">{}</path>", title(self.chart.states[state]));
                if shown.replace(state) != Some(state) && life.from.is_some_and(|e| self.shows(e)) {
                    words.push((x0, y, self.chart.states[state].to_string()));
                }
            }
        }
        self.out += &tints;
        self.out += &lines;
        // The names of states stand over their beginnings, before labels of messages take the room.
        for (x, y, state) in words {
            let width = wide(&state, LABEL);
            let places = [(x + 7.0, y - 12.0), (x + 7.0, y + 14.0)];
            let boxes = places.map(|(x, y)| Box::upright(x + width / 2.0, y, width, 12.0));
            if let Some(b) = self.taken.first_free(boxes.into_iter().filter(|b| b.x + width / 2.0 < self.right)) {
                self.text(b.x - width / 2.0, b.y + 3.6, "small halo name", &state);
            }
        }
    }

    /// Operations under way as lines below, critical sections as boxes on the line.
    fn spans(&mut self) {
        for (row, p) in self.rows.clone().iter().enumerate() {
            let y = self.y(row);
            for span in &self.chart.spans[*p as usize] {
                if span.from >= self.range.end || span.to.is_some_and(|e| e <= self.range.start) {
                    continue;
                }
                let x0 = if self.shows(span.from) { self.x(span.from) } else { self.left };
                let x1 = span.to.filter(|e| self.shows(*e)).map_or(self.right, |e| self.x(e));
                match span.what {
                    What::Critical => {
                        self.out += &format!(
                            "<rect class=\"critical\" x=\"{}\" y=\"{}\" width=\"{}\" height=\"14\" rx=\"3\">{}</rect>",
                            num(x0),
                            num(y - 7.0),
                            num(x1 - x0),
                            title("in the critical section")
                        );
                    }
                    What::Operation => {
                        self.out += &format!(
                            "<path class=\"operation\" d=\"M{0} {1}v4H{2}v-4\">{3}</path>",
                            num(x0),
                            num(y + 14.5),
                            num(x1),
                            title(&format!("{} is under way", span.name))
                        );
                        let width = wide(span.name, LABEL);
                        let b = Box::upright(x0 + 4.0 + width / 2.0, y + 26.0, width, 11.0);
                        if let Some(b) = self.taken.first_free([b].into_iter().filter(|_| x1 - x0 > width + 6.0)) {
                            self.text(b.x - width / 2.0, b.y + 3.6, "small quiet halo", span.name);
                        }
                    }
                }
            }
        }
    }

    /// No label may lie on an event.
    fn reserve_events(&mut self) {
        for e in self.range.clone() {
            for p in both(&self.chart.trace.events[e]) {
                if let Some(row) = self.row.get(&p) {
                    self.taken.add(Box::upright(self.x(e), self.y(*row), 14.0, 14.0));
                }
            }
        }
    }

    fn arrows(&mut self) -> String {
        let (mut arrows, mut labels) = (String::new(), String::new());
        let mut seen = Vec::new();
        for (i, flight) in self.chart.flights.iter().enumerate() {
            let sent = flight.sent.filter(|e| self.shows(*e));
            let ended = flight.end().filter(|e| self.shows(*e));
            let out_of_sight = flight.sent.is_some_and(|e| e >= self.range.end)
                || flight.end().is_some_and(|e| e < self.range.start);
            let rows = (self.row.get(&flight.from).copied(), self.row.get(&flight.to).copied());
            let touches = (rows.0.is_some() && sent.is_some()) || (rows.1.is_some() && ended.is_some());
            let through = sent.is_none() && ended.is_none() && rows.0.is_some() && rows.1.is_some();
            if !out_of_sight && (touches || through) {
                seen.push((i, flight, sent, ended, rows));
            }
        }
        for (_, flight, sent, ended, rows) in &seen {
            if let (Some(from), Some(to)) = rows
                && from != to
            {
                let (a, b) = self.way(flight, *sent, *ended, *from, *to);
                let length = ((b.0 - a.0).powi(2) + (b.1 - a.1).powi(2)).sqrt().max(1.0);
                self.lines.add(Box {
                    x: (a.0 + b.0) / 2.0,
                    y: (a.1 + b.1) / 2.0,
                    half: (length / 2.0, 0.6),
                    along: ((b.0 - a.0) / length, (b.1 - a.1) / length),
                });
            }
        }
        for (i, flight, sent, ended, rows) in seen {
            let backwards = self.cut.is_some_and(|cut| cut.backwards.contains(&i));
            let (arrow, label) = self.arrow(flight, sent, ended, rows, backwards);
            arrows += &arrow;
            labels += &label;
        }
        arrows + &labels
    }

    /// From where to where a message is drawn; where an end is out of sight, it is cut off between the lines.
    fn way(
        &self,
        flight: &Flight,
        sent: Option<usize>,
        ended: Option<usize>,
        from: usize,
        to: usize,
    ) -> ((f64, f64), (f64, f64)) {
        let lost = matches!(flight.fate, Fate::Lost(_));
        let (y0, y1) = (self.y(from), self.y(to));
        let x0 = sent.map_or(self.left, |e| self.x(e));
        let x1 = ended.map_or(self.right, |e| self.x(e));
        let share = |from: f64, to: f64, part: f64| from + (to - from) * part;
        let (sx, sy) = if sent.is_some() { (x0, y0) } else { (x0, share(y0, y1, 0.4)) };
        let end = match (ended.is_some(), lost) {
            (true, false) => (x1, y1),
            (true, true) => (share(sx, x1, 0.78), share(sy, y1, 0.78)),
            (false, _) => (x1, share(sy, y1, 0.6)),
        };
        ((sx, sy), end)
    }

    /// One message: its line, and its label.
    fn arrow(
        &mut self,
        flight: &Flight,
        sent: Option<usize>,
        ended: Option<usize>,
        rows: (Option<usize>, Option<usize>),
        backwards: bool,
    ) -> (String, String) {
        let lost = matches!(flight.fate, Fate::Lost(_));
        let kind = kind_class(&self.kinds, flight.kind());
        let trace = self.chart.trace;
        let mut words = flight.id.map_or(String::new(), |id| format!("m{id} "));
        words += &format!("{} from {} to {}", flight.text, trace.header.name(flight.from), trace.header.name(flight.to));
        words += match flight.fate {
            Fate::Received(_) => "",
            Fate::Lost(_) => ", lost",
            Fate::UnderWay => ", never received",
        };
        if let Some(original) = flight.copy_of {
            words += &format!(", a copy of m{original}");
        }
        let mut class = kind.clone();
        // An arrow with an end out of sight, or none, is broken.
        if ended.is_none() || sent.is_none() || flight.copy_of.is_some() || lost {
            class += " way";
        }
        let open = format!("<g class=\"m\">{}", title(&words));
        let stroke = |path: &str| {
            let extra = if backwards { format!("<path class=\"bad\" d=\"{path}\"/>") } else { String::new() };
            format!("{extra}<path class=\"a {class}\" d=\"{path}\"/>")
        };
        let (Some(from), Some(to)) = rows else {
            return self.stub(flight, sent, ended, rows, &kind, &open);
        };
        if flight.from == flight.to {
            return self.to_oneself(flight, sent, ended, from, &kind, &open, &stroke);
        }
        let ((sx, sy), (ex, ey)) = self.way(flight, sent, ended, from, to);
        let length = ((ex - sx).powi(2) + (ey - sy).powi(2)).sqrt().max(1.0);
        let (ux, uy) = ((ex - sx) / length, (ey - sy) / length);
        let shorter = if ended.is_some() && !lost { 5.5 } else { 0.0 };
        let (tx, ty) = (ex - ux * shorter, ey - uy * shorter);
        let mut arrow = open + &stroke(&format!("M{} {}L{} {}", num(sx), num(sy), num(tx), num(ty)));
        match lost && ended.is_some() {
            true => arrow += &cross(ex, ey, 4.5, "bad"),
            false => arrow += &head(tx, ty, (ux, uy), &kind),
        }
        arrow += "</g>";
        (arrow, self.along(flight, &kind, (sx, sy), (ux, uy), length))
    }

    /// The label along an arrow, above or below it, where there is room.
    fn along(
        &mut self,
        flight: &Flight,
        kind: &str,
        (sx, sy): (f64, f64),
        (ux, uy): (f64, f64),
        length: f64,
    ) -> String {
        let text = cut_label(flight);
        let width = wide(&text, LABEL);
        if text.is_empty() {
            return String::new();
        }
        let (left, right) = (self.left, self.right);
        // Upright enough to read: along the arrow, never upside down.
        let along = if ux < 0.0 { (-ux, -uy) } else { (ux, uy) };
        let up = (along.1, -along.0);
        let fits = move |b: &Box| b.x - b.extent().0 > left - 2.0 && b.x + b.extent().0 < right + 30.0;
        let parts = [0.5, 0.42, 0.58, 0.34, 0.66, 0.26, 0.74, 0.18, 0.82];
        let candidates = parts.into_iter().flat_map(|part| [1.0, -1.0].map(|side| (part, side)));
        let candidates = candidates.map(|(part, side)| Box {
            x: sx + ux * length * part + up.0 * 8.0 * side,
            y: sy + uy * length * part + up.1 * 8.0 * side,
            half: (width / 2.0, 5.5),
            along,
        });
        let candidates: Vec<Box> = candidates.filter(fits).collect();
        let clear: Vec<Box> = candidates.iter().copied().filter(|b| self.lines.is_free(b)).collect();
        let Some(b) = self.taken.first_free(clear.into_iter().chain(candidates)) else {
            self.left_out += 1;
            return String::new();
        };
        // The box is around the middle of the letters; text stands on its line.
        let (x, y) = (b.x - up.0 * 3.4, b.y - up.1 * 3.4);
        format!(
            "<text class=\"small middle halo {kind}\" transform=\"matrix({} {} {} {} {} {})\">{}</text>",
            fine(along.0),
            fine(along.1),
            fine(-along.1),
            fine(along.0),
            num(x),
            num(y),
            escape(&text)
        )
    }

    /// A message whose other end is not drawn.
    fn stub(
        &mut self,
        flight: &Flight,
        sent: Option<usize>,
        ended: Option<usize>,
        rows: (Option<usize>, Option<usize>),
        kind: &str,
        open: &str,
    ) -> (String, String) {
        let other = if rows.0.is_some() { flight.to } else { flight.from };
        let down = if other > if rows.0.is_some() { flight.from } else { flight.to } { 1.0 } else { -1.0 };
        let name = self.chart.trace.header.name(other);
        let (x0, y0, x1, y1) = match (rows.0, sent, rows.1, ended) {
            (Some(row), Some(e), ..) => (self.x(e), self.y(row), self.x(e) + 18.0, self.y(row) + 20.0 * down),
            (.., Some(row), Some(e)) => {
                let (x, y) = (self.x(e), self.y(row));
                (x - 18.0, y + 20.0 * down, x - 4.0, y + 4.4 * down)
            }
            _ => return (String::new(), String::new()),
        };
        let length = ((x1 - x0).powi(2) + (y1 - y0).powi(2)).sqrt();
        let direction = ((x1 - x0) / length, (y1 - y0) / length);
        let line = format!("<path class=\"a way {kind}\" d=\"M{} {}L{} {}\"/>", num(x0), num(y0), num(x1), num(y1));
        let arrow = format!("{open}{line}{}</g>", head(x1, y1, direction, kind));
        let (lx, ly) = if rows.0.is_some() { (x1, y1) } else { (x0, y0) };
        let width = wide(&name, LABEL);
        let b = Box::upright(lx, ly + 7.0 * down, width, 11.0);
        let label = match self.taken.first_free([b]) {
            Some(b) => format!(
                "<text class=\"small middle halo {kind}\" x=\"{}\" y=\"{}\">{}</text>",
                num(b.x),
                num(b.y + 3.6),
                escape(&name)
            ),
            None => String::new(),
        };
        (arrow, label)
    }

    /// A message to oneself is an arc over the line.
    #[expect(clippy::too_many_arguments, reason = "the parts of one arrow, looked up by the caller")]
    fn to_oneself(
        &mut self,
        flight: &Flight,
        sent: Option<usize>,
        ended: Option<usize>,
        row: usize,
        kind: &str,
        open: &str,
        stroke: &dyn Fn(&str) -> String,
    ) -> (String, String) {
        let y = self.y(row);
        let x0 = sent.map_or(self.left, |e| self.x(e));
        let mut x1 = ended.map_or(self.right, |e| self.x(e));
        if x1 - x0 < 12.0 {
            // Sent and received in one step.
            x1 = x0 + 12.0;
        }
        let rise = ((x1 - x0) * 0.35).clamp(16.0, self.gap * 0.62);
        let (cx, top) = ((x0 + x1) / 2.0, y - rise);
        let (tx, ty) = (x1 - 2.5, y - 5.0);
        let path = format!("M{} {}Q{} {} {} {}", num(x0), num(y), num(cx), num(y - 2.0 * rise), num(tx), num(ty));
        let (dx, dy) = (tx - cx, ty - (y - 2.0 * rise));
        let length = (dx * dx + dy * dy).sqrt().max(1.0);
        let tip = match flight.fate {
            Fate::Lost(_) if ended.is_some() => cross(tx, ty, 4.5, "bad"),
            _ => head(tx, ty, (dx / length, dy / length), kind),
        };
        let arrow = format!("{open}{}{tip}</g>", stroke(&path));
        let label = self.along(flight, kind, (x0, top), (1.0, 0.0), x1 - x0);
        (arrow, label)
    }

    fn events(&mut self) {
        let trace = self.chart.trace;
        for e in self.range.clone() {
            let event = &trace.events[e];
            let x = self.x(e);
            let rows: Vec<usize> = both(event).filter_map(|p| self.row.get(&p).copied()).collect();
            let Some(row) = self.row.get(&event.process).copied() else {
                if let Some(row) = rows.first() {
                    self.out += &format!("<g class=\"e\">{}{}</g>", title(&told(trace, event)), Mark::Event.draw(x, self.y(*row)));
                }
                continue;
            };
            let y = self.y(row);
            let mut drawn = title(&told(trace, event));
            if let (Some(with), [_, other]) = (&event.with, rows.as_slice())
                && with.process != event.process
            {
                let to = self.y(*other);
                drawn += &format!("<path class=\"pair\" d=\"M{} {}V{}\"/>", num(x), num(y), num(to));
                drawn += &Mark::Event.draw(x, to);
            }
            drawn += &Mark::of(event).draw(x, y);
            self.out += &format!("<g class=\"e\">{drawn}</g>");
            self.observations(e, x, y);
            // Its number, by which lists and flags call it.
            let number = event.index.to_string();
            let width = wide(&number, 8.5);
            let aside = 5.0 + width / 2.0;
            let spots = [(0.0, 11.5), (aside, 10.0), (-aside, 10.0), (aside, -10.0), (-aside, -10.0), (0.0, -11.5)];
            let spots = spots.map(|(dx, dy)| Box::upright(x + dx, y + dy, width, 8.0));
            let clear: Vec<Box> = spots.into_iter().filter(|b| self.lines.is_free(b)).collect();
            if let Some(b) = self.taken.first_free(clear.into_iter().chain([spots[0]])) {
                self.text(b.x, b.y + 3.0, "tiny quiet middle", &number);
            }
        }
    }

    /// Upcalls, notes and aborts; calls and returns are shown as spans.
    fn observations(&mut self, e: usize, x: f64, y: f64) {
        let event = &self.chart.trace.events[e];
        let spoken = |o: &&String| !["call ", "return ", "note "].iter().any(|word| o.starts_with(word));
        for text in event.observations.iter().filter(spoken) {
            let aborts = text.starts_with("abort");
            let shown = format!("◆ {}", cut(text.strip_prefix("upcall ").unwrap_or(text), 28));
            let width = wide(&shown, LABEL);
            let heights = [y - 15.0, y + 22.0, y - 27.0, y + 34.0];
            let boxes = heights.map(|y| Box::upright(x - 4.0 + width / 2.0, y, width, 11.0));
            let right = self.right;
            let fits = |b: &Box| b.x + b.half.0 < right + 30.0 && b.y > TOP - 2.0;
            if let Some(b) = self.taken.first_free(boxes.into_iter().filter(fits)) {
                let class = if aborts { "small halo badtext" } else { "small halo name" };
                self.text(b.x - width / 2.0, b.y + 3.6, class, &shown);
            }
        }
    }

    fn names(&mut self) {
        for (row, p) in self.rows.clone().iter().enumerate() {
            let (x, y) = (self.left - 12.0, self.y(row));
            let below = under(self.chart, *p);
            let close = self.gap < 40.0;
            let name = cut(&self.chart.trace.header.name(*p), 22);
            match close {
                true => self.text(x, y + 4.0, "name end", &name),
                false => {
                    self.text(x, y - 1.0, "name end", &name);
                    self.text(x, y + 12.0, "small quiet end", &cut(&below, 26));
                }
            }
        }
    }

    /// A line between what is inside and what is not.
    fn cut_line(&mut self) {
        let Some(cut) = self.cut else { return };
        let mut points = Vec::new();
        for (row, p) in self.rows.iter().enumerate() {
            let count = cut.counts[*p as usize] as usize;
            let own: Vec<usize> = (0..self.chart.trace.events.len())
                .filter(|e| self.chart.trace.events[*e].process == *p)
                .take(count + 1)
                .collect();
            let limited = |e: usize| match e {
                e if e < self.range.start => self.left + 8.0,
                e if e >= self.range.end => self.right - 8.0,
                e => self.x(e),
            };
            let before = count.checked_sub(1).and_then(|i| own.get(i)).map_or(self.left, |e| limited(*e));
            let after = own.get(count).map_or(self.right, |e| limited(*e));
            points.push((before + ((after - before) / 2.0).min(self.pitch / 2.0), self.y(row)));
        }
        let Some(first) = points.first().copied() else { return };
        let mut path = format!("M{} {}V{}", num(first.0), num(self.top()), num(first.1));
        for pair in points.windows(2) {
            let ((x0, y0), (x1, y1)) = (pair[0], pair[1]);
            let middle = (y0 + y1) / 2.0;
            path += &format!("C{} {} {} {} {} {}", num(x0), num(middle), num(x1), num(middle), num(x1), num(y1));
        }
        path += &format!("V{}", num(self.bottom + 18.0));
        let class = if cut.consistent { "good" } else { "bad" };
        self.out += &format!("<path class=\"{class} cut\" d=\"{path}\">{}</path>", title(&cut.verdict(self.chart)));
    }

    /// What the tints and signs mean, how it ended, what is not drawn; with the width that it needs.
    fn foot(&mut self) -> (String, f64) {
        let mut out = String::new();
        let mut widest = 0.0_f64;
        let mut y = self.bottom + 44.0;
        let mut x = self.left;
        if self.chart.states.len() > 1 {
            for (i, state) in self.chart.states.iter().enumerate() {
                out += &format!("<path class=\"tint s{i}\" d=\"M{} {}h18\"/>", num(x), num(y));
                out += &format!("<text class=\"small\" x=\"{}\" y=\"{}\">{}</text>", num(x + 24.0), num(y + 3.6), escape(state));
                x += 24.0 + wide(state, LABEL) + 18.0;
                widest = widest.max(x);
                if x > self.right.max(640.0) - 60.0 {
                    (x, y) = (self.left, y + 18.0);
                }
            }
            (x, y) = (self.left, if x > self.left { y + 20.0 } else { y });
        }
        for (i, kind) in self.kinds.iter().enumerate().filter(|_| self.kinds.len() > 1) {
            let class = format!("k{}", i % super::style::KINDS.len());
            out += &format!("<path class=\"a {class}\" d=\"M{} {}h15\"/>{}", num(x), num(y), head(x + 20.0, y, (1.0, 0.0), &class));
            out += &format!("<text class=\"small\" x=\"{}\" y=\"{}\">{}</text>", num(x + 26.0), num(y + 3.6), escape(&cut(kind, 24)));
            x += 26.0 + wide(&cut(kind, 24), LABEL) + 18.0;
            widest = widest.max(x);
            if x > self.right.max(640.0) - 60.0 {
                (x, y) = (self.left, y + 18.0);
            }
        }
        if x > self.left {
            (x, y) = (self.left, y + 20.0);
        }
        let mut marks: Vec<Mark> = Vec::new();
        for e in self.range.clone() {
            let mark = Mark::of(&self.chart.trace.events[e]);
            if !mark.meaning().is_empty() && !marks.contains(&mark) {
                marks.push(mark);
            }
        }
        for mark in marks {
            out += &mark.draw(x + 7.0, y);
            out += &format!("<text class=\"small\" x=\"{}\" y=\"{}\">{}</text>", num(x + 20.0), num(y + 3.6), mark.meaning());
            x += 20.0 + wide(mark.meaning(), LABEL) + 18.0;
            widest = widest.max(x);
        }
        y += if x > self.left { 22.0 } else { 2.0 };
        for note in self.notes() {
            out += &format!("<text class=\"small quiet\" x=\"{}\" y=\"{}\">{}</text>", num(self.left), num(y), escape(&note));
            widest = widest.max(self.left + wide(&note, LABEL));
            y += 15.0;
        }
        if let Some(cut) = self.cut {
            let verdict = cut.verdict(self.chart);
            let class = if cut.consistent { "name goodtext" } else { "name badtext" };
            out += &format!("<text class=\"{class}\" x=\"{}\" y=\"{}\">{}</text>", num(self.left), num(y + 3.0), escape(&verdict));
            widest = widest.max(self.left + wide(&verdict, 12.5));
            y += 20.0;
        }
        self.bottom = y;
        (out, widest + 12.0)
    }

    fn notes(&self) -> Vec<String> {
        let (all, trace) = (self.chart.trace.events.len(), self.chart.trace);
        let mut notes = Vec::new();
        if self.range.len() < all {
            notes.push(match self.range.is_empty() {
                true => format!("none of the {all} events"),
                false => format!("events {} to {} of {all}", self.range.start, self.range.end - 1),
            });
        }
        if self.rows.len() < trace.n() {
            notes.push(format!("{} of {} processes", self.rows.len(), trace.n()));
        }
        if let Some(kinds) = &self.choice.kinds {
            notes.push(format!("only messages {}", kinds.join(", ")));
        }
        match self.left_out {
            0 => {}
            1 => notes.push("one label found no room: rest the pointer on its arrow".into()),
            k => notes.push(format!("{k} labels found no room: rest the pointer on their arrows")),
        }
        notes
    }

    fn text(&mut self, x: f64, y: f64, class: &str, text: &str) {
        self.out += &format!("<text class=\"{class}\" x=\"{}\" y=\"{}\">{}</text>", num(x), num(y), escape(text));
    }

    fn finish(self, foot: &str, foot_width: f64) -> Picture {
        let header = &self.chart.trace.header;
        let name = format!("{} on {}", header.algorithm, header.network);
        let about = self.about();
        let least = (24.0 + wide(&name, 17.0)).max(24.0 + wide(&about, 12.0)).max(foot_width).max(360.0);
        let (width, height) = ((self.right + 40.0).max(least).ceil(), (self.bottom + 8.0).ceil());
        let style = style(&self.gives_way, self.kinds.len());
        let mut svg = format!(
            "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {0} {1}\" width=\"{0}\" height=\"{1}\" role=\"img\" aria-label=\"{2}\">\n<title>{2}</title><style>{style}</style>\n",
            num(width),
            num(height),
            escape(&format!("Space-time diagram: {name}. {about}")),
        );
        svg += "<rect class=\"bg\" width=\"100%\" height=\"100%\"/>";
        svg += &format!("<text class=\"title\" x=\"14\" y=\"25\">{}</text>", escape(&name));
        svg += &format!("<text class=\"quiet\" x=\"14\" y=\"43\">{}</text>\n", escape(&about));
        svg += &self.out.replace("</g><g", "</g>\n<g");
        svg += "\n";
        svg += foot;
        svg += "\n</svg>\n";
        let notes = self.notes();
        Picture { svg, width, height, notes }
    }

    fn about(&self) -> String {
        about(self.chart)
    }
}

/// `16 events · 12 messages · schedule fifo, seed 1 · quiescent`
pub fn about(chart: &Chart) -> String {
    let trace = chart.trace;
    let counted = |k: usize, what: &str| if k == 1 { format!("1 {what}") } else { format!("{k} {what}s") };
    format!(
        "{} · {} · schedule {}, seed {} · {}",
        counted(trace.events.len(), "event"),
        counted(chart.flights.iter().filter(|f| f.id.is_some() && f.sent.is_some()).count(), "message"),
        trace.header.schedule,
        trace.header.seed,
        trace.end.word()
    )
}

/// What stands below the name of a process: its id and role.
fn under(chart: &Chart, p: u32) -> String {
    let header = &chart.trace.header;
    let id = format!("id {}", header.ids[p as usize]);
    match header.roles.get(p as usize) {
        Some(role) => format!("{role}, {id}"),
        None => id,
    }
}

fn cut_label(flight: &Flight) -> String {
    cut(flight.text, LABEL_LETTERS)
}
