//! The run as an animated SVG, with messages that move along their channels.
//!
//! Every event takes the same time. A message starts when it is sent, and arrives with the event that receives it.

use super::film::document;
use super::moment::Moment;
use super::space_time::{Picture, about};
use super::style::{kind_class, style};
use super::topology::{Frame, Scene, aside};
use super::xml::{escape, num, text_width, truncated};

/// The duration of one event, and of the final frame, in seconds.
const EVENT: f64 = 0.7;
const PAUSE: f64 = 2.5;
/// The maximum number of events of an animation.
pub const MOST_EVENTS: usize = 400;

/// Return the animation of some events.
pub fn animation(scene: &Scene, events: std::ops::Range<usize>) -> Picture {
    let trace = scene.chart.trace;
    let end = events.end.min(events.start + MOST_EVENTS);
    let mut notes = Vec::new();
    if end < events.end {
        notes.push(format!("the animation shows events {} to {}", events.start, end - 1));
    }
    let all = (end - events.start) as f64 * EVENT + PAUSE;
    let time = |position: usize| (position - events.start) as f64 * EVENT;
    // Visible from one moment to another, in each repetition.
    let visible = |from: f64, to: f64| {
        let (from, to) = (from / all, (to / all).min(1.0));
        let mut times = vec![(0.0, from <= 0.0), (from, true), (to, false)];
        times.retain(|(t, _)| *t < 1.0);
        times.dedup_by(|b, a| a.0 == b.0);
        let keys: Vec<String> = times.iter().map(|(t, _)| format!("{t:.5}")).collect();
        let values: Vec<&str> = times.iter().map(|(_, v)| if *v { "visible" } else { "hidden" }).collect();
        format!(
            "<animate attributeName=\"visibility\" calcMode=\"discrete\" dur=\"{}s\" repeatCount=\"indefinite\" keyTimes=\"{}\" values=\"{}\"/>",
            num(all),
            keys.join(";"),
            values.join(";")
        )
    };
    let (low, high) = scene.stage.bounds();
    let r = scene.stage.radius + 4.0;
    let mut frame =
        Frame { body: String::new(), low: (low.0 - r, low.1 - r), high: (high.0 + r, high.1 + r) };
    scene.edges(&mut frame);
    // Each appearance of each vertex, with its duration.
    let n = scene.stage.places.len();
    let mut moment = Moment::at(trace, events.start);
    let look = |moment: &Moment, p: u32, acts: bool| (scene.vertex(moment, p, acts), scene.values(moment, p));
    let mut looks: Vec<(usize, (String, String))> =
        (0..n as u32).map(|p| (events.start, look(&moment, p, false))).collect();
    let mut vertices = String::new();
    let mut close = |p: usize, from: usize, to: f64, (vertex, text): &(String, String), frame: &mut Frame| {
        let (x, y) = scene.stage.places[p];
        let (ux, uy) = scene.stage.room[p];
        let width = text_width(text, 11.0);
        let away = r + 3.0;
        let (lx, ly) = (x + ux * away + aside(ux) * width / 2.0, y + uy * away + aside(uy) * 6.5);
        frame.holds(&super::boxes::Box::upright(lx, ly, width, 13.0));
        vertices += &format!(
            "<g visibility=\"hidden\">{}{vertex}<text class=\"small middle halo\" x=\"{}\" y=\"{}\">{}</text></g>\n",
            visible(time(from), to),
            num(lx),
            num(ly + 4.0),
            escape(text)
        );
    };
    let mut acting: Vec<u32> = Vec::new();
    for (e, event) in trace.events.iter().enumerate().take(end).skip(events.start) {
        moment.step(event);
        let now: Vec<u32> = super::chart::both(event).collect();
        let mut touched: Vec<u32> = acting.iter().chain(&now).copied().collect();
        touched.sort_unstable();
        touched.dedup();
        for p in touched {
            let next = look(&moment, p, now.contains(&p));
            let (from, last) = &looks[p as usize];
            if next != *last {
                close(p as usize, *from, time(e + 1), last, &mut frame);
                looks[p as usize] = (e + 1, next);
            }
        }
        acting = now;
    }
    for (p, (from, last)) in looks.iter().enumerate() {
        close(p, *from, all, last, &mut frame);
    }
    let mut travelling = String::new();
    for flight in &scene.chart.flights {
        let sent = flight.sent.map_or(0, |e| e + 1);
        let ended = flight.end().map_or(usize::MAX, |e| e + 1);
        if sent > end || ended <= events.start || ended <= sent || flight.id.is_none() {
            continue;
        }
        let (from, to) = (time(sent.max(events.start)), if ended > end { all } else { time(ended) });
        let way = scene.stage.channel_or_straight(flight.from, flight.to);
        let kind = kind_class(&scene.kinds, flight.kind());
        let text = truncated(flight.text, 18);
        travelling += &format!(
            "<g visibility=\"hidden\">{}<circle class=\"h {kind}\" r=\"5\"/><text class=\"small halo {kind}\" x=\"8\" y=\"-5\">{}</text>\
             <animateMotion dur=\"{}s\" repeatCount=\"indefinite\" calcMode=\"linear\" keyPoints=\"0;0;1;1\" keyTimes=\"0;{:.5};{:.5};1\" path=\"{}\"/></g>\n",
            visible(from, to),
            escape(&text),
            num(all),
            from / all,
            (to / all).min(1.0),
            way.path
        );
    }
    frame.body += &vertices;
    frame.body += &travelling;
    let mut captions = String::new();
    let mut widest = 0.0_f64;
    for position in events.start..=end {
        let until = if position == end { all } else { time(position + 1) };
        let text = truncated(&scene.caption(position), 70);
        widest = widest.max(text_width(&text, 12.0));
        captions += &format!(
            "<text class=\"quiet\" x=\"14\" y=\"66\" visibility=\"hidden\">{}{}</text>",
            visible(time(position), until),
            escape(&text)
        );
    }
    let header = &trace.header;
    let name = format!("{} on {}", header.algorithm, header.network);
    let about = about(scene.chart);
    let margin = 40.0;
    let (dx, dy) = (margin - frame.low.0, 92.0 - frame.low.1);
    let mut y = 92.0 + frame.high.1 - frame.low.1 + 34.0;
    let mut foot = String::new();
    for line in scene.legend() {
        foot += &format!("<text class=\"small quiet\" x=\"14\" y=\"{}\">{}</text>", num(y), escape(&line));
        widest = widest.max(text_width(&line, 11.0));
        y += 15.0;
    }
    let width = (frame.high.0 - frame.low.0 + 2.0 * margin + 60.0)
        .max(widest + 28.0)
        .max(text_width(&name, 17.0).max(text_width(&about, 12.0)) + 28.0)
        .ceil();
    let height = (y + 4.0).ceil();
    let body =
        format!("{captions}<g transform=\"translate({} {})\">{}</g>{foot}", num(dx), num(dy), frame.body);
    let svg = document(&name, &about, (width, height), &style(&scene.gives_way, scene.kinds.len()), &body);
    Picture { svg, width, height, notes }
}
