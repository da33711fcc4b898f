//! The formatter: formatted text has the same meaning, keeps its comments, and is a fixed point; and the style itself.

mod again;

use crate::random_programs::Draw;
use proptest::prelude::*;
use proptest::test_runner::RngSeed;
use std::path::{Path, PathBuf};
use std::time::Duration;
use synod::internals::syntax::ast::Module;
use synod::internals::syntax::format::{Signs, WIDTH, format, format_range};
use synod::internals::syntax::parse;

// ─── Laws ───

/// Return the tree without places (`0:12..15`) and without blanks (the arguments of topologies are kept as text).
fn bare(module: &Module) -> String {
    let mut bare = String::new();
    let debug = format!("{:?}", module.clauses);
    let mut rest = debug.as_str();
    while let Some(at) = rest.find("0:") {
        let place =
            rest[at + 2..].find(|c: char| !c.is_ascii_digit() && c != '.').unwrap_or(rest.len() - at - 2);
        let is_place =
            rest[at + 2..at + 2 + place].contains("..") && !bare.ends_with(|c: char| c.is_ascii_digit());
        bare.push_str(&rest[..at]);
        bare.push_str(if is_place { "" } else { &rest[at..at + 2 + place] });
        rest = &rest[at + 2 + place..];
    }
    bare.push_str(rest);
    bare.retain(|c| !c.is_whitespace());
    bare
}

fn comments(module: &Module) -> Vec<&str> {
    module.comments.iter().map(|(_, text)| text.as_str()).collect()
}

fn formatted(text: &str, signs: Signs) -> String {
    format(text, signs).unwrap_or_else(|findings| panic!("{findings:#?}\n{text}"))
}

/// Check the laws that hold for every text that can be parsed.
fn laws(name: &str, text: &str) -> Result<(), String> {
    let (before, findings) = parse(0, text);
    assert!(findings.is_empty(), "{name}: {findings:#?}\n{text}");
    let result = formatted(text, Signs::AsWritten);
    let (after, findings) = parse(0, &result);
    let is = |holds: bool, what: &str| match holds {
        true => Ok(()),
        false => Err(format!("{name}: {what}\n{text}\n──────\n{}", formatted(text, Signs::AsWritten))),
    };
    is(findings.is_empty(), "the result cannot be read")?;
    let (own, other) = (bare(&before), bare(&after));
    let differs = own.chars().zip(other.chars()).take_while(|(a, b)| a == b).count();
    let shown = |text: &str| text.chars().skip(differs.saturating_sub(40)).take(80).collect::<String>();
    is(own == other, &format!("the result means something else: {} became {}", shown(&own), shown(&other)))?;
    is(comments(&before) == comments(&after), "the comments are others")?;
    let again = formatted(&result, Signs::AsWritten);
    is(again == result, &format!("formatted twice it is different:\n{again}\n──────"))?;
    let returns = result.matches("\r\n").count();
    is(returns == 0 || returns == result.matches('\n').count(), "ends of lines of two kinds")?;
    let result = result.replace("\r\n", "\n");
    is(!result.contains('\r') && !result.contains('\t') || text.contains("//"), "tabs or returns")?;
    is(result.is_empty() || result.ends_with('\n') && !result.ends_with("\n\n"), "the end of the last line")?;
    is(result.lines().all(|line| line == line.trim_end()), "blanks at the end of a line")?;
    is(!result.contains("\n\n\n"), "two empty lines")
}

#[track_caller]
fn hold(name: &str, text: &str) {
    laws(name, text).unwrap_or_else(|broken| panic!("{broken}"));
}

/// Return all programs below a folder of the repository.
fn programs(folder: &str) -> Vec<(String, String)> {
    let mut found = Vec::new();
    let mut folders = vec![PathBuf::from(env!("CARGO_MANIFEST_DIR")).join(folder)];
    while let Some(folder) = folders.pop() {
        for entry in std::fs::read_dir(&folder).unwrap() {
            let path = entry.unwrap().path();
            // Output of tests and installed tools is not part of the repository.
            let is_foreign = path.is_symlink() || path.ends_with("target") || path.ends_with("node_modules");
            if is_foreign {
                continue;
            }
            if path.is_dir() {
                folders.push(path);
            } else if path.extension().is_some_and(|ending| ending == "syn") {
                let name = path
                    .strip_prefix(env!("CARGO_MANIFEST_DIR"))
                    .unwrap_or(Path::new(""))
                    .display()
                    .to_string();
                found.push((name, std::fs::read_to_string(&path).unwrap()));
            }
        }
    }
    found.sort();
    assert!(!found.is_empty(), "no programs in {folder}");
    found
}

