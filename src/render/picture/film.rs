//! Networks at several moments: side by side as a filmstrip, or each in a picture of its own.

use super::chart::Chart;
use super::choice::DrawSelection;
use super::marks::event_tooltip;
use super::moment::Moment;
use super::space_time::{Picture, about};
use super::style::style;
use super::svg::{self, text_width, truncated};
use super::topology::{Frame, Scene};

/// The default number of frames of a filmstrip.
const FRAMES: usize = 8;
const LABEL: f64 = 11.0;

/// Return the picture of one configuration.
pub fn single(scene: &Scene, position: usize) -> Picture {
    let moment = Moment::at(scene.chart.trace, position);
    film(scene, &[(position, moment)])
}

/// Return the pictures of several configurations, in reading order.
pub fn filmstrip(scene: &Scene, positions: &[usize]) -> Picture {
    let mut positions = positions.to_vec();
    positions.sort_unstable();
    let mut moment = Moment::initial(scene.chart.trace);
    let mut moments = Vec::new();
    for position in positions {
        while moment.position < position {
            moment.step(&scene.chart.trace.events[moment.position]);
        }
        moments.push((position, moment.clone()));
    }
    film(scene, &moments)
}

/// Return the first and last position, and between them those at which states change, or else equally spaced ones.
pub fn default_positions(chart: &Chart, choice: &DrawSelection) -> Vec<usize> {
    let range = choice.window(chart.trace.events.len());
    let changes = chart.lives.iter().flatten().filter_map(|life| life.from).filter(|e| range.contains(e));
    let mut telling: Vec<usize> = changes.map(|e| e + 1).filter(|p| *p < range.end).collect();
    telling.sort_unstable();
    telling.dedup();
    let between = FRAMES - 2;
    if telling.len() < between {
        let even = (1..=between).map(|k| range.start + range.len() * k / (between + 1));
        telling.extend(even.filter(|p| *p > range.start && *p < range.end).take(between - telling.len()));
        telling.sort_unstable();
        telling.dedup();
    } else if telling.len() > between {
        telling = (0..between).map(|k| telling[k * (telling.len() - 1) / (between - 1)]).collect();
    }
    telling.insert(0, range.start);
    telling.push(range.end);
    telling.dedup();
    telling
}

fn film(scene: &Scene, moments: &[(usize, Moment)]) -> Picture {
    let frames: Vec<(String, Frame, String)> = moments
        .iter()
        .map(|(position, moment)| {
            let what = match position.checked_sub(1) {
                Some(e) => event_tooltip(scene.chart.trace, &scene.chart.trace.events[e]),
                None => "initial configuration".into(),
            };
            (
                truncated(&scene.caption(*position), if moments.len() == 1 { 90 } else { 44 }),
                scene.frame(moment),
                what,
            )
        })
        .collect();
    let alone = frames.len() == 1;
    let fold = |f: fn(f64, f64) -> f64, of: fn(&Frame) -> f64| {
        frames.iter().map(|x| of(&x.1)).reduce(f).unwrap_or(0.0)
    };
    let low = (fold(f64::min, |f| f.low.0), fold(f64::min, |f| f.low.1));
    let high = (fold(f64::max, |f| f.high.0), fold(f64::max, |f| f.high.1));
    let captions = frames.iter().map(|f| text_width(&f.0, 12.0)).fold(0.0, f64::max);
    let cell = ((high.0 - low.0 + 36.0).max(captions + 24.0), high.1 - low.1 + 58.0);
    let columns = match frames.len() {
        0..=3 => frames.len().max(1),
        n => (((n as f64 * cell.1 / cell.0 * 1.5).sqrt().round()) as usize).clamp(1, n).min(6),
    };
    let rows = frames.len().div_ceil(columns);
    let header = &scene.chart.trace.header;
    let name = format!("{} on {}", header.algorithm, header.network);
    let about = about(scene.chart);
    let mut body = String::new();
    for (i, (caption, frame, what)) in frames.iter().enumerate() {
        let (x, y) = (14.0 + (i % columns) as f64 * cell.0, 58.0 + (i / columns) as f64 * cell.1);
        let (dx, dy) = (x + cell.0 / 2.0 - (low.0 + high.0) / 2.0, y + 32.0 - low.1);
        if !alone {
            let ground = svg::rect("band", (x + 4.0, y + 2.0), (cell.0 - 8.0, cell.1 - 8.0));
            body += &ground.with("rx", "6").to_string();
        }
        let heading = svg::text("quiet middle", x + cell.0 / 2.0, y + 20.0, caption);
        body += &format!("{}{}\n", heading.markup(svg::title(what)), svg::translated(dx, dy, &frame.body));
    }
    let mut y = 58.0 + rows as f64 * cell.1 + 16.0;
    let (swatches, mut widest) = scene.swatches(16.0, y);
    let mut foot = swatches;
    if widest > 16.0 {
        y += 22.0;
    }
    for line in scene.legend() {
        foot += &svg::text("small quiet", 16.0, y, &line).to_string();
        widest = widest.max(16.0 + text_width(&line, LABEL));
        y += 15.0;
    }
    let titles = text_width(&name, 17.0).max(text_width(&about, 12.0)) + 28.0;
    let width = (28.0 + columns as f64 * cell.0).max(titles).max(widest + 12.0).ceil();
    let height = (y + 4.0).ceil();
    let style = style(&scene.gives_way, scene.kinds.len());
    let described = format!("{name}. {about}");
    let svg = svg::document(&described, (&name, &about), (width, height), &style, &(body + &foot));
    Picture { svg, width, height, notes: Vec::new() }
}

/// Return each of these positions as a picture of its own.
pub fn frames<'s>(
    scene: &'s Scene<'_, '_>,
    positions: std::ops::Range<usize>,
) -> impl Iterator<Item = (usize, Picture)> + 's {
    let mut moment = Moment::at(scene.chart.trace, positions.start);
    positions.map(move |position| {
        while moment.position < position {
            moment.step(&scene.chart.trace.events[moment.position]);
        }
        (position, film(scene, &[(position, moment.clone())]))
    })
}
