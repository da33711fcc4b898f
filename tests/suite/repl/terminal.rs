//! A session at a real terminal, provided by `tmux`.

use crate::screen::Screen;
use std::path::Path;
use std::time::Duration;

/// A token that never stops.
const ENDLESS: &str = "\
algorithm endless
assumes unidirectional ring, fifo

var seen : Int

state s
  send seen to next
  do receive x -> seen := x; send x + 1 to next od
";

fn start(screen: &Screen) {
    screen.typed(&format!("'{}' repl endless.syn --on 'ring(3)'", env!("CARGO_BIN_EXE_synod")));
    screen.ends_with("ring(3) @0>");
}

#[test]
fn keys_at_a_terminal() {
    let Some(screen) = Screen::open("repl-types", &[("endless.syn", ENDLESS)]) else {
        eprintln!("skipped: there is no tmux here to lend a terminal");
        return;
    };
    start(&screen);
    // An empty line repeats a step.
    screen.keys(&["Enter"]);
    screen.ends_with("ring(3) @1>");
    // A command is completed, shown with its arguments, and given up.
    screen.keys(&[".", "w", "h", "y", "n", "Tab"]);
    screen.ends_with(".whynot ACTION [at PROCESS]");
    screen.keys(&["C-c"]);
    screen.ends_with("ring(3) @1>");
    // A variable.
    screen.keys(&["p", "2", ".", "s", "e", "Tab"]);
    screen.ends_with("p2.seen");
    screen.keys(&["Enter"]);
    screen.ends_with("0\nring(3) @1>");
    // An infinite run is interrupted, and the session continues. All of it is replayed below, so the run is kept short.
    screen.typed(".run 100000000");
    std::thread::sleep(Duration::from_millis(400));
    screen.keys(&["C-c"]);
    screen.has("interrupted; .run continues");
    screen.typed("1 + 1");
    screen.has("\n2\nring(3) @");
    // Back at the earlier position; earlier lines are found.
    screen.typed(".goto 2");
    screen.ends_with("ring(3) @2>");
    screen.keys(&["C-r"]);
    screen.has("reverse-i-search");
    screen.keys(&["+", " ", "1"]);
    screen.ends_with("1 + 1");
    screen.keys(&["Enter"]);
    screen.ends_with("2\nring(3) @2>");
    // A clause continues over lines; an empty line ends it.
    screen.typed("invariant small:");
    screen.typed("  forall p: p.seen < 3");
    screen.has("repeated without a difference");
    screen.typed("procedure f");
    screen.typed("  skip");
    screen.keys(&["Enter"]);
    screen.has("procedure f added");
    screen.ends_with("without a difference\nring(3) @2>");
    screen.keys(&["C-d"]);
    screen.until("the shell", |shown| shown.ends_with('$'));
    // The next session has the history.
    start(&screen);
    screen.keys(&["C-r", "w", "h", "y"]);
    screen.keys(&["C-c"]);
    // Between two lines the terminal reads keys in its own mode.
    screen.ends_with("ring(3) @0>");
    screen.keys(&["C-r", "+", " ", "1", "Enter"]);
    screen.ends_with("2\nring(3) @0>");
    screen.typed(".quit");
    screen.until("the shell", |shown| shown.ends_with('$'));
    let history = screen.socket.with_file_name("home").join(".local/state/synod/repl_history");
    assert!(Path::new(&history).is_file(), "{}", history.display());
}

#[test]
fn a_session_without_a_home_forgets_and_says_nothing() {
    let Some(screen) = Screen::open("repl-homeless", &[]) else {
        eprintln!("skipped: there is no tmux here to lend a terminal");
        return;
    };
    screen.typed(&format!("env -u HOME -u XDG_STATE_HOME TERM=dumb '{}' repl", env!("CARGO_BIN_EXE_synod")));
    screen.has("no algorithm is loaded");
    screen.typed("2 + 3");
    screen.has("5");
    screen.typed(".quit");
    let shown = screen.until("the shell", |shown| shown.ends_with('$'));
    assert!(!shown.contains("error"), "{shown}");
}
