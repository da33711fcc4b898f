//! `synod show`: the description of an entry of the library, and its source.

use super::exit::{ExitStatus, Failure, Outcome};
use super::options::Json;
use super::output::Output;
use crate::catalogue::{Card, Figure, figures, verified};
use crate::library;
use crate::render::catalogue::page;
use clap::Args;
use serde::Serialize;
use std::path::Path;

/// Show an algorithm or problem of the library: description, assumptions, claims, costs and source
#[derive(Args)]
pub struct ShowOptions {
    /// The name of the entry: see `synod list`
    name: String,

    /// Print only the source
    #[arg(long, conflicts_with = "json")]
    source: bool,

    #[command(flatten)]
    pub json: Json,
}

#[derive(Serialize)]
#[cfg_attr(feature = "schemas", derive(schemars::JsonSchema))]
pub struct ShowProgramBody<'c> {
    #[serde(flatten)]
    card: &'c Card,
    figures: Vec<Figure>,
    text: &'static str,
}

/// Greatest width in columns: wider lines are hard to read.
const WIDEST: usize = 120;

pub fn run(options: &ShowOptions, out: &mut Output) -> Outcome {
    let name = options.name.strip_suffix(".syn").unwrap_or(&options.name);
    let Some(entry) = library::find(name) else {
        let hint = match library::nearest(name, None) {
            _ if Path::new(&options.name).is_file() => format!(
                "{} is a file: `synod check` and `synod run` read files, `synod show` shows entries of the library",
                options.name
            ),
            Some(near) => format!("did you mean {near}?"),
            None => "`synod list` shows the library".into(),
        };
        return Err(Failure::usage(format!("the library has no entry {name}")).hint(hint));
    };
    if options.source {
        out.text(entry.text)?;
        return Ok(ExitStatus::Success);
    }
    let card = Card::new(entry);
    let figures = card.program.as_ref().map(figures).unwrap_or_default();
    if out.is_json() {
        out.json(&ShowProgramBody { card: &card, figures, text: entry.text })?;
        return Ok(ExitStatus::Success);
    }
    let width = out.width().min(WIDEST);
    for (i, line) in page(&card, &figures, &verified(&card.name), width).iter().enumerate() {
        out.line(if i == 0 { out.bold(line) } else { line.clone() })?;
    }
    out.line("")?;
    out.text(entry.text)?;
    Ok(ExitStatus::Success)
}
