//! `synod draw`: pictures of a recorded run, or of a run that is made for the picture.

pub mod body;
mod choice;
mod kind;
mod source;

use super::atomic_file;
use super::exit::{ExitStatus, Failure, Outcome};
use super::instance::InstanceArgs;
use super::options::{Json, seed};
use super::output::Output;
use super::run::ScheduleName;
use crate::api::trace::facts;
use crate::ascii::{self, TextFormat};
use crate::instance::Instance;
use crate::render::picture::topology::Scene;
use crate::render::picture::{self, Chart, DrawSelection, DrawnCut, NetworkLayout, film, space_time as svg};
use crate::render::{Look, html, space_time};
use crate::report::NetworkReport;
use crate::trace::Trace;
use body::{CutBody, DrawBody, Part};
use clap::Args;
use kind::Kind;
use std::ops::Range;
use std::path::Path;

/// The greatest number of events that the terminal shows: of a longer run, the first and last ones. `--verbose`, `--from` and `--until`
/// show more.
const MOST_EVENTS: usize = 60;
/// The greatest number of files with frames.
const MOST_FRAMES: usize = 2000;

/// Draw a run: space-time diagram, network, or an interactive page
#[derive(Args)]
#[command(after_help = EXAMPLES)]
pub struct DrawOptions {
    /// A trace of either form, an algorithm (which is run first), or `-`
    file: String,

    #[command(flatten)]
    picture: PictureOptions,

    #[command(flatten)]
    instance: InstanceArgs,

    #[command(flatten)]
    course: RunArgs,

    #[command(flatten)]
    pub json: Json,
}

const EXAMPLES: &str = "\
A vertex of the network is filled if the process has given up: if its control state is called relay, passive, \
defeated, lost, follower or the like, or is one of --filled. An arrow is labelled with the messages in transit, \
in the order of sending, separated by semicolons.

Examples:
  synod draw dolev_klawe_rodeh --on 'ring(4)'
  synod draw dolev_klawe_rodeh --on 'ring(4)' -o run.html
  synod draw chang_roberts --on 'ring(40)' --width 400 | less -S
  synod draw dolev_klawe_rodeh --on 'ring(4)' --to filmstrip --at start,3,7,11 -o fig.svg
  synod run lamport --trace t.trace && synod draw t.trace --cut 3,3,2 -o cut.svg";

/// Options of the picture.
#[derive(Args)]
#[command(next_help_heading = "Picture")]
struct PictureOptions {
    /// Kind of picture [default: by the ending of --output, otherwise text]
    #[arg(long, value_enum, value_name = "KIND")]
    to: Option<Kind>,

    /// Write the picture to a file: .svg, .html or .txt
    #[arg(short, long, value_name = "FILE")]
    output: Option<String>,

    /// Write the network after each event to a separate file in this folder
    #[arg(long, value_name = "DIR", conflicts_with_all = ["to", "output", "at"])]
    frames: Option<String>,

    /// The first event to draw, by its number
    #[arg(long, value_name = "EVENT")]
    from: Option<usize>,

    /// The last event to draw
    #[arg(long, value_name = "EVENT")]
    until: Option<usize>,

    /// Only these processes, in this order: names, ids, or positions such as p0,p2..p5
    #[arg(long, value_name = "PROCESSES", allow_hyphen_values = true)]
    process: Option<String>,

    /// Width of a diagram as text, in columns [default: the width of the terminal, otherwise 120]
    #[arg(long, value_name = "COLUMNS", value_parser = clap::value_parser!(u16).range(20..))]
    width: Option<u16>,

    /// Only messages with these names; `value` for values without a name
    #[arg(long, value_name = "NAMES", value_delimiter = ',')]
    message: Option<Vec<String>>,

    /// Draw a cut: its number of events of each process (3,2,4, or p0:3,p1:2), its last events (e12,e9), none or all
    #[arg(long, value_name = "CUT")]
    cut: Option<String>,

    /// Draw the network after these events: numbers, start, end
    #[arg(long, value_name = "EVENTS", value_delimiter = ',')]
    at: Option<Vec<String>>,

    /// Variables to show beside the processes of a network [default: the first few that change]
    #[arg(long, value_name = "VARIABLES", value_delimiter = ',')]
    show: Option<Vec<String>>,

    /// Control states whose processes are filled [default: relay, passive, defeated, …]
    #[arg(long, value_name = "STATES", value_delimiter = ',')]
    filled: Option<Vec<String>>,
}

/// Options of the run, if one is made.
#[derive(Args)]
#[command(next_help_heading = "Run")]
struct RunArgs {
    /// Seed of all random choices: decimal or 0x… [default: 1]
    #[arg(long, value_name = "N", value_parser = seed)]
    seed: Option<u64>,

    /// The scheduler, which chooses the next step [default: fifo; random with --faults]
    #[arg(long, value_enum, value_name = "SCHEDULE")]
    schedule: Option<ScheduleName>,

    /// End the run after N steps [default: 100000]
    #[arg(long, value_name = "N")]
    max_steps: Option<u64>,
}

