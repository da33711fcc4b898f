//! The grammars for editors know the words of the language: `editors/keywords.json` has those of `grammar/synod.pest`, and the
//! grammars for tree-sitter, TextMate and Vim have those of `keywords.json`. The tests compare texts; nothing is installed.
//!
//! `editors/test.sh` runs the tests that need tree-sitter, Node and Vim. For them, `what_the_parser_sees` (otherwise ignored)
//! writes a corpus with the verdict of this parser on each file, and the clauses found.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;
use std::fs;
use std::path::{Path, PathBuf};

use synod::internals::syntax::ast::{Block, Clause, ClauseKind, MessageGuard, Name, Trigger};

const GRAMMAR: &str = include_str!("../../grammar/synod.pest");
const REFERENCE: &str = include_str!("../../grammar/README.md");
const KEYWORDS: &str = include_str!("../../editors/keywords.json");
const TREE_SITTER: &str = include_str!("../../editors/tree-sitter-synod/grammar.js");
const SCANNER: &str = include_str!("../../editors/tree-sitter-synod/src/scanner.c");
const HIGHLIGHTS: &str = include_str!("../../editors/tree-sitter-synod/queries/highlights.scm");
const TEXTMATE: &str = include_str!("../../editors/vscode/syntaxes/synod.tmLanguage.json");
const VIM: &str = include_str!("../../editors/vim/syntax/synod.vim");

type Words = BTreeSet<String>;

/// Return the texts between each two of these quotes.
fn quoted(text: &str, quote: char) -> Vec<&str> {
    text.split(quote).skip(1).step_by(2).collect()
}

fn is_word(text: &str) -> bool {
    text.starts_with(|c: char| c.is_ascii_alphabetic())
        && text.chars().all(|c| c.is_ascii_alphanumeric() || matches!(c, '_' | '-'))
}

