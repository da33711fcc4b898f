//! `synod fmt`: files changed in place, or not at all.

use crate::cli::harness::{folder, session, synod_in, synod_with};
use insta::assert_snapshot;
use std::fs;

const UGLY: &[u8] = b"algorithm   ugly\r\nassumes ring ,fifo\nstate s\n skip;halt// so\n";
const PRETTY: &str = "algorithm ugly\nassumes ring, fifo\nstate s\n  skip; halt  // so\n";
const WRONG: &[u8] = b"algorithm wrong\nvar := 3\nstate s\n  halt halt fi\n";

#[test]
fn in_place() {
    let here = folder("fmt_in_place", &[("a.syn", UGLY), ("b.syn", PRETTY.as_bytes())]);
    assert_snapshot!(session([
        synod_in(&here, &["fmt", "--check", "a.syn", "b.syn"]),
        synod_in(&here, &["fmt", "a.syn", "b.syn"]),
        synod_in(&here, &["fmt", "a.syn", "b.syn"]),
        synod_in(&here, &["fmt", "--check"]),
        synod_in(&here, &["fmt", "--check", "-q", "a.syn"]),
    ]));
    assert_eq!(fs::read_to_string(here.join("a.syn")).unwrap(), PRETTY);
    let left: Vec<_> = fs::read_dir(&here).unwrap().map(|entry| entry.unwrap().file_name()).collect();
    assert_eq!(left.len(), 2, "{left:?}");
}

#[test]
fn what_is_wrong_is_left_alone_and_the_others_are_not() {
    let files: &[(&str, &[u8])] = &[
        ("empty.syn", b""),
        ("latin1.syn", b"algorithm caf\xe9\n"),
        ("ugly.syn", UGLY),
        ("wrong.syn", WRONG),
        ("no_program.txt", b"no program"),
    ];
    let here = folder("fmt_wrong", files);
    assert_snapshot!(session([
        synod_in(&here, &["fmt"]),
        synod_in(&here, &["fmt", "nowhere.syn", "lelann", "no_program.txt"]),
    ]));
    for (name, before) in files.iter().filter(|(name, _)| *name != "ugly.syn") {
        assert_eq!(fs::read(here.join(name)).unwrap(), *before, "{name}");
    }
    assert_eq!(fs::read_to_string(here.join("ugly.syn")).unwrap(), PRETTY);
}

/// `synod fmt < a.syn` formats a.syn, and changes no other file.
#[test]
fn a_file_as_input_is_the_file_that_is_meant() {
    let here = folder("fmt_from_file", &[("a.syn", UGLY), ("b.syn", UGLY)]);
    let ran = std::process::Command::new(env!("CARGO_BIN_EXE_synod"))
        .arg("fmt")
        .current_dir(&here)
        .stdin(fs::File::open(here.join("a.syn")).unwrap())
        .output()
        .unwrap();
    assert_eq!((ran.status.code(), String::from_utf8(ran.stdout).unwrap().as_str()), (Some(0), PRETTY));
    assert!(["a.syn", "b.syn"].iter().all(|name| fs::read(here.join(name)).unwrap() == UGLY));
}

#[test]
fn from_input_to_output() {
    let here = folder("fmt_stdin", &[]);
    let ran = synod_with(&here, &["fmt", "-"], UGLY, &[]);
    assert_eq!((ran.code, ran.stdout.as_str(), ran.stderr.as_str()), (0, PRETTY, ""));
    let ran = synod_with(&here, &["fmt", "--check", "-"], PRETTY.as_bytes(), &[]);
    assert_eq!((ran.code, ran.stdout.as_str()), (0, ""));
    assert_eq!(synod_with(&here, &["fmt", "--check", "-"], UGLY, &[]).code, 1);
    let ran = synod_with(&here, &["fmt", "-"], WRONG, &[]);
    assert_eq!((ran.code, ran.stdout.as_str()), (2, ""));
    let ran = synod_with(&here, &["fmt", "-"], b"", &[]);
    assert_eq!((ran.code, ran.stdout.as_str()), (0, ""));
}

#[test]
fn ends_of_lines() {
    let here = folder("fmt_ends", &[]);
    let windows = synod_with(&here, &["fmt", "-"], b"algorithm   x\r\nassumes ring ,fifo\r\n", &[]);
    assert_eq!(windows.stdout, "algorithm x\r\nassumes ring, fifo\r\n");
}

#[test]
fn signs() {
    let here = folder("fmt_signs", &[]);
    let text = b"algorithm x\ninvariant i: forall p: p.x <= 1 and p.y != none\n";
    let unicode = synod_with(&here, &["fmt", "-q", "--unicode", "-"], text, &[]).stdout;
    assert_eq!(unicode, "algorithm x\ninvariant i: \u{2200} p: p.x ≤ 1 ∧ p.y ≠ ⊥\n");
    let ascii = synod_with(&here, &["fmt", "-q", "--ascii", "-"], unicode.as_bytes(), &[]).stdout;
    assert_eq!(ascii.as_bytes(), text);
    assert_eq!(synod_with(&here, &["fmt", "--ascii", "--unicode", "-"], text, &[]).code, 2);
}

#[test]
fn folders() {
    let here = folder("fmt_folders", &[("top.syn", UGLY), ("other.txt", UGLY)]);
    for (name, hidden) in [("deep/deeper", false), (".hidden", true)] {
        fs::create_dir_all(here.join(name)).unwrap();
        fs::write(here.join(name).join("x.syn"), UGLY).unwrap();
        let ran = synod_in(&here, &["fmt", "."]);
        assert_eq!(ran.code, 0, "{ran}");
        let after = fs::read(here.join(name).join("x.syn")).unwrap();
        assert_eq!(after == UGLY, hidden, "{name}");
    }
    assert_eq!(fs::read(here.join("other.txt")).unwrap(), UGLY);
    fs::create_dir_all(here.join("nothing")).unwrap();
    assert_eq!(synod_in(&here, &["fmt", "nothing"]).code, 2);
}

#[cfg(unix)]
#[test]
fn links_and_permissions_stay() {
    use std::os::unix::fs::{PermissionsExt, symlink};
    let here = folder("fmt_links", &[("real.syn", UGLY), ("locked.syn", UGLY)]);
    fs::set_permissions(here.join("real.syn"), fs::Permissions::from_mode(0o640)).unwrap();
    symlink("real.syn", here.join("link.syn")).unwrap();
    symlink(".", here.join("circle")).unwrap();
    let ran = synod_in(&here, &["fmt", "link.syn"]);
    assert_eq!(ran.code, 0, "{ran}");
    assert!(fs::symlink_metadata(here.join("link.syn")).unwrap().is_symlink());
    assert_eq!(fs::read_to_string(here.join("real.syn")).unwrap(), PRETTY);
    assert_eq!(fs::metadata(here.join("real.syn")).unwrap().permissions().mode() & 0o777, 0o640);
    fs::set_permissions(here.join("locked.syn"), fs::Permissions::from_mode(0o444)).unwrap();
    let ran = synod_in(&here, &["fmt", "."]);
    assert_eq!(ran.code, 2, "{ran}");
    assert!(ran.stderr.contains("read-only"), "{ran}");
    assert_eq!(fs::read(here.join("locked.syn")).unwrap(), UGLY);
}
