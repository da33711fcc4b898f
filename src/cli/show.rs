//! `synod show`: the text of a library file.

use super::exit::{Ending, Failure, Outcome};
use super::options::Json;
use super::output::Output;
use crate::library;
use clap::Args;
use serde::Serialize;

/// Print the source of an algorithm or problem of the library
#[derive(Args)]
pub struct Options {
    /// Its name, as `synod list` gives it
    name: String,

    #[command(flatten)]
    pub json: Json,
}

#[derive(Serialize)]
struct Body {
    name: &'static str,
    path: &'static str,
    kind: &'static str,
    text: &'static str,
}

pub fn run(options: &Options, out: &mut Output) -> Outcome {
    let name = options.name.strip_suffix(".syn").unwrap_or(&options.name);
    let Some(entry) = library::find(name) else {
        let hint = match library::nearest(name, None) {
            Some(near) => format!("did you mean {near}?"),
            None => "`synod list` shows the library".into(),
        };
        return Err(Failure::usage(format!("the library has nothing called {name}")).hint(hint));
    };
    if out.is_json() {
        let kind = if entry.is_problem() { "problem" } else { "algorithm" };
        out.json(&Body { name: entry.name, path: entry.path, kind, text: entry.text })?;
    } else {
        out.text(entry.text)?;
    }
    Ok(Ending::Fine)
}
