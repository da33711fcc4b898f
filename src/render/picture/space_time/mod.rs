//! Space-time diagrams as SVG: a horizontal lifeline for each process, time to the right, messages as slanted arrows.
//!
//! The tint of a lifeline is its control state. Labels are placed along their arrows if there is space, and omitted otherwise; a
//! tooltip on the arrow still shows them.

use super::boxes::OccupiedBoxes;
use super::chart::{Chart, MessageFlight};
use super::choice::{DrawSelection, filled_states};
use super::cut::DrawnCut;
use super::style::style;
use super::svg::{self, text_width, truncated};
use crate::ids::ProcessId;
use rustc_hash::FxHashMap;
use std::ops::Range;

mod arrows;
mod events;
mod foot;
mod ground;

/// A picture, and the notes about it.
#[derive(Clone, Debug)]
pub struct Picture {
    pub svg: String,
    pub width: f64,
    pub height: f64,
    /// Notes on what was omitted.
    pub notes: Vec<String>,
}

/// The maximum number of events drawn; longer runs show their first events.
pub const MOST_EVENTS: usize = 600;
pub const MOST_PROCESSES: usize = 100;

const TOP: f64 = 62.0;
/// The distance to the first line, with space for arcs above it.
const FIRST: f64 = 42.0;
const ARCS: f64 = 24.0;
const LABEL: f64 = 10.5;
/// The maximum length of a label, in characters; longer ones are truncated.
const LABEL_LETTERS: usize = 20;

struct Drawing<'c, 'a> {
    chart: &'c Chart<'a>,
    choice: &'c DrawSelection,
    range: Range<usize>,
    rows: Vec<ProcessId>,
    row: FxHashMap<ProcessId, usize>,
    kinds: Vec<&'a str>,
    gives_way: Vec<bool>,
    cut: Option<&'c DrawnCut>,
    pitch: f64,
    gap: f64,
    left: f64,
    /// The right end of the events, and the end of the lifelines.
    right: f64,
    bottom: f64,
    first_place: f64,
    /// The y coordinate of the first lifeline.
    first_y: f64,
    /// The space occupied by symbols and labels, and lines that labels should avoid.
    taken: OccupiedBoxes,
    lines: OccupiedBoxes,
    out: String,
    left_out: usize,
}

