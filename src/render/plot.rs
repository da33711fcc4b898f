//! Costs over n as a plot: points with bars from the minimum to the maximum, fitted curves, declared bounds. The SVG follows the
//! reader's light or dark scheme and has no scripts and no fonts of its own.

use super::measure::formula;
use crate::measure::{Fit, Header, Row, Table};
use crate::xml::{Element, element};
use std::fmt::{Display, Write};

/// The width of the drawing, and the margins around a panel: left for numbers, right for the legend.
const WIDTH: f64 = 860.0;
const PANEL: f64 = 380.0;
const LEFT: f64 = 78.0;
const RIGHT: f64 = 268.0;
const TOP: f64 = 62.0;
const BOTTOM: f64 = 54.0;
/// The maximum line length of the legend beside a panel, in characters.
const LEGEND_WIDTH: usize = 34;

/// An axis is logarithmic if its values span at least this factor.
const LOGARITHMIC_FROM: f64 = 16.0;
/// The number of points of a fitted curve.
const CURVE_POINTS: u32 = 60;
/// The number of colours that the style defines.
const COLOURS: usize = 6;

/// The colours of Okabe and Ito, distinguishable under any colour vision; lighter ones on a dark background.
const STYLE: &str = "\
svg { color-scheme: light dark; }
.ground { fill: #ffffff; } .ink { fill: #1c2024; } .faint { fill: #5b6570; } .grid { stroke: #e3e7eb; } .axis { stroke: #8b949e; }
.c0 { --c: #0072b2; } .c1 { --c: #d55e00; } .c2 { --c: #009e73; } .c3 { --c: #a3478a; } .c4 { --c: #8a6d00; } .c5 { --c: #56606b; }
text { font: 13px system-ui, 'Segoe UI', Helvetica, Arial, sans-serif; } .title { font-size: 16px; font-weight: 600; } .small { font-size: 12px; }
.point { fill: var(--c); } .bar { stroke: var(--c); stroke-width: 1.6; } .fit { stroke: var(--c); stroke-width: 1.4; fill: none; stroke-opacity: .55; }
.bound { stroke: var(--c); stroke-width: 1.6; fill: none; stroke-dasharray: 7 4; }
@media (prefers-color-scheme: dark) {
.ground { fill: #14171a; } .ink { fill: #e8ebee; } .faint { fill: #9aa5b1; } .grid { stroke: #2b3138; } .axis { stroke: #6b7580; }
.c0 { --c: #56b4e9; } .c1 { --c: #ff9551; } .c2 { --c: #2fcf9f; } .c3 { --c: #e08fcb; } .c4 { --c: #e6c245; } .c5 { --c: #b4bec8; }
}";

/// Return the plot: a panel for messages, and one for time or rounds, as an XML document.
pub fn svg(header: &Header, table: &Table) -> String {
    let time = if table.rows.iter().any(|row| row.rounds.is_some()) { "rounds" } else { "time" };
    let panels: Vec<Panel> =
        ["messages", time].iter().filter_map(|measure| Panel::of(measure, header, table)).collect();
    let title = format!("{} on {}", header.algorithm, header.plan.topologies());
    let about = format!("schedule {}, {} runs a size", header.plan.schedule, header.plan.runs);
    drawing(&title, &about, &panels)
}

/// The result of a worst-case search.
pub struct WorstCasePlot {
    pub title: String,
    pub about: String,
    /// The measure that was maximized.
    pub measure: &'static str,
    /// The maximum found, by n.
    pub found: Vec<(u32, u64)>,
    /// The text and limits of the declared bounds of this measure, by n.
    pub bounds: Vec<(String, Vec<(u32, i64)>)>,
}

/// Return the plot of a worst-case search, with one panel, as an XML document.
pub fn worst_case_svg(worst: &WorstCasePlot) -> String {
    let points = |(n, cost): &(u32, u64)| {
        let cost = *cost as f64;
        Point { n: f64::from(*n), least: cost, median: cost, most: cost }
    };
    let points: Vec<Point> = worst.found.iter().map(points).collect();
    let fit = Fit::of(&worst.found.iter().map(|(n, cost)| (*n, *cost as f64)).collect::<Vec<_>>());
    let ends = points.first().zip(points.last()).map(|(first, last)| (first.n, last.n));
    let fits = vec![fit.zip(ends).map(|(fit, ends)| fitted(&fit, ends))];
    let bounds = worst.bounds.iter().filter(|(_, limits)| !limits.is_empty()).map(|(words, limits)| {
        let points = limits.iter().map(|(n, limit)| (f64::from(*n), *limit as f64));
        Curve { words: words.clone(), points: points.collect() }
    });
    let series = vec![("maximum found".to_string(), points)];
    let panel = Panel::new(worst.measure, series, fits, bounds.collect());
    drawing(&worst.title, &worst.about, &if worst.found.is_empty() { vec![] } else { vec![panel] })
}

fn drawing(title: &str, about: &str, panels: &[Panel]) -> String {
    let height = TOP + 12.0 + panels.len().max(1) as f64 * PANEL;
    let mut svg = element("svg")
        .with("xmlns", "http://www.w3.org/2000/svg")
        .with("viewBox", format_args!("0 0 {WIDTH} {height}"))
        .with("width", WIDTH)
        .with("height", height)
        .with("role", "img")
        .with("aria-labelledby", "title about");
    let lines = [
        element("title").with("id", "title").text(title),
        element("desc").with("id", "about").text(&format!("Costs over the number of processes: {about}")),
        element("style").markup(format_args!("\n{STYLE}\n")),
        element("rect").with("class", "ground").with("width", "100%").with("height", "100%"),
        text("ink title", 24, 32, &clipped(title, 90)),
        text("faint small", 24, 52, &clipped(about, 120)),
    ];
    for line in lines {
        svg = svg.markup(format_args!("\n{line}"));
    }
    let mut out = String::from("\n");
    for (i, panel) in panels.iter().enumerate() {
        panel.draw(TOP + i as f64 * PANEL, &mut out);
    }
    if panels.is_empty() {
        line(&mut out, text("ink", 24, TOP + 40.0, "No run has ended."));
    }
    format!("{}\n", svg.markup(out))
}

/// Append an element on a line of its own.
fn line(out: &mut String, element: Element) {
    // Writing to a String cannot fail.
    let _ = writeln!(out, "{element}");
}

fn text(class: &str, x: impl Display, y: impl Display, text: &str) -> Element {
    element("text").with("class", class).with("x", x).with("y", y).text(text)
}

fn path(class: &str, d: impl Display) -> Element {
    element("path").with("class", class).with("d", d)
}

fn circle(x: impl Display, y: impl Display) -> Element {
    element("circle").with("class", "point").with("cx", x).with("cy", y).with("r", "3.6")
}

/// Return the best fitted curve between two sizes.
fn fitted(fit: &Fit, (from, to): (f64, f64)) -> Curve {
    let best = fit.best();
    // Steps that are even on a logarithmic axis are dense enough on a linear one.
    let step = (to / from).powf(1.0 / f64::from(CURVE_POINTS));
    let at = |i| from * step.powi(i as i32);
    let points = (0..=CURVE_POINTS).map(|i| (at(i), best.at(at(i)).max(0.0)));
    Curve { words: formula(best), points: points.collect() }
}

/// The panel of one measure.
struct Panel {
    measure: &'static str,
    x: Axis,
    y: Axis,
    /// The data by arrangement of ids, with the text of the legend.
    series: Vec<(String, Vec<Point>)>,
    /// Text and points of the fitted curve of each series.
    fits: Vec<Option<Curve>>,
    bounds: Vec<Curve>,
}

/// The runs of one size.
struct Point {
    n: f64,
    least: f64,
    median: f64,
    most: f64,
}

struct Curve {
    words: String,
    points: Vec<(f64, f64)>,
}

impl Panel {
    fn of(measure: &str, header: &Header, table: &Table) -> Option<Panel> {
        let name = |row: &Row| row.measures().into_iter().find(|(name, _)| *name == measure).map(|m| m.0);
        let measure = table.rows.iter().find_map(name)?;
        let mut series = Vec::new();
        let mut fits = Vec::new();
        for ids in &header.plan.ids {
            let rows = table.rows.iter().filter(|row| row.ids == *ids);
            let points: Vec<Point> = rows
                .filter_map(|row| {
                    let own = row.measures();
                    let (_, spread) = own.iter().find(|(name, _)| *name == measure)?;
                    Some(Point {
                        n: row.n.into(),
                        least: spread.least as f64,
                        median: spread.median,
                        most: spread.greatest as f64,
                    })
                })
                .collect();
            let (Some(first), Some(last)) = (points.first(), points.last()) else { continue };
            let ends = (first.n, last.n);
            let fit = table.fits.iter().find(|series| series.ids == *ids && series.measure == measure);
            fits.push(fit.map(|series| fitted(&series.fit, ends)));
            series.push((format!("ids {ids}: median"), points));
        }
        Some(Panel::new(measure, series, fits, bounds(measure, header, table)))
    }

    fn new(
        measure: &'static str,
        series: Vec<(String, Vec<Point>)>,
        fits: Vec<Option<Curve>>,
        bounds: Vec<Curve>,
    ) -> Panel {
        let values = series.iter().flat_map(|(_, points)| points).flat_map(|p| [p.least, p.median, p.most]);
        let limits = bounds.iter().flat_map(|curve| curve.points.iter().map(|p| p.1));
        let sizes = series.iter().flat_map(|(_, points)| points.iter().map(|p| p.n));
        let (x, y) = (Axis::of(sizes), Axis::of(values.chain(limits)));
        Panel { measure, x, y, series, fits, bounds }
    }

    fn draw(&self, top: f64, out: &mut String) {
        let frame = Frame { panel: self, top, right: WIDTH - RIGHT, bottom: top + PANEL - BOTTOM };
        frame.axes(out);
        let mut legend = Legend { x: frame.right + 18.0, y: top + 26.0 };
        for (i, (words, points)) in self.series.iter().enumerate() {
            let colour = i % COLOURS;
            let fit = self.fits.get(i).and_then(Option::as_ref);
            let mut series = String::from("\n");
            if let Some(curve) = fit {
                line(&mut series, path("fit", frame.curve(&curve.points)));
            }
            points.iter().for_each(|point| frame.point(point, &mut series));
            legend.entry(colour, "point", words, &mut series);
            if let Some(curve) = fit {
                legend.entry(colour, "fit", &format!("≈ {}", curve.words), &mut series);
            }
            line(out, group(colour, series));
        }
        for (i, curve) in self.bounds.iter().enumerate() {
            let colour = (COLOURS - 1 - i % COLOURS) % COLOURS;
            let mut bound = String::from("\n");
            line(&mut bound, path("bound", frame.curve(&curve.points)));
            legend.entry(colour, "bound", &curve.words, &mut bound);
            line(out, group(colour, bound));
        }
        if self.series.iter().any(|(_, points)| points.iter().any(|p| p.most > p.least)) {
            legend.remark("bars: minimum to maximum", out);
        }
        if self.fits.iter().any(Option::is_some) {
            legend.remark("curves: least squares, not a proof", out);
        }
    }

    /// Return the sizes themselves as ticks, as far as they have room.
    fn x_ticks(&self) -> Vec<f64> {
        let mut sizes: Vec<f64> =
            self.series.iter().flat_map(|(_, points)| points.iter().map(|p| p.n)).collect();
        sizes.sort_by(f64::total_cmp);
        sizes.dedup();
        let room =
            |pair: &[f64]| (self.x.place(pair[1]) - self.x.place(pair[0])) * (WIDTH - RIGHT - LEFT) >= 28.0;
        match sizes.windows(2).all(room) {
            true => sizes,
            false => self.x.ticks(),
        }
    }
}

/// A panel in its place on the page.
struct Frame<'p> {
    panel: &'p Panel,
    top: f64,
    right: f64,
    bottom: f64,
}

impl Frame<'_> {
    fn x(&self, n: f64) -> f64 {
        LEFT + self.panel.x.place(n) * (self.right - LEFT)
    }

    fn y(&self, value: f64) -> f64 {
        self.bottom - self.panel.y.place(value) * (self.bottom - self.top - 26.0)
    }

    /// Draw the axes with their ticks and names.
    fn axes(&self, out: &mut String) {
        let (right, bottom) = (self.right, self.bottom);
        let scale = |axis: &Axis| {
            element("tspan").with("class", "faint").text(if axis.logarithmic { ", logarithmic" } else { "" })
        };
        let name = text("ink", LEFT, self.top + 10.0, self.panel.measure);
        line(out, name.markup(scale(&self.panel.y)));
        for tick in self.panel.y.ticks() {
            let at = self.y(tick);
            let ends = element("line").with("class", "grid").with("x1", LEFT).with("x2", right);
            line(out, ends.with("y1", format_args!("{at:.1}")).with("y2", format_args!("{at:.1}")));
            let below = at + 4.0;
            let number = element("text").with("class", "faint small").with("x", LEFT - 8.0);
            let number = number.with("y", format_args!("{below:.1}")).with("text-anchor", "end");
            line(out, number.text(&short(tick)));
        }
        for tick in self.panel.x_ticks() {
            let at = format!("{:.1}", self.x(tick));
            let ends = element("line").with("class", "axis").with("x1", &at).with("x2", &at);
            line(out, ends.with("y1", bottom).with("y2", bottom + 5.0));
            let number = element("text").with("class", "faint small").with("x", &at).with("y", bottom + 20.0);
            line(out, number.with("text-anchor", "middle").text(&short(tick)));
        }
        let corner = format!("M{LEFT} {} V{bottom} H{right}", self.top + 20.0);
        line(out, element("path").with("class", "axis").with("fill", "none").with("d", corner));
        let name = element("text").with("class", "ink").with("x", right).with("y", bottom + 40.0);
        line(out, name.with("text-anchor", "end").text("n").markup(scale(&self.panel.x)));
    }

    /// Return the path through the points that the axis shows.
    fn curve(&self, points: &[(f64, f64)]) -> String {
        let shown = points.iter().filter(|p| self.panel.y.shows(p.1));
        let each = shown.enumerate().map(|(i, (n, value))| {
            format!("{}{:.1} {:.1}", if i == 0 { 'M' } else { 'L' }, self.x(*n), self.y(*value))
        });
        each.collect::<Vec<String>>().join(" ")
    }

    /// Draw the median of a size, with a bar from the minimum to the maximum.
    fn point(&self, Point { n, least, median, most }: &Point, out: &mut String) {
        let at = self.x(*n);
        if most > least && self.panel.y.shows(*most) {
            let (low, high) = (self.y(self.panel.y.nearest(*least)), self.y(*most));
            let (a, b) = (at - 4.0, at + 4.0);
            let bar =
                format!("M{at:.1} {low:.1} V{high:.1} M{a:.1} {low:.1} H{b:.1} M{a:.1} {high:.1} H{b:.1}");
            line(out, element("path").with("class", "bar").with("fill", "none").with("d", bar));
        }
        if self.panel.y.shows(*median) {
            let told = match most > least {
                true => format!("n = {n}: {least} to {most}, median {median}"),
                false => format!("n = {n}: {most}"),
            };
            let y = self.y(*median);
            let dot = circle(format_args!("{at:.1}"), format_args!("{y:.1}"));
            line(out, dot.markup(element("title").text(&told)));
        }
    }
}

fn group(colour: usize, markup: String) -> Element {
    element("g").with("class", format_args!("c{colour}")).markup(markup)
}

/// Return the declared limits of this measure, by n; the greatest if random graphs give several.
fn bounds(measure: &str, header: &Header, table: &Table) -> Vec<Curve> {
    let mut curves = Vec::new();
    for (i, bound) in header.bounds.iter().enumerate().filter(|(_, b)| b.of.as_deref() == Some(measure)) {
        let mut points: Vec<(f64, f64)> = Vec::new();
        for row in &table.rows {
            let Some(Some(at)) = row.bounds.get(i) else { continue };
            let (n, limit) = (f64::from(row.n), at.limit as f64);
            match points.iter_mut().find(|p| p.0 == n) {
                Some(known) => known.1 = known.1.max(limit),
                None => points.push((n, limit)),
            }
        }
        points.sort_by(|a, b| a.0.total_cmp(&b.0));
        if !points.is_empty() {
            curves.push(Curve { words: format!("{}: {}", bound.name, bound.text), points });
        }
    }
    curves
}

struct Legend {
    x: f64,
    y: f64,
}

impl Legend {
    fn entry(&mut self, colour: usize, class: &str, words: &str, out: &mut String) {
        let (a, b, middle) = (self.x, self.x + 22.0, self.x + 11.0);
        let y = self.y - 4.0;
        line(
            out,
            match class {
                "point" => circle(middle, y),
                class => path(&format!("{class} c{colour}"), format_args!("M{a} {y} H{b}")),
            },
        );
        let lines = wrapped(words, LEGEND_WIDTH);
        for (i, words) in lines.iter().enumerate() {
            line(out, text("ink small", b + 8.0, self.y + 15.0 * i as f64, words));
        }
        self.y += 15.0 * lines.len() as f64 + 6.0;
    }

    fn remark(&mut self, words: &str, out: &mut String) {
        line(out, text("faint small", self.x + 30.0, self.y + 4.0, words));
        self.y += 17.0;
    }
}

/// An axis: the mapping of values to positions between 0 and 1.
pub struct Axis {
    from: f64,
    to: f64,
    logarithmic: bool,
}

impl Axis {
    pub fn of(values: impl Iterator<Item = f64>) -> Axis {
        let (mut least, mut most, mut positive) = (f64::MAX, 0.0_f64, f64::MAX);
        for value in values {
            least = least.min(value);
            most = most.max(value);
            if value > 0.0 {
                positive = positive.min(value);
            }
        }
        let logarithmic = most > 0.0 && most / positive >= LOGARITHMIC_FROM;
        match logarithmic {
            // A margin keeps points off the edge.
            true => Axis { from: positive / 1.25, to: most * 1.25, logarithmic },
            false => Axis { from: 0.0, to: if most > 0.0 { most * 1.06 } else { 1.0 }, logarithmic },
        }
    }

    fn shows(&self, value: f64) -> bool {
        !self.logarithmic || value >= self.from
    }

    fn nearest(&self, value: f64) -> f64 {
        if self.logarithmic { value.max(self.from) } else { value }
    }

    pub fn place(&self, value: f64) -> f64 {
        match self.logarithmic {
            true => (value / self.from).ln() / (self.to / self.from).ln(),
            false => (value - self.from) / (self.to - self.from),
        }
    }

    pub fn ticks(&self) -> Vec<f64> {
        let within = |value: &f64| *value >= self.from && *value <= self.to;
        if self.logarithmic {
            let decades = (self.to / self.from).log10();
            let steps: &[f64] = if decades < 2.5 { &[1.0, 2.0, 5.0] } else { &[1.0] };
            let (first, last) = (self.from.log10().floor() as i32, self.to.log10().ceil() as i32);
            let powers = (first..=last).step_by(if decades > 10.0 { 2 } else { 1 }).map(|e| 10f64.powi(e));
            return powers.flat_map(|p| steps.iter().map(move |s| s * p)).filter(within).collect();
        }
        let rough = (self.to - self.from) / 5.0;
        let power = 10f64.powf(rough.log10().floor());
        let step =
            [1.0, 2.0, 5.0, 10.0].map(|s| s * power).into_iter().find(|s| *s >= rough).unwrap_or(rough);
        (0..12).map(|i| f64::from(i) * step).filter(within).collect()
    }
}

/// Format a number briefly: `1`, `512`, `1.5k`, `2M`.
pub fn short(value: f64) -> String {
    let (scaled, unit) = match value.abs() {
        v if v >= 1e15 => return format!("{value:.0e}"),
        v if v >= 1e12 => (value / 1e12, "T"),
        v if v >= 1e9 => (value / 1e9, "G"),
        v if v >= 1e6 => (value / 1e6, "M"),
        v if v >= 1e4 => (value / 1e3, "k"),
        _ => (value, ""),
    };
    let text = format!("{scaled:.3}");
    format!("{}{unit}", text.trim_end_matches('0').trim_end_matches('.'))
}

/// Break a text into lines of at most `width` characters, at spaces if possible.
pub fn wrapped(text: &str, width: usize) -> Vec<String> {
    let mut lines: Vec<String> = vec![String::new()];
    for word in text.split(' ') {
        let last = lines.len() - 1;
        let used = lines[last].chars().count();
        if used > 0 && used + 1 + word.chars().count() > width {
            lines.push(clipped(word, width));
        } else {
            if used > 0 {
                lines[last].push(' ');
            }
            lines[last] += &clipped(word, width);
        }
    }
    lines
}

fn clipped(text: &str, width: usize) -> String {
    match text.chars().count() > width {
        true => text.chars().take(width - 1).chain(['…']).collect(),
        false => text.to_string(),
    }
}
