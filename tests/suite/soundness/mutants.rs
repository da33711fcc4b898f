//! The patches of `tests/reference/mutants`, each of which takes back the fix of a known fault: all of them apply to the present source.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

fn read(path: impl AsRef<Path>) -> String {
    let path = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join(path);
    std::fs::read_to_string(&path).unwrap_or_else(|e| panic!("{}: {e}", path.display()))
}

/// Return the lines that each hunk of a patch expects, by file.
fn expected(patch: &str) -> BTreeMap<&str, Vec<String>> {
    let mut hunks: BTreeMap<&str, Vec<String>> = BTreeMap::new();
    let mut of_file = None;
    for line in patch.lines() {
        if let Some(path) = line.strip_prefix("--- a/") {
            of_file = Some(hunks.entry(path).or_default());
        } else if let Some(hunks) = &mut of_file {
            match (line.split_at_checked(1), hunks.last_mut()) {
                (Some(("@", _)), _) => hunks.push(String::new()),
                (Some((" " | "-", text)), Some(hunk)) => *hunk += &format!("{text}\n"),
                _ => {}
            }
        }
    }
    hunks
}

#[test]
fn patches_apply_and_name_tests() {
    let folder = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("tests/reference/mutants");
    let mut patches: Vec<PathBuf> = std::fs::read_dir(folder).unwrap().map(|e| e.unwrap().path()).collect();
    patches.sort();
    assert_eq!(patches.len(), 17);
    for path in patches {
        let (name, patch) = (path.file_name().unwrap().display(), read(&path));
        let hunks = expected(&patch);
        assert!(hunks.values().all(|hunks| !hunks.is_empty()) && !hunks.is_empty(), "{name}");
        for (file, hunks) in hunks {
            let source = read(file);
            for hunk in hunks {
                assert_eq!(source.matches(&hunk).count(), 1, "{name} does not apply to {file}:\n{hunk}");
            }
        }
        let tests: Vec<&str> = patch.lines().filter_map(|line| line.strip_prefix("Test: ")).collect();
        assert!(!tests.is_empty(), "{name} names no test");
        for test in tests {
            let (module, function) = test.split_once("::").unwrap();
            let text = read(format!("tests/suite/soundness/{module}.rs"));
            assert!(text.contains(&format!("fn {function}()")), "{name}: there is no test {test}");
        }
    }
}
