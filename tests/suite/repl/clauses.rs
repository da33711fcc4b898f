//! Clauses entered into a program: the effect on its text.

use synod::internals::session::clauses::{Entered, Rejection, drop, enter, full_names};

const PROGRAM: &str = "\
/// A program.
algorithm p
assumes ring, fifo, unique ids

message A(x: Int), B   // two of them
message C
var u, v : Int := 0    // counts
/// Its own.
var w : Bool

procedure twice
  u := 2 * u

state one, two
  await u > 0
  on A(x) -> u := x
  // and else:
  on B -> skip

state three
  when v > 0 -> v := 0

always
  on C ->
    v := v + 1

invariant small: forall p: p.u < 5

scenario s on ring(3)
  expect p0.u = 0
";

/// Return the entry, the action, and the changed lines.
fn entered(entry: &str) -> String {
    changed(entry, enter(PROGRAM, entry))
}

fn changed(entry: &str, result: Result<Entered, Rejection>) -> String {
    let (text, done) = match result {
        Ok(entered) => (entered.text, entered.done.join(", ")),
        Err(Rejection::Unclear(message, hint)) => return format!("> {entry}\n! {message}\n  {hint}\n"),
        Err(Rejection::Wrong(found)) => return format!("> {entry}\n! {}\n", found[0].message()),
    };
    let (old, new): (Vec<&str>, Vec<&str>) = (PROGRAM.lines().collect(), text.lines().collect());
    let first = old.iter().zip(&new).take_while(|(a, b)| a == b).count();
    let last = old[first..].iter().rev().zip(new[first..].iter().rev()).take_while(|(a, b)| a == b).count();
    let mut out = format!("> {}\n= {done}\n", entry.replace('\n', "\n> "));
    let removed = &old[first..old.len() - last];
    out.extend(removed.iter().map(|line| format!("- {line}\n")));
    out.extend(new[first..new.len() - last].iter().map(|line| format!("+ {line}\n")));
    out
}

#[test]
fn entries_change_their_clause_and_nothing_else() {
    let entries = [
        "var u : Int := 1",
        "var v : Int := 1",
        "var w : Int",
        "/// New.\nvar w : Int",
        "var x : Bool",
        "var u, v, w : Int",
        "message A",
        "message B(y: Int)",
        "message D",
        "message A, C",
        "procedure twice\n  u := u + u",
        "procedure thrice\n  u := 3 * u",
        "function f(x) = x + 1",
        "const K = 3",
        "state three\n  pause",
        "state two\n  pause",
        "state four\n  pause",
        "on A(y) -> u := y",
        "on A(y) when y > 0 -> u := y",
        "state one, two\n  on A(y) -> u := 0",
        "state three\n  on A(y) -> u := 0",
        "always\n  on B -> u := 0\n  on C -> skip",
        "on D -> skip",
        "when v > 0 -> v := 1",
        "always\nwhen u > 3 ->\n  u := 0",
        "invariant small: forall p: p.u < 6",
        "invariant large: forall p: p.u > 6",
        "finally small: true",
        "scenario s on ring(4)\n  expect true",
        "scenario t on ring(4)\n  expect true",
        "assumes ring, unique ids",
        "role R\n  var z : Int",
        "state nine\n  on A(y) -> skip",
        "state one, two",
        "var : Int",
        "var a : Int\nvar b : Int",
    ];
    insta::with_settings!({ prepend_module_to_snapshot => false }, {
        insta::assert_snapshot!("entries", entries.map(entered).join("\n"));
    });
}

/// A clause entered unchanged leaves the program as it is.
#[test]
fn a_clause_replaces_itself() {
    for entry in [
        "message C",
        "/// Its own.\nvar w : Bool",
        "invariant small: forall p: p.u < 5",
        "assumes ring, fifo, unique ids",
    ] {
        assert_eq!(enter(PROGRAM, entry).expect("it is right").text, PROGRAM, "{entry}");
    }
    let procedure = "procedure twice\n  u := 2 * u";
    assert_eq!(enter(PROGRAM, procedure).expect("it is right").text, PROGRAM);
    let handler = "always\n  on C ->\n    v := v + 1";
    assert_eq!(enter(PROGRAM, handler).expect("it is right").text, PROGRAM);
}

/// Clauses of every program of the library, entered into their program.
#[test]
fn clauses_of_the_library_find_their_places() {
    for entry in synod::internals::library::entries().into_values() {
        let (module, _) = synod::internals::syntax::parse(0, entry.text);
        for clause in module.clauses.iter().step_by(4) {
            let text = &entry.text[clause.span.range()];
            let Ok(entered) = enter(entry.text, text) else { continue };
            let (after, wrong) = synod::internals::syntax::parse(0, &entered.text);
            assert!(wrong.is_empty(), "{}: {text}\n{}", entry.name, entered.text);
            // A handler that occurs in several states may be placed in another one.
            if entered.done.iter().all(|done| done.ends_with("replaced")) && !text.starts_with("on ") {
                assert_eq!(after.clauses.len(), module.clauses.len(), "{}: {text}", entry.name);
            }
        }
    }
}

#[test]
fn clauses_go_as_they_are_called() {
    let all = [
        "w",
        "var u",
        "v",
        "message A",
        "message B",
        "B",
        "C",
        "procedure twice",
        "twice",
        "state one",
        "two",
        "state three",
        "three",
        "on A",
        "on A(x)",
        "on B in two",
        "when",
        "when v > 0",
        "on C",
        "on C in always",
        "always",
        "small",
        "invariant small",
        "property small",
        "scenario s",
        "s",
        "assumes",
        "p",
        "algorithm p",
        "nothing",
        "on Z",
        "var  w",
        "stat three",
        "",
    ];
    let shown = all.map(|wanted| changed(wanted, drop(PROGRAM, wanted)));
    insta::with_settings!({ prepend_module_to_snapshot => false }, {
        insta::assert_snapshot!("dropped", shown.join("\n"));
    });
}

/// Every clause of the library can be dropped by its full name, and nothing else but its parts.
#[test]
fn clauses_of_the_library_can_be_dropped() {
    let mut dropped = 0;
    for entry in synod::internals::library::entries().into_values() {
        let (module, _) = synod::internals::syntax::parse(0, entry.text);
        for name in full_names(entry.text).iter().step_by(11) {
            let Ok(done) = drop(entry.text, name) else { continue };
            dropped += 1;
            let (after, wrong) = synod::internals::syntax::parse(0, &done.text);
            assert!(wrong.is_empty(), "{} without {name}\n{}", entry.name, done.text);
            assert!(after.clauses.len() <= module.clauses.len() && done.text.len() < entry.text.len());
            assert!(!full_names(&done.text).contains(name), "{} without {name}\n{}", entry.name, done.text);
            assert!(!done.text.contains("\n\n\n"), "{} without {name}\n{}", entry.name, done.text);
        }
    }
    assert!(dropped > 60, "{dropped}");
}
