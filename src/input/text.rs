//! Input: programs, traces and other texts by path, `-` for the standard input, or the name of an algorithm of the library.

use super::error::{InputError, os_message};
use crate::check::{Checked, Find, check, prose, snake};
use crate::diagnostic::Diagnostic;
use crate::library;
use crate::trace::import::ForeignForm;
use std::fs::{self, File};
use std::io::{self, Read};
use std::path::{Path, PathBuf};

/// The size limit of an input in bytes. Hand-written files are smaller, and a text must fit into memory several times.
const MAX_BYTES: u64 = 8 << 20;
/// The size limit of a trace in bytes. A run of a million events takes about this much.
const MAX_TRACE_BYTES: u64 = 256 << 20;

/// A text, and the place to look for other texts that it names.
#[derive(Clone)]
pub struct SourceText {
    /// The name in messages.
    pub name: String,
    pub text: String,
    /// The user's file; None for the library and the standard input.
    pub path: Option<PathBuf>,
    /// Folder of the files that it `solves`, `uses` or is a `variant of`; None: only the library.
    beside: Option<PathBuf>,
}

/// Read the program that `file` names: the file of that path, otherwise the algorithm of that name in the library, otherwise the file
/// of that name with the ending `.syn`.
///
/// # Errors
/// If there is none of these, or it cannot be read, or is not a text.
pub fn read_program(file: &str) -> Result<SourceText, InputError> {
    if file == "-" {
        let text = limited("the standard input", io::stdin().lock(), MAX_BYTES)?;
        return Ok(SourceText::of_stdin(program_text("the standard input", text)?));
    }
    let path = Path::new(file);
    // A folder that has the name of an algorithm does not hide the algorithm.
    if let Some((name, text)) = library::source(file).filter(|_| !path.exists() || path.is_dir()) {
        return Ok(SourceText { name, text, path: None, beside: None });
    }
    let name = program_path(file);
    let path = PathBuf::from(&name);
    let text = program_text(&name, read_file(&name, Wanted::Program)?)?;
    let beside = path.parent().map(|p| if p.as_os_str().is_empty() { Path::new(".") } else { p });
    Ok(SourceText { beside: beside.map(Path::to_path_buf), path: Some(path), name, text })
}

/// Return the file name of a program: with `.syn` appended if that file exists, and neither a file nor an algorithm of the library has
/// the plain name.
pub fn program_path(file: &str) -> String {
    let named = format!("{file}.syn");
    let is_short = file != "-" && !Path::new(file).exists() && library::source(file).is_none();
    if is_short && Path::new(&named).is_file() { named } else { file.into() }
}

/// Read any other text, such as a topology.
///
/// # Errors
/// If it cannot be read, or is not a text.
pub fn read_text(file: &str) -> Result<String, InputError> {
    match file {
        "-" => decoded("the standard input", limited("the standard input", io::stdin().lock(), MAX_BYTES)?),
        _ => decoded(file, read_file(file, Wanted::Other)?),
    }
}

/// Read a text of any length that Synod has written: a measurement.
///
/// # Errors
/// If it cannot be read, or is not a text.
pub fn read_long_text(file: &str) -> Result<String, InputError> {
    let failed = |error: io::Error| InputError::usage(format!("cannot read {file}: {}", os_message(&error)));
    if file == "-" || !Path::new(file).is_file() {
        return read_text(file);
    }
    let mut bytes = Vec::new();
    File::open(file).and_then(|mut opened| opened.read_to_end(&mut bytes)).map_err(failed)?;
    decoded(file, bytes)
}

/// Read a trace, which may be larger than other texts.
///
/// # Errors
/// If it cannot be read, or is not a text.
pub fn read_trace(file: &str) -> Result<String, InputError> {
    match file {
        "-" => {
            decoded("the standard input", limited("the standard input", io::stdin().lock(), MAX_TRACE_BYTES)?)
        }
        _ => decoded(file, read_file(file, Wanted::Trace)?),
    }
}

