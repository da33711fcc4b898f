//! Running one command, and its result.
#![allow(dead_code, reason = "each test binary uses a part of this")]

use std::fmt;
use std::fs;
use std::io::Write;
use std::path::PathBuf;
use std::process::{Command, Stdio};
use std::sync::LazyLock;

/// Create a separate folder for a test, with these files.
pub fn folder(name: &str, files: &[(&str, &[u8])]) -> PathBuf {
    let folder = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("cli").join(name);
    let _ = fs::remove_dir_all(&folder);
    fs::create_dir_all(&folder).expect("the folder for tests can be written");
    for (file, bytes) in files {
        let path = folder.join(file);
        fs::create_dir_all(path.parent().unwrap_or(&folder)).expect("the folder for tests can be written");
        fs::write(path, bytes).expect("the folder for tests can be written");
    }
    folder
}

/// The result of a command.
pub struct Ran {
    command: String,
    pub code: i32,
    pub stdout: String,
    pub stderr: String,
}

/// Run `synod` with these words in an empty folder, created once: tests share it.
pub fn synod(words: &[&str]) -> Ran {
    static EMPTY: LazyLock<PathBuf> = LazyLock::new(|| folder("empty", &[]));
    synod_in(&EMPTY, words)
}

pub fn synod_in(folder: &PathBuf, words: &[&str]) -> Ran {
    synod_with(folder, words, b"", &[])
}

pub fn synod_with(folder: &PathBuf, words: &[&str], stdin: &[u8], env: &[(&str, &str)]) -> Ran {
    fs::create_dir_all(folder).expect("the folder for tests can be written");
    let mut child = Command::new(env!("CARGO_BIN_EXE_synod"))
        .args(words)
        .current_dir(folder)
        .env_remove("NO_COLOR")
        .env_remove("CI")
        .env("TERM", "xterm")
        .envs(env.iter().copied())
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("the binary has been built");
    // A command that does not read its input may have ended before the input is written.
    let _ = child.stdin.take().map(|mut pipe| pipe.write_all(stdin));
    let output = child.wait_with_output().expect("the command ends");
    let quote = |word: &&str| match word.contains([' ', '(', '\'']) {
        true => format!("'{word}'"),
        false => word.to_string(),
    };
    Ran {
        command: words.iter().map(quote).collect::<Vec<_>>().join(" "),
        code: output.status.code().unwrap_or(-1),
        stdout: String::from_utf8(output.stdout).expect("the output is UTF-8"),
        stderr: timeless(&String::from_utf8(output.stderr).expect("the output is UTF-8")),
    }
}

/// Remove the line with the duration of a long search, which differs on every machine.
fn timeless(stderr: &str) -> String {
    stderr.split_inclusive('\n').filter(|line| !line.contains(" configurations/s, ")).collect()
}

/// Write the command and all that the user sees, for snapshots.
impl fmt::Display for Ran {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "$ synod {}", self.command)?;
        f.write_str(&self.stdout)?;
        if !self.stderr.is_empty() {
            write!(f, "-- stderr --\n{}", self.stderr)?;
        }
        writeln!(f, "-- exit {} --", self.code)
    }
}

/// Join several commands into one snapshot.
pub fn session(runs: impl IntoIterator<Item = Ran>) -> String {
    runs.into_iter().map(|ran| ran.to_string()).collect::<Vec<_>>().join("\n")
}
