//! `synod man`: the manual pages, generated from the help texts.

use super::atomic_file;
use super::exit::{ExitStatus, Outcome};
use super::output::Output;
use clap::{Args, Command};
use clap_mangen::Man;
use clap_mangen::roff::{Roff, bold, roman};
use std::path::PathBuf;

/// Write the manual pages: one for `synod`, and one for each command
#[derive(Args)]
#[command(after_help = EXAMPLES)]
pub struct ManOptions {
    /// Folder for all pages, such as a man1 on the MANPATH; or a command: print its page
    #[arg(value_name = "DIR")]
    folder: Option<PathBuf>,
}

const EXAMPLES: &str = "\
Examples:
  synod man ~/.local/share/man/man1 && man synod-verify
  synod man verify | man -l -";

/// The exit codes, which all commands share.
const EXIT_STATUS: &[(&str, &str)] = &[
    ("0", "Success."),
    ("1", "A finding: a property or a test failed."),
    ("2", "An error in the usage or the source."),
    ("3", "A limit was reached: the verdict is unknown."),
    ("4", "A counterexample could not be replayed: a bug in Synod, and no verdict."),
    ("101", "A bug in Synod."),
];

pub fn run(options: &ManOptions, command: Command, out: &mut Output) -> Outcome {
    let mut command = command.disable_help_subcommand(true);
    command.build();
    let pages = pages(&command);
    let asked = options.folder.as_deref().map(|folder| folder.to_string_lossy());
    if let Some(page) = pages.iter().find(|page| page.is_meant(asked.as_deref().unwrap_or("synod"))) {
        out.text(&page.text)?;
        return Ok(ExitStatus::Success);
    }
    let Some(folder) = &options.folder else { return Ok(ExitStatus::Success) };
    atomic_file::create_folder(folder)?;
    for page in &pages {
        atomic_file::write_result(&folder.join(&page.file), &page.text)?;
    }
    out.line(format!("wrote {} pages to {}", pages.len(), folder.display()))?;
    out.note(format!("next: man -l {}", folder.join(&pages[0].file).display()));
    Ok(ExitStatus::Success)
}

struct Page {
    file: String,
    text: String,
}

impl Page {
    /// Whether an argument names this page: `verify` and `synod-verify` do, `./verify` is a folder.
    fn is_meant(&self, name: &str) -> bool {
        let own = self.file.trim_end_matches(".1");
        own == name || own.strip_prefix("synod-") == Some(name)
    }
}

/// Return the page of a command, then those of its subcommands.
fn pages(command: &Command) -> Vec<Page> {
    let mut pages = vec![page(command)];
    for below in command.get_subcommands() {
        pages.extend(self::pages(below));
    }
    pages
}

fn page(command: &Command) -> Page {
    let name = title(command);
    // The usage is one line, as in the help; the list of options follows below.
    let usage = command.clone().render_usage().to_string();
    let usage = usage.trim_start_matches("Usage:").trim().to_string();
    let plain = command.clone().override_usage(usage).after_help(None::<&str>).after_long_help(None::<&str>);
    let man = Man::new(plain).title(name.to_uppercase()).source(concat!("synod ", env!("CARGO_PKG_VERSION")));
    let mut text = Vec::new();
    // Writing to a Vec cannot fail.
    let _ = man.manual("Synod").render(&mut text);
    let text = String::from_utf8_lossy(&text).into_owned() + &end(command).to_roff();
    Page { file: format!("{name}.1"), text: text.chars().map(ascii).collect() }
}

/// Escape a character that is not ASCII. Not every manual reader takes UTF-8; all know this escape.
fn ascii(sign: char) -> String {
    if sign.is_ascii() { sign.to_string() } else { format!("\\[u{:04X}]", sign as u32) }
}

/// Return the title of a command's page: `synod-trace-cuts`.
fn title(command: &Command) -> String {
    command.get_bin_name().unwrap_or(command.get_name()).replace(' ', "-")
}

/// Return the sections after the options: notes and examples of the help, exit codes, and related pages.
fn end(command: &Command) -> Roff {
    let mut roff = Roff::new();
    let below = command.get_after_long_help().or(command.get_after_help());
    // Exit codes have their own section.
    let below = below.map(ToString::to_string).filter(|text| !text.starts_with("Exit codes"));
    for paragraph in below.iter().flat_map(|text| text.split("\n\n")) {
        paragraph_of_help(&mut roff, paragraph);
    }
    roff.control("SH", ["EXIT STATUS"]);
    for (code, meaning) in EXIT_STATUS {
        roff.control("TP", []);
        roff.text([bold(*code)]);
        roff.text([roman(*meaning)]);
    }
    roff.control("SH", ["SEE ALSO"]);
    let name = title(command);
    let above = name.rsplit_once('-').map(|(above, _)| above.to_string());
    let others = above.into_iter().chain(command.get_subcommands().map(title));
    let mut others: Vec<String> = others.map(|name| format!("{name}(1)")).collect();
    if others.is_empty() {
        others.push("synod(1)".into());
    }
    roff.text([roman(others.join(", "))]);
    roff
}

/// Write a paragraph of the help: examples under a heading, line by line; everything else as notes.
fn paragraph_of_help(roff: &mut Roff, paragraph: &str) {
    let single = paragraph.strip_prefix("Example:");
    let Some(examples) = single.or_else(|| paragraph.strip_prefix("Examples:")) else {
        roff.control("SH", ["NOTES"]);
        roff.text([roman(paragraph.split_whitespace().collect::<Vec<_>>().join(" "))]);
        return;
    };
    roff.control("SH", ["EXAMPLES"]);
    roff.control("nf", []);
    for line in examples.lines().map(str::trim).filter(|line| !line.is_empty()) {
        roff.text([roman(line)]);
    }
    roff.control("fi", []);
}