/// Draw the space-time diagram of a run, or of a part of it.
pub fn space_time(chart: &Chart, choice: &DrawSelection, cut: Option<&DrawnCut>) -> Picture {
    let mut best: Option<(usize, Picture)> = None;
    // If labels lack space, the picture becomes wider, within limits.
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

/// The maximum width, in pixels, to which a picture is stretched for its labels.
const WIDE_ENOUGH: f64 = 1800.0;

impl<'c, 'a> Drawing<'c, 'a> {
    fn new(
        chart: &'c Chart<'a>,
        choice: &'c DrawSelection,
        cut: Option<&'c DrawnCut>,
        wider: f64,
    ) -> Drawing<'c, 'a> {
        let trace = chart.trace;
        let mut range = choice.window(trace.events.len());
        range.end = range.end.min(range.start.saturating_add(MOST_EVENTS));
        let mut rows: Vec<ProcessId> =
            choice.processes.clone().unwrap_or_else(|| trace.processes().collect());
        rows.truncate(MOST_PROCESSES);
        let row: FxHashMap<ProcessId, usize> = rows.iter().enumerate().map(|(i, p)| (*p, i)).collect();
        let gap = match rows.len() {
            0..=6 => 78.0,
            7..=12 => 62.0,
            13..=30 => 46.0,
            _ => 30.0,
        };
        let in_range =
            |f: &&MessageFlight| f.sent.is_some_and(|e| range.contains(&e)) && row.contains_key(&f.from);
        let labels = chart.flights.iter().filter(in_range).map(|f| text_width(&cut_label(f), LABEL));
        let widest = labels.fold(0.0, f64::max);
        // An arrow to the next line and the next column is as long as most labels.
        let pitch = (0.8 * widest + 14.0 - 0.4 * gap).clamp(48.0, 84.0) * wider;
        let names = rows
            .iter()
            .map(|p| text_width(&trace.header.name(*p), 12.0).max(text_width(&under(chart, *p), LABEL)));
        let left = names.fold(30.0, f64::max).min(190.0) + 34.0;
        let first_place = if range.is_empty() { 0.0 } else { chart.place(range.start) };
        let last_place = if range.is_empty() { 0.0 } else { chart.place(range.end - 1) };
        let right = left + 34.0 + (last_place - first_place) * pitch + 46.0;
        let arcs = chart.flights.iter().any(|f| f.from == f.to && rows.first() == Some(&f.to));
        let first_y = TOP + FIRST + if arcs { ARCS } else { 0.0 };
        let bottom = first_y + rows.len().saturating_sub(1) as f64 * gap;
        Drawing {
            kinds: chart.kinds(),
            gives_way: filled_states(&chart.states, choice.filled.as_deref()),
            taken: OccupiedBoxes::default(),
            lines: OccupiedBoxes::default(),
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
            first_y,
        }
    }

    /// Draw the picture, and return it with the number of labels that lacked space.
    fn draw(mut self) -> (usize, Picture) {
        self.bands();
        self.axis();
        self.cycle_start();
        self.lines();
        self.spans();
        self.reserve_events();
        self.cut_line();
        let arrows = self.arrows();
        self.out += &arrows;
        self.violation();
        self.events();
        self.names();
        let (foot, foot_width) = self.foot();
        (self.left_out, self.finish(&foot, foot_width))
    }

    fn y(&self, row: usize) -> f64 {
        self.first_y + row as f64 * self.gap
    }

    fn x(&self, event: usize) -> f64 {
        self.left + 34.0 + (self.chart.place(event) - self.first_place) * self.pitch
    }

    /// Return whether an event is drawn.
    fn shows(&self, event: usize) -> bool {
        self.range.contains(&event)
    }

    fn top(&self) -> f64 {
        TOP + 6.0
    }

    fn names(&mut self) {
        for (row, p) in self.rows.clone().iter().enumerate() {
            let (x, y) = (self.left - 12.0, self.y(row));
            let below = under(self.chart, *p);
            let close = self.gap < 40.0;
            let name = truncated(&self.chart.trace.header.name(*p), 22);
            match close {
                true => self.text(x, y + 4.0, "name end", &name),
                false => {
                    self.text(x, y - 1.0, "name end", &name);
                    self.text(x, y + 12.0, "small quiet end", &truncated(&below, 26));
                }
            }
        }
    }

    fn text(&mut self, x: f64, y: f64, class: &str, text: &str) {
        self.out += &svg::text(class, x, y, text).to_string();
    }

    fn finish(self, foot: &str, foot_width: f64) -> Picture {
        let header = &self.chart.trace.header;
        let name = format!("{} on {}", header.algorithm, header.network);
        let about = self.about();
        let least =
            (24.0 + text_width(&name, 17.0)).max(24.0 + text_width(&about, 12.0)).max(foot_width).max(360.0);
        let (width, height) = ((self.right + 40.0).max(least).ceil(), (self.bottom + 8.0).ceil());
        let style = style(&self.gives_way, self.kinds.len());
        let described = format!("Space-time diagram: {name}. {about}");
        let body = format!("{}\n{foot}", self.out.replace("</g><g", "</g>\n<g"));
        let svg = svg::document(&described, (&name, &about), (width, height), &style, &body);
        let notes = self.notes();
        Picture { svg, width, height, notes }
    }

    fn about(&self) -> String {
        about(self.chart)
    }
}

/// Return a summary: `16 events · 12 messages · schedule fifo, seed 1 · quiescent`.
pub fn about(chart: &Chart) -> String {
    let trace = chart.trace;
    let counted = |k: usize, what: &str| if k == 1 { format!("1 {what}") } else { format!("{k} {what}s") };
    format!(
        "{} · {} · schedule {}, seed {} · {}",
        counted(trace.events.len(), "event"),
        counted(chart.flights.iter().filter(|f| f.id.is_some() && f.sent.is_some()).count(), "message"),
        trace.header.schedule,
        trace.header.seed,
        match trace.end {
            _ if trace.header.repeats_from.is_some() => trace.ending(),
            end if end.is_unfinished() => "stopped before its end".into(),
            end => end.as_str().into(),
        }
    )
}

/// Return the text below the name of a process: its role and id.
fn under(chart: &Chart, p: ProcessId) -> String {
    let header = &chart.trace.header;
    let id = format!("id {}", header.ids[p.index()]);
    match header.roles.get(p.index()) {
        Some(role) => format!("{role}, {id}"),
        None => id,
    }
}

fn cut_label(flight: &MessageFlight) -> String {
    truncated(flight.text, LABEL_LETTERS)
}