fn blocks(page: &str) -> Vec<(String, String)> {
    let mut found = Vec::new();
    for (number, block) in page.split("```synod").skip(1).enumerate() {
        let (info, rest) = block.split_once('\n').unwrap();
        found.push((format!("block {number}{info}"), rest.split("```").next().unwrap().to_string()));
    }
    found
}

fn everything() -> Vec<(String, String)> {
    let mut all = programs(".");
    all.extend(blocks(include_str!("../../../grammar/README.md")));
    all.extend(blocks(include_str!("../../../README.md")));
    all.retain(|(_, text)| parse(0, text).1.is_empty());
    assert!(all.len() > 300, "only {} programs", all.len());
    all
}

#[test]
fn all_programs_of_the_repository_keep_their_meaning_and_their_comments() {
    for (name, text) in everything() {
        hold(&name, &text);
        hold(&format!("{name}, with other ends of lines"), &text.replace('\n', "\r\n"));
    }
}

#[test]
fn the_library_is_formatted() {
    let mut wrong = Vec::new();
    for folder in ["stdlib", "examples", "src/cli/new"] {
        for (name, text) in programs(folder) {
            if formatted(&text, Signs::AsWritten) != text {
                wrong.push(name);
            }
        }
    }
    assert!(wrong.is_empty(), "`synod fmt` would change {}", wrong.join(", "));
}

#[test]
fn the_blocks_of_the_reference_are_formatted() {
    let mut wrong = String::new();
    for (name, text) in blocks(include_str!("../../../grammar/README.md")) {
        if parse(0, &text).1.is_empty() && formatted(&text, Signs::AsWritten) != text {
            wrong += &format!("{name}\n{}\n", formatted(&text, Signs::AsWritten));
        }
    }
    assert!(wrong.is_empty(), "{wrong}");
}

#[test]
fn signs_go_to_unicode_and_back() {
    for (name, text) in
        everything().into_iter().filter(|(name, _)| !name.starts_with("tests/cases")).step_by(2)
    {
        let tree = bare(&parse(0, &text).0);
        let ascii = formatted(&text, Signs::Ascii);
        let unicode = formatted(&text, Signs::Unicode);
        for (form, text) in [("ascii", &ascii), ("unicode", &unicode)] {
            hold(&format!("{name}, {form}"), text);
            let own = bare(&parse(0, text).0);
            // An empty set or map is the same set in both.
            assert_eq!(own, tree, "{name}, {form}:\n{text}");
        }
        // Lines may break elsewhere, since words are longer than signs; `∪` becomes `+` permanently.
        let words = |text: &str| text.split_whitespace().map(String::from).collect::<Vec<_>>();
        let unicode = formatted(&ascii, Signs::Unicode);
        let back = formatted(&unicode, Signs::Ascii);
        assert_eq!(words(&formatted(&back, Signs::Unicode)), words(&unicode), "{name}");
        assert!(code(&back).is_ascii(), "{name}: {back}");
        assert_eq!(bare(&parse(0, &back).0), tree, "{name}");
    }
}

/// Return a text without comments and text literals.
fn code(text: &str) -> String {
    text.lines()
        .map(|line| line.split("//").next().unwrap_or("").split('"').step_by(2).collect::<String>())
        .collect()
}

// ─── Random texts ───

/// Separators that may occur between two words.
const BETWEEN: [&str; 9] = [
    "  ",
    "\n",
    "\n\n\n",
    "\t",
    " // one\n",
    " // two\n      // three\n\n// four\n",
    "\n    // five\n  ",
    "\r\n",
    "\n/// six\n",
];

