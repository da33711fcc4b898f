//! The documents, executed: in the README, in the folders `docs` and `docs/guide` and in `examples/README.md`, programs are checked, their
//! scenarios played, commands run, and their output compared with the text.
//!
//! * ```` ```synod ````                 a program: checked without any diagnostic, its scenarios played
//! * ```` ```synod fragment NAME ````   clauses of a variant of this algorithm of the library; then as a program
//! * ```` ```synod file NAME ````       the same; and from now on there is a file of this name
//! * ```` ```diff NAME ````             a change to that file: `-` and `+` lines, among lines that stay
//! * ```` ```console ````               commands after `$`, each with its output (errors, too, where it refuses to work); a line of `…` stands for any lines.
//!   They run one after the other in a folder of the document's own, beside the examples. Commands of Cargo and Git are not run
//! * anything else is only shown
//!
//! `UPDATE_DOCS=1 cargo test --test suite readme::` writes the outputs that are shown without `…` anew.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::Arc;

/// A fenced block: its info string, and the lines of the document that it spans.
pub struct Block {
    pub info: Vec<String>,
    first: usize,
    pub lines: Vec<String>,
}

pub fn blocks(text: &str) -> Vec<Block> {
    let mut blocks = Vec::new();
    let mut lines = text.lines().enumerate();
    while let Some((at, line)) = lines.next() {
        if let Some(info) = line.strip_prefix("```") {
            let inside = lines.by_ref().map(|(_, l)| l).take_while(|l| *l != "```");
            let lines = inside.map(String::from).collect();
            let info = info.split_whitespace().map(String::from).collect();
            blocks.push(Block { info, first: at + 1, lines });
        }
    }
    blocks
}

fn root() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR"))
}

/// Return a folder for the commands of a document, with the examples in it.
fn folder(document: &str) -> PathBuf {
    let folder =
        PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("documents").join(document.replace('/', "_"));
    let _ = fs::remove_dir_all(&folder);
    copy(&root().join("examples"), &folder.join("examples"));
    folder
}

fn copy(from: &Path, to: &Path) {
    fs::create_dir_all(to).unwrap();
    for entry in fs::read_dir(from).unwrap() {
        let entry = entry.unwrap();
        let to = to.join(entry.file_name());
        if entry.path().is_dir() {
            copy(&entry.path(), &to)
        } else {
            fs::copy(entry.path(), to).map(drop).unwrap()
        }
    }
}

/// Check that a program has no diagnostics and that its scenarios pass. Files of the document come before the library.
fn sound(place: &str, text: &str, folder: &Path) {
    let find = |name: &str| {
        let file = format!("{}.syn", synod::internals::check::snake(name));
        let own = fs::read_to_string(folder.join(&file)).ok();
        own.map(|text| (file, text)).or_else(|| synod::internals::library::source(name))
    };
    let checked = synod::internals::check::check(place, text, &find);
    assert!(checked.diagnostics.is_empty(), "{place}: {:#?}\n{text}", checked.diagnostics);
    let program = Arc::new(checked.program.expect("without diagnostics there is a program"));
    for scenario in &program.scenarios {
        let played = synod::internals::scenario::play(
            &program,
            scenario,
            &Default::default(),
            &mut |_, _, _, _, _| {},
        );
        assert!(played.passed(), "{place}: {played:#?}");
    }
}

/// Apply a diff to a file; its lines without `+` must occur exactly once.
fn change(place: &str, file: &Path, diff: &[String]) {
    let side = |other: char| -> String {
        let kept = diff.iter().filter(|l| !l.starts_with(other));
        kept.map(|l| l.get(1..).unwrap_or("").to_string() + "\n").collect()
    };
    let (before, after) = (side('+'), side('-'));
    let text = fs::read_to_string(file).unwrap_or_else(|e| panic!("{place}: {}: {e}", file.display()));
    assert_eq!(text.matches(&before).count(), 1, "{place}: occurs not once:\n{before}in\n{text}");
    fs::write(file, text.replace(&before, &after)).unwrap();
}

/// Return whether these lines equal the output. A line of `…` stands for any number of lines.
fn shows(shown: &[String], printed: &[&str]) -> bool {
    match shown.split_first() {
        None => printed.is_empty(),
        Some((line, rest)) if line.trim() == "…" => (0..=printed.len()).any(|n| shows(rest, &printed[n..])),
        Some((line, rest)) => {
            printed.first().is_some_and(|p| p.trim_end() == line.trim_end()) && shows(rest, &printed[1..])
        }
    }
}

/// Run a command as a shell would, with `synod` on the path.
fn run(folder: &Path, command: &str) -> String {
    let binary = Path::new(env!("CARGO_BIN_EXE_synod")).parent().expect("the binary is in a folder");
    let path = std::env::var_os("PATH").unwrap_or_default();
    let path = std::env::join_paths([binary.to_path_buf()].into_iter().chain(std::env::split_paths(&path)));
    let ran = Command::new("sh")
        .args(["-c", command])
        .current_dir(folder)
        .env("PATH", path.expect("the path can be put together"))
        .env_remove("COLUMNS")
        // Readers run these commands at a terminal, where snapshots may be accepted.
        .env_remove("CI")
        .output()
        .expect("there is a shell");
    let (out, err) = (String::from_utf8(ran.stdout).unwrap(), String::from_utf8(ran.stderr).unwrap());
    match ran.status.code() {
        Some(0 | 1) => out,
        // The document shows the diagnostics of a wrong program.
        Some(2) => out + &err,
        _ => panic!("{command}: {err}"),
    }
}

