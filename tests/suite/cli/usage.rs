//! Help, and command lines that are wrong.

use crate::cli::harness::{folder, session, synod, synod_in, synod_with};
use insta::assert_snapshot;
use std::fs;
use std::process::Command;

#[test]
fn help_of_every_verb() {
    let verbs = [
        "check",
        "fmt",
        "run",
        "repl",
        "measure",
        "test",
        "draw",
        "serve",
        "trace",
        "list",
        "show",
        "new",
        "topology",
        "explain",
        "lsp",
        "completions",
        "man",
    ];
    let helps = verbs.iter().map(|verb| synod(&[verb, "-h"]));
    assert_snapshot!(session([synod(&["-h"])].into_iter().chain(helps)));
}

#[test]
fn commands_that_make_no_sense() {
    assert_snapshot!(session([
        synod(&["lst"]),
        synod(&["run"]),
        synod(&["check", "lelann", "--clor", "never"]),
        synod(&["list", "-q", "-v"]),
        synod(&["topology", "show"]),
        synod(&["completions", "tcsh"]),
    ]));
}

/// Names from other tools, options of other subcommands, and options in the wrong place.
#[test]
fn flags_that_are_none_are_answered_with_those_that_are() {
    assert_snapshot!(session([
        synod(&["topology", "show", "--on", "mesh(2, 5)"]),
        synod(&["check", "lelann", "--on", "ring(3)"]),
        synod(&["test", "lelann", "--seed", "3"]),
        synod(&["verify", "lelann", "--runs", "10"]),
        synod(&["verify", "lelann", "--threads", "2"]),
        synod(&["run", "lelann", "ring(3)"]),
        synod(&["run", "lelann", "--n", "4"]),
        synod(&["run", "lelann", "-on", "ring(4)"]),
        synod(&["run", "lelann", "--sedule", "random"]),
        synod(&["--seed", "3", "run", "lelann"]),
        synod(&["run", "lelann", "--foo"]),
        synod(&["list", "--on", "ring"]),
        synod(&["trace", "show", "--seed", "3", "x.trace"]),
        synod(&["explain", "42", "43"]),
        synod(&["run", "lelann", "--foo", "--json"]),
        synod(&["run", "lelann", "--svg", "x.svg"]),
        synod(&["trace", "show", "x.trace", "--html", "x.html"]),
    ]));
}

/// A part of the name of an option suggests the option; a missing `=` and other names of problems are found.
#[test]
fn near_options_and_problems_are_suggested() {
    let hint = |words: &[&str], expected: &str| {
        let ran = synod(words);
        assert!(ran.code == 2 && ran.stderr.contains(&format!("hint: {expected}")), "{ran}");
    };
    hint(&["verify", "lelann", "--prop", "x"], "did you mean --property?");
    hint(&["verify", "lelann", "--memory", "3G"], "did you mean --max-memory?");
    hint(&["run", "lamport", "--set", "entries", "2"], "--set entries=2");
    hint(&["list", "consensus"], "synod list --problem Agreement");
    let repl = synod_with(&folder("repl_words", &[]), &["repl", "lelann"], b"print p0.elected\nstate\n", &[]);
    assert!(repl.stderr.contains("hint: an expression alone is evaluated: `p0.elected`"), "{repl}");
    assert!(repl.stderr.contains("hint: .state"), "{repl}");
}

#[test]
fn values_that_are_none_are_answered_with_those_that_are() {
    assert_snapshot!(session([
        synod(&["run", "lelann", "--schedule", "lifo"]),
        synod(&["run", "lelann", "--schedule", "scripted"]),
        synod(&["run", "lelann", "--schedule", "fif"]),
        synod(&["run", "lelann", "--schedule", "unfair"]),
        synod(&["run", "lelann", "--on"]),
        synod(&["run", "lelann", "--runs", "x"]),
        synod(&["run", "lelann", "--runs", "0"]),
        synod(&["run", "lelann", "--runs", "99999999999999999999999"]),
        synod(&["trace", "convert", "x.trace", "--to", "svg"]),
        synod(&["draw", "lelann", "--to", "mermaid"]),
        synod(&["run", "lelann", "--schedule", "lifo", "--json"]),
    ]));
}

#[test]
fn words_that_are_no_command_are_answered_with_one() {
    assert_snapshot!(session([
        synod(&["simulate", "lelann"]),
        synod(&["lelann"]),
        synod(&["election"]),
        synod(&["mine.syn"]),
        synod(&["run.trace"]),
        synod(&["trace", "run.trace"]),
        synod(&["trace", "shwo", "run.trace"]),
        synod(&["nonsense"]),
        synod(&["trace", "diff", "one.trace"]),
        synod(&["new"]),
    ]));
}

#[test]
fn nothing_at_all_shows_the_help_and_is_an_error() {
    let ran = synod(&[]);
    assert_eq!((ran.code, ran.stdout.as_str()), (2, ""));
    assert!(ran.stderr.contains("Usage: synod"));
}

