//! The part below a diagram: the legend of tints and symbols, what was omitted, the verdict on a cut.

use super::super::marks::{Mark, head};
use super::super::spans::{Span, SpanKind};
use super::super::style::KINDS;
use super::super::xml::{escape, num, text_width, truncated};
use super::{Drawing, LABEL};

impl Drawing<'_, '_> {
    /// Draw the legend, the outcome, and the notes on omissions; return it with the width that it needs.
    pub(super) fn foot(&mut self) -> (String, f64) {
        let mut out = String::new();
        let mut widest = 0.0_f64;
        let mut y = self.bottom + 44.0;
        let mut x = self.left;
        if self.chart.states.len() > 1 {
            for (i, state) in self.chart.states.iter().enumerate() {
                out += &format!("<path class=\"tint s{i}\" d=\"M{} {}h18\"/>", num(x), num(y));
                out += &format!(
                    "<text class=\"small\" x=\"{}\" y=\"{}\">{}</text>",
                    num(x + 24.0),
                    num(y + 3.6),
                    escape(state)
                );
                x += 24.0 + text_width(state, LABEL) + 18.0;
                widest = widest.max(x);
                if x > self.right.max(640.0) - 60.0 {
                    (x, y) = (self.left, y + 18.0);
                }
            }
            (x, y) = (self.left, if x > self.left { y + 20.0 } else { y });
        }
        for (i, kind) in self.kinds.iter().enumerate().filter(|_| self.kinds.len() > 1) {
            let class = format!("k{}", i % KINDS.len());
            out += &format!(
                "<path class=\"a {class}\" d=\"M{} {}h15\"/>{}",
                num(x),
                num(y),
                head(x + 20.0, y, (1.0, 0.0), &class)
            );
            out += &format!(
                "<text class=\"small\" x=\"{}\" y=\"{}\">{}</text>",
                num(x + 26.0),
                num(y + 3.6),
                escape(&truncated(kind, 24))
            );
            x += 26.0 + text_width(&truncated(kind, 24), LABEL) + 18.0;
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
            out += &format!(
                "<text class=\"small\" x=\"{}\" y=\"{}\">{}</text>",
                num(x + 20.0),
                num(y + 3.6),
                mark.meaning()
            );
            x += 20.0 + text_width(mark.meaning(), LABEL) + 18.0;
            widest = widest.max(x);
        }
        if self.range.clone().any(|e| self.chart.trace.events[e].with.is_some()) {
            out += &format!("<path class=\"pair\" d=\"M{} {}v12\"/>", num(x + 7.0), num(y - 6.0));
            out += &format!(
                "<text class=\"small\" x=\"{}\" y=\"{}\">interaction</text>",
                num(x + 18.0),
                num(y + 3.6)
            );
            x += 90.0;
            widest = widest.max(x);
        }
        let (from, until) = (self.range.start, self.range.end);
        let here = |span: &Span| {
            span.what == SpanKind::Critical && span.from < until && span.to.is_none_or(|e| e > from)
        };
        if self.rows.iter().any(|p| self.chart.spans[*p as usize].iter().any(here)) {
            out += &format!(
                "<rect class=\"critical\" x=\"{}\" y=\"{}\" width=\"18\" height=\"14\" rx=\"3\"/>",
                num(x),
                num(y - 7.0)
            );
            out += &format!(
                "<text class=\"small\" x=\"{}\" y=\"{}\">in the critical section</text>",
                num(x + 24.0),
                num(y + 3.6)
            );
            x += 24.0 + text_width("in the critical section", LABEL) + 18.0;
            widest = widest.max(x);
        }
        y += if x > self.left { 22.0 } else { 2.0 };
        for note in self.notes() {
            out += &format!(
                "<text class=\"small quiet\" x=\"{}\" y=\"{}\">{}</text>",
                num(self.left),
                num(y),
                escape(&note)
            );
            widest = widest.max(self.left + text_width(&note, LABEL));
            y += 15.0;
        }
        if let Some(cut) = self.cut {
            let verdict = cut.verdict(self.chart);
            let class = if cut.consistent { "name goodtext" } else { "name badtext" };
            out += &format!(
                "<text class=\"{class}\" x=\"{}\" y=\"{}\">{}</text>",
                num(self.left),
                num(y + 3.0),
                escape(&verdict)
            );
            widest = widest.max(self.left + text_width(&verdict, 12.5));
            y += 20.0;
        }
        self.bottom = y;
        (out, widest + 12.0)
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
