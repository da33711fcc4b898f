//! House rules, checked: layers, packages, and required documentation.

mod imports;
mod paths;

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

fn root() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR"))
}

fn files(dir: &Path, ending: &str, found: &mut Vec<PathBuf>) {
    let mut entries: Vec<PathBuf> = std::fs::read_dir(dir).unwrap().map(|e| e.unwrap().path()).collect();
    entries.sort();
    for path in entries {
        if path.is_dir() {
            files(&path, ending, found);
        } else if path.extension().is_some_and(|e| e == ending) {
            found.push(path);
        }
    }
}

/// Return the top-level module of a source file.
fn module_of(path: &Path) -> String {
    let relative = path.strip_prefix(root().join("src")).unwrap();
    let first = relative.components().next().unwrap().as_os_str().to_str().unwrap();
    first.trim_end_matches(".rs").to_string()
}

/// Rooms in which modules import each other, with the reason.
const CIRCLES: &[(&str, &str)] =
    &[("semantics::eval", "an evaluator of expressions is one recursion, divided by kinds of expressions")];

/// At every depth, a module imports only from modules that its room declares before it.
#[test]
fn a_module_imports_only_from_those_above_it() {
    let modules = imports::modules(&root().join("src"));
    let mut wrong = BTreeSet::new();
    for (from, module) in &modules {
        for to in &module.imports {
            let common = from.iter().zip(to).take_while(|(a, b)| a == b).count();
            let (Some(own), Some(other)) = (from.get(common), to.get(common)) else { continue };
            let room = from[..common].join("::");
            let order = &modules[&from[..common]].children;
            let place = |name| order.iter().position(|child| child == name);
            if place(other) > place(own) && !CIRCLES.iter().any(|(circle, _)| *circle == room) {
                wrong.insert(format!(
                    "{room}: `{}` imports `{}`",
                    from[common..].join("::"),
                    to[common..].join("::")
                ));
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.into_iter().collect::<Vec<_>>().join("\n"));
}

/// Modules that only some modules may import: theirs, and those of which these are submodules.
const ACQUAINTED: &[(&str, &[&str])] = &[
    // The tree is text, not a program: only what works on program text knows it.
    ("syntax::ast", &["syntax", "check", "session::clauses", "ide", "lsp"]),
    // What runs programs does not know where they come from.
    ("check", &["catalogue", "input", "api", "ide", "workbench", "lsp", "dap", "cli", "testing"]),
];

#[test]
fn modules_know_only_what_they_work_on() {
    let is_within = |path: &str, room: &str| path == room || path.starts_with(&format!("{room}::"));
    let mut wrong = Vec::new();
    for (from, module) in imports::modules(&root().join("src")) {
        let from = from.join("::");
        for to in module.imports.iter().map(|to| to.join("::")) {
            for (known, rooms) in ACQUAINTED {
                if is_within(&to, known)
                    && !is_within(&from, known)
                    && !rooms.iter().any(|room| is_within(&from, room))
                {
                    wrong.push(format!("`{from}` imports `{to}`"));
                }
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// The modules that may use each package.
const PACKAGES: &[(&str, &[&str])] = &[
    ("pest", &["syntax"]),
    ("pest_derive", &["syntax"]),
    ("ariadne", &["render"]),
    ("clap", &["cli"]),
    ("clap_complete", &["cli"]),
    ("clap_mangen", &["cli"]),
    ("rustyline", &["cli"]),
    ("ctrlc", &["cli"]),
    ("indicatif", &["cli"]),
    ("diffy", &["cli"]),
    ("terminal_size", &["cli"]),
    ("open", &["cli"]),
    ("lsp_types", &["lsp"]),
    ("httparse", &["serve"]),
    ("petgraph", &["network"]),
    ("fixedbitset", &["semantics", "explore"]),
    ("num_bigint", &["trace", "render"]),
    ("roxmltree", &["network"]),
    ("regex_lite", &["trace"]),
    ("include_dir", &["library"]),
];

#[test]
fn packages_stay_in_their_rooms() {
    let mut sources = Vec::new();
    files(&root().join("src"), "rs", &mut sources);
    let mut wrong = Vec::new();
    for path in sources {
        let own = module_of(&path);
        if own == "main" {
            continue;
        }
        let text = std::fs::read_to_string(&path).unwrap();
        for (number, line) in text.lines().enumerate() {
            let code = line.split("//").next().unwrap();
            for (package, rooms) in PACKAGES {
                let used =
                    code.contains(&format!("{package}::")) && !code.contains(&format!("::{package}::"));
                if used && !rooms.contains(&own.as_str()) {
                    wrong.push(format!("{}:{}: `{package}` in `{own}`", path.display(), number + 1));
                }
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn every_package_has_its_reason() {
    let manifest = std::fs::read_to_string(root().join("Cargo.toml")).unwrap();
    let mut in_dependencies = false;
    let mut reason = false;
    for line in manifest.lines() {
        if line.starts_with('[') {
            in_dependencies = line == "[dependencies]";
            continue;
        }
        if !in_dependencies || line.is_empty() {
            continue;
        }
        if line.starts_with('#') {
            reason = true;
        } else {
            // One comment may give the reason for several packages.
            assert!(reason, "no reason given for `{line}`");
        }
    }
}

/// The library is not compiled again as a test harness (`test = false` in `Cargo.toml`), so its tests would never run.
#[test]
fn tests_are_not_in_the_library() {
    let mut sources = Vec::new();
    files(&root().join("src"), "rs", &mut sources);
    let has_tests = |path: &PathBuf| {
        let text = std::fs::read_to_string(path).unwrap();
        text.lines().any(|line| {
            let code = line.trim_start();
            code.starts_with("#[test]") || (code.starts_with("#[cfg") && code.contains("test"))
        })
    };
    sources.retain(has_tests);
    assert!(sources.is_empty(), "tests belong into `tests`: {sources:#?}");
}

#[test]
fn main_is_thin() {
    let main = std::fs::read_to_string(root().join("src/main.rs")).unwrap();
    assert!(main.lines().count() <= 30);
}

#[test]
fn generated_tests_are_the_same_on_every_machine() {
    let mut sources = Vec::new();
    files(&root().join("tests"), "rs", &mut sources);
    for path in sources {
        let text = std::fs::read_to_string(&path).unwrap();
        let mut lines = text.lines();
        while let Some(line) = lines.next() {
            if line == "proptest! {" {
                let config = lines.next().unwrap_or("");
                assert!(
                    config.contains("RngSeed::Fixed(") && config.contains("failure_persistence: None"),
                    "{}: a seed of its own, and no files written into the source",
                    path.display()
                );
            }
        }
    }
}

#[test]
fn every_library_file_says_where_it_comes_from() {
    let mut sources = Vec::new();
    files(&root().join("stdlib"), "syn", &mut sources);
    assert!(!sources.is_empty());
    let mut names = BTreeSet::new();
    for path in sources {
        let text = std::fs::read_to_string(&path).unwrap();
        assert!(text.starts_with("///"), "{} has no doc comment", path.display());
        let name = path.file_stem().unwrap().to_str().unwrap().to_string();
        assert!(names.insert(name.clone()), "two files are called {name}");
        let is_problem = path.parent().unwrap().ends_with("problems");
        let header = if is_problem { "problem " } else { "algorithm " };
        let declared = text
            .lines()
            .find_map(|l| l.strip_prefix(header))
            .unwrap_or_else(|| panic!("{} has no header", path.display()));
        let declared: String = declared.chars().take_while(|c| c.is_alphanumeric() || *c == '_').collect();
        assert_eq!(synod::internals::check::snake(&declared), name, "{}", path.display());
        if !is_problem {
            assert!(
                text.contains("\nassumes ") || text.contains(" variant of "),
                "{} assumes nothing",
                path.display()
            );
            assert!(text.contains("\nscenario "), "{} has no scenario", path.display());
        }
    }
}
