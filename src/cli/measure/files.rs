//! Files of a measurement: journals that grow while it goes on, tables and drawings.

use crate::ascii::Form;
use crate::cli::atomic_file;
use crate::cli::exit::{Failure, plain};
use crate::cli::input;
use crate::cli::output::Output;
use crate::measure::{Header, Journal, Sample};
use std::fs::{File, OpenOptions};
use std::io::Write;
use std::path::Path;
use std::sync::Mutex;

/// # Errors
/// When it cannot be read, or is no journal.
pub(super) fn read(file: &str) -> Result<Journal, Failure> {
    let text = input::long_text(file)?;
    Journal::read(&text).map_err(|wrong| {
        Failure::usage(format!("{file} is no measurement that can be read: {wrong}"))
            .hint("--shard and --resume write such files")
    })
}

/// Writes a result to its file, or to the standard output (-).
pub(super) fn write(file: &str, text: &str, form: Form, out: &mut Output) -> Result<(), Failure> {
    match file {
        "-" => out.in_form(text, form),
        file => atomic_file::put(Path::new(file), text),
    }
}

/// Is the standard output to be that of one of these results? Only one has room on it.
///
/// # Errors
/// When several want it.
pub(super) fn one_on_stdout(results: &[(&str, &Option<String>)], out: &Output) -> Result<bool, Failure> {
    let mut wanting: Vec<String> = out.is_json().then(|| "--json".to_string()).into_iter().collect();
    let to_stdout = results.iter().filter(|(_, file)| file.as_deref() == Some("-"));
    wanting.extend(to_stdout.map(|(flag, _)| format!("{flag} -")));
    match wanting.as_slice() {
        [] => Ok(false),
        [one] => Ok(one != "--json"),
        [first, second, ..] => {
            Err(Failure::usage(format!("{first} and {second} both want the standard output"))
                .hint("write one of them to a file"))
        }
    }
}

/// A journal that grows. Each run is written as a whole line, at once, so that an interrupt at any moment loses no more
/// than the run under way.
pub(super) struct Keeper {
    pub(super) file: String,
    /// What was there before.
    pub(super) known: Vec<Sample>,
    writer: Mutex<File>,
}

impl Keeper {
    /// Begins a file, or goes on with one of the same measurement.
    ///
    /// # Errors
    /// When it cannot be written, or is of another measurement.
    pub(super) fn open(file: &str, header: &Header, out: &Output) -> Result<Keeper, Failure> {
        let failed =
            |error: std::io::Error| Failure::usage(format!("cannot write {file}: {}", plain(&error)));
        let mut known = Vec::new();
        let mut whole = None;
        // An empty file is one whose first line never came.
        let exists = Path::new(file).metadata().is_ok_and(|data| data.len() > 0);
        if exists {
            let journal = read(file)?;
            if let Some(difference) = header.difference(&journal.header) {
                return Err(Failure::usage(format!("{file} is of another measurement: {difference}"))
                    .hint("choose another file, or the settings of this one"));
            }
            if journal.header.shard != header.shard {
                return Err(Failure::usage(format!("{file} is for another part of the runs")));
            }
            out.note(format!("{} of {} runs are in {file}", journal.samples.len(), header.runs()));
            (known, whole) = (journal.samples, Some(journal.whole as u64));
        }
        let mut writer = OpenOptions::new().append(true).create(true).open(file).map_err(failed)?;
        match whole {
            // What was cut off goes, or the next line would stand behind it.
            Some(whole) => writer.set_len(whole).map_err(failed)?,
            None => writer.write_all(header.line().as_bytes()).map_err(failed)?,
        }
        Ok(Keeper { file: file.into(), known, writer: Mutex::new(writer) })
    }

    /// # Errors
    /// When it cannot be written.
    pub(super) fn add(&self, sample: &Sample) -> Result<(), Failure> {
        // A thread that panicked while writing has ended the program.
        let Ok(mut writer) = self.writer.lock() else { return Err(Failure::Told) };
        writer
            .write_all(sample.line().as_bytes())
            .map_err(|error| Failure::usage(format!("cannot write {}: {}", self.file, plain(&error))))
    }

    /// All runs have been made: now they stand in their order, whoever was quickest.
    ///
    /// # Errors
    /// When it cannot be written.
    pub(super) fn complete(&self, header: &Header, samples: &[Sample]) -> Result<(), Failure> {
        let lines: String = samples.iter().map(Sample::line).collect();
        atomic_file::replace(Path::new(&self.file), &(header.line() + &lines))
    }
}