/// Draw the picture that the ending of a file selects: a space-time diagram as SVG, or a page, which always contains the whole run.
/// Return None for another ending.
pub fn picture(file: &str, trace: &Trace, instance: &Instance, events: Range<usize>) -> Option<String> {
    let trace = &*trace.with_names();
    let chart = Chart::new(trace);
    match Kind::of_file(file).ok()? {
        Kind::Svg => {
            let choice = DrawSelection { events: Some(events), ..DrawSelection::default() };
            Some(svg::space_time(&chart, &choice, None).svg)
        }
        Kind::Html => {
            let stage = NetworkLayout::of(&instance.network).map(|stage| stage.for_run(trace));
            Some(html::page(&chart, stage.as_ref(), &DrawSelection::default(), &facts(&instance.program)))
        }
        _ => None,
    }
}

/// A picture that has been drawn.
struct Drawn {
    text: String,
    events: usize,
    processes: usize,
    notes: Vec<String>,
}

pub fn run(options: &DrawOptions, out: &mut Output) -> Outcome {
    let kind = match (&options.picture.to, &options.picture.output) {
        _ if options.picture.frames.is_some() => Kind::Topology,
        (Some(kind), _) => *kind,
        (None, Some(file)) => Kind::of_file(file)?,
        (None, None) if options.picture.at.is_some() => Kind::Topology,
        (None, None) => Kind::Text,
    };
    atomic_file::check_all_writable(&[&options.file], [&options.picture.output])?;
    let found = source::find(options, out)?;
    let trace = found.trace.with_names();
    let full = Chart::new(&trace);
    let choice = choice::choice(&options.picture, &full)?;
    let cut = match &choice.cut {
        Some(counts) => Some(DrawnCut::new(&full, counts).map_err(Failure::usage)?),
        None => None,
    };
    let positions = choice::positions(&options.picture, &full)?;
    let verdict = cut.as_ref().map(|cut| cut.verdict(&full));
    let messages = full.flights.iter().filter(|f| f.id.is_some() && f.sent.is_some()).count();
    let (mut files, mut content) = (Vec::new(), None);
    let drawn = match &options.picture.frames {
        Some(folder) => {
            let (drawn, written) = frames(folder, &full, &choice, &found)?;
            files = written;
            drawn
        }
        None => {
            let drawn = draw(kind, &full, &choice, cut.as_ref(), &positions, &found, options, out)?;
            match &options.picture.output {
                Some(file) if file != "-" => {
                    atomic_file::write_result(Path::new(file), &drawn.text)?;
                    files.push(file.clone());
                }
                _ => content = Some(drawn.text.clone()),
            }
            drawn
        }
    };
    if out.is_json() {
        let numbers = |list: &[usize]| list.iter().filter_map(|f| full.flights[*f].id).collect();
        let cut = cut.as_ref().map(|cut| CutBody {
            counts: cut.counts.clone(),
            consistent: cut.consistent,
            verdict: verdict.clone().unwrap_or_default(),
            backwards: numbers(&cut.backwards),
            across: numbers(&cut.across),
        });
        out.json(&DrawBody {
            algorithm: found.trace.header.algorithm.clone(),
            network: NetworkReport {
                topology: found.trace.header.network.clone(),
                n: found.trace.n() as u64,
                ids: found.trace.header.ids.clone(),
                port_seed: None,
            },
            picture: kind.as_str(),
            files,
            content,
            events: Part { drawn: drawn.events, all: found.trace.events.len() },
            processes: Part { drawn: drawn.processes, all: found.trace.n() },
            messages,
            cut,
            notes: drawn.notes,
        })?;
        return Ok(ExitStatus::Success);
    }
    if let Some(text) = content {
        let form = if kind == Kind::Text { TextFormat::Prose } else { TextFormat::Page };
        out.in_form(text, form)?;
    }
    match files.as_slice() {
        [] => {}
        [one] => out.note(format!(
            "{one}: {} of {} on {}",
            kind.what(),
            found.trace.header.algorithm,
            found.trace.header.network
        )),
        [first, .., last] => out.note(format!("{} files, {first} to {last}", files.len())),
    }
    for note in &drawn.notes {
        out.note(format!("({note})"));
    }
    if let Some(verdict) = verdict.filter(|_| kind != Kind::Text || !files.is_empty()) {
        out.note(verdict);
    }
    Ok(ExitStatus::Success)
}

