//! The summary of the language for assistants, `docs/llms.txt`: its programs, commands and mistakes behave as it says, and it is
//! short. The fenced blocks are those of [`crate::readme`].

use crate::cli::harness::{folder, synod_in};
use crate::readme::{Block, blocks, execute};
use synod::internals::check::{FUNCTIONS, PREDEFINED, VOCABULARY, check};
use synod::internals::library::source;
use synod::internals::syntax::format::{Signs, format};

const PAGE: &str = include_str!("../../docs/llms.txt");
const REFERENCE: &str = include_str!("../../grammar/README.md");

/// Fault budgets under which the programs hold, too.
const FAULTS: &[(&str, &str)] =
    &[("relay_first.syn", "crash<=2"), ("alternating_bit.syn", "loss<=2, duplication<=1")];

/// Return names and texts of the programs.
fn programs() -> Vec<(String, String)> {
    let named = |b: Block| match &b.info[..] {
        [language, file, name] if language == "synod" && file == "file" => {
            Some((name.clone(), b.lines.join("\n") + "\n"))
        }
        _ => None,
    };
    blocks(PAGE).into_iter().filter_map(named).collect()
}

/// Return the words between backticks in a section, one text for each pair of backticks.
fn quoted(text: &str) -> Vec<&str> {
    text.split('`').skip(1).step_by(2).collect()
}

/// Return the text of a section of the page.
fn section(title: &str) -> &'static str {
    let section = PAGE.split("\n## ").find_map(|s| s.strip_prefix(title)?.strip_prefix('\n'));
    section.unwrap_or_else(|| panic!("a section «{title}»"))
}

/// Return the rows of the table of mistakes: what is written, what Synod wants, and the code of the diagnostic.
fn mistakes() -> Vec<[String; 3]> {
    let rows = section("Frequent mistakes").lines().filter(|l| l.starts_with("| `"));
    let cells = |row: &str| {
        let row = row.replace("\\|", "\u{0}");
        let mut cells = row.trim_matches('|').split('|');
        let mut next = || cells.next().expect("a cell").trim().trim_matches('`').replace('\u{0}', "|");
        [next(), next(), next()]
    };
    rows.map(cells).collect()
}

#[test]
fn it_follows_the_convention_and_is_short() {
    let lines: Vec<&str> = PAGE.lines().collect();
    assert_eq!(lines[0], "# Synod");
    assert!(lines[2].starts_with("> "), "{}", lines[2]);
    let fenced = blocks(PAGE).iter().flat_map(|b| b.lines.clone()).collect::<Vec<_>>().join("\n");
    let is_word = |word: &&str| word.contains(char::is_alphanumeric);
    let words = |text: &str| text.split_whitespace().filter(is_word).count();
    let prose = words(PAGE) - words(&fenced);
    assert!(prose <= 2_300, "{prose} words");
    assert!(lines.len() <= 600, "{} lines", lines.len());
    assert!(lines.iter().all(|l| l.starts_with('|') || l.chars().count() <= 140), "a line is too long");
}

#[test]
fn its_programs_check_and_its_commands_run() {
    let (programs, commands) = execute("docs/llms.txt");
    assert_eq!((programs, commands), (12, 7));
}

#[test]
fn its_programs_are_formatted() {
    for (name, text) in programs() {
        assert_eq!(format(&text, Signs::Ascii).as_ref(), Ok(&text), "{name}");
    }
}

/// Every property holds in every run on the network that `verify` chooses, and the state space is small.
#[test]
fn its_programs_are_verified() {
    let programs = programs();
    let files: Vec<(&str, &[u8])> = programs.iter().map(|(n, text)| (n.as_str(), text.as_bytes())).collect();
    let here = folder("llms", &files);
    let mut verified = 0;
    for (name, text) in &programs {
        if text.lines().any(|l| l.starts_with("problem ")) {
            continue;
        }
        let budgets = FAULTS.iter().filter(|(n, _)| n == name).map(|(_, budget)| *budget);
        for budget in std::iter::once("").chain(budgets) {
            let ran = synod_in(&here, &["verify", name, "--json", "--faults", budget]);
            assert_eq!(ran.code, 0, "{ran}");
            let report: serde_json::Value = serde_json::from_str(&ran.stdout).expect("JSON");
            assert_eq!(report["too_large"], serde_json::Value::Null, "{name}");
            assert!(report["configurations"].as_u64().unwrap() < 100_000, "{name}");
            let properties = report["properties"].as_array().unwrap();
            assert!(!properties.is_empty(), "{name}");
            for property in properties {
                assert_eq!(property["verdict"], "holds", "{name} {budget}: {property}");
            }
            verified += 1;
        }
    }
    assert_eq!(verified, 11 + FAULTS.len());
}

