//! The run as an animated SVG, with messages that move along their channels.
//!
//! Every event takes the same time. A message starts when it is sent, and arrives with the event that receives it.

use super::moment::Moment;
use super::space_time::{Picture, about};
use super::style::{kind_class, style};
use super::svg::{self, num, text_width, truncated};
use super::topology::{Frame, Scene, aside};
use crate::ids::ProcessId;
use crate::xml::{Element, element};

/// The duration of one event, and of the final frame, in seconds.
const EVENT: f64 = 0.7;
const PAUSE: f64 = 2.5;
/// The maximum number of events of an animation.
pub const MOST_EVENTS: usize = 400;

/// One repetition of the animation: its first event, the position at its end, and its duration in seconds.
struct Repetition {
    start: usize,
    end: usize,
    all: f64,
}

impl Repetition {
    /// Return when a position of the run is reached.
    fn time(&self, position: usize) -> f64 {
        (position - self.start) as f64 * EVENT
    }

    /// Return when a position is left.
    fn until(&self, position: usize) -> f64 {
        if position >= self.end { self.all } else { self.time(position + 1) }
    }

    /// Return a hidden element that is visible from one moment to another, in each repetition.
    fn visible(&self, hidden: Element, from: f64, to: f64) -> Element {
        let (from, to) = (from / self.all, (to / self.all).min(1.0));
        let mut times = vec![(0.0, from <= 0.0), (from, true), (to, false)];
        times.retain(|(t, _)| *t < 1.0);
        times.dedup_by(|b, a| a.0 == b.0);
        let keys: Vec<String> = times.iter().map(|(t, _)| format!("{t:.5}")).collect();
        let values: Vec<&str> = times.iter().map(|(_, v)| if *v { "visible" } else { "hidden" }).collect();
        let animate = element("animate").with("attributeName", "visibility").with("calcMode", "discrete");
        let animate = animate.with("dur", self.duration()).with("repeatCount", "indefinite");
        let animate = animate.with("keyTimes", keys.join(";")).with("values", values.join(";"));
        hidden.with("visibility", "hidden").markup(animate)
    }

    fn duration(&self) -> String {
        format!("{}s", num(self.all))
    }
}

/// Return the animation of some events.
pub fn animation(scene: &Scene, events: std::ops::Range<usize>) -> Picture {
    let end = events.end.min(events.start + MOST_EVENTS);
    let mut notes = Vec::new();
    if end < events.end {
        notes.push(format!("the animation shows events {} to {}", events.start, end - 1));
    }
    let all = (end - events.start) as f64 * EVENT + PAUSE;
    let repetition = Repetition { start: events.start, end, all };
    let (low, high) = scene.stage.bounds();
    let r = scene.stage.radius + 4.0;
    let mut frame =
        Frame { body: String::new(), low: (low.0 - r, low.1 - r), high: (high.0 + r, high.1 + r) };
    scene.edges(&mut frame);
    vertices(scene, &repetition, &mut frame);
    messages(scene, &repetition, &mut frame);
    let (captions, mut widest) = captions(scene, &repetition);
    let header = &scene.chart.trace.header;
    let name = format!("{} on {}", header.algorithm, header.network);
    let about = about(scene.chart);
    let margin = 40.0;
    let (dx, dy) = (margin - frame.low.0, 92.0 - frame.low.1);
    let mut y = 92.0 + frame.high.1 - frame.low.1 + 34.0;
    let mut foot = String::new();
    for line in scene.legend() {
        foot += &svg::text("small quiet", 14.0, y, &line).to_string();
        widest = widest.max(text_width(&line, 11.0));
        y += 15.0;
    }
    let width = (frame.high.0 - frame.low.0 + 2.0 * margin + 60.0)
        .max(widest + 28.0)
        .max(text_width(&name, 17.0).max(text_width(&about, 12.0)) + 28.0)
        .ceil();
    let height = (y + 4.0).ceil();
    let body = format!("{captions}{}{foot}", svg::translated(dx, dy, &frame.body));
    let style = style(&scene.gives_way, scene.kinds.len());
    let svg = svg::document(&format!("{name}. {about}"), (&name, &about), (width, height), &style, &body);
    Picture { svg, width, height, notes }
}

