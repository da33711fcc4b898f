//! The part below a diagram: the legend of tints and symbols, what was omitted, the verdicts on a cut and on the run.

use super::super::chart::{Fate, MessageFlight};
use super::super::marks::{Mark, cross, head};
use super::super::spans::{Span, SpanKind};
use super::super::style::KINDS;
use super::super::svg::{self, num, text_width, truncated};
use super::{Drawing, LABEL};

/// The greatest length of a part of the verdict of a counterexample.
const VERDICT_LETTERS: usize = 140;

/// The legend under construction: entries in rows from the left.
struct Legend {
    markup: String,
    x: f64,
    y: f64,
    /// The start of a row, and the position after which a row ends.
    left: f64,
    right: f64,
    /// The right end of the widest row.
    widest: f64,
}

impl Legend {
    /// Add an entry: a symbol of a width, drawn at a point, and its meaning.
    fn entry(&mut self, width: f64, symbol: impl FnOnce(f64, f64) -> String, meaning: &str) {
        self.markup += &symbol(self.x, self.y);
        self.markup += &svg::text("small", self.x + width, self.y + 3.6, meaning).to_string();
        self.x += width + text_width(meaning, LABEL) + 18.0;
        self.widest = self.widest.max(self.x);
    }

    /// Begin a row if this one is full.
    fn wrap(&mut self) {
        if self.x > self.right {
            (self.x, self.y) = (self.left, self.y + 18.0);
        }
    }

    /// Begin a row, unless this one is empty.
    fn end_row(&mut self) {
        if self.x > self.left {
            (self.x, self.y) = (self.left, self.y + 20.0);
        }
    }
}

impl Drawing<'_, '_> {
    /// Draw the legend, the outcome, and the notes on omissions; return it with the width that it needs.
    pub(super) fn foot(&mut self) -> (String, f64) {
        let legend = self.legend();
        let (mut out, mut widest) = (legend.markup, legend.widest);
        let mut y = legend.y + if legend.x > self.left { 22.0 } else { 2.0 };
        for note in self.notes() {
            out += &svg::text("small quiet", self.left, y, &note).to_string();
            widest = widest.max(self.left + text_width(&note, LABEL));
            y += 15.0;
        }
        if let Some(cut) = self.cut {
            let verdict = cut.verdict(self.chart);
            let class = if cut.consistent { "name goodtext" } else { "name badtext" };
            out += &svg::text(class, self.left, y + 3.0, &verdict).to_string();
            widest = widest.max(self.left + text_width(&verdict, 12.5));
            y += 20.0;
        }
        // A deadlock has a part for each process that waits.
        for part in self.chart.trace.header.verdict.iter().flat_map(|verdict| verdict.split("; ")) {
            let part = truncated(part, VERDICT_LETTERS);
            out += &svg::text("small badtext", self.left, y + 3.0, &part).to_string();
            widest = widest.max(self.left + text_width(&part, LABEL));
            y += 15.0;
        }
        self.bottom = y;
        (out, widest + 12.0)
    }

    /// Draw the tints of states, the colours of messages, and the symbols that occur.
    fn legend(&self) -> Legend {
        let mut legend = Legend {
            markup: String::new(),
            x: self.left,
            y: self.bottom + 44.0,
            left: self.left,
            right: self.right.max(640.0) - 60.0,
            widest: 0.0,
        };
        for (i, state) in self.chart.states.iter().enumerate().filter(|_| self.chart.states.len() > 1) {
            let tint = |x, y| svg::path(&format!("tint s{i}"), format_args!("M{} {}h18", num(x), num(y)));
            legend.entry(24.0, |x, y| tint(x, y).to_string(), state);
            legend.wrap();
        }
        legend.end_row();
        for (i, kind) in self.kinds.iter().enumerate().filter(|_| self.kinds.len() > 1) {
            let class = format!("k{}", i % KINDS.len());
            let line = |x, y| svg::path(&format!("a {class}"), format_args!("M{} {}h15", num(x), num(y)));
            let arrow = |x, y| format!("{}{}", line(x, y), head(x + 20.0, y, (1.0, 0.0), &class));
            legend.entry(26.0, arrow, &truncated(kind, 24));
            legend.wrap();
        }
        legend.end_row();
        let mut marks: Vec<Mark> = Vec::new();
        for e in self.range.clone() {
            let mark = Mark::of(&self.chart.trace.events[e]);
            if !mark.meaning().is_empty() && !marks.contains(&mark) {
                marks.push(mark);
            }
        }
        for mark in marks {
            legend.entry(20.0, |x, y| mark.draw(x + 7.0, y), mark.meaning());
        }
        let is_cut_short = |flight: &MessageFlight| match flight.fate {
            Fate::Lost(event) | Fate::LostWithSender(event) => self.range.contains(&event),
            Fate::Received(_) | Fate::InTransit => false,
        };
        if self.chart.flights.iter().any(is_cut_short) {
            legend.entry(20.0, |x, y| cross(x + 7.0, y, 4.5, "bad"), "lost message");
        }
        if self.range.clone().any(|e| self.chart.trace.events[e].with.is_some()) {
            let line = |x, y| svg::path("pair", format_args!("M{} {}v12", num(x + 7.0), num(y - 6.0)));
            legend.entry(18.0, |x, y| line(x, y).to_string(), "interaction");
        }
        let (from, until) = (self.range.start, self.range.end);
        let here = |span: &Span| {
            span.what == SpanKind::Critical && span.from < until && span.to.is_none_or(|e| e > from)
        };
        if self.rows.iter().any(|p| self.chart.spans[p.index()].iter().any(here)) {
            let section = |x, y| svg::rect("critical", (x, y - 7.0), (18.0, 14.0)).with("rx", "3");
            legend.entry(24.0, |x, y| section(x, y).to_string(), "in the critical section");
        }
        legend
    }

    pub(super) fn notes(&self) -> Vec<String> {
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
            1 => notes.push("one label omitted for lack of space: point at its arrow to see it".into()),
            k => {
                notes.push(format!("{k} labels omitted for lack of space: point at their arrows to see them"))
            }
        }
        notes
    }
}
