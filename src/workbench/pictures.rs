//! Pictures of a run, and the run as a text.

use super::failure::Failure;
use super::limits;
use super::run::OpenRun;
use super::{Answer, answer, script};
use crate::api::trace::facts;
use crate::render::picture::topology::Scene;
use crate::render::picture::{Chart, DrawSelection, NetworkLayout, film, space_time as svg};
use crate::render::{Look, html, space_time};
use crate::trace::Trace;
use serde::{Deserialize, Serialize};
use std::ops::Range;

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub struct DrawnEvents {
    from: Option<u64>,
    to: Option<u64>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub struct PicturePosition {
    at: Option<u64>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Width {
    width: Option<u64>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Form {
    form: Option<String>,
}

#[derive(Serialize)]
struct Drawn {
    svg: String,
    notes: Vec<String>,
}

#[derive(Serialize)]
struct Text {
    text: String,
}

#[derive(Serialize)]
struct Page {
    html: String,
}

#[derive(Serialize)]
struct TraceFile {
    text: String,
    file: String,
}

#[derive(Serialize)]
struct Script {
    script: String,
}

/// Return a part of the events of the trace.
fn window(trace: &Trace, from: Option<u64>, to: Option<u64>) -> Result<Range<usize>, Failure> {
    let all = trace.events.len();
    let position = |given: Option<u64>, otherwise: usize| match given {
        None => Ok(otherwise),
        Some(position) => {
            usize::try_from(position).ok().filter(|position| *position <= all).ok_or_else(|| {
                Failure::new(format!("there is no position {position}"))
                    .hint(format!("positions are 0 to {all}"))
            })
        }
    };
    let range = position(from, 0)?..position(to, all)?;
    match range.start <= range.end {
        true => Ok(range),
        false => Err(Failure::new(format!("{} comes after {}", range.start, range.end))),
    }
}

/// Return the run up to the cursor, without more events than a page can show.
fn limited(run: &mut OpenRun) -> Result<Trace, Failure> {
    limits::DRAWN_EVENTS.check(run.timeline.at() as u64)?;
    Ok(run.timeline.recorded())
}

/// Draw the space-time diagram.
pub fn draw(run: &mut OpenRun, DrawnEvents { from, to }: DrawnEvents) -> Answer {
    let trace = limited(run)?;
    let events = window(&trace, from, to)?;
    let named = trace.with_names();
    let choice = DrawSelection { events: Some(events), ..DrawSelection::default() };
    let drawn = svg::space_time(&Chart::new(&named), &choice, None);
    answer(&Drawn { svg: drawn.svg, notes: drawn.notes })
}

/// Return the layout of the network for a run.
fn stage(run: &OpenRun, trace: &Trace) -> Option<NetworkLayout> {
    NetworkLayout::of(&run.timeline.instance().network).map(|stage| stage.for_run(trace))
}

/// Draw the network with states and messages.
pub fn picture(run: &mut OpenRun, PicturePosition { at }: PicturePosition) -> Answer {
    let trace = limited(run)?;
    let end = window(&trace, None, at)?.end;
    let named = trace.with_names();
    let Some(stage) = stage(run, &named) else {
        return Err(Failure::new("the network is too large to draw"));
    };
    let facts = facts(&run.checked.program);
    let (chart, choice) = (Chart::new(&named), DrawSelection::default());
    let drawn = film::single(&Scene::new(&chart, &stage, &choice, &facts), end);
    answer(&Drawn { svg: drawn.svg, notes: drawn.notes })
}

/// Draw the space-time diagram as text.
pub fn diagram(run: &mut OpenRun, Width { width }: Width) -> Answer {
    let width = limits::WIDTH.checked(width)? as usize;
    let trace = limited(run)?;
    let options = space_time::SpaceTimeOptions {
        width: width.max(20),
        outputs: run.checked.program.outputs.iter().map(|output| output.name.clone()).collect(),
        look: Look::PLAIN,
        ..space_time::SpaceTimeOptions::default()
    };
    answer(&Text { text: space_time::space_time(&trace, &options) })
}

/// Return the page to step through the run.
pub fn page(run: &mut OpenRun) -> Answer {
    let trace = limited(run)?;
    let named = trace.with_names();
    let stage = stage(run, &named);
    let (choice, facts) = (DrawSelection::default(), facts(&run.checked.program));
    answer(&Page { html: html::page(&Chart::new(&named), stage.as_ref(), &choice, &facts) })
}

/// Return the data of that page.
pub fn data(run: &mut OpenRun) -> Answer {
    let trace = limited(run)?;
    let named = trace.with_names();
    let stage = stage(run, &named);
    let (choice, facts) = (DrawSelection::default(), facts(&run.checked.program));
    let data = html::data(&Chart::new(&named), stage.as_ref(), &choice, &facts);
    Ok(format!("{{\"data\":{data}}}"))
}

/// Return the trace file.
pub fn trace(run: &mut OpenRun, Form { form }: Form) -> Answer {
    let trace = run.timeline.recorded();
    let name = &run.checked.program.name;
    let (text, file) = match form.as_deref() {
        None | Some("text") => (trace.to_text(), format!("{name}.trace")),
        Some("lines") => (trace.to_lines(), format!("{name}.jsonl")),
        Some(other) => {
            return Err(Failure::unknown("form", other, &["text".to_string(), "lines".to_string()]));
        }
    };
    answer(&TraceFile { text, file })
}

/// Return the script of the run.
pub fn scripted(run: &mut OpenRun) -> Answer {
    answer(&Script { script: script::written(&run.timeline)? })
}
