//! `synod explain`: explanations of diagnostic codes.

use super::exit::{Ending, Failure, Outcome};
use super::options::Json;
use super::output::{Output, table};
use crate::check::codes as meaning;
use crate::diagnostic::Code;
use crate::syntax::codes as form;
use clap::Args;
use serde::Serialize;

/// Greatest length in characters of a line of running text.
const MAX_LINE: usize = 80;

/// Explain a diagnostic code
#[derive(Args)]
pub struct ExplainOptions {
    /// The code: SYN0042, or 42 [default: list all codes]
    code: Option<String>,

    #[command(flatten)]
    pub json: Json,
}

#[derive(Serialize)]
struct ExplainBody {
    codes: Vec<Explanation>,
}

#[derive(Serialize)]
struct Explanation {
    code: String,
    title: &'static str,
    /// Markdown.
    text: &'static str,
}

type Entry = &'static (Code, &'static str, &'static str);

/// Return every code with its title and explanation, in ascending order.
fn catalogue() -> Vec<Entry> {
    let mut all: Vec<Entry> = form::CODES.iter().chain(meaning::CODES).collect();
    all.sort_by_key(|entry| entry.0);
    all
}

pub fn run(options: &ExplainOptions, out: &mut Output) -> Outcome {
    let all = catalogue();
    let chosen = match &options.code {
        Some(code) => vec![find(&all, code)?],
        None => all,
    };
    if out.is_json() {
        let explained = |e: &Entry| Explanation { code: e.0.to_string(), title: e.1, text: e.2 };
        out.json(&ExplainBody { codes: chosen.iter().map(explained).collect() })?;
    } else if let ([(code, title, text)], Some(_)) = (&chosen[..], &options.code) {
        out.line(out.bold(&format!("{code}: {title}")))?;
        out.line("")?;
        out.text(plain(text))?;
    } else {
        let rows: Vec<Vec<String>> = chosen.iter().map(|e| vec![e.0.to_string(), e.1.into()]).collect();
        for line in table(&rows) {
            out.line(line)?;
        }
    }
    Ok(Ending::Fine)
}

/// Find the entry of a code that is written as `SYN0042`, `syn42`, `0042` or `42`.
fn find(all: &[Entry], written: &str) -> Result<Entry, Failure> {
    let digits = written.trim().to_ascii_uppercase();
    let digits = digits.strip_prefix("SYN").unwrap_or(&digits);
    let Ok(number) = digits.parse::<u16>() else {
        return Err(Failure::usage(format!("'{written}' is not a diagnostic code"))
            .hint("codes have the form SYN0042; `synod explain` lists them"));
    };
    let found = all.iter().find(|entry| entry.0 == Code(number));
    found.copied().ok_or_else(|| {
        let nearest = all.iter().min_by_key(|entry| entry.0.0.abs_diff(number));
        let hint = nearest.map(|entry| format!("the nearest is {}: {}", entry.0, entry.1));
        Failure::usage(format!("there is no code {}", Code(number))).maybe_hint(hint)
    })
}

/// Convert Markdown to plain text: refill paragraphs, indent code instead of fencing it.
fn plain(markdown: &str) -> String {
    let mut text = String::new();
    let mut paragraph = String::new();
    let mut in_code = false;
    for line in markdown.lines() {
        if let Some(fence) = line.strip_prefix("```") {
            fill(&mut paragraph, &mut text);
            in_code = !in_code;
            match fence {
                "synod wrong" => text.push_str("Wrong:\n\n"),
                "synod right" => text.push_str("Right:\n\n"),
                _ => {}
            }
        } else if in_code {
            text.push_str(format!("    {line}").trim_end());
            text.push('\n');
        } else if line.trim().is_empty() {
            let in_paragraph = !paragraph.is_empty();
            fill(&mut paragraph, &mut text);
            if in_paragraph || !text.ends_with("\n\n") {
                text.push('\n');
            }
        } else {
            paragraph.push_str(line.trim());
            paragraph.push(' ');
        }
    }
    fill(&mut paragraph, &mut text);
    format!("{}\n", text.trim_end())
}

/// Append the words of a paragraph to the text, line by line, and empty the paragraph. Lines do not break inside code.
fn fill(paragraph: &mut String, text: &mut String) {
    let mut width = 0;
    let mut words = paragraph.split_whitespace();
    while let Some(first) = words.next() {
        let mut word = first.to_string();
        while word.matches('`').count() % 2 == 1
            && let Some(next) = words.next()
        {
            word.push(' ');
            word.push_str(next);
        }
        let length = word.chars().count();
        if width > 0 && width + 1 + length > MAX_LINE {
            text.push('\n');
            width = 0;
        } else if width > 0 {
            text.push(' ');
            width += 1;
        }
        text.push_str(&word);
        width += length;
    }
    if width > 0 {
        text.push('\n');
    }
    paragraph.clear();
}