/// Draw each appearance of each vertex while it lasts, with its values.
fn vertices(scene: &Scene, repetition: &Repetition, frame: &mut Frame) {
    let look =
        |moment: &Moment, p: ProcessId, acts: bool| (scene.vertex(moment, p, acts), scene.values(moment, p));
    let appearance = |p: usize, from: f64, to: f64, (vertex, text): &(String, String), frame: &mut Frame| {
        let (x, y) = scene.stage.places[p];
        let (ux, uy) = scene.stage.room[p];
        let width = text_width(text, 11.0);
        let away = scene.stage.radius + 7.0;
        let (lx, ly) = (x + ux * away + aside(ux) * width / 2.0, y + uy * away + aside(uy) * 6.5);
        frame.holds(&super::boxes::Box::upright(lx, ly, width, 13.0));
        let label = svg::text("small middle halo", lx, ly + 4.0, text);
        let shown = repetition.visible(element("g"), from, to).markup(vertex).markup(label);
        frame.body += &format!("{shown}\n");
    };
    let mut moment = Moment::at(scene.chart.trace, repetition.start);
    let mut looks: Vec<(usize, (String, String))> =
        scene.chart.trace.processes().map(|p| (repetition.start, look(&moment, p, false))).collect();
    let mut acting: Vec<ProcessId> = Vec::new();
    let events = scene.chart.trace.events.iter().enumerate();
    for (e, event) in events.take(repetition.end).skip(repetition.start) {
        moment.step(event);
        let now: Vec<ProcessId> = super::chart::both(event).collect();
        let mut touched: Vec<ProcessId> = acting.iter().chain(&now).copied().collect();
        touched.sort_unstable();
        touched.dedup();
        for p in touched {
            let next = look(&moment, p, now.contains(&p));
            let (from, last) = &looks[p.index()];
            if next != *last {
                appearance(p.index(), repetition.time(*from), repetition.time(e + 1), last, frame);
                looks[p.index()] = (e + 1, next);
            }
        }
        acting = now;
    }
    for (p, (from, last)) in looks.iter().enumerate() {
        appearance(p, repetition.time(*from), repetition.all, last, frame);
    }
}

/// Draw the messages that move along their channels.
fn messages(scene: &Scene, repetition: &Repetition, frame: &mut Frame) {
    let all = repetition.all;
    for flight in &scene.chart.flights {
        let sent = flight.sent.map_or(0, |e| e + 1);
        let ended = flight.end().map_or(usize::MAX, |e| e + 1);
        if sent > repetition.end || ended <= repetition.start || ended <= sent || flight.id.is_none() {
            continue;
        }
        let from = repetition.time(sent.max(repetition.start));
        let to = if ended > repetition.end { all } else { repetition.time(ended) };
        let way = scene.stage.channel_or_straight(flight.from, flight.to);
        let kind = kind_class(&scene.kinds, flight.kind());
        let dot = element("circle").with("class", format!("h {kind}")).with("r", "5");
        let label = svg::text(&format!("small halo {kind}"), 8.0, -5.0, &truncated(flight.text, 18));
        let times = format!("0;{:.5};{:.5};1", from / all, (to / all).min(1.0));
        let motion = element("animateMotion").with("dur", repetition.duration());
        let motion = motion.with("repeatCount", "indefinite").with("calcMode", "linear");
        let motion = motion.with("keyPoints", "0;0;1;1").with("keyTimes", times).with("path", &way.path);
        let message = repetition.visible(element("g"), from, to).markup(dot).markup(label).markup(motion);
        frame.body += &format!("{message}\n");
    }
}

/// Draw the captions; return them with the width of the widest.
fn captions(scene: &Scene, repetition: &Repetition) -> (String, f64) {
    let (mut captions, mut widest) = (String::new(), 0.0_f64);
    for position in repetition.start..=repetition.end {
        let text = truncated(&scene.caption(position), 70);
        widest = widest.max(text_width(&text, 12.0));
        let caption = element("text").with("class", "quiet").with("x", "14").with("y", "66");
        let shown = repetition.visible(caption, repetition.time(position), repetition.until(position));
        captions += &shown.text(&text).to_string();
    }
    (captions, widest)
}