/// Whether a text begins like a trace of Synod, in either form.
fn begins_like_a_trace(text: &str) -> bool {
    text.starts_with("synod trace") || text.starts_with(r#"{"synod_trace""#)
}

/// Reject texts that are not programs, and would give only syntax errors: recorded runs, and JSON of other tools.
///
/// # Errors
/// States what the text is, and which command takes it.
pub fn reject_non_program(name: &str, text: &str) -> Result<(), InputError> {
    if let Some(form) = ForeignForm::of(text) {
        let hint =
            format!("`synod trace show {name}` shows it; a replay needs the trace that it was exported from");
        return Err(InputError::usage(format!("{name} is {}, not a program", form.as_str())).hint(hint));
    }
    if begins_like_a_trace(text) {
        // A trace from the standard input has no file name.
        let file = if name == "the standard input" { "-" } else { name };
        let hint = format!(
            "`synod run FILE --replay {file}` and `synod repl FILE --replay {file}` replay it, `synod trace show {file}` shows it"
        );
        return Err(InputError::usage(format!("{name} is a trace, not a program")).hint(hint));
    }
    match text.trim_start().starts_with('{') {
        true => Err(InputError::usage(format!("{name} is JSON, not a program"))),
        false => Ok(()),
    }
}

/// Reject a problem, which cannot be run.
///
/// # Errors
/// If the file is a problem.
pub fn reject_problem(name: &str, checked: &Checked) -> Result<(), InputError> {
    match checked.header.as_ref().is_some_and(|header| header.is_problem) {
        true => Err(InputError::usage(format!("{name} is a problem: there is nothing to run"))
            .hint("`synod list --problem NAME` shows the algorithms that solve one")),
        false => Ok(()),
    }
}

/// An input that can be drawn.
pub enum DrawInput {
    /// The text of a trace.
    Trace(String),
    Program(SourceText),
}

/// Read a trace of either form or a program; the beginning of the text tells which.
///
/// # Errors
/// If it cannot be read, or is not a text.
pub fn trace_or_program(file: &str) -> Result<DrawInput, InputError> {
    // JSON counts as a trace, so that a trace changed by hand gets the errors of a trace.
    let begins_like_one = |text: &str| {
        text.trim_start().starts_with('{') || begins_like_a_trace(text) || ForeignForm::of(text).is_some()
    };
    if file == "-" {
        let text = read_trace(file)?;
        return Ok(match begins_like_one(&text) {
            true => DrawInput::Trace(text),
            false => DrawInput::Program(SourceText::of_stdin(program_text(
                "the standard input",
                text.into_bytes(),
            )?)),
        });
    }
    let path = Path::new(file);
    let called_so = path.extension().is_some_and(|ending| ending == "trace" || ending == "jsonl");
    if called_so || (path.is_file() && path.extension().is_none_or(|ending| ending != "syn")) {
        let text = read_trace(file)?;
        if called_so || begins_like_one(&text) {
            return Ok(DrawInput::Trace(text));
        }
    }
    read_program(file).map(DrawInput::Program)
}

/// Split a list of expressions at the commas outside brackets and texts.
pub fn split_list(list: &str) -> impl Iterator<Item = &str> {
    let (mut depth, mut is_text) = (0u32, false);
    let parts = list.split(move |c: char| {
        match c {
            '"' => is_text = !is_text,
            '(' | '[' | '{' if !is_text => depth += 1,
            ')' | ']' | '}' if !is_text => depth = depth.saturating_sub(1),
            _ => {}
        }
        c == ',' && depth == 0 && !is_text
    });
    parts.map(str::trim).filter(|part| !part.is_empty())
}

/// Read and check a program. The result contains its warnings.
///
/// # Errors
/// [`InputError::Source`] if the program has errors.
pub fn read_and_check(file: &str) -> Result<Checked, InputError> {
    check_without_errors(&read_program(file)?)
}

/// Check a program that has been read.
///
/// # Errors
/// [`InputError::Source`] if the program has errors.
pub fn check_without_errors(text: &SourceText) -> Result<Checked, InputError> {
    let checked = text.check()?;
    match checked.diagnostics.iter().any(Diagnostic::is_error) {
        true => Err(InputError::Source(Box::new(checked))),
        false => Ok(checked),
    }
}

impl SourceText {
    fn of_stdin(text: String) -> SourceText {
        SourceText { name: "standard input".into(), text, path: None, beside: Some(PathBuf::from(".")) }
    }

    /// Return this text with more appended.
    pub fn with(&self, more: &str) -> SourceText {
        let (path, beside) = (self.path.clone(), self.beside.clone());
        SourceText { name: self.name.clone(), text: format!("{}{more}", self.text), path, beside }
    }

    /// Check this program.
    ///
    /// # Errors
    /// If a file in the same folder that the program names cannot be read.
    pub fn check(&self) -> Result<Checked, InputError> {
        self.with_neighbours(|find| check(&self.name, &self.text, find))
    }

    /// Return the files in the same folder that this program names, in alphabetical order.
    pub fn neighbours(&self) -> Vec<String> {
        let named = std::cell::RefCell::new(std::collections::BTreeSet::new());
        check(&self.name, &self.text, &|name| match self.neighbour(name) {
            Some(Ok((shown, text))) => {
                named.borrow_mut().insert(shown.clone());
                Some((shown, text))
            }
            _ => library::source(name),
        });
        named.into_inner().into_iter().collect()
    }

    /// Call `f` with a function that finds other texts: files in the same folder, otherwise the library.
    fn with_neighbours<T>(&self, f: impl FnOnce(Find) -> T) -> Result<T, InputError> {
        let unreadable = std::cell::RefCell::new(None);
        let done = f(&|name| match self.neighbour(name) {
            Some(Ok(found)) => Some(found),
            Some(Err(failure)) => {
                unreadable.borrow_mut().get_or_insert(failure);
                None
            }
            None => library::source(name),
        });
        match unreadable.into_inner() {
            Some(failure) => Err(failure),
            None => Ok(done),
        }
    }

    /// Return a text that is in no file.
    pub fn typed(name: &str, text: &str) -> SourceText {
        SourceText { name: name.into(), text: text.into(), path: None, beside: Some(PathBuf::from(".")) }
    }

    /// Return another text at the same place.
    pub fn replaced(&self, text: String) -> SourceText {
        SourceText { text, ..self.with("") }
    }

    /// Return the user's file; None for the library, the standard input, and typed text.
    pub fn path(&self) -> Option<&Path> {
        self.path.as_deref()
    }

    /// Find the file in the same folder that a name in this text refers to: `MutualExclusion` is mutual_exclusion.syn, `net.dot` is
    /// net.dot.
    fn neighbour(&self, name: &str) -> Option<Result<(String, String), InputError>> {
        if name.contains('.') {
            let path = self.beside.as_ref()?.join(name);
            let shown = path.strip_prefix(".").unwrap_or(&path).display().to_string();
            return path.is_file().then(|| read_text(&shown).map(|text| (shown, text)));
        }
        let path = self.beside.as_ref()?.join(format!("{}.syn", snake(name)));
        // A file cannot refer to itself: an election.syn that solves Election refers to the problem in the library.
        let is_own = self.path.as_ref().is_some_and(|own| same_file(own, &path));
        if is_own || !path.is_file() {
            return None;
        }
        let shown = path.strip_prefix(".").unwrap_or(&path).display().to_string();
        Some(
            read_file(&shown, Wanted::Program)
                .and_then(|bytes| program_text(&shown, bytes))
                .map(|text| (shown, text)),
        )
    }
}

fn same_file(a: &Path, b: &Path) -> bool {
    match (fs::canonicalize(a), fs::canonicalize(b)) {
        (Ok(a), Ok(b)) => a == b,
        _ => false,
    }
}

/// The kind of file that is expected. Only a program can be an entry of the library.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Wanted {
    Program,
    Trace,
    Other,
}