#[expect(clippy::too_many_arguments, reason = "a picture depends on all of them")]
fn draw(
    kind: Kind,
    full: &Chart,
    choice: &DrawSelection,
    cut: Option<&DrawnCut>,
    positions: &[usize],
    found: &source::Found,
    options: &DrawOptions,
    out: &Output,
) -> Result<Drawn, Failure> {
    let trace = full.trace;
    let window = choice.window(trace.events.len());
    let processes = choice.processes.as_ref().map_or(trace.n(), Vec::len);
    let plain_drawn = |text: String, notes| Drawn { text, events: window.len(), processes, notes };
    match kind {
        Kind::Text => {
            // The diagram itself calls processes by their names.
            let part = choice.filtered(&found.trace);
            Ok(plain_drawn(text(&part, choice, cut.map(|cut| cut.verdict(full)), options, out), Vec::new()))
        }
        Kind::Svg => {
            let drawn = match choice.kinds {
                // The cut refers to messages by their indices in the whole run, so it is built again for the part.
                Some(_) => {
                    let part = choice.filtered(trace);
                    let chart = Chart::new(&part);
                    let cut = cut
                        .map(|cut| DrawnCut::new(&chart, &cut.counts))
                        .transpose()
                        .map_err(Failure::usage)?;
                    svg::space_time(&chart, choice, cut.as_ref())
                }
                None => svg::space_time(full, choice, cut),
            };
            let events = window.len().min(svg::MOST_EVENTS);
            let processes = processes.min(svg::MOST_PROCESSES);
            Ok(Drawn { text: drawn.svg, events, processes, notes: drawn.notes })
        }
        Kind::Html => {
            if choice.events.is_some()
                || choice.processes.is_some()
                || choice.kinds.is_some()
                || cut.is_some()
            {
                return Err(Failure::usage("a page always contains the whole run")
                    .hint("omit --from, --until, --process, --message and --cut: the page has filters, zoom and cuts"));
            }
            let page = html::page(full, found.stage.as_ref(), choice, &found.facts);
            Ok(plain_drawn(page, Vec::new()))
        }
        Kind::Topology | Kind::Filmstrip | Kind::Animation => {
            let stage = stage(found)?;
            let scene = Scene::new(full, stage, choice, &found.facts);
            let drawn = match kind {
                Kind::Animation => picture::animation(&scene, window.clone()),
                Kind::Filmstrip if positions.is_empty() => {
                    film::filmstrip(&scene, &film::default_positions(full, choice))
                }
                _ if positions.is_empty() => film::single(&scene, window.end),
                _ => film::filmstrip(&scene, positions),
            };
            Ok(Drawn { text: drawn.svg, events: window.len(), processes: trace.n(), notes: drawn.notes })
        }
    }
}

fn stage(found: &source::Found) -> Result<&NetworkLayout, Failure> {
    let n = found.trace.n();
    found.stage.as_ref().ok_or_else(|| {
        let most = picture::stage::MOST_PROCESSES;
        Failure::usage(format!("a network of {n} processes is too large to draw (limit: {most})"))
            .hint("--to svg --process p0..p20 draws a part of the space-time diagram")
    })
}

fn text(
    trace: &Trace,
    choice: &DrawSelection,
    verdict: Option<String>,
    options: &DrawOptions,
    out: &Output,
) -> String {
    let to_file = options.picture.output.as_deref().is_some_and(|file| file != "-");
    let look = Look { color: out.look.color && !to_file && !out.is_json(), ascii: out.look.ascii };
    let all = out.verbose || choice.events.is_some();
    let drawn = space_time::SpaceTimeOptions {
        width: options.picture.width.map_or(out.width(), usize::from),
        list_width: out.list_width(),
        flags: true,
        events: choice.events.clone(),
        max_events: if all { usize::MAX } else { MOST_EVENTS },
        processes: choice.processes.clone(),
        look,
        ..space_time::SpaceTimeOptions::default()
    };
    let header = &trace.header;
    let heading = format!(
        "{} on {} · {} · schedule {} · seed {}",
        header.algorithm,
        header.network,
        trace.ending(),
        header.schedule,
        header.seed
    );
    let heading = if look.color { format!("\x1b[1m{heading}\x1b[0m") } else { heading };
    let mut text = format!("{heading}\n\n{}", space_time::space_time(trace, &drawn));
    for remark in trace.remarks() {
        text += &format!("\n{}\n", header.shown(&remark));
    }
    if let Some(verdict) = verdict {
        text += &format!("\n{verdict}\n");
    }
    if look.ascii { ascii::prose_to_ascii(&text).into_owned() } else { text }
}

/// Write the network before the first selected event, and after each of them, each to a separate file.
fn frames(
    folder: &str,
    full: &Chart,
    choice: &DrawSelection,
    found: &source::Found,
) -> Result<(Drawn, Vec<String>), Failure> {
    let stage = stage(found)?;
    let scene = Scene::new(full, stage, choice, &found.facts);
    let window = choice.window(full.trace.events.len());
    if window.len() + 1 > MOST_FRAMES {
        return Err(Failure::usage(format!(
            "{} frames are too many (limit: {MOST_FRAMES})",
            window.len() + 1
        ))
        .hint("--from and --until choose a part"));
    }
    atomic_file::create_folder(Path::new(folder))?;
    let mut files = Vec::new();
    let digits = window.end.to_string().len().max(3);
    for (position, picture) in film::frames(&scene, window.start..window.end + 1) {
        let zeros = "0".repeat(digits.saturating_sub(position.to_string().len()));
        let file = Path::new(folder).join(format!("frame-{zeros}{position}.svg"));
        atomic_file::write_result(&file, &picture.svg)?;
        files.push(file.display().to_string());
    }
    let (events, processes) = (window.len(), full.trace.n());
    Ok((Drawn { text: String::new(), events, processes, notes: Vec::new() }, files))
}