/// Return the literals of the grammar, without those in comments and the words of earlier versions.
fn literals() -> Words {
    let code = |line: &str| line.split(" // ").next().unwrap_or("").to_string();
    let present = GRAMMAR.split("Words of earlier versions").next().unwrap_or("");
    let lines = present.lines().filter(|line| !line.trim_start().starts_with("//")).map(code);
    // Comment markers and the quote itself would be read as the end of a literal.
    let text: String = lines.filter(|line| !line.contains(r#""\""#)).map(|line| line + "\n").collect();
    let former = &listed("reserved")["former"];
    quoted(&text, '"').into_iter().map(String::from).filter(|word| !former.contains(word)).collect()
}

/// Return the words that cannot be names.
fn reserved() -> Words {
    let start = GRAMMAR.find("reserved = @{").expect("the grammar has a rule `reserved`");
    let rule = GRAMMAR[start..].split("!inside").next().unwrap_or("");
    quoted(rule, '"').into_iter().map(String::from).collect()
}

/// Return those that programs contain: without former words.
fn present() -> Words {
    reserved().difference(&listed("reserved")["former"]).cloned().collect()
}

fn words() -> Words {
    literals().into_iter().filter(|text| is_word(text)).collect()
}

/// Return the words of a kind (`reserved`, `contextual` or `predefined`), by group.
fn listed(kind: &str) -> BTreeMap<String, Words> {
    let json: serde_json::Value = serde_json::from_str(KEYWORDS).expect("keywords.json is JSON");
    serde_json::from_value(json[kind].clone()).expect("groups of words")
}

fn union(groups: &BTreeMap<String, Words>) -> Words {
    groups.values().flatten().cloned().collect()
}

#[track_caller]
fn same(found: &Words, expected: &Words, place: &str) {
    let missing: Vec<_> = expected.difference(found).collect();
    let superfluous: Vec<_> = found.difference(expected).collect();
    assert!(
        missing.is_empty() && superfluous.is_empty(),
        "{place}: missing {missing:?}, too many {superfluous:?}"
    );
}

/// Return all runs of letters, digits and `_` in regular expressions, without the letters of escapes such as `\b`.
fn words_of_patterns(text: &str) -> Words {
    let mut plain = String::new();
    let mut characters = text.chars();
    while let Some(c) = characters.next() {
        if c == '\\' {
            characters.next();
            plain.push(' ');
        } else {
            plain.push(c);
        }
    }
    let is_inside = |c: char| c.is_ascii_alphanumeric() || matches!(c, '_' | '-');
    let words = plain.split(|c| !is_inside(c)).filter(|word| is_word(word)).map(String::from);
    words.collect()
}

#[test]
fn the_list_of_words_is_that_of_the_grammar() {
    let (all, reserved, present) = (words(), reserved(), present());
    assert!(present.len() > 70 && present.is_subset(&all), "the grammar is read wrongly: {reserved:?}");
    same(&union(&listed("reserved")), &reserved, "keywords.json, reserved");
    let contextual = all.difference(&reserved).cloned().collect();
    same(&union(&listed("contextual")), &contextual, "keywords.json, contextual");
    let groups = listed("reserved");
    assert_eq!(
        groups.values().map(Words::len).sum::<usize>(),
        reserved.len(),
        "a reserved word in two groups"
    );
}

/// The predefined names equal those in the tables of the language reference.
#[test]
fn predefined_names_are_those_of_the_reference() {
    let table = |title: &str| {
        let start = REFERENCE.find(title).unwrap_or_else(|| panic!("the reference has no «{title}»"));
        let lines = REFERENCE[start..].lines().skip_while(|line| !line.starts_with("|---"));
        let rows = lines.skip(1).take_while(|line| line.starts_with('|'));
        rows.map(|row| row.split('|').nth(1).unwrap_or("").to_string()).collect::<Vec<_>>()
    };
    let names = |cell: &str| {
        let names = quoted(cell, '`').into_iter().map(|text| text.split('(').next().unwrap_or(""));
        names.filter(|name| is_word(name)).map(String::from).collect::<Vec<_>>()
    };
    let predefined = listed("predefined");
    let functions = table("Functions:").iter().flat_map(|cell| names(cell)).collect();
    same(&predefined["function"], &functions, "keywords.json, functions");
    // Names of states and roles are the user's; measures are words of the grammar.
    let in_process = table("Predefined names:").into_iter().filter(|cell| !cell.starts_with(" a "));
    let rows: Vec<String> = in_process.chain(table("| in properties and scenarios |")).collect();
    let mut variables: Words = rows.iter().flat_map(|cell| names(cell)).collect();
    variables.retain(|name| !words().contains(name));
    same(&predefined["variable"], &variables, "keywords.json, variables");
}

#[test]
fn tree_sitter_knows_all_words() {
    let list = |text: &str, start: &str, end: &str, quote| -> Words {
        let from = text.find(start).unwrap_or_else(|| panic!("no «{start}»")) + start.len();
        let list = text[from..].split(end).next().unwrap_or("");
        quoted(list, quote).into_iter().map(String::from).collect()
    };
    same(&list(TREE_SITTER, "const RESERVED = [", "];", '\''), &present(), "grammar.js, RESERVED");
    same(&list(SCANNER, "RESERVED[] = {", "};", '"'), &present(), "scanner.c, RESERVED");
    let rules = TREE_SITTER.split("rules: {").nth(1).expect("the grammar has rules");
    let code: String = rules.lines().filter(|line| !line.trim_start().starts_with("//")).collect();
    let used: Words = quoted(&code, '\'').into_iter().map(String::from).collect();
    for literal in literals() {
        // Blanks, comments, texts and numbers are regular expressions there.
        let apart = literal.chars().all(char::is_whitespace)
            || matches!(&*literal, "//" | "\\n" | "\\t" | "\\r" | "_");
        let apart = apart || literal.contains("\\u") || literal == ".";
        assert!(apart || used.contains(&literal), "grammar.js has no `{literal}`");
    }
}

#[test]
fn the_highlights_of_tree_sitter_name_all_words() {
    let section = HIGHLIGHTS.split("; ─── ").find(|section| section.starts_with("Words"));
    let section = section.expect("highlights.scm has a section «Words»");
    let mut found: Words = quoted(section, '"').into_iter().map(String::from).collect();
    // Rules of one word are nodes with names.
    let nodes = section.split('(').skip(1).filter_map(|rest| rest.split(')').next());
    found.extend(nodes.map(|node| node.replace('_', "-")));
    let mut expected = words();
    for constant in &listed("reserved")["constant"] {
        expected.remove(constant);
    }
    same(&found, &expected, "highlights.scm");
    for (group, words) in listed("predefined") {
        for word in words.iter().filter(|_| group != "variable") {
            assert!(HIGHLIGHTS.contains(&format!("\"{word}\"")), "highlights.scm has no {group} `{word}`");
        }
    }
}

#[test]
fn vim_knows_all_words() {
    let lines = || VIM.lines().filter(|line| line.starts_with("syn "));
    let mut keywords: BTreeMap<&str, Words> = BTreeMap::new();
    for line in lines() {
        if let Some(rest) = line.strip_prefix("syn keyword ") {
            let (group, words) = rest.split_once(' ').expect("a group and its words");
            keywords.entry(group).or_default().extend(words.split(' ').map(String::from));
        }
    }
    let groups = listed("reserved");
    let expected = |group: &str| groups[group].clone();
    same(&keywords["synodClause"], &expected("clause"), "synod.vim, clauses");
    let mut statements = keywords["synodStatement"].clone();
    assert!(VIM.contains(r"syn match synodStatement /\<round\>"), "synod.vim has no `round`");
    statements.insert("round".into());
    statements.extend(keywords["synodConditional"].iter().chain(&keywords["synodRepeat"]).cloned());
    same(&statements, &expected("statement"), "synod.vim, statements");
    same(&keywords["synodOperator"], &expected("operator"), "synod.vim, operators");
    same(&keywords["synodQuantifier"], &expected("quantifier"), "synod.vim, quantifiers");
    same(&keywords["synodConstant"], &expected("constant"), "synod.vim, constants");
    same(&keywords["synodMetric"], &expected("metric"), "synod.vim, measures");
    let predefined = listed("predefined");
    let names = lines().find(|line| line.starts_with("syn match synodPredefined ")).unwrap_or("");
    let names = names.split(r"\%(").nth(1).unwrap_or("").split(r"\)").next().unwrap_or("");
    let names = names.split(r"\|").map(String::from).collect();
    same(&names, &predefined["variable"], "synod.vim, predefined names");
    same(&keywords["synodType"], &predefined["type"], "synod.vim, types");
    let patterns: String = lines().filter(|line| !line.starts_with("syn keyword")).collect();
    let found = words_of_patterns(&patterns);
    for word in union(&listed("contextual")).iter().chain(&predefined["function"]) {
        assert!(found.contains(word), "synod.vim has no `{word}`");
    }
}

#[test]
fn text_mate_knows_all_words() {
    let json: serde_json::Value = serde_json::from_str(TEXTMATE).expect("the TextMate grammar is JSON");
    let mut patterns = Vec::new();
    collect_patterns(&json, &mut patterns);
    let found: Words = patterns.iter().flat_map(|pattern| words_of_patterns(pattern)).collect();
    let predefined = listed("predefined");
    let expected = words().into_iter().chain(union(&predefined));
    for word in expected {
        assert!(found.contains(&word), "synod.tmLanguage.json has no `{word}`");
    }
    // No obsolete words: each word of an alternation is a word of the language, or a setting of scenarios.
    for pattern in &patterns {
        for group in pattern.split(['(', ')']) {
            let words = group.trim_start_matches("?:").split('|').map(|word| word.trim_matches('^'));
            let words: Vec<&str> = words.collect();
            if words.len() < 3 || !words.iter().all(|word| is_word(word)) {
                continue;
            }
            for word in words {
                let setting =
                    REFERENCE.contains(&format!("`{word} ")) || REFERENCE.contains(&format!(" {word} "));
                let known = literals().contains(word) || union(&predefined).contains(word);
                assert!(
                    known || setting,
                    "synod.tmLanguage.json has `{word}`, which is no word of the language"
                );
            }
        }
    }
}

fn collect_patterns(json: &serde_json::Value, found: &mut Vec<String>) {
    match json {
        serde_json::Value::Object(fields) => {
            for (key, value) in fields {
                match value {
                    serde_json::Value::String(text) if matches!(&**key, "match" | "begin" | "end") => {
                        found.push(text.clone());
                    }
                    _ => collect_patterns(value, found),
                }
            }
        }
        serde_json::Value::Array(values) => values.iter().for_each(|value| collect_patterns(value, found)),
        _ => {}
    }
}

// ─── The corpus for tree-sitter ─────────────────────────────────────────────────────────────────────────────────────

fn root() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR"))
}

fn programs(dir: &Path, found: &mut Vec<PathBuf>) {
    let entries = fs::read_dir(dir).into_iter().flatten();
    for path in entries.map(|entry| entry.expect("a readable folder").path()) {
        if path.is_dir() {
            programs(&path, found);
        } else if path.extension().is_some_and(|ending| ending == "syn") {
            found.push(path);
        }
    }
}

/// Return the blocks of the language reference, with fragments placed after their headers.
fn blocks() -> Vec<String> {
    let mut headers: BTreeMap<&str, String> = BTreeMap::new();
    let mut found = Vec::new();
    for fence in REFERENCE.split("\n```").skip(1).step_by(2) {
        let (info, text) = fence.split_once('\n').unwrap_or((fence, ""));
        let words: Vec<&str> = info.split_whitespace().collect();
        let value = |key| words.iter().position(|w| *w == key).and_then(|at| words.get(at + 1).copied());
        if words.first() != Some(&"synod") {
            continue;
        }
        if let Some(name) = value("header") {
            headers.insert(name, format!("{text}\n"));
        }
        let header = value("fragment").map_or("", |name| &headers[name]);
        found.push(format!("{header}{text}\n"));
    }
    found
}

/// Return the program with one word removed, for several places. The surrounding blanks remain.
fn damaged(text: &str, seed: usize) -> Vec<String> {
    let mut places: Vec<(usize, usize)> = Vec::new();
    let mut line_start = 0;
    for line in text.split_inclusive('\n') {
        let code = line.split("//").next().unwrap_or("");
        for word in code.split_whitespace() {
            let start = line_start + (word.as_ptr() as usize - line.as_ptr() as usize);
            places.push((start, start + word.len()));
        }
        line_start += line.len();
    }
    let step = (places.len() / 6).max(1);
    let chosen = places.iter().skip(seed % step).step_by(step);
    chosen.map(|(start, end)| format!("{}{}", &text[..*start], &text[*end..])).collect()
}

fn names(names: &[Name]) -> String {
    names.iter().map(|name| name.text.as_str()).collect::<Vec<_>>().join(",")
}

/// Return kind, names and number of parts of a clause, in the terms of the tree-sitter grammar.
fn seen(clause: &Clause) -> (&'static str, String, usize) {
    let body = |block: &Block| block.len();
    let one = |name: &Name| name.text.clone();
    let patterns = |guards: &[MessageGuard]| guards.len();
    match &clause.kind {
        ClauseKind::Algorithm { name, .. } => ("algorithm", one(name), 0),
        ClauseKind::Problem { name, params } => ("problem", one(name), params.len()),
        ClauseKind::Assumes(all) => ("assumes", String::new(), all.len()),
        ClauseKind::Uses(all) => ("uses", String::new(), all.len()),
        ClauseKind::Message(all) => ("message", String::new(), all.len()),
        ClauseKind::Enum { name, cases } => ("enumeration", one(name), cases.len()),
        ClauseKind::Record { name, fields } => ("record", one(name), fields.len()),
        ClauseKind::Const { name, .. } => ("constant", one(name), 0),
        ClauseKind::Param { name, .. } => ("parameter", one(name), 0),
        ClauseKind::Var { names: all, .. } => ("variable", names(all), 0),
        ClauseKind::Function { name, params, .. } => ("function", one(name), params.len()),
        ClauseKind::Procedure { name, body: block, .. } => ("procedure", one(name), body(block)),
        ClauseKind::Operation { name, body: block, .. } => ("operation", one(name), body(block)),
        ClauseKind::Client { body: block } => ("client", String::new(), body(block)),
        ClauseKind::Role { name } => ("role", one(name), 0),
        ClauseKind::State { names: all, body: block, .. } => ("state", names(all), body(block)),
        ClauseKind::Always => ("always", String::new(), 0),
        ClauseKind::Handler(handler) => {
            let kind = match handler.trigger {
                Trigger::On(_) => "on_handler",
                Trigger::When(_) | Trigger::WhenSome { .. } => "when_handler",
                Trigger::After(_) => "after_handler",
            };
            (kind, String::new(), body(&handler.body))
        }
        ClauseKind::Defer(guards) => ("deferral", String::new(), patterns(guards)),
        ClauseKind::Ignore(guards) => ("ignorance", String::new(), patterns(guards)),
        ClauseKind::View(view) => ("view", String::new(), view.of.len()),
        ClauseKind::Stamps { .. } => ("stamps", String::new(), 0),
        ClauseKind::Property(property) => ("property", one(&property.name), 0),
        ClauseKind::Scenario(scenario) => ("scenario", one(&scenario.name), scenario.lines.len()),
    }
}

/// Write `NNNN.syn`, and in `seen.txt` the verdict of this parser on each: `NNNN reject`, or `NNNN accept` and a line per clause
/// with its line, kind, names, and number of parts.
#[test]
#[ignore = "for editors/test.sh, which says where to in SYNOD_CORPUS"]
fn what_the_parser_sees() {
    let folder = PathBuf::from(std::env::var_os("SYNOD_CORPUS").expect("SYNOD_CORPUS names a folder"));
    fs::create_dir_all(&folder).expect("the folder can be made");
    let mut paths = Vec::new();
    for place in ["stdlib", "tests", "examples", "editors"] {
        programs(&root().join(place), &mut paths);
    }
    // The extension's node_modules may contain anything.
    paths.retain(|path| !path.components().any(|part| part.as_os_str() == "node_modules"));
    paths.sort();
    let mut corpus = Vec::new();
    for (number, path) in paths.iter().enumerate() {
        let text = fs::read_to_string(path).expect("programs are UTF-8");
        let name = path.strip_prefix(root()).unwrap_or(path).display().to_string();
        if name.starts_with("stdlib") {
            let broken = damaged(&text, number * 7);
            corpus.extend(
                broken.into_iter().enumerate().map(|(i, text)| (format!("{name}, damage {i}"), text)),
            );
        }
        corpus.push((name, text));
    }
    corpus.extend(blocks().into_iter().enumerate().map(|(i, text)| (format!("reference, block {i}"), text)));
    let mut report = String::new();
    for (number, (name, text)) in corpus.iter().enumerate() {
        fs::write(folder.join(format!("{number:04}.syn")), text).expect("the corpus can be written");
        let (module, findings) = synod::internals::syntax::parse(0, text);
        let verdict = if findings.is_empty() { "accept" } else { "reject" };
        writeln!(report, "{number:04} {verdict} {name}").expect("strings can be written");
        if let Some(finding) = findings.first() {
            let line = text[..finding.span.start as usize].matches('\n').count() + 1;
            writeln!(report, "  {line} {} {}", finding.code(), finding.message())
                .expect("strings can be written");
            continue;
        }
        for clause in &module.clauses {
            let line = text[..clause.span.start as usize].matches('\n').count() + 1;
            let (kind, names, parts) = seen(clause);
            writeln!(report, "  {line} {kind} {names} {parts}").expect("strings can be written");
        }
    }
    fs::write(folder.join("seen.txt"), report).expect("the report can be written");
}