fn read_file(file: &str, wanted: Wanted) -> Result<Vec<u8>, InputError> {
    let path = Path::new(file);
    if path.is_dir() {
        return Err(
            InputError::usage(format!("{file} is a folder, not a file")).maybe_hint(programs_in(path))
        );
    }
    match File::open(path) {
        Ok(opened) => {
            limited(file, opened, if wanted == Wanted::Trace { MAX_TRACE_BYTES } else { MAX_BYTES })
        }
        Err(error) if error.kind() == io::ErrorKind::NotFound && wanted != Wanted::Program => {
            let listed = library::find(file).filter(|entry| wanted == Wanted::Trace && !entry.is_problem());
            let hint = listed.map(|entry| {
                let name = entry.name;
                format!("`synod run {name} --trace {name}.trace` records a run of {name}")
            });
            Err(InputError::usage(format!("there is no file {file}"))
                .maybe_hint(hint.or_else(|| near_file(path))))
        }
        Err(error) if error.kind() == io::ErrorKind::NotFound => Err(missing(file)),
        Err(error) => Err(InputError::usage(format!("cannot read {file}: {}", os_message(&error)))),
    }
}

fn limited(name: &str, reader: impl Read, most: u64) -> Result<Vec<u8>, InputError> {
    let mut bytes = Vec::new();
    let read = reader.take(most + 1).read_to_end(&mut bytes);
    read.map_err(|error| InputError::usage(format!("cannot read {name}: {}", os_message(&error))))?;
    if bytes.len() as u64 > most {
        let limit = most >> 20;
        return Err(InputError::usage(format!("{name} is too large: more than {limit} MB")));
    }
    Ok(bytes)
}

