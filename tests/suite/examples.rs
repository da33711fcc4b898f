//! The examples, in reading order: no diagnostics, passing scenarios, working commands in comments, and mistakes that are found
//! as the comments say.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};
use std::sync::Arc;
use synod::internals::check::check;
use synod::internals::syntax::format::{Signs, format};

fn examples() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("examples")
}

/// Return names and texts of the numbered examples, in order.
fn numbered() -> Vec<(String, String)> {
    let names = fs::read_dir(examples()).unwrap().map(|e| e.unwrap().file_name().into_string().unwrap());
    let mut names: Vec<String> = names.filter(|n| n.starts_with(|c: char| c.is_ascii_digit())).collect();
    names.sort();
    names.into_iter().map(|name| (name.clone(), fs::read_to_string(examples().join(name)).unwrap())).collect()
}

/// Run a command line in a folder with the numbered examples in `examples/`.
fn run(folder: &Path, words: &[String]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_synod")).args(words).current_dir(folder).output().unwrap()
}

fn folder(name: &str) -> PathBuf {
    let folder = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("examples").join(name);
    let _ = fs::remove_dir_all(&folder);
    fs::create_dir_all(folder.join("examples")).unwrap();
    for (name, text) in numbered() {
        fs::write(folder.join("examples").join(name), text).unwrap();
    }
    folder
}

/// Split a command line into words; single quotes are respected.
fn words(line: &str) -> Vec<String> {
    let mut words = Vec::new();
    for (i, part) in line.split('\'').enumerate() {
        if i % 2 == 1 {
            words.push(part.to_string())
        } else {
            words.extend(part.split_whitespace().map(String::from))
        }
    }
    words
}

#[test]
fn they_are_numbered_and_the_page_has_them_in_this_order() {
    let names: Vec<String> = numbered().into_iter().map(|(name, _)| name).collect();
    assert!(names.len() >= 8, "{names:?}");
    for (i, name) in names.iter().enumerate() {
        assert_eq!(name.split('_').next(), Some(format!("{:02}", i + 1).as_str()), "{names:?}");
    }
    let page = fs::read_to_string(examples().join("README.md")).unwrap();
    let places: Vec<Option<usize>> = names.iter().map(|name| page.find(&format!("({name})"))).collect();
    assert!(places.iter().all(Option::is_some) && places.is_sorted(), "{places:?}");
}

#[test]
fn they_have_no_diagnostics_and_their_scenarios_pass() {
    for (i, (name, text)) in numbered().into_iter().enumerate() {
        assert!(text.starts_with(&format!("/// {}. ", i + 1)), "{name} begins with its number");
        let checked = check(&name, &text, &synod::internals::library::source);
        assert!(checked.diagnostics.is_empty(), "{name}: {:#?}", checked.diagnostics);
        let program = Arc::new(checked.program.unwrap());
        assert!(!program.scenarios.is_empty(), "{name} has no scenario");
        for scenario in &program.scenarios {
            let played = synod::internals::scenario::play(
                &program,
                scenario,
                &Default::default(),
                &mut |_, _, _, _, _| {},
            );
            assert!(played.passed(), "{name}: {played:#?}");
        }
        assert_eq!(format(&text, Signs::Ascii).as_ref(), Ok(&text), "{name} is not formatted");
    }
}

/// Indented lines in comments are commands. A command must succeed unless the comment after it announces a violation.
#[test]
fn commands_in_the_comments_run() {
    let folder = folder("commands");
    let mut commands = 0;
    for (name, text) in numbered() {
        let before = commands;
        for line in text.lines().filter_map(|l| l.strip_prefix("///     synod ")) {
            let (command, comment) = line.split_once('#').unwrap_or((line, ""));
            let ran = run(&folder, &words(command));
            let wanted = i32::from(comment.contains("violated"));
            let said = String::from_utf8_lossy(&ran.stderr);
            assert_eq!(ran.status.code(), Some(wanted), "{name}: synod {line}\n{said}");
            commands += 1;
        }
        assert!(commands > before, "{name} says nothing to type");
        assert!(text.contains(&format!("examples/{name}")), "{name} is not in its own commands");
    }
}

/// The changes that the comments suggest: file, old text, new text, network, and the expected finding.
const BREAKS: &[(&str, &str, &str, &str, &str)] = &[
    ("04_handlers.syn", ", knows peers", "", "complete(2)", "SYN0060"),
    ("04_handlers.syn", "  on Ask from j -> send Answer(int(id)) to j\n", "", "complete(2)", "stuck"),
    (
        "06_properties.syn",
        "if balance >= price ->",
        "if balance >= price - 20 ->",
        "complete(3)",
        "no_debts violated",
    ),
    ("09_layers.syn", "uses lamport_total as Order", "uses basic as Order", "complete(2)", "same violated"),
    ("10_time_and_faults.syn", "if after 5", "if after 3", "star(1)", "accurate violated"),
];

#[test]
fn breakages_in_the_comments_are_found() {
    for (name, old, new, network, found) in BREAKS {
        let folder = folder("breaks");
        let path = folder.join("examples").join(name);
        let text = fs::read_to_string(&path).unwrap();
        assert_eq!(text.matches(old).count(), 1, "{name}: {old}");
        fs::write(&path, text.replace(old, new)).unwrap();
        let ran = run(&folder, &words(&format!("verify examples/{name} --on {network}")));
        let said = String::from_utf8_lossy(&ran.stdout) + String::from_utf8_lossy(&ran.stderr);
        assert!(!ran.status.success() && said.contains(found), "{name}: {old} -> {new}\n{said}");
    }
}

/// The mistake in the scenario of the seventh example is the one that `verify` finds, and the scenario that it exports passes.
#[test]
fn an_exported_scenario_can_be_added_to_its_file() {
    let folder = folder("found");
    let file = "examples/07_scenarios.syn";
    let ran = run(&folder, &words(&format!("verify {file} --save-scenario found.syn")));
    assert_eq!(ran.status.code(), Some(1));
    let text = fs::read_to_string(folder.join(file)).unwrap();
    let found = fs::read_to_string(folder.join("found.syn")).unwrap();
    fs::write(folder.join(file), format!("{text}\n{found}")).unwrap();
    let ran = run(&folder, &words(&format!("test {file}")));
    assert_eq!(ran.status.code(), Some(0), "{}", String::from_utf8_lossy(&ran.stdout));
}
