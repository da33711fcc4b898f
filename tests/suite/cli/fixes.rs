//! `synod check --fix`: words of earlier versions, and other fixes that need no decision.

use crate::cli::harness::{folder, session, synod_in, synod_with};
use insta::assert_snapshot;
use std::fs;

const FORMER: &str = include_str!("../../cases/syntax/former_words.syn");
const HABITS: &str = "algorithm habits\nassumes unidirectional ring, unique ids\nvar x : Int\nstate s\n  send id\n  receive q\n  \
                      x = 3\n  if x == 3 && q > id -> skip\n  [] otherwise -> y := z\n  fi\n  halt\n";
const RIGHT: &str =
    "algorithm right\nassumes unidirectional ring, unique ids\nstate s\n  send id\n  receive _\n  halt\n";

/// Every former word has a fix, the result has no findings, and the formatter keeps it.
#[test]
fn former_words_become_present_ones() {
    let here = folder("fix_former", &[("former.syn", FORMER.as_bytes())]);
    let fixed = synod_in(&here, &["check", "--fix", "former.syn"]);
    assert_snapshot!(session([
        fixed,
        synod_in(&here, &["check", "--fix", "former.syn"]),
        synod_in(&here, &["fmt", "former.syn"]),
        synod_in(&here, &["check", "former.syn"]),
    ]));
    assert_snapshot!(fs::read_to_string(here.join("former.syn")).unwrap());
}

/// A finding that needs a decision is reported; the certain fixes of the same file are written. Other files are not touched.
#[test]
fn a_folder_with_other_errors() {
    let files: &[(&str, &[u8])] = &[
        ("former.syn", FORMER.as_bytes()),
        ("habits.syn", HABITS.as_bytes()),
        ("right.syn", RIGHT.as_bytes()),
    ];
    let here = folder("fix_folder", files);
    let old = fs::File::open(here.join("right.syn")).unwrap().metadata().unwrap().modified().unwrap();
    assert_snapshot!(session([
        synod_in(&here, &["check", "--fix"]),
        synod_in(&here, &["check", "--fix", "--json"])
    ]));
    assert_snapshot!(fs::read_to_string(here.join("habits.syn")).unwrap());
    assert_eq!(fs::metadata(here.join("right.syn")).unwrap().modified().unwrap(), old);
    assert_eq!(fs::read_dir(&here).unwrap().count(), 3);
}

/// A file that uses another one of the same folder is checked after both have been fixed.
#[test]
fn a_problem_beside_its_algorithm() {
    let problem = b"problem Meeting\noutput met : Bool\nfinally progress: exists p: p.met\n";
    let algorithm = b"algorithm meets solves Meeting\nassumes complete, unique ids, knows peers\nstate s\n  met := peers != {}\n  halt\n";
    let here = folder("fix_beside", &[("a.syn", algorithm), ("meeting.syn", problem)]);
    assert_snapshot!(session([synod_in(&here, &["check", "--fix"])]));
}

#[test]
fn only_files_are_fixed() {
    let here = folder("fix_nothing", &[]);
    assert_snapshot!(session([
        synod_in(&here, &["check", "--fix", "lelann"]),
        synod_in(&here, &["check", "--fix", "nowhere.syn"]),
        synod_with(&here, &["check", "--fix", "-"], FORMER.as_bytes(), &[]),
        synod_with(&here, &["fmt", "-"], FORMER.as_bytes(), &[]),
    ]));
}