#[test]
fn version() {
    assert_snapshot!(synod(&["--version"]));
}

#[test]
fn explanations() {
    assert_snapshot!(session([
        synod(&["explain", "SYN0030"]),
        synod(&["explain", "syn0042"]),
        synod(&["explain", "73"]),
        synod(&["explain", "9999"]),
        synod(&["explain", "seven"]),
    ]));
}

#[test]
fn words_of_the_glossary() {
    assert_snapshot!(session([
        synod(&["explain", "quiescent"]),
        synod(&["explain", "partial_order", "reduction"]),
        synod(&["explain", "Initiators"]),
        synod(&["explain", "quiescnt"]),
        synod(&["explain", "point"]),
        synod(&["explain", "property", "of", "the", "network"]),
        synod(&["explain", "reduction"]),
        synod(&["explain", "slot", "--json"]),
    ]));
}

#[test]
fn every_word_of_the_glossary_is_explained() {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/docs/glossary.md");
    let glossary = fs::read_to_string(path).unwrap();
    let words: Vec<&str> = glossary.lines().filter_map(|line| line.strip_prefix("### ")).collect();
    assert!(words.len() > 100 && words.is_sorted_by_key(|word| word.to_lowercase()), "{words:?}");
    for word in words {
        let ran = synod(&["explain", word]);
        assert_eq!(ran.code, 0, "{ran}");
        assert!(ran.stdout.starts_with(&format!("{word}\nField's term: ")), "{ran}");
        assert!(ran.stdout.lines().count() > 3, "{ran}");
        assert!(ran.stdout.lines().all(|line| line.chars().count() <= 100), "{ran}");
    }
}

#[test]
fn every_code_is_listed_and_explained() {
    let list = synod(&["explain"]);
    assert_eq!(list.code, 0);
    let (codes, words) = list.stdout.split_once("\n\n").unwrap();
    assert!(words.starts_with("Words of the glossary: abort, "), "{words}");
    for line in codes.lines() {
        let code = line.split(' ').next().unwrap_or_default();
        let ran = synod(&["explain", code]);
        assert_eq!(ran.code, 0, "{line}");
        assert!(ran.stdout.starts_with(&format!("{code}: ")), "{line}");
        assert!(ran.stdout.lines().all(|line| line.chars().count() <= 100), "{}", ran.stdout);
    }
}

#[test]
fn completions_name_the_verbs() {
    for shell in ["bash", "zsh", "fish", "powershell", "elvish"] {
        let ran = synod(&["completions", shell]);
        assert_eq!((ran.code, ran.stderr.as_str()), (0, ""), "{shell}");
        assert!(ran.stdout.contains("topology"), "{shell}");
    }
}

#[test]
fn shells_complete_the_names_of_the_library() {
    let script = |shell: &str| synod(&["completions", shell]).stdout;
    let folder = folder("completions", &[("synod.bash", script("bash").as_bytes())]);
    let completed = |verb: &str, word: &str| {
        let line = format!(
            "source ./synod.bash; COMP_WORDS=(synod {verb} {word}); COMP_CWORD=2; _synod synod {word} {verb}; echo \"${{COMPREPLY[*]}}\""
        );
        let ran = std::process::Command::new("bash").args(["-c", &line]).current_dir(&folder).output();
        String::from_utf8(ran.expect("there is a bash").stdout).expect("names are ASCII")
    };
    assert_eq!(completed("run", "lelann_"), "lelann_regeneration\n");
    assert!(completed("verify", "dolev_").starts_with("dolev_klawe_rodeh"));
    // A problem can be shown, but not run.
    assert_eq!((completed("show", "elec").as_str(), completed("run", "elec").as_str()), ("election\n", "\n"));
    // Otherwise files are meant.
    assert_eq!(completed("run", "my_own"), "\n");
    for (shell, line) in
        [("zsh", ":file -- A path"), ("fish", "-n \"__fish_synod_using_subcommand run\" -a \"")]
    {
        let script = script(shell);
        let line = script.lines().find(|l| l.contains(line)).unwrap_or_else(|| panic!("{shell}: {line}"));
        assert!(line.contains("_synod_programs") || line.contains(" chang_roberts "), "{line}");
    }
}

