//! The background of a diagram: rounds, instants, the lifelines with their states and operations.

use super::super::boxes::Box;
use super::super::chart::Condition;
use super::super::spans::SpanKind;
use super::super::svg::{self, num, text_width};
use super::{Drawing, LABEL};
use crate::prose;

/// The radius of the ring around the event that violates a property.
const RING: f64 = 10.0;

impl Drawing<'_, '_> {
    /// Draw rounds and joint steps, shaded alternately.
    pub(super) fn bands(&mut self) {
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
                let size = (x1 - x0, self.bottom + 22.0 - y);
                self.out += &svg::rect("band", (x0, y), size).to_string();
            }
            let fits = |text: &str| text_width(text, LABEL) < x1 - x0 - 4.0;
            let (x, y, class) = ((x0 + x1) / 2.0, y + 13.0, "small quiet middle");
            if fits(&band.name) {
                self.text(x, y, class, &band.name);
            } else if fits(&band.short) {
                let name = svg::text(class, x, y, "").markup(svg::title(&band.name)).text(&band.short);
                self.out += &name.to_string();
            }
        }
    }

    /// Draw where the cycle of a run begins: a vertical line, with a label below it.
    pub(super) fn cycle_start(&mut self) {
        let Some(event) = self.range.clone().find(|e| self.chart.trace.is_cycle_start(*e)) else { return };
        let (x, foot) = (self.x(event) - self.pitch * 0.62, self.bottom + 31.0);
        self.out +=
            &svg::path("over", format_args!("M{} {}V{}", num(x), num(self.top()), num(foot))).to_string();
        // Without space on the right, the label is placed on the left.
        let text = prose::CYCLE_BEGINS;
        match x + text_width(text, LABEL) + 8.0 < self.right {
            true => self.text(x + 4.0, foot - 2.0, "small quiet", text),
            false => self.text(x - 4.0, foot - 2.0, "small quiet end", text),
        }
    }

    /// Draw a ring around the event that violates the property of a counterexample.
    pub(super) fn violation(&mut self) {
        let Some(event) = self.chart.trace.violating_event().filter(|event| self.shows(*event)) else {
            return;
        };
        let Some(row) = self.row.get(&self.chart.trace.events[event].process) else { return };
        let ring = svg::circle("bad", self.x(event), self.y(*row), RING);
        self.out += &ring.with("fill", "none").with("stroke-width", "2").to_string();
    }

    /// Draw the time axis, in models with time.
    pub(super) fn axis(&mut self) {
        if !self.chart.is_timed() {
            return;
        }
        let y = self.top() - 2.0;
        self.out += &svg::path("rule", format_args!("M{} {}H{}", num(self.left), num(y), num(self.right)))
            .to_string();
        let mut last_instant = None;
        let mut free_from = f64::MIN;
        for e in self.range.clone() {
            let at = self.chart.trace.events[e].at;
            if at == last_instant {
                continue;
            }
            last_instant = at;
            let (x, text) = (self.x(e), at.unwrap_or(0).to_string());
            self.out +=
                &svg::path("rule", format_args!("M{} {}V{}", num(x), num(y - 4.0), num(self.bottom + 18.0)))
                    .to_string();
            let half = text_width(&text, LABEL) / 2.0;
            if x - half > free_from {
                self.text(x, y - 7.0, "small quiet middle", &text);
                free_from = x + half + 5.0;
            }
        }
        self.text(self.left - 10.0, y + 2.0, "small quiet end", "time");
    }

    /// Draw the lifelines, tinted by state; interrupted while the process is down, thin after it has halted.
    pub(super) fn lines(&mut self) {
        let several = self.chart.states.len() > 1;
        let mut tints = String::new();
        let mut lines = String::new();
        let mut words: Vec<(f64, f64, String)> = Vec::new();
        for (row, p) in self.rows.iter().enumerate() {
            let y = self.y(row);
            let lives = &self.chart.lives[p.index()];
            let mut shown = None;
            for (i, life) in lives.iter().enumerate() {
                let until = lives.get(i + 1).and_then(|next| next.from);
                let begins = life.from.unwrap_or(0);
                if begins >= self.range.end && life.from.is_some()
                    || until.is_some_and(|e| e < self.range.start)
                {
                    continue;
                }
                let edge = |e: Option<usize>, otherwise: f64| match e.filter(|e| self.shows(*e)) {
                    Some(e) => self.x(e),
                    None => otherwise,
                };
                let (x0, x1) = (edge(life.from, self.left), edge(until, self.right));
                let span = format!("M{} {}H{}", num(x0), num(y), num(x1));
                let class = if life.condition == Condition::Up { "line" } else { "over" };
                lines += &svg::path(class, &span).to_string();
                let Some(state) = life.state.filter(|_| several && life.condition == Condition::Up) else {
                    continue;
                };
                let tint = svg::path(&format!("tint s{state}"), &span);
                tints += &tint.markup(svg::title(self.chart.states[state])).to_string();
                if shown.replace(state) != Some(state) && life.from.is_some_and(|e| self.shows(e)) {
                    words.push((x0, y, self.chart.states[state].to_string()));
                }
            }
        }
        self.out += &tints;
        self.out += &lines;
        // The names of states are placed at their beginnings, before the labels of messages take the space.
        for (x, y, state) in words {
            // The letters are bold.
            let width = text_width(&state, LABEL) * 1.1;
            let places = [(x + 7.0, y - 12.0), (x + 7.0, y + 14.0)];
            let boxes = places.map(|(x, y)| Box::upright(x + width / 2.0, y, width, 12.0));
            if let Some(b) =
                self.taken.first_free(boxes.into_iter().filter(|b| b.x + width / 2.0 < self.right))
            {
                self.text(b.x - width / 2.0, b.y + 3.6, "small halo name", &state);
            }
        }
    }

    /// Draw pending operations as lines below the lifeline, critical sections as boxes on it.
    pub(super) fn spans(&mut self) {
        for (row, p) in self.rows.clone().iter().enumerate() {
            let y = self.y(row);
            for span in &self.chart.spans[p.index()] {
                if span.from >= self.range.end || span.to.is_some_and(|e| e <= self.range.start) {
                    continue;
                }
                let x0 = if self.shows(span.from) { self.x(span.from) } else { self.left };
                let x1 = span.to.filter(|e| self.shows(*e)).map_or(self.right, |e| self.x(e));
                match span.what {
                    SpanKind::Critical => {
                        let section = svg::rect("critical", (x0, y - 7.0), (x1 - x0, 14.0)).with("rx", "3");
                        self.out += &section.markup(svg::title("in the critical section")).to_string();
                    }
                    SpanKind::Operation => {
                        let line = format!("M{} {}v4H{}v-4", num(x0), num(y + 14.5), num(x1));
                        let pending = svg::title(&format!("{} is pending", span.name));
                        self.out += &svg::path("operation", line).markup(pending).to_string();
                        let width = text_width(span.name, LABEL);
                        let b = Box::upright(x0 + 4.0 + width / 2.0, y + 26.0, width, 11.0);
                        if let Some(b) =
                            self.taken.first_free([b].into_iter().filter(|_| x1 - x0 > width + 6.0))
                        {
                            self.text(b.x - width / 2.0, b.y + 3.6, "small quiet halo", span.name);
                        }
                    }
                }
            }
        }
    }
}
