//! The page of the library, `stdlib/README.md`.

use super::families::{FAMILIES, Family};
use super::{cells, of_problem, own};
use crate::catalogue::{Card, Figure, RUNS, cards, figures, verified};
use std::fmt::Write;
use std::sync::atomic::{AtomicUsize, Ordering};

const HEAD: &str = "\
# The library

Every algorithm here is a program: `synod run NAME` simulates it, `synod show NAME` prints it, `synod test NAME` runs its scenarios, and
`synod verify NAME` explores all interleavings on a small network. `synod list` finds algorithms by problem (`--problem`), topology (`--topology`),
model (`--model`) and assumption (`--assumes`).

This page is generated from the files by `synod list --markdown > stdlib/README.md`; `tests/suite/catalogue.rs` fails when it is out of date.

**How to read it.** *Solves* names the specification, a file of [`problems`](#problems), with the options chosen. *Assumes* lists all assumptions of the
algorithm: the checker rejects an algorithm that uses more, and a network that offers less. *Promises* lists the properties of the specification that
are checked on every run. *Waives* lists those that the algorithm does not claim. *Own properties* are stated in the file itself. Among them are bounds
on the cost: `messages`, `time` (the longest causal chain of messages), `rounds`; `n` is the number of processes. *Own, waived* are properties that the
file states but does not claim; it includes them so that you can see when they fail.

*Source* names the documents from which the library was begun: **S0**, a chapter on the verification of the algorithm of Dolev, Klawe and Rodeh (in
Russian); **S1**, the lecture notes 并行与分布式计算, 2018 (in Chinese); **S2**, the encyclopedia article «Leader election» (in Ukrainian); **S3**, a text on
the bully algorithm (in Russian).
";

/// Return the whole page. The same files give the same bytes.
pub fn markdown() -> String {
    let cards = cards();
    let algorithms: Vec<&Card> = cards.iter().filter(|card| card.kind == "algorithm").collect();
    let measured = measure(&algorithms);
    let mut page = String::from(HEAD);
    let mut contents = String::from("\n**Shelves:** ");
    let mut shelves = String::new();
    for family in FAMILIES {
        let own: Vec<(&Card, &Vec<Figure>)> = algorithms
            .iter()
            .copied()
            .zip(&measured)
            .filter(|(card, _)| card.folder() == family.folder)
            .collect();
        if !own.is_empty() {
            let _ = write!(contents, "[{}](#{}) · ", family.title, anchor(family.title));
            shelf(&mut shelves, family, &own);
        }
    }
    contents.push_str("[Problems](#problems)\n");
    page.push_str(&contents);
    page.push_str(&shelves);
    problems(&mut page, &cards);
    page
}

/// Return the folders that no family of the page covers.
pub fn unshelved(cards: &[Card]) -> Vec<&'static str> {
    let algorithms = cards.iter().filter(|card| card.kind == "algorithm");
    let folders = algorithms.map(Card::folder);
    folders.filter(|folder| !FAMILIES.iter().any(|family| family.folder == *folder)).collect()
}

fn shelf(page: &mut String, family: &Family, own: &[(&Card, &Vec<Figure>)]) {
    let _ = writeln!(page, "\n## {}\n\n{}", family.title, family.introduction);
    for (card, _) in own {
        entry(page, card);
    }
    let with_figures = own.iter().filter(|(_, figures)| !figures.is_empty()).count();
    if with_figures == 0 {
        return;
    }
    let proved = own.iter().any(|(card, _)| !verified(&card.name).is_empty());
    let _ = writeln!(
        page,
        "\n**Measured costs**: the minimum and the maximum of {RUNS} runs on each network. Identifiers and schedule are drawn from the seeds 1 to {RUNS}. \
         Every process may start by itself (some are reached by a message before).{}\n",
        if proved {
            " *Verified* gives the largest networks that were explored exhaustively without a violation; faults occur only in those entries that name them."
        } else {
            ""
        }
    );
    let more = if proved { [" verified |", "---|"] } else { ["", ""] };
    let _ =
        writeln!(page, "| algorithm | network | messages | time |{}\n|---|---|---|---|{}", more[0], more[1]);
    for (card, figures) in own {
        for (i, figure) in figures.iter().enumerate() {
            let name = if i == 0 { format!("`{}`", card.name) } else { String::new() };
            let [network, messages, time] = cells(figure);
            let _ = write!(page, "| {name} | {network} | {messages} | {time} |");
            if proved {
                let all: Vec<String> = verified(&card.name).into_iter().map(|v| v.network).collect();
                let _ = write!(page, " {} |", if i == 0 { all.join(", ") } else { String::new() });
            }
            page.push('\n');
        }
    }
}

