//! Symbols on the lifelines: events with their numbers, interactions, observations, and a cut between them.

use super::super::boxes::Box;
use super::super::chart::both;
use super::super::marks::{Mark, event_tooltip};
use super::super::svg::{self, num, text_width, truncated};
use super::{Drawing, LABEL, TOP};
use crate::xml::element;

impl Drawing<'_, '_> {
    /// Reserve the space of events: no label may cover an event; interactions are avoided if possible.
    pub(super) fn reserve_events(&mut self) {
        for e in self.range.clone() {
            let rows: Vec<usize> =
                both(&self.chart.trace.events[e]).filter_map(|p| self.row.get(&p).copied()).collect();
            if let [a, b] = rows[..] {
                let (y0, y1) = (self.y(a), self.y(b));
                self.lines.add(Box::upright(self.x(e), (y0 + y1) / 2.0, 2.0, (y1 - y0).abs()));
            }
            for p in both(&self.chart.trace.events[e]) {
                if let Some(row) = self.row.get(&p) {
                    self.taken.add(Box::upright(self.x(e), self.y(*row), 14.0, 14.0));
                }
            }
        }
    }

    pub(super) fn events(&mut self) {
        let trace = self.chart.trace;
        for e in self.range.clone() {
            let event = &trace.events[e];
            let x = self.x(e);
            let rows: Vec<usize> = both(event).filter_map(|p| self.row.get(&p).copied()).collect();
            let mut drawn = element("g").with("class", "e").markup(svg::title(&event_tooltip(trace, event)));
            let Some(row) = self.row.get(&event.process).copied() else {
                if let Some(row) = rows.first() {
                    self.out += &drawn.markup(Mark::Event.draw(x, self.y(*row))).to_string();
                }
                continue;
            };
            let y = self.y(row);
            if let (Some(with), [_, other]) = (&event.with, rows.as_slice())
                && with.process != event.process
            {
                let to = self.y(*other);
                let line = svg::path("pair", format_args!("M{} {}V{}", num(x), num(y), num(to)));
                drawn = drawn.markup(line).markup(Mark::Event.draw(x, to));
            }
            self.out += &drawn.markup(Mark::of(event).draw(x, y)).to_string();
            self.observations(e, x, y);
            // The number of the event, used in lists and options.
            let number = event.index.to_string();
            let width = text_width(&number, 8.5);
            let aside = 5.0 + width / 2.0;
            let spots =
                [(0.0, 11.5), (aside, 10.0), (-aside, 10.0), (aside, -10.0), (-aside, -10.0), (0.0, -11.5)];
            let spots = spots.map(|(dx, dy)| Box::upright(x + dx, y + dy, width, 8.0));
            let clear: Vec<Box> = spots.into_iter().filter(|b| self.lines.is_free(b)).collect();
            if let Some(b) = self.taken.first_free(clear.into_iter().chain([spots[0]])) {
                self.text(b.x, b.y + 3.0, "tiny quiet middle", &number);
            }
        }
    }

    /// Draw upcalls, notes and aborts; calls and returns are drawn as spans.
    fn observations(&mut self, e: usize, x: f64, y: f64) {
        let event = &self.chart.trace.events[e];
        let spoken = |o: &&String| !["call ", "return ", "note "].iter().any(|word| o.starts_with(word));
        for text in event.observations.iter().filter(spoken) {
            let aborts = text.starts_with("abort");
            let shown = format!("◆ {}", truncated(text.strip_prefix("upcall ").unwrap_or(text), 28));
            let width = text_width(&shown, LABEL);
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

    /// Draw the line of a cut, between the events inside and outside.
    pub(super) fn cut_line(&mut self) {
        let Some(cut) = self.cut else { return };
        let mut points = Vec::new();
        for (row, p) in self.rows.iter().enumerate() {
            let last = cut.last[p.index()];
            let events = &self.chart.trace.events;
            let takes_part = |e: &usize| {
                events[*e].process == *p || events[*e].with.as_ref().is_some_and(|w| w.process == *p)
            };
            let next = (last.map_or(0, |last| last + 1)..events.len()).find(takes_part);
            let limited = |e: usize| match e {
                e if e < self.range.start => self.left + 8.0,
                e if e >= self.range.end => self.right - 8.0,
                e => self.x(e),
            };
            let before = last.map_or(self.left, limited);
            let after = next.map_or(self.right, limited);
            points.push((before + ((after - before) / 2.0).min(self.pitch / 2.0), self.y(row)));
        }
        let Some(first) = points.first().copied() else { return };
        let mut path = format!("M{} {}V{}", num(first.0), num(self.top()), num(first.1));
        for pair in points.windows(2) {
            let ((x0, y0), (x1, y1)) = (pair[0], pair[1]);
            let middle = (y0 + y1) / 2.0;
            path +=
                &format!("C{} {} {} {} {} {}", num(x0), num(middle), num(x1), num(middle), num(x1), num(y1));
        }
        path += &format!("V{}", num(self.bottom + 18.0));
        let class = if cut.consistent { "good" } else { "bad" };
        let line = svg::path(&format!("{class} cut"), path);
        self.out += &line.markup(svg::title(&cut.verdict(self.chart))).to_string();
    }
}
