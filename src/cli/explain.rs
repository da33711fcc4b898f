//! `synod explain`: the meaning of a diagnostic's code, or of a word.

use super::exit::{ExitStatus, Failure, Outcome};
use super::options::Json;
use super::output::{Output, table};
use crate::diagnostic::Code;
use crate::diagnostic::codes::{self, CODES, ExplainedCode};
use crate::glossary;
use clap::Args;
use serde::Serialize;

/// Greatest length in characters of a line of running text.
const MAX_LINE: usize = 80;

/// Explain a diagnostic by its code, or a word by the glossary
#[derive(Args)]
#[command(after_help = EXAMPLES)]
pub struct ExplainOptions {
    /// A code such as SYN0042, or just 42, or a word such as quiescent; without it, list all
    #[arg(value_name = "CODE|WORD")]
    topic: Vec<String>,

    #[command(flatten)]
    pub json: Json,
}

const EXAMPLES: &str = "\
Examples:
  synod explain SYN0042
  synod explain 'leads to'";

#[derive(Serialize)]
#[cfg_attr(feature = "schemas", derive(schemars::JsonSchema))]
pub struct ExplainBody {
    codes: Vec<Explanation>,
    /// Entries of the glossary.
    words: Vec<Word>,
}

#[derive(Serialize)]
#[cfg_attr(feature = "schemas", derive(schemars::JsonSchema))]
struct Explanation {
    #[cfg_attr(feature = "schemas", schemars(regex(pattern = r"^SYN[0-9]{4}$")))]
    code: String,
    title: &'static str,
    /// Markdown.
    text: &'static str,
}

#[derive(Serialize)]
#[cfg_attr(feature = "schemas", derive(schemars::JsonSchema))]
struct Word {
    word: &'static str,
    /// The term of the field.
    term: &'static str,
    /// Markdown.
    text: &'static str,
}

/// Return every code with its title and explanation, in ascending order.
fn catalogue() -> Vec<ExplainedCode> {
    let mut all: Vec<ExplainedCode> = CODES.iter().collect();
    all.sort_by_key(|entry| entry.0);
    all
}

pub fn run(options: &ExplainOptions, out: &mut Output) -> Outcome {
    let topic = options.topic.join(" ");
    let words = glossary::entries();
    match codes::number(&topic) {
        _ if options.topic.is_empty() => list(&catalogue(), &words, out),
        Some(number) => code(find(number)?, out),
        None => word(&words, &topic, out),
    }
}

/// List all codes and words.
fn list(all: &[ExplainedCode], words: &[glossary::Entry], out: &mut Output) -> Outcome {
    if out.is_json() {
        let codes = all.iter().map(|entry| explanation(entry)).collect();
        out.json(&ExplainBody { codes, words: words.iter().map(definition).collect() })?;
    } else {
        let rows: Vec<Vec<String>> = all.iter().map(|e| vec![e.0.to_string(), e.1.into()]).collect();
        for line in table(&rows) {
            out.line(line)?;
        }
        let words: Vec<&str> = words.iter().map(|entry| entry.word).collect();
        out.text(format!("\n{}", plain(&format!("Words of the glossary: {}", words.join(", ")))))?;
    }
    Ok(ExitStatus::Success)
}

/// Explain a code.
fn code(entry: ExplainedCode, out: &mut Output) -> Outcome {
    let (code, title, text) = entry;
    if out.is_json() {
        out.json(&ExplainBody { codes: vec![explanation(entry)], words: Vec::new() })?;
    } else {
        out.line(out.bold(&format!("{code}: {title}")))?;
        out.line("")?;
        out.text(plain(text))?;
    }
    Ok(ExitStatus::Success)
}

/// Explain a word.
fn word(words: &[glossary::Entry], written: &str, out: &mut Output) -> Outcome {
    let Some(entry) = glossary::find(words, written) else {
        let unknown = format!("'{written}' is neither a diagnostic code nor a word of the glossary");
        let hint = glossary::hint(words, written);
        return Err(Failure::usage(unknown)
            .hint(hint.unwrap_or_else(|| "`synod explain` lists all codes and words".into())));
    };
    if out.is_json() {
        out.json(&ExplainBody { codes: Vec::new(), words: vec![definition(entry)] })?;
    } else {
        out.line(out.bold(entry.word))?;
        out.text(plain(&format!("Field's term: {}\n\n{}", entry.term, entry.text)))?;
    }
    Ok(ExitStatus::Success)
}

fn explanation(entry: ExplainedCode) -> Explanation {
    Explanation { code: entry.0.to_string(), title: entry.1, text: entry.2 }
}

fn definition(entry: &glossary::Entry) -> Word {
    Word { word: entry.word, term: entry.term, text: entry.text }
}

/// Find a code.
fn find(number: u16) -> Result<ExplainedCode, Failure> {
    codes::find(number).map_err(|nearest| {
        Failure::usage(format!("there is no code {}", Code(number)))
            .hint(format!("the nearest is {}: {}", nearest.0, nearest.1))
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