/// Return the same words with other separators now and then.
fn disturbed(text: &str, numbers: &[u32], often: u32) -> String {
    let mut result = String::new();
    let mut numbers = numbers.iter().copied().cycle();
    let mut comment = false;
    let mut text_open = false;
    let mut characters = text.chars().peekable();
    while let Some(c) = characters.next() {
        if c == '\n' {
            comment = false;
        }
        if c == '"' && !comment {
            text_open = !text_open;
        }
        if c == '/' && characters.peek() == Some(&'/') && !text_open {
            comment = true;
        }
        let number = numbers.next().unwrap_or(0);
        if c == ' ' && !comment && !text_open && number % often == 0 {
            result.push_str(BETWEEN[(number / often) as usize % BETWEEN.len()]);
        } else {
            result.push(c);
        }
    }
    result
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 60, max_shrink_iters: 100, failure_persistence: None, rng_seed: RngSeed::Fixed(7), ..ProptestConfig::default() })]

    #[test]
    fn random_programs(numbers in proptest::collection::vec(any::<u32>(), 20..200)) {
        let text = Draw { numbers: &numbers, next: 0 }.program();
        laws("random", &text).map_err(TestCaseError::fail)?;
        let disturbed = disturbed(&text, &numbers, 9);
        if parse(0, &disturbed).1.is_empty() {
            laws("random, disturbed", &disturbed).map_err(TestCaseError::fail)?;
        }
    }
}

/// Return handlers and alternatives of all widths: whether commands are placed beside the arrows depends on the neighbours.
fn arrows_of_all_widths(numbers: &[u32]) -> String {
    let mut text = String::from("algorithm x\nstate s\n");
    let word = |width: u32| "w".repeat(1 + width as usize);
    for number in numbers {
        let (head, body) = (word(number % 61), word((number >> 8) % 71));
        let gap = if (number >> 16).is_multiple_of(7) { "  " } else { " " };
        let behind = if (number >> 20).is_multiple_of(6) { "\n    " } else { " " };
        text += &match (number >> 24) % 4 {
            0 => format!(
                "  on M from {head}{gap}->{behind}{body} := 1; if a -> skip [] otherwise -> b := 2 fi\n"
            ),
            1 => format!("  when {head}{gap}->{behind}if a{gap}-> {body} := 1 [] {head} -> b := 2 fi\n"),
            2 => format!("  when {head}{gap}->{behind}{body} := 1; a := {body}\n"),
            _ => format!(
                "  when {head}{gap}->{behind}if a{gap}-> {body} := 1\n    [] {head} -> b := 2; a := 1\n    fi\n"
            ),
        };
    }
    text
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 500, max_shrink_iters: 100, failure_persistence: None, rng_seed: RngSeed::Fixed(9), ..ProptestConfig::default() })]

    #[test]
    fn arrows(numbers in proptest::collection::vec(any::<u32>(), 2..9)) {
        laws("arrows", &arrows_of_all_widths(&numbers)).map_err(TestCaseError::fail)?;
    }
}

/// Clause by clause, since most texts with many changes cannot be parsed.
#[test]
fn disturbed_programs() {
    use rand_chacha::ChaCha8Rng;
    use rand_chacha::rand_core::{Rng, SeedableRng};
    let mut dice = ChaCha8Rng::seed_from_u64(11);
    let (mut read, mut all) = (0, 0);
    let programs = everything().into_iter().filter(|(name, _)| !name.starts_with("tests/cases"));
    for (number, (name, text)) in programs.enumerate() {
        let numbers: Vec<u32> = (0..997).map(|_| dice.next_u32()).collect();
        let whole = disturbed(&text, &numbers, [3, 8, 40][number % 3]);
        let (module, _) = parse(0, &whole);
        for clause in &module.clauses {
            let start = whole[..clause.span.start as usize].rfind('\n').map_or(0, |end| end + 1);
            let rest = &whole[clause.span.end as usize..];
            let end = whole.len() - rest.len() + rest.find('\n').unwrap_or(rest.len());
            let part = &whole[start..end];
            all += 1;
            if parse(0, part).1.is_empty() {
                read += 1;
                hold(&name, part);
            }
        }
    }
    assert!(read > 1_000 && read * 2 > all, "{read} of {all} parts could be read");
}

// ─── Large texts ───

#[test]
fn what_cannot_be_read_is_not_formatted() {
    let findings = format("algorithm x\nvar := 3\nstate s\n  halt halt if\n", Signs::AsWritten).unwrap_err();
    assert_eq!(findings.len(), 2, "{findings:#?}");
    let deep = format!("algorithm x\nvar a := {}1{}\n", "(".repeat(10_000), ")".repeat(10_000));
    assert!(format(&deep, Signs::AsWritten).is_err());
    let long = "// a comment\n".repeat(400_000);
    assert!(format(&long, Signs::AsWritten).is_err());
}