#[test]
fn every_command_has_a_page_of_the_manual() {
    let folder = folder("manual", &[]);
    let ran = synod_in(&folder, &["man", "pages"]);
    assert_eq!((ran.code, ran.stderr.as_str()), (0, "next: man -l pages/synod.1\n"));
    let mut pages: Vec<String> = fs::read_dir(folder.join("pages"))
        .expect("the folder has been made")
        .map(|entry| entry.expect("it can be read").file_name().into_string().expect("names are ASCII"))
        .collect();
    pages.sort();
    assert_eq!(ran.stdout, format!("wrote {} pages to pages\n", pages.len()));
    for verb in ["synod.1", "synod-run.1", "synod-man.1", "synod-trace-cuts.1", "synod-topology-show.1"] {
        assert!(pages.contains(&verb.to_string()), "{verb} is not among {pages:?}");
    }
    for page in &pages {
        let text = fs::read_to_string(folder.join("pages").join(page)).expect("it can be read");
        assert!(text.is_ascii(), "{page}");
        // Every page that is mentioned exists.
        for (name, _) in text.split([' ', '\n', ',']).filter_map(|word| word.split_once("(1)")) {
            let name = name.replace("\\-", "-");
            assert!(pages.contains(&format!("{name}.1")), "{page} mentions {name}");
        }
    }
    let run = fs::read_to_string(folder.join("pages/synod-run.1")).expect("it can be read");
    let headings: Vec<&str> =
        run.lines().filter(|l| l.starts_with(".SH ") || l.starts_with(".TH ")).collect();
    assert_snapshot!(headings.join("\n"));
    // Without a folder the first page goes to the standard output.
    let first = fs::read_to_string(folder.join("pages/synod.1")).expect("it can be read");
    assert_eq!(synod(&["man"]).stdout, first);
    assert_eq!(synod_in(&folder, &["man", "run"]).stdout, run);
    assert_eq!(synod_in(&folder, &["man", "synod-run"]).stdout, run);
    assert!(!folder.join("run").exists());
    // A file in place of the folder.
    assert_snapshot!(session([synod_in(&folder, &["man", "pages/synod.1"])]));
}

/// If groff is installed, it reports no errors in a page.
#[test]
fn the_manual_can_be_formatted() {
    let folder = folder("formatted_manual", &[]);
    assert_eq!(synod_in(&folder, &["man", "."]).code, 0);
    for page in ["synod.1", "synod-fmt.1", "synod-draw.1", "synod-verify.1"] {
        let groff = Command::new("groff").args(["-man", "-Tutf8", "-ww", page]).current_dir(&folder).output();
        let Ok(formatted) = groff else { return };
        assert!(formatted.status.success(), "{page}");
        assert_eq!(String::from_utf8_lossy(&formatted.stderr), "", "{page}");
    }
}

#[test]
fn topologies() {
    assert_snapshot!(session([
        synod(&["topology", "list"]),
        synod(&["topology", "show", "ring(4)", "--ids", "3,1,4,2"]),
        synod(&["topology", "show", "ring(4)", "--unidirectional", "--ids", "descending", "--ascii"]),
        synod(&["topology", "show", "star(2)", "--dot"]),
        synod(&["topology", "show", "rng(4)"]),
        synod(&["topology", "show", "ring(4)", "--ids", "1,2"]),
        synod(&["topology", "show", "nowhere.dot"]),
        synod(&["topology", "show", "ring(4)", "--seed", "x"]),
    ]));
}

#[test]
fn numberings_of_ports() {
    assert_snapshot!(session([
        synod(&["topology", "show", "ring(4)", "--for", "echo", "--seed", "3"]),
        synod(&["topology", "show", "ring(4)", "--for", "echo", "--ports", "as-listed"]),
        synod(&["topology", "show", "ring(4)", "--ports", "5"]),
        synod(&["topology", "show", "edges(0-1, 1-2, 2-0)"]),
        synod(&["topology", "show", "edges(0-1, 1-2, 2-0)", "--unoriented", "--seed", "5"]),
        synod(&["topology", "show", "ring(4)", "--for", "lelann", "--ports", "5"]),
        synod(&["topology", "show", "ring(4)", "--ports", "all"]),
        synod(&["measure", "echo", "--on", "ring({n})", "--n", "4", "--ports", "5", "--runs", "2"]),
        synod(&["measure", "echo", "--ports", "all"]),
    ]));
}

#[test]
fn words_in_the_wrong_place_are_answered_with_what_to_type() {
    assert_snapshot!(session([
        synod(&["list", "election"]),
        synod(&["list", "MutualExclusion"]),
        synod(&["list", "lelann"]),
        synod(&["list", "ring"]),
        synod(&["list", "lellan"]),
        synod(&["topology", "ring(4)"]),
        synod(&["topology", "shwo"]),
        synod(&["topology", "nonsense"]),
        synod(&["new", "mine", "--problem", "Synchronizer"]),
        synod(&["new", "mine", "--problem", "Electoin"]),
        synod(&["show", "Electoin"]),
        synod(&["run", "ricart_agrawla"]),
    ]));
}

#[test]
fn a_parameter_has_one_value() {
    let ran = synod(&["run", "ring_size", "--on", "ring(3)", "--set", "labels=2", "--set", "labels=3"]);
    assert_eq!(
        (ran.code, ran.stderr.as_str()),
        (2, "error: the parameter `labels` is given twice\n"),
        "{ran}"
    );
}
