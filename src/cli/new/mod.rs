//! `synod new`: skeletons of programs, which check and run unchanged.

use super::exit::{ExitStatus, Failure, Outcome, os_message};
use super::output::Output;
use crate::check::prose;
use crate::library;
use clap::Args;
use std::fs::OpenOptions;
use std::io::{ErrorKind, Write};
use std::path::{Path, PathBuf};

/// Write the skeleton of a new algorithm
#[derive(Args)]
pub struct NewOptions {
    /// Name of the algorithm, or a path that ends with it; the file is NAME.syn
    name: String,

    /// The problem that the algorithm solves: Election, MutualExclusion or Multicast
    #[arg(long, value_name = "PROBLEM", default_value = "Election", value_parser = problem)]
    problem: Problem,

    /// Replace an existing file
    #[arg(long)]
    force: bool,
}

/// Problems with a skeleton.
#[derive(Clone, Copy)]
enum Problem {
    /// Exactly one process is elected
    Election,
    /// At most one process at a time is in its critical section
    MutualExclusion,
    /// Messages to a group, delivered by all of its members
    Multicast,
}

/// Parse the name of a problem: `MutualExclusion`, `mutual_exclusion` and `mutualexclusion` are the same.
fn problem(word: &str) -> Result<Problem, String> {
    let plain = |text: &str| text.replace(['_', ' ', '-'], "").to_lowercase();
    let known = [
        ("Election", Problem::Election),
        ("MutualExclusion", Problem::MutualExclusion),
        ("Multicast", Problem::Multicast),
    ];
    if let Some((_, problem)) = known.iter().find(|(name, _)| plain(name) == plain(word)) {
        return Ok(*problem);
    }
    let names = known.map(|(name, _)| name.to_string());
    let others = library::entries().into_values().filter(|entry| entry.is_problem());
    let own = others.map(|entry| entry.name).find(|name| plain(name) == plain(word));
    Err(match (own, prose::nearest(word, &names)) {
        (Some(own), _) => format!(
            "there is no skeleton for it: write the operations that `synod show {own}` requires; there are skeletons for {}",
            names.join(", ")
        ),
        (None, Some(near)) => format!("did you mean {near}?"),
        (None, None) => format!("there are skeletons for {}", names.join(", ")),
    })
}

pub fn run(options: &NewOptions, out: &mut Output) -> Outcome {
    let written = options.name.strip_suffix(".syn").unwrap_or(&options.name);
    let path = Path::new(written);
    let name = path.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default();
    usable(&name)?;
    let path = PathBuf::from(format!("{written}.syn"));
    let shown = path.display();
    let mut file = OpenOptions::new();
    file.write(true);
    match options.force {
        true => file.create(true).truncate(true),
        // The file is created atomically, so that another one is never overwritten.
        false => file.create_new(true),
    };
    let text = options.problem.skeleton().replace("NAME", &name);
    let written = file.open(&path).and_then(|mut file| file.write_all(text.as_bytes()));
    match written {
        Ok(()) => {
            out.line(format!("wrote {shown}"))?;
            out.note(format!(
                "next: synod check {shown}, synod run {shown}, synod test {shown}, synod verify {shown}"
            ));
            Ok(ExitStatus::Success)
        }
        Err(error) if error.kind() == ErrorKind::AlreadyExists => {
            Err(Failure::usage(format!("the file {shown} exists already")).hint("--force replaces it"))
        }
        Err(error) => Err(Failure::usage(format!("cannot write {shown}: {}", os_message(&error)))),
    }
}

/// Check that a name can be the name of an algorithm.
fn usable(name: &str) -> Result<(), Failure> {
    let begins = name.starts_with(|c: char| c.is_ascii_alphabetic());
    if !begins || !name.chars().all(|c| c.is_ascii_alphanumeric() || c == '_') {
        let hint = crate::check::snake(&name.replace(['-', ' ', '.'], "_"));
        let failure = Failure::usage(format!("'{name}' cannot be the name of an algorithm"));
        let rule = "a letter, then letters, digits and _";
        return Err(match hint.starts_with(|c: char| c.is_ascii_alphabetic()) && hint.is_ascii() {
            true => failure.hint(format!("{rule}, as in {hint}")),
            false => failure.hint(rule),
        });
    }
    if crate::syntax::is_reserved(name) {
        let hint = format!("such as my_{name}");
        return Err(Failure::usage(format!("'{name}' is a keyword: it cannot be a name")).hint(hint));
    }
    Ok(())
}

impl Problem {
    fn skeleton(self) -> &'static str {
        match self {
            Problem::Election => include_str!("election.syn"),
            Problem::MutualExclusion => include_str!("mutual_exclusion.syn"),
            Problem::Multicast => include_str!("multicast.syn"),
        }
    }
}
