//! `--ascii`: all output is ASCII.

use crate::cli::harness::{folder, synod_in};
use std::path::PathBuf;

/// A program with a non-ASCII character in almost every word; diagnostics quote its words, and runs its texts.
const SIGNS: &str = "/// Ärger – «naïve» ∀ Σ 算法 …
algorithm signs
assumes complete, reliable, unordered, unique ids, knows peers

message Hello(what: Value)

var got : set of Value

state s
  on wakeup   → send Hello(\"¿qué? · 算\") to others
  on Hello(w) → got ← got ∪ {w}

/// Größer als nichts: ≤
invariant little: ∀ p: size(p.got) ≤ 1
invariant none_at_all: ∀ p: p.got = ∅
eventually loud: ∃ p: p.got ≠ ∅

scenario two on complete(2)
  expect ∀ p: \"é\" ∉ p.got
  expect messages = 3
";

const WRONG: &str = "algorithm wrong\nassumes ring\nvar x : Int ← « ¿ ≤\nstate s\n  x ← ∀ y → „\n";

/// Commands to run with `--ascii`, in this order: later ones read what earlier ones have written.
const COMMANDS: &[&str] = &[
    "list",
    "list --json",
    "show dolev_klawe_rodeh",
    "show suzuki_kasami",
    "show two_phase_commit --json",
    "show lelann --source",
    "check signs.syn",
    "check wrong.syn",
    "check wrong.syn --json",
    "check -v signs.syn wrong.syn nothing.syn",
    "run signs.syn",
    "run signs.syn --json",
    "run signs.syn -q",
    "run signs.syn --runs 20",
    "run signs.syn --runs 20 --json",
    "run signs.syn --trace signs.trace",
    "run signs.syn --trace -",
    "run signs.syn --replay signs.trace",
    "run lamport --on complete(3) --trace lamport.trace -v",
    "run itai_rodeh --on ring(4) --schedule random",
    "run bully --on complete(3) --faults crash<=1",
    "run basic --on complete(3)",
    "trace show signs.trace",
    "trace show signs.trace --json",
    "trace history lamport.trace",
    "trace history lamport.trace --json",
    "trace cuts signs.trace",
    "trace cuts lamport.trace --list 5 --max-cuts 100000",
    "trace before lamport.trace 3 9",
    "trace cut lamport.trace 2,3,1",
    "trace diff signs.trace signs.trace",
    "trace diff signs.trace lamport.trace",
    "trace convert signs.trace --to text",
    "trace convert signs.trace --to jsonl",
    "trace convert signs.trace --to itf",
    "trace convert signs.trace --to shiviz",
    "trace convert signs.trace --to mermaid",
    "trace convert signs.trace --to plantuml",
    "trace convert signs.trace --to perfetto",
    "trace convert signs.trace --to dot",
    "trace convert signs.trace --to tikz",
    "trace convert signs.trace --to csv",
    "trace replay signs.trace --program signs.syn",
    "verify signs.syn --on complete(2)",
    "verify signs.syn --on complete(2) --json",
    "verify signs.syn --on complete(2) --trace -",
    "verify voting --on complete(2)",
    "verify peterson --on ring(3)",
    "measure chang_roberts --n 4,8,16 --runs 3",
    "measure chang_roberts --n 4,8 --runs 3 --csv -",
    "measure chang_roberts --n 4,8 --runs 3 --svg -",
    "measure chang_roberts --n 4 --runs 3 --json",
    "measure chang_roberts --n 4,8 --adversary --budget 20",
    "test signs.syn",
    "test signs.syn -v",
    "test signs.syn --json",
    "test signs.syn --junit -",
    "draw signs.syn --on complete(3) --to text",
    "draw signs.syn --on complete(3) --to svg",
    "draw signs.syn --on complete(3) --to topology",
    "draw signs.syn --on complete(3) --to filmstrip",
    "draw signs.syn --on complete(3) --to animation",
    "draw signs.syn --on complete(3) --to html",
    "draw signs.trace --to text",
    "draw echo --on star(4) --to html",
    "topology list",
    "topology show torus(3,3)",
    "topology show ring(4) --dot",
    "topology show ring(4) --json",
    "explain",
    "explain SYN0042",
    "explain handler",
    "explain SYN0060 --json",
    "fmt signs.syn --check",
    "fmt nothing.syn",
    "new mine --problem Election",
    "completions bash",
    "completions zsh",
    "man",
    "man measure",
    "--help",
    "--version",
    "help",
    "run --help",
    "fmt -h",
    "run nothing.syn",
    "run nothing.syn --json",
    "rnu signs.syn",
    "run signs.syn --on rnig(3)",
    "run signs.syn --on «ring»",
];

fn here(name: &str) -> PathBuf {
    folder(&format!("ascii_{name}"), &[("signs.syn", SIGNS.as_bytes()), ("wrong.syn", WRONG.as_bytes())])
}

fn not_ascii(text: &str) -> Option<&str> {
    text.lines().find(|line| !line.is_ascii())
}

#[test]
fn every_subcommand_writes_ascii() {
    let here = here("verbs");
    let mut wrong = Vec::new();
    for command in COMMANDS {
        let mut words: Vec<&str> = command.split(' ').collect();
        words.push("--ascii");
        let ran = synod_in(&here, &words);
        assert!(!ran.stdout.is_empty() || !ran.stderr.is_empty() || command.starts_with("new"), "{ran}");
        for text in [&ran.stdout, &ran.stderr] {
            wrong.extend(not_ascii(text).map(|line| format!("synod {command}: {line}")));
        }
        // A flag that only affects appearance still works.
        let unexpected = ran.code == 101 || ran.stderr.contains("unexpected argument");
        assert!(!unexpected, "{ran}");
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn a_session_writes_ascii() {
    let script = ".load signs.syn\n.run\n.trace\n.state\n.channels\n.draw\n.help\n.why p0.got\nheard ≤ ∅\np0.got = {\"é\"}\n";
    let here = here("session");
    let ran = crate::cli::harness::synod_with(&here, &["repl", "--ascii"], script.as_bytes(), &[]);
    assert!(ran.stdout.contains("signs"), "{ran}");
    assert_eq!((not_ascii(&ran.stdout), not_ascii(&ran.stderr)), (None, None), "{ran}");
}

/// JSON keeps its meaning, and pictures show the same.
#[test]
fn machine_readable_output_keeps_its_meaning() {
    let here = here("meaning");
    let both = |words: &[&str]| {
        let plain = synod_in(&here, words);
        let ascii = synod_in(&here, &[words, &["--ascii"]].concat());
        assert!(!plain.stdout.is_ascii() && ascii.stdout.is_ascii(), "{plain}\n{ascii}");
        [plain.stdout, ascii.stdout]
    };
    let json = both(&["run", "signs.syn", "--on", "complete(2)", "--json"]);
    let [plain, ascii] = json.map(|text| serde_json::from_str::<serde_json::Value>(&text).unwrap());
    assert_eq!(plain, ascii);
    let [plain, ascii] = both(&["draw", "signs.syn", "--on", "complete(2)", "--to", "svg"]);
    let [plain, ascii] = [&plain, &ascii].map(|text| {
        let picture = roxmltree::Document::parse(text).unwrap();
        picture.descendants().filter_map(|node| node.text().map(String::from)).collect::<Vec<_>>()
    });
    assert_eq!(plain[2..], ascii[2..]);
}

/// Every character of a program matters: the formatter changes only signs with two spellings in the language.
#[test]
fn the_formatter_leaves_comments_and_texts_alone() {
    let ran =
        crate::cli::harness::synod_with(&here("format"), &["fmt", "-", "--ascii"], SIGNS.as_bytes(), &[]);
    assert!(ran.stdout.contains("/// Ärger – «naïve» ∀ Σ 算法 …\n"), "{ran}");
    assert!(ran.stdout.contains("-> send Hello(\"¿qué? · 算\") to others"), "{ran}");
    assert!(ran.stdout.contains("got := got + {w}"), "{ran}");
}
