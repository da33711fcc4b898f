//! Programs, names and terminals of any size: each ends with a result or a diagnostic.

use crate::cli::harness::{Ran, folder, synod_in, synod_with};
use std::fmt::Write;

const HEAD: &str =
    "algorithm d\nassumes unidirectional ring, anonymous\nmessage M(v: Int)\nvar x : Int\nvar b : Bool\n";

/// Number of items of each kind.
const N: usize = 4_000;

fn many(line: impl Fn(usize) -> String) -> String {
    (0..N).fold(String::new(), |mut text, i| {
        let _ = write!(text, "{}", line(i));
        text
    })
}

fn ended(ran: &Ran) {
    assert!((0..=3).contains(&ran.code), "{}", ran.code);
}

/// The outcome of `check`; `run` and `fmt` only have to end.
fn checked(name: &str, text: &str) -> Ran {
    let here = folder(name, &[("large.syn", text.as_bytes())]);
    ended(&synod_in(&here, &["run", "large.syn", "-q", "--max-steps", "1000"]));
    ended(&synod_in(&here, &["fmt", "--check", "large.syn"]));
    let ran = synod_in(&here, &["check", "large.syn"]);
    ended(&ran);
    ran
}

#[test]
fn definitions_that_use_one_another() {
    let too_deep = "nested too deeply: more than 250 levels when functions and constants are unfolded";
    let halt = "state s\n  x := f0(1)\n  halt\n";
    let down = many(|i| format!("function f{i}(x) = f{}(x)\n", i + 1));
    let up = many(|i| match i {
        0 => "function f0(x: Int) : Int = x\n".to_string(),
        i => format!("function f{i}(x: Int) : Int = f{}(x)\n", i - 1),
    });
    for (name, text) in [
        ("functions_down", format!("{HEAD}{down}function f{N}(x: Int) : Int = x\n{halt}")),
        ("functions_up", format!("{HEAD}{up}state s\n  x := f{}(1)\n  halt\n", N - 1)),
        (
            "constants",
            format!(
                "{HEAD}{}const c{N} = 1\nstate s\n  x := c0\n  halt\n",
                many(|i| format!("const c{i} = c{}\n", i + 1))
            ),
        ),
    ] {
        let ran = checked(name, &text);
        assert!(ran.code == 2 && ran.stderr.contains(too_deep), "{name}: {:.2000}", ran.stderr);
        assert_eq!(ran.stderr.matches("Error").count(), 1, "{name}: said once");
    }
    // Fewer are accepted, in any order.
    let few = (0..200).fold(String::new(), |text, i| text + &format!("function f{i}(x) = f{}(x)\n", i + 1));
    let ran = checked("functions_few", &format!("{HEAD}{few}function f200(x: Int) : Int = x\n{halt}"));
    assert_eq!(ran.code, 0, "{ran}");
}

#[test]
fn procedures_that_call_one_another() {
    let procedures = many(|i| format!("procedure f{i}()\n  f{}()\n", i + 1));
    let ran = checked(
        "procedures",
        &format!("{HEAD}{procedures}procedure f{N}()\n  x := 1\nstate s\n  f0()\n  halt\n"),
    );
    assert_eq!(ran.code, 0, "{:.2000}", ran.stderr);
}

#[test]
fn long_chains_and_lists() {
    let assign = |text: String| format!("{HEAD}state s\n  {text}\n  halt\n");
    for (name, text, code) in [
        ("ands", assign(format!("b := {}", vec!["x = 0"; N].join(" and "))), 2),
        ("sums", assign(format!("x := {}", vec!["1"; N].join(" + "))), 2),
        ("conditionals", assign(format!("x := {}0", many(|i| format!("if x = {i} then {i} else ")))), 2),
        ("parentheses", assign(format!("x := {}1{}", "(".repeat(10_000), ")".repeat(10_000))), 2),
        ("nots", assign(format!("b := {}true", "not ".repeat(N))), 2),
        ("a_list", assign(format!("x := size([{}])", vec!["1"; N].join(", "))), 0),
        (
            "branches",
            assign(format!("if x < 0 -> skip\n{}  fi", many(|i| format!("  [] x = {i} -> skip\n")))),
            0,
        ),
        ("statements", assign(many(|i| format!("x := {i}\n  "))), 0),
        (
            "states",
            format!("{HEAD}{}state s{N}\n  halt\n", many(|i| format!("state s{i}\n  become s{}\n", i + 1))),
            0,
        ),
    ] {
        let ran = checked(name, &text);
        assert_eq!(ran.code, code, "{name}: {:.2000}", ran.stderr);
    }
}

/// The standard library's formatter panics at widths above 65 535.
#[test]
fn columns_of_any_width() {
    let name = "a".repeat(70_000);
    let variables = format!(
        "{HEAD}{}state s\n  send M(1)\n  receive M(x)\n  halt\n",
        many(|i| format!("var a{i} : Int\n"))
    );
    let names = format!(
        "algorithm w\nassumes unidirectional ring, anonymous\nmessage {name}1(v: Int)\nvar {name}2 : Int\nstate {name}3\n  \
         on wakeup -> send {name}1(1)\n  on {name}1(v) -> {name}2 := v\ninvariant {name}4: forall p: p.{name}2 <= 1\n\
         scenario {name}5 on ring(2)\n  expect messages = 2\n"
    );
    let here = folder("wide", &[("variables.syn", variables.as_bytes()), ("names.syn", names.as_bytes())]);
    for file in ["variables.syn", "names.syn"] {
        for words in [
            vec!["run", file, "--on", "ring(2)"],
            vec!["verify", file, "--on", "ring(2)"],
            vec!["draw", file, "--on", "ring(2)"],
            vec!["draw", file, "--on", "ring(2)", "--to", "svg"],
            vec!["measure", file, "--n", "2"],
            vec!["test", file],
            vec!["check", file],
        ] {
            let ran = synod_in(&here, &words);
            assert!((0..=3).contains(&ran.code), "{words:?}: {} {:.500}", ran.code, ran.stderr);
        }
        let lines = b".run\n.state\n.state p0\n.channels\n.draw\n.props\n.enabled\n.trace\n".as_slice();
        let ran = synod_with(&here, &["repl", file, "--on", "ring(2)"], lines, &[]);
        assert!((0..=3).contains(&ran.code), "{file}: {} {:.500}", ran.code, ran.stderr);
    }
}

#[test]
fn terminals_of_any_width() {
    let here = folder("terminals", &[]);
    let usual = synod_in(&here, &["run", "lelann"]).stdout;
    for columns in ["99999999999999", "18446744073709551616", "0", "-1", "abc", "", "1", "70000"] {
        for words in [
            ["run", "lelann"],
            ["draw", "lelann"],
            ["verify", "voting"],
            ["list", "-v"],
            ["topology", "list"],
        ] {
            let ran = synod_with(&here, &words, b"", &[("COLUMNS", columns)]);
            assert!((0..=3).contains(&ran.code), "{columns} {ran}");
        }
        // A value that is not a width is ignored.
        if columns.parse::<usize>().is_err() || columns == "0" {
            assert_eq!(synod_with(&here, &["run", "lelann"], b"", &[("COLUMNS", columns)]).stdout, usual);
        }
    }
}
