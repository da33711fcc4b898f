//! A real terminal, which `tmux` lends, and what is typed and seen there.
//!
//! Each test binary uses a part of this.
#![allow(dead_code)]

use std::path::PathBuf;
use std::process::Command;
use std::time::Duration;

/// So often a screen is looked at before it counts as wrong, ten times a second.
const LOOKS: usize = 1200;

pub struct Screen {
    /// In a folder of its own, beside the files and the home of who sits there.
    pub socket: PathBuf,
}

impl Screen {
    /// A shell in a folder with these files. `None`: there is no terminal to be had here.
    pub fn open(name: &str, files: &[(&str, &str)]) -> Option<Screen> {
        let folder = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("terminal").join(name);
        let _ = std::fs::remove_dir_all(&folder);
        std::fs::create_dir_all(folder.join("home")).ok()?;
        for (file, text) in files {
            std::fs::write(folder.join(file), text).ok()?;
        }
        let screen = Screen { socket: folder.join("tmux.socket") };
        let shell = format!(
            "cd '{}' && env -u NO_COLOR HOME='{}' XDG_STATE_HOME= PS1='$ ' sh",
            folder.display(),
            folder.join("home").display()
        );
        let size = ["-x", "100", "-y", "40"];
        let words = [&["-f", "/dev/null", "new-session", "-d"][..], &size, &[&shell]].concat();
        screen.tmux(&words).then_some(screen)
    }

    fn command(&self) -> Command {
        let mut command = Command::new("tmux");
        command.arg("-S").arg(&self.socket).env("TERM", "xterm-256color");
        command
    }

    fn tmux(&self, words: &[&str]) -> bool {
        self.command().args(words).output().is_ok_and(|output| output.status.success())
    }

    pub fn keys(&self, keys: &[&str]) {
        assert!(self.tmux(&[&["send-keys"], keys].concat()), "{keys:?}");
    }

    pub fn typed(&self, line: &str) {
        assert!(self.tmux(&["send-keys", "-l", line]), "{line}");
        self.keys(&["Enter"]);
    }

    pub fn shown(&self) -> String {
        let output = self.command().args(["capture-pane", "-p", "-J"]).output().expect("tmux runs");
        String::from_utf8_lossy(&output.stdout).trim_end().to_string()
    }

    /// Waits until the screen shows it.
    pub fn until(&self, what: &str, fits: impl Fn(&str) -> bool) -> String {
        for _ in 0..LOOKS {
            let shown = self.shown();
            if fits(&shown) {
                return shown;
            }
            std::thread::sleep(Duration::from_millis(100));
        }
        panic!("not seen: {what}\n{}", self.shown());
    }

    pub fn ends_with(&self, end: &str) -> String {
        self.until(end, |shown| shown.ends_with(end))
    }

    pub fn has(&self, part: &str) -> String {
        self.until(part, |shown| shown.contains(part))
    }
}

impl Drop for Screen {
    fn drop(&mut self) {
        self.tmux(&["kill-server"]);
    }
}