/// Put a clause or statement of the table into a program that is correct otherwise.
fn around(piece: &str) -> String {
    let begins = |words: &[&str]| words.iter().any(|w| piece.starts_with(w)).then_some(piece);
    let assumes = begins(&["assumes "]);
    let idle = begins(&["state idle "]);
    let handler = begins(&["on "]);
    let property = begins(&["invariant ", "leads "]);
    let clauses = [assumes, idle, handler, property];
    let statement = if clauses.iter().any(Option::is_some) { None } else { Some(piece) };
    format!(
        "algorithm mistake
{}
message M(k: Int), Ask
var x, y : Int
var seen : set of Id
state s
  x, y, seen := 1, 2, {{id}}
  send M(x) to others
  send Ask to others
  {}
  become idle
{}
  {}
always
  ignore M, Ask
invariant used: forall p: p.x + p.y + size(p.seen) >= 0
{}
",
        assumes.unwrap_or("assumes complete, fifo, unique ids, knows peers"),
        statement.unwrap_or("skip"),
        idle.unwrap_or("state idle"),
        handler.unwrap_or(""),
        property.unwrap_or(""),
    )
}

#[test]
fn its_mistakes_have_these_diagnostics_and_corrections() {
    let mistakes = mistakes();
    assert_eq!(mistakes.len(), 20);
    for [wrong, right, code] in mistakes {
        let found = |piece: &str| -> Vec<String> {
            let checked = check("mistake.syn", &around(piece), &source);
            checked.diagnostics.iter().map(|d| d.code().to_string()).collect()
        };
        assert_eq!(found(&wrong).first(), Some(&code), "{wrong}: {:?}", found(&wrong));
        assert_eq!(found(&right), Vec::<String>::new(), "{right}");
    }
}

/// The reserved words are those of the language reference, and the predefined names are complete.
#[test]
fn its_lists_of_words_are_complete() {
    let words =
        |text: &'static str| quoted(text).into_iter().flat_map(str::split_whitespace).collect::<Vec<_>>();
    let reference = REFERENCE.split("These words are reserved").nth(1).expect("a list of reserved words");
    let reference = words(reference.split("All other words").next().expect("its end"));
    assert!(reference.len() > 50);
    let mut lists = section("Reserved words").trim_start().split("\n\n").map(words);
    assert_eq!(lists.next(), Some(reference));
    let predefined = lists.next().expect("a list of predefined names");
    assert_eq!(&predefined[..PREDEFINED.len()], PREDEFINED);
}

/// The functions and the assumptions of several words exist.
#[test]
fn its_words_exist() {
    let functions = PAGE.split("- Functions: `").nth(1).and_then(|rest| rest.split('`').next());
    let functions: Vec<&str> = functions.expect("a list of functions").split_whitespace().collect();
    let unknown: Vec<_> = functions.iter().filter(|f| !FUNCTIONS.contains(f)).collect();
    assert!(functions.len() > 10 && unknown.is_empty(), "{unknown:?}");
    let is_long = |word: &str| word.len() > 1 && word.chars().all(|c| c.is_ascii_lowercase());
    let mut assumptions = quoted(section("Assumptions and models"));
    assumptions.retain(|a| a.contains(' ') && a.split(' ').all(is_long));
    let unknown: Vec<_> = assumptions.iter().filter(|a| !VOCABULARY.contains(*a)).collect();
    assert!(assumptions.len() > 20 && unknown.is_empty(), "{unknown:?}");
}