/// Execute all blocks of a document. Return the number of its programs and commands.
pub fn execute(document: &str) -> (usize, usize) {
    let path = root().join(document);
    let text = fs::read_to_string(&path).unwrap();
    let mut new: Vec<Option<String>> = text.lines().map(|l| Some(l.to_string())).collect();
    let folder = folder(document);
    let (mut programs, mut commands, mut wrong) = (0, 0, Vec::new());
    for block in blocks(&text) {
        let place = format!("{document}:{}", block.first);
        let info: Vec<&str> = block.info.iter().map(String::as_str).collect();
        let text = block.lines.join("\n") + "\n";
        match info[..] {
            ["synod"] => sound(&place, &text, &folder),
            ["synod", "fragment", base] => {
                sound(&place, &format!("algorithm fragment variant of {base}\n{text}"), &folder)
            }
            ["synod", "file", name] => {
                sound(&place, &text, &folder);
                fs::write(folder.join(name), text).unwrap();
            }
            ["diff", name] => change(&place, &folder.join(name), &block.lines),
            ["console"] => {
                let starts: Vec<usize> =
                    (0..block.lines.len()).filter(|i| block.lines[*i].starts_with("$ ")).collect();
                for (k, start) in starts.iter().enumerate() {
                    let end = starts.get(k + 1).copied().unwrap_or(block.lines.len());
                    // The text after `#` is a comment for the reader.
                    let command = block.lines[*start][2..].split("  #").next().unwrap_or_default().trim();
                    if command.starts_with("cargo ") || command.starts_with("git ") {
                        continue;
                    }
                    commands += 1;
                    let shown = &block.lines[start + 1..end];
                    let printed = run(&folder, command);
                    let printed: Vec<&str> = printed.lines().collect();
                    if shows(shown, &printed) {
                        continue;
                    }
                    wrong.push(format!(
                        "{document}:{}: {command}\n{}",
                        block.first + start + 1,
                        printed.join("\n")
                    ));
                    if !shown.iter().any(|l| l.trim() == "…") {
                        let at = block.first + start;
                        new[at] = Some([&[block.lines[*start].as_str()], &printed[..]].concat().join("\n"));
                        new[at + 1..block.first + end].fill(None);
                    }
                }
            }
            _ => {}
        }
        programs += usize::from(info.first() == Some(&"synod"));
    }
    if std::env::var_os("UPDATE_DOCS").is_some() {
        fs::write(&path, new.into_iter().flatten().collect::<Vec<_>>().join("\n") + "\n").unwrap();
    }
    assert!(wrong.is_empty(), "not what is printed:\n{}", wrong.join("\n\n"));
    (programs, commands)
}

/// Return the documents of a folder.
fn markdown_in(folder: &str) -> Vec<String> {
    let names =
        fs::read_dir(root().join(folder)).unwrap().map(|e| e.unwrap().file_name().into_string().unwrap());
    let mut found: Vec<String> =
        names.filter(|name| name.ends_with(".md")).map(|name| format!("{folder}/{name}")).collect();
    found.sort();
    assert!(!found.is_empty(), "{folder} has no documents");
    found
}

#[test]
fn the_readme() {
    let (programs, commands) = execute("README.md");
    assert!(programs >= 2 && commands >= 5, "{programs} programs and {commands} commands");
}

#[test]
fn the_tutorial() {
    let (programs, commands) = execute("docs/tutorial.md");
    assert!(programs >= 1 && commands >= 10, "{programs} programs and {commands} commands");
}

#[test]
fn what_textbooks_claim() {
    let (_, commands) = execute("docs/claims.md");
    assert_eq!(commands, 11);
}

#[test]
fn the_guide() {
    for page in markdown_in("docs/guide") {
        execute(&page);
    }
}

#[test]
fn the_other_documents() {
    execute("docs/first_use.md");
    execute("docs/continuous_integration.md");
    execute("examples/README.md");
}

#[test]
fn links_lead_somewhere() {
    let mut documents = vec!["README.md".to_string(), "examples/README.md".into(), "docs/llms.txt".into()];
    documents.extend(["docs", "docs/guide", "docs/site"].into_iter().flat_map(markdown_in));
    for document in documents {
        let path = root().join(&document);
        let text = fs::read_to_string(&path).unwrap();
        for link in text.split("](").skip(1) {
            let target = link.split(')').next().unwrap().split('#').next().unwrap();
            if target.is_empty() || target.contains("://") {
                continue;
            }
            assert!(path.parent().unwrap().join(target).exists(), "{document} links to {target}");
        }
    }
}
