//! Paths named in documents, comments and scripts.

use std::fs;
use std::path::Path;

use super::{files, root};

/// The endings of files whose names are checked. Names of programs are left out: many are examples.
const ENDINGS: [&str; 5] = ["md", "mjs", "pest", "rs", "sh"];

/// The folders whose files are named by a path from the root.
const FOLDERS: [&str; 9] =
    ["benches", "docs", "editors", "examples", "fuzz", "grammar", "src", "stdlib", "tests"];

/// The paths in a text: runs of letters, digits, `_`, `-`, `.` and `/` that begin with a folder of the project.
fn paths(text: &str) -> impl Iterator<Item = &str> {
    text.split(|c: char| !(c.is_ascii_alphanumeric() || "_-./".contains(c))).filter(|word| {
        word.split_once('/').is_some_and(|(first, _)| FOLDERS.contains(&first))
            && Path::new(word).extension().is_some_and(|e| ENDINGS.iter().any(|ending| *ending == e))
    })
}

/// A path is relative to the root, or to a folder above the file that names it (a project in `examples`).
#[test]
fn files_that_are_named_exist() {
    let mut named_in = vec![root().join(".ci/run")];
    for folder in FOLDERS {
        for ending in ENDINGS.iter().copied().chain(["el", "js", "json", "scm", "snap", "vim"]) {
            files(&root().join(folder), ending, &mut named_in);
        }
    }
    files(&root().join(".github"), "md", &mut named_in);
    for page in ["ARCHITECTURE.md", "CONTRIBUTING.md", "README.md", "SECURITY.md", "Cargo.toml"] {
        named_in.push(root().join(page));
    }
    named_in.retain(|path| {
        !path.components().any(|c| ["node_modules", "target"].iter().any(|d| c.as_os_str() == *d))
    });
    let mut missing = Vec::new();
    for file in named_in {
        let text = fs::read_to_string(&file).unwrap_or_else(|e| panic!("{}: {e}", file.display()));
        for path in paths(&text) {
            let found = file
                .ancestors()
                .skip(1)
                .take_while(|folder| folder.starts_with(root()))
                .any(|folder| folder.join(path).exists());
            if !found {
                missing.push(format!("{} names {path}", file.strip_prefix(root()).unwrap().display()));
            }
        }
    }
    assert!(missing.is_empty(), "{}", missing.join("\n"));
}