fn entry(page: &mut String, card: &Card) {
    let _ = writeln!(page, "\n### [{}]({})\n", card.name, card.path);
    if let Some(first) = card.paragraphs().first() {
        let _ = writeln!(page, "{}\n", prose(first));
    }
    if let Some(problem) = &card.problem {
        let (kept, left) = of_problem(card);
        let _ = write!(page, "* *Solves* `{problem}`");
        if !kept.is_empty() {
            let _ = write!(page, " · *promises* {}", code(&kept));
        }
        if !left.is_empty() {
            let _ = write!(page, " · *waives* {}", code(&left));
        }
        page.push('\n');
    }
    let _ = writeln!(page, "* *Assumes* {} · *model* {}", card.assumes.join(", "), card.model.join(", "));
    for (label, promised) in [("Own properties", true), ("Own, waived", false)] {
        let own: Vec<String> = own(card, promised).map(|p| format!("`{}`", p.text)).collect();
        if !own.is_empty() {
            let _ = writeln!(page, "* *{label}* {}", own.join(" · "));
        }
    }
    if let Some(source) = &card.source {
        let _ = writeln!(page, "* *Source* {}", prose(source));
    }
}

fn problems(page: &mut String, cards: &[Card]) {
    page.push_str(
        "\n## Problems\n\nSpecifications: the outputs or operations of an algorithm, and the properties that it has to satisfy. An algorithm names the one that it `solves`.\n",
    );
    for card in cards.iter().filter(|card| card.kind == "problem") {
        let _ = writeln!(page, "\n### [{}]({})\n", card.name, card.path);
        let _ = writeln!(page, "{}", prose(card.paragraphs().first().map_or("", String::as_str)));
        let names: Vec<&str> = card.properties.iter().map(|p| p.name.as_str()).collect();
        if !names.is_empty() {
            let _ = writeln!(page, "\n* *Properties* {}", code(&names));
        }
        let solvers = cards.iter().filter(|other| {
            other.problem_name().is_some_and(|p| crate::catalogue::names_match(p, &card.name))
        });
        let solvers: Vec<&str> = solvers.map(|card| card.name.as_str()).collect();
        if !solvers.is_empty() {
            let _ = writeln!(page, "* *Solved by* {}", code(&solvers));
        }
    }
}

/// Measure all algorithms, in order; threads only make it faster.
fn measure(algorithms: &[&Card]) -> Vec<Vec<Figure>> {
    let next = AtomicUsize::new(0);
    let work = || {
        let mut found = Vec::new();
        loop {
            let i = next.fetch_add(1, Ordering::Relaxed);
            let Some(card) = algorithms.get(i) else { return found };
            found.push((i, card.program.as_ref().map(figures).unwrap_or_default()));
        }
    };
    let threads = std::thread::available_parallelism().map_or(1, usize::from);
    let mut all: Vec<(usize, Vec<Figure>)> = std::thread::scope(|scope| {
        let helpers: Vec<_> = (1..threads).map(|_| scope.spawn(work)).collect();
        let own = work();
        own.into_iter()
            .chain(helpers.into_iter().flat_map(|helper| helper.join().unwrap_or_default()))
            .collect()
    });
    all.sort_by_key(|(i, _)| *i);
    all.into_iter().map(|(_, figures)| figures).collect()
}

fn code(names: &[&str]) -> String {
    names.iter().map(|name| format!("`{name}`")).collect::<Vec<_>>().join(", ")
}

/// Convert the text of a doc comment to Markdown; angle brackets are escaped.
fn prose(text: &str) -> String {
    let parts = text.split('`').enumerate();
    let safe = parts.map(|(i, part)| if i % 2 == 0 { part.replace('<', "&lt;") } else { part.to_string() });
    safe.collect::<Vec<_>>().join("`")
}

/// Return the anchor of a heading: lower case, hyphens for blanks, no punctuation.
fn anchor(title: &str) -> String {
    let kept = title.chars().filter(|c| c.is_alphanumeric() || *c == ' ' || *c == '-');
    kept.collect::<String>().to_lowercase().replace(' ', "-")
}
