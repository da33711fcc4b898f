//! The language reference, executed: every fenced block of `grammar/README.md` behaves as the text around it says, and the
//! reference covers the whole language.
//!
//! * ```` ```synod ````                a program: checked without any diagnostic, its scenarios played
//! * ```` ```synod header NAME ````    the beginning of a program, for fragments
//! * ```` ```synod fragment NAME ````  clauses after that header, then treated as a program
//! * ```` ```synod wrong CODE ````     a program (or `… fragment NAME`) with exactly this diagnostic
//! * ```` ```synod warns CODE ````     the same with a warning: its scenarios are played
//!
//! `solves`, `uses` and `variant of` find the programs of the page by their names, then the library.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;
use synod::internals::check::{self, Checked};

const REFERENCE: &str = include_str!("../../grammar/README.md");
const GRAMMAR: &str = include_str!("../../grammar/synod.pest");

struct Block {
    /// The line of the reference at which the text begins.
    line: usize,
    info: Vec<String>,
    text: String,
}

impl Block {
    /// Return the word after this one.
    fn value(&self, key: &str) -> Option<&str> {
        let at = self.info.iter().position(|w| w == key)?;
        self.info.get(at + 1).map(String::as_str)
    }
}

fn blocks() -> Vec<Block> {
    let mut blocks = Vec::new();
    let mut lines = REFERENCE.lines().enumerate();
    while let Some((at, line)) = lines.next() {
        let Some(info) = line.strip_prefix("```") else { continue };
        let text: Vec<&str> = lines.by_ref().map(|(_, l)| l).take_while(|l| *l != "```").collect();
        let info = info.split_whitespace().map(String::from).collect();
        blocks.push(Block { line: at + 2, info, text: text.join("\n") + "\n" });
    }
    blocks
}

/// Return the name in the first line of a program.
fn declared(text: &str) -> Option<String> {
    let header = text.lines().find(|l| !l.starts_with("///") && !l.trim().is_empty())?;
    let rest = header.strip_prefix("algorithm ").or_else(|| header.strip_prefix("problem "))?;
    rest.split(|c: char| !c.is_alphanumeric() && c != '_').next().map(check::snake)
}

/// Return all faults of a block; none if it is correct.
fn judge(
    block: &Block,
    headers: &BTreeMap<String, String>,
    programs: &BTreeMap<String, String>,
) -> Vec<String> {
    let header = match block.value("fragment") {
        None => "",
        Some(name) => match headers.get(name) {
            Some(text) => text,
            None => return vec![format!("{}: there is no header `{name}`", block.line)],
        },
    };
    let before = header.lines().count();
    let text = format!("{header}{}", block.text);
    let find = |name: &str| {
        let own = programs.get(&check::snake(name));
        own.map(|text| (format!("{name}.syn"), text.clone()))
            .or_else(|| synod::internals::library::source(name))
    };
    let Checked { program, diagnostics, sources, .. } = check::check("reference", &text, &find);
    let line = |start: u32| {
        let line = text[..start as usize].matches('\n').count();
        if line < before {
            format!("{} (in the header)", block.line)
        } else {
            (block.line + line - before).to_string()
        }
    };
    let mut found = Vec::new();
    let wanted = block.value("wrong").or(block.value("warns"));
    for d in &diagnostics {
        if Some(d.code().to_string().as_str()) != wanted {
            let place = if d.span.file == 0 { line(d.span.start) } else { sources.place(d.span) };
            found.push(format!("{place}: {} {}", d.code(), d.message()));
        }
    }
    if let Some(code) = wanted {
        if !diagnostics.iter().any(|d| d.code().to_string() == code) {
            found.push(format!("{}: this ought to give {code}", block.line));
        }
        if block.value("wrong").is_some() && program.is_some() {
            found.push(format!("{}: {code} ought to be an error", block.line));
        }
    }
    let Some(program) = program else { return found };
    let program = Arc::new(program);
    for scenario in &program.scenarios {
        let played = synod::internals::scenario::play(
            &program,
            scenario,
            &Default::default(),
            &mut |_, _, _, _, _| {},
        );
        for f in &played.failures {
            let place = if f.span.file == 0 { line(f.span.start) } else { sources.place(f.span) };
            found.push(format!("{place}: scenario {}: {}", played.name, f.message));
        }
    }
    found
}

#[test]
fn every_block_behaves_as_described() {
    let blocks = blocks();
    let synod = |b: &&Block| b.info.first().is_some_and(|w| w == "synod");
    let mut headers = BTreeMap::new();
    let mut programs = BTreeMap::new();
    for block in blocks.iter().filter(synod) {
        if let Some(name) = block.value("header") {
            headers.insert(name.to_string(), block.text.clone());
        } else if let (1, Some(name)) = (block.info.len(), declared(&block.text)) {
            programs.insert(name, block.text.clone());
        }
    }
    let mut wrong = Vec::new();
    for block in blocks.iter().filter(synod).filter(|b| b.value("header").is_none()) {
        wrong.extend(judge(block, &headers, &programs));
    }
    assert!(
        wrong.is_empty(),
        "\n{}\n",
        wrong.iter().map(|w| format!("grammar/README.md:{w}")).collect::<Vec<_>>().join("\n")
    );
}

/// Return the text of fenced blocks and between backticks.
fn code() -> String {
    let mut code = String::new();
    let mut fenced = false;
    for line in REFERENCE.lines() {
        if line.starts_with("```") {
            fenced = !fenced;
        } else if fenced {
            code.push_str(line.split("//").next().unwrap());
            code.push('\n');
        } else {
            for span in line.split('`').skip(1).step_by(2) {
                code.push_str(span);
                code.push('\n');
            }
        }
    }
    code
}

fn words(text: &str) -> BTreeSet<&str> {
    text.split(|c: char| !c.is_ascii_alphanumeric() && c != '_').filter(|w| !w.is_empty()).collect()
}

/// Return the string literals of a piece of grammar.
fn literals(text: &str) -> impl Iterator<Item = &str> {
    // The two literals with a backslash would be read as the ends of others.
    let lines = text.lines().filter(|l| !l.starts_with("//") && !l.starts_with("text "));
    lines.flat_map(|l| l.split('"').skip(1).step_by(2))
}

#[test]
fn every_word_and_sign_of_the_grammar_is_mentioned() {
    let code = code();
    let known = words(&code);
    let mut missing = BTreeSet::new();
    for literal in literals(GRAMMAR) {
        let is_word = literal.len() > 1 && literal.chars().all(|c| c.is_ascii_alphabetic());
        let is_sign = !is_word && !literal.starts_with('\\') && !literal.trim().is_empty();
        if is_word && !known.contains(literal)
            || is_sign && !code.contains(literal) && !REFERENCE.contains(literal)
        {
            missing.insert(literal);
        }
    }
    assert!(missing.is_empty(), "grammar/README.md does not mention {missing:?}");
}

#[test]
fn every_predefined_name_function_and_assumption_is_mentioned() {
    let code = code();
    let known = words(&code);
    let names = check::PREDEFINED.iter().chain(check::FUNCTIONS).filter(|n| !known.contains(**n));
    let assumptions = check::VOCABULARY.iter().filter(|a| !code.contains(**a));
    let missing: Vec<_> = names.chain(assumptions).collect();
    assert!(missing.is_empty(), "grammar/README.md does not mention {missing:?}");
}
