//! The entry of a file in `synod show`, above its text.

use super::{cells, of_problem, own};
use crate::catalogue::{Card, Figure, RUNS, Verified};
use crate::prose::padded;
use crate::render::table::table;

/// Return the entry of a file, in lines no wider than `width`.
pub fn page(card: &Card, figures: &[Figure], verified: &[Verified], width: usize) -> Vec<String> {
    let mut lines = vec![format!("{} · {}", card.name, card.path)];
    for paragraph in card.doc.split("\n\n") {
        let own = paragraph.split("Source:").next().unwrap_or_default().trim_end();
        if own.is_empty() {
            continue;
        }
        lines.push(String::new());
        // Indented text is a table or a figure, and is not wrapped.
        match own.lines().any(|line| line.starts_with("  ")) {
            true => lines.extend(own.lines().map(|line| line.trim_end().to_string())),
            false => lines.extend(wrap(own, width, "")),
        }
    }
    lines.push(String::new());
    let mut say = |label: &str, text: String| {
        if !text.is_empty() {
            let mut wrapped = wrap(&text, width, INDENT).into_iter();
            let first = wrapped.next().unwrap_or_default();
            lines.push(padded(label, INDENT.len()) + first.trim_start());
            lines.extend(wrapped);
        }
    };
    say("source", card.source.clone().unwrap_or_default());
    say("solves", card.problem.clone().unwrap_or_default());
    let (kept, left) = of_problem(card);
    say(if card.kind == "problem" { "properties" } else { "promises" }, kept.join(", "));
    say("waives", left.join(", "));
    say("model", card.model.join(", "));
    say("assumes", card.assumes.join(", "));
    for (label, promised) in [("its own", true), ("waived", false)] {
        for (i, own) in own(card, promised).enumerate() {
            say(if i == 0 { label } else { "" }, own.text.clone());
        }
    }
    say("scenarios", card.scenarios.join(", "));
    let networks: Vec<String> =
        verified.iter().map(|v| format!("{} ({} configurations)", v.network, v.configurations)).collect();
    say("verified", networks.join(", "));
    if !figures.is_empty() {
        lines.push(String::new());
        let rows: Vec<Vec<String>> = figures.iter().map(|figure| cells(figure).to_vec()).collect();
        lines.extend(table(&["network", "messages", "time"], &rows, 0));
        lines.push(format!(
            "minimum and maximum of {RUNS} runs each; ids and schedule drawn from the seeds 1 to {RUNS}"
        ));
    }
    lines
}

/// As wide as the widest label and a blank.
const INDENT: &str = "            ";

fn wrap(text: &str, width: usize, indent: &str) -> Vec<String> {
    let mut lines = Vec::new();
    let mut line = String::from(indent);
    for word in text.split_whitespace() {
        let empty = line.len() == indent.len();
        if !empty && line.chars().count() + 1 + word.chars().count() > width {
            lines.push(std::mem::replace(&mut line, String::from(indent)));
        } else if !empty {
            line.push(' ');
        }
        line.push_str(word);
    }
    lines.push(line);
    lines
}
