//! Messages: slanted arrows, arcs to the sender itself, stubs if the other end is not drawn, and their labels.

use super::super::boxes::Box;
use super::super::chart::{Fate, MessageFlight};
use super::super::marks::{cross, head};
use super::super::style::kind_class;
use super::super::svg::{self, fine, num, text_width};
use super::{Drawing, LABEL, cut_label};
use crate::xml::{Element, element};

impl Drawing<'_, '_> {
    pub(super) fn arrows(&mut self) -> String {
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

    /// Return the two ends of a message's arrow; an invisible end is cut off between the lifelines.
    fn way(
        &self,
        flight: &MessageFlight,
        sent: Option<usize>,
        ended: Option<usize>,
        from: usize,
        to: usize,
    ) -> ((f64, f64), (f64, f64)) {
        let lost = matches!(flight.fate, Fate::Lost(_));
        let (y0, y1) = (self.y(from), self.y(to));
        let x0 = sent.map_or(self.left, |e| self.x(e));
        let x1 = self.end_of(flight, ended);
        let share = |from: f64, to: f64, part: f64| from + (to - from) * part;
        let (sx, sy) = if sent.is_some() { (x0, y0) } else { (x0, share(y0, y1, 0.4)) };
        let end = match (ended.is_some(), lost) {
            (true, false) => (x1, y1),
            (true, true) => (share(sx, x1, 0.78), share(sy, y1, 0.78)),
            (false, _) => (x1, share(sy, y1, 0.6)),
        };
        ((sx, sy), end)
    }

    /// Return where a message ends: at an event, at the crash of its sender that loses it, or beyond the events drawn.
    fn end_of(&self, flight: &MessageFlight, ended: Option<usize>) -> f64 {
        let crash = flight.fate.crash().filter(|e| self.range.contains(e));
        ended.or(crash).map_or(self.right, |e| self.x(e))
    }

    /// Return whether the arrow ends in a cross: the message is lost, and the loss is drawn.
    fn is_cut_short(&self, flight: &MessageFlight, ended: Option<usize>) -> bool {
        match flight.fate {
            Fate::Lost(_) => ended.is_some(),
            Fate::LostWithSender(crash) => self.range.contains(&crash),
            Fate::Received(_) | Fate::InTransit => false,
        }
    }

    /// Draw one message: its line, and its label.
    fn arrow(
        &mut self,
        flight: &MessageFlight,
        sent: Option<usize>,
        ended: Option<usize>,
        rows: (Option<usize>, Option<usize>),
        backwards: bool,
    ) -> (String, String) {
        let lost = flight.fate.is_lost();
        let ends_in_cross = self.is_cut_short(flight, ended);
        let kind = kind_class(&self.kinds, flight.kind());
        let trace = self.chart.trace;
        let mut words = flight.id.map_or(String::new(), |id| format!("{id} "));
        words += &format!(
            "{} from {} to {}",
            flight.text,
            trace.header.name(flight.from),
            trace.header.name(flight.to)
        );
        words += match flight.fate {
            Fate::Received(_) => "",
            Fate::Lost(_) => ", lost",
            Fate::LostWithSender(_) => ", lost by the crash of its sender",
            Fate::InTransit => ", never received",
        };
        if let Some(original) = flight.copy_of {
            words += &format!(", a copy of {original}");
        }
        let mut class = kind.clone();
        // An arrow with an invisible end, or none, is dashed.
        if ended.is_none() || sent.is_none() || flight.copy_of.is_some() || lost {
            class += " way";
        }
        let group = element("g").with("class", "m").markup(svg::title(&words));
        let stroke = |group: Element, path: &str| {
            let group = if backwards { group.markup(svg::path("bad", path)) } else { group };
            group.markup(svg::path(&format!("a {class}"), path))
        };
        let (Some(from), Some(to)) = rows else {
            return self.stub(flight, sent, ended, rows, &kind, group);
        };
        if flight.from == flight.to {
            return self.arc(flight, sent, ended, from, &kind, |path| stroke(group, path));
        }
        let ((sx, sy), (ex, ey)) = self.way(flight, sent, ended, from, to);
        let length = ((ex - sx).powi(2) + (ey - sy).powi(2)).sqrt().max(1.0);
        let (ux, uy) = ((ex - sx) / length, (ey - sy) / length);
        let shorter = if ended.is_some() && !lost { 5.5 } else { 0.0 };
        let (tx, ty) = (ex - ux * shorter, ey - uy * shorter);
        let line = format!("M{} {}L{} {}", num(sx), num(sy), num(tx), num(ty));
        let tip = match ends_in_cross {
            true => cross(ex, ey, 4.5, "bad"),
            false => head(tx, ty, (ux, uy), &kind),
        };
        let arrow = stroke(group, &line).markup(tip).to_string();
        (arrow, self.along(flight, &kind, (sx, sy), (ux, uy), length))
    }

    /// Place the label along an arrow, above or below it, if there is space.
    fn along(
        &mut self,
        flight: &MessageFlight,
        kind: &str,
        (sx, sy): (f64, f64),
        (ux, uy): (f64, f64),
        length: f64,
    ) -> String {
        let text = cut_label(flight);
        let width = text_width(&text, LABEL);
        if text.is_empty() {
            return String::new();
        }
        let (left, right) = (self.left, self.right);
        // For readability the text runs along the arrow, never upside down.
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
        // The box is centred on the letters; text is placed by its baseline.
        let (x, y) = (b.x - up.0 * 3.4, b.y - up.1 * 3.4);
        let (cos, sin) = (fine(along.0), fine(along.1));
        let turned = format!("matrix({cos} {sin} {} {cos} {} {})", fine(-along.1), num(x), num(y));
        let label = element("text").with("class", format!("small middle halo {kind}"));
        label.with("transform", turned).text(&text).to_string()
    }

    /// Draw a message whose other end is not drawn.
    fn stub(
        &mut self,
        flight: &MessageFlight,
        sent: Option<usize>,
        ended: Option<usize>,
        rows: (Option<usize>, Option<usize>),
        kind: &str,
        group: Element,
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
        let line = format!("M{} {}L{} {}", num(x0), num(y0), num(x1), num(y1));
        let line = svg::path(&format!("a way {kind}"), line);
        let arrow = group.markup(line).markup(head(x1, y1, direction, kind)).to_string();
        let (lx, ly) = if rows.0.is_some() { (x1, y1) } else { (x0, y0) };
        let width = text_width(&name, LABEL);
        let b = Box::upright(lx, ly + 7.0 * down, width, 11.0);
        let label = match self.taken.first_free([b]) {
            Some(b) => svg::text(&format!("small middle halo {kind}"), b.x, b.y + 3.6, &name).to_string(),
            None => String::new(),
        };
        (arrow, label)
    }

    /// Draw a message to the sender itself, an arc above the line.
    fn arc(
        &mut self,
        flight: &MessageFlight,
        sent: Option<usize>,
        ended: Option<usize>,
        row: usize,
        kind: &str,
        stroke: impl FnOnce(&str) -> Element,
    ) -> (String, String) {
        let y = self.y(row);
        let x0 = sent.map_or(self.left, |e| self.x(e));
        let mut x1 = self.end_of(flight, ended);
        if x1 - x0 < 12.0 {
            // Sent and received in one step.
            x1 = x0 + 12.0;
        }
        let rise = ((x1 - x0) * 0.35).clamp(16.0, self.gap * 0.62);
        let (cx, top) = ((x0 + x1) / 2.0, y - rise);
        let (tx, ty) = (x1 - 2.5, y - 5.0);
        let path =
            format!("M{} {}Q{} {} {} {}", num(x0), num(y), num(cx), num(y - 2.0 * rise), num(tx), num(ty));
        let (dx, dy) = (tx - cx, ty - (y - 2.0 * rise));
        let length = (dx * dx + dy * dy).sqrt().max(1.0);
        let tip = match self.is_cut_short(flight, ended) {
            true => cross(tx, ty, 4.5, "bad"),
            false => head(tx, ty, (dx / length, dy / length), kind),
        };
        let arrow = stroke(&path).markup(tip).to_string();
        let label = self.along(flight, kind, (x0, top), (1.0, 0.0), x1 - x0);
        (arrow, label)
    }
}