fn program_text(name: &str, bytes: Vec<u8>) -> Result<String, InputError> {
    let text = decoded(name, bytes)?;
    if text.trim().is_empty() {
        return Err(InputError::usage(format!("{name} is empty"))
            .hint("a program begins with `algorithm NAME`; `synod new NAME` writes a skeleton"));
    }
    reject_non_program(name, &text)?;
    Ok(text)
}

fn decoded(name: &str, bytes: Vec<u8>) -> Result<String, InputError> {
    if let [0xff, 0xfe, ..] | [0xfe, 0xff, ..] = bytes[..] {
        return Err(InputError::usage(format!("{name} is text in UTF-16")).hint("save it as UTF-8"));
    }
    if let Some(at) = bytes.iter().position(|byte| *byte == 0) {
        return Err(InputError::usage(format!("{name} is not a text: zero byte at offset {at}")));
    }
    match String::from_utf8(bytes) {
        // Some editors write a byte order mark. It is not part of the text.
        Ok(text) => Ok(text.strip_prefix('\u{feff}').map(str::to_string).unwrap_or(text)),
        Err(error) => {
            let at = error.utf8_error().valid_up_to();
            let bytes = error.as_bytes();
            let line = bytes[..at].iter().filter(|byte| **byte == b'\n').count() + 1;
            Err(InputError::usage(format!(
                "{name} is not UTF-8: invalid byte 0x{:02x} at offset {at} (line {line})",
                bytes[at]
            ))
            .hint("save it as UTF-8"))
        }
    }
}

/// Return the failure for a name that is neither a file nor in the library.
fn missing(file: &str) -> InputError {
    let path = Path::new(file);
    let looks_like_path = file.contains(['/', '\\']) || path.extension().is_some();
    let message = match looks_like_path {
        true => format!("there is no file {file}"),
        false => format!("there is neither a file {file} nor an algorithm of the library with this name"),
    };
    let stem = path.file_stem().map(|stem| stem.to_string_lossy().into_owned()).unwrap_or_default();
    let hint = near_file(path).or_else(|| match library::find(&stem) {
        Some(entry) if looks_like_path => Some(format!("the library has {}", entry.name)),
        _ => library::nearest(&stem, None).map(|name| format!("did you mean {name}, of the library?")),
    });
    InputError::usage(message).hint(hint.unwrap_or_else(|| "`synod list` shows the library".into()))
}

/// Return a hint with a file in the same folder that has a similar name.
fn near_file(path: &Path) -> Option<String> {
    let folder = path.parent()?;
    let wanted = path.file_name()?.to_string_lossy().into_owned();
    let names = file_names(if folder.as_os_str().is_empty() { Path::new(".") } else { folder });
    let with_ending = format!("{wanted}.syn");
    let near = names.iter().find(|name| **name == with_ending).map(String::as_str);
    let near = near.or_else(|| prose::nearest(&wanted, &names))?;
    Some(format!("did you mean {}?", folder.join(near).display()))
}

fn programs_in(folder: &Path) -> Option<String> {
    let names = file_names(folder);
    let program = names.iter().find(|name| name.ends_with(".syn"))?;
    Some(format!("name a file in it, such as {}", folder.join(program).display()))
}

/// Return the names of the files in a folder in alphabetical order; none if it cannot be read.
fn file_names(folder: &Path) -> Vec<String> {
    let Ok(entries) = fs::read_dir(folder) else { return Vec::new() };
    let files = entries.filter_map(Result::ok).filter(|entry| entry.path().is_file());
    let mut names: Vec<String> = files.map(|e| e.file_name().to_string_lossy().into_owned()).collect();
    names.sort_unstable();
    names
}

/// Whether the standard input is a file, as after `<`. A pipe does not count: scripts and CI often have one to which nothing is written.
#[cfg(unix)]
pub fn comes_from_a_file() -> bool {
    use std::os::fd::AsFd;
    let input = std::io::stdin().as_fd().try_clone_to_owned();
    input.is_ok_and(|input| std::fs::File::from(input).metadata().is_ok_and(|found| found.is_file()))
}

#[cfg(not(unix))]
pub fn comes_from_a_file() -> bool {
    false
}