#[test]
fn as_deep_as_may_be() {
    for (open, close) in
        [("(", ")"), ("{", "}"), ("f(", ")"), ("if a then ", " else 1"), ("[x, ", "]"), ("1 + (", ")")]
    {
        let text = format!("algorithm x\nvar a := {}1{}\n", open.repeat(45), close.repeat(45));
        hold("deep", &text);
    }
    let (open, close) = ("if a -> ", " fi ");
    let text = format!("algorithm x\nstate s\n{}skip{}\n", open.repeat(45), close.repeat(45));
    hold("deep", &text);
    hold("deep", &text.replace("->", "->\n"));
    hold("deep", &text.replace("if", "do x -> y := 1\n []").replace("fi", "od"));
}

#[test]
fn large_texts_take_a_moment() {
    let statement =
        "  if a = b and c -> x := x + [1, 2, 3]; send M(x) to next [] otherwise -> skip fi // so\n";
    let long_list =
        format!("const k = [{}]\n", (0..20_000).map(|i| i.to_string()).collect::<Vec<_>>().join(", "));
    let long_sum = format!("const l = {}\n", vec!["some_name"; 80].join(" + "));
    let text = format!("algorithm x\n{long_list}{long_sum}state s\n{}", statement.repeat(1_000));
    let start = std::time::Instant::now();
    let result = formatted(&text, Signs::AsWritten);
    assert!(start.elapsed() < Duration::from_secs(60), "{:?}", start.elapsed());
    assert!(
        result.lines().all(|line| line.split("//").next().unwrap_or("").trim_end().chars().count() <= WIDTH)
    );
    assert_eq!(formatted(&result, Signs::AsWritten), result);
}

#[test]
fn nothing_and_next_to_nothing() {
    assert_eq!(formatted("", Signs::AsWritten), "");
    assert_eq!(formatted("\n\n  \n", Signs::AsWritten), "");
    assert_eq!(formatted("  // alone", Signs::AsWritten), "// alone\n");
    assert_eq!(formatted("\u{FEFF}algorithm   x", Signs::AsWritten), "algorithm x\n");
    assert_eq!(formatted("\r\n\r\nalgorithm\tx // so\r\n", Signs::AsWritten), "algorithm x // so\r\n");
}

// ─── Style ───

#[test]
fn looks() {
    let mut shown = String::new();
    for text in include_str!("before.syn").split("////\n") {
        shown += &format!("{}////\n", formatted(text, Signs::AsWritten));
    }
    insta::with_settings!({ snapshot_path => ".", prepend_module_to_snapshot => false, omit_expression => true }, {
        insta::assert_snapshot!("after", shown);
    });
}

#[test]
fn signs() {
    let ascii = "algorithm x\nvar S : set of Int := {}\nstate s\n  S := S + {1} - {2} inter T\n\
                 \x20 if 1 in S and not (2 not in S) -> x := 2 * 3\n  [] x != 2 or x <= 3 -> x := none\n  fi\n\
                 invariant i: forall p: some q: p.x >= q.x iff true implies false\nleads l: a leads to b\n";
    let unicode = formatted(ascii, Signs::Unicode);
    insta::with_settings!({ snapshot_path => ".", prepend_module_to_snapshot => false, omit_expression => true }, {
        insta::assert_snapshot!("unicode", unicode);
        insta::assert_snapshot!("ascii", formatted(&unicode, Signs::Ascii));
    });
}

// ─── Parts ───

#[test]
fn a_range_is_formatted_with_the_clauses_it_touches() {
    let text = "algorithm   x\n// of a\nvar a:Int // so\n  // and so on\nvar   b:Int\nstate s\n   on M->skip\n   on N   -> skip var c:Int\n";
    let part = |needle: &str| {
        let at = text.find(needle).unwrap();
        let edit = format_range(text, at..at + needle.len(), Signs::AsWritten).unwrap().unwrap();
        let mut result = text.to_string();
        result.replace_range(edit.range, &edit.text);
        result
    };
    let shown = ["a:Int", "on M", "c:Int"].map(|needle| format!("{needle}\n{}", part(needle))).join("────\n");
    insta::with_settings!({ snapshot_path => ".", prepend_module_to_snapshot => false, omit_expression => true }, {
        insta::assert_snapshot!("parts", shown);
    });
    assert_eq!(part(text), formatted(text, Signs::AsWritten));
    assert_eq!(format_range("// nothing\n", 0..3, Signs::AsWritten).unwrap(), None);
    assert!(format_range("algorithm", 0..3, Signs::AsWritten).is_err());
}
