//! Files of a measurement: journals, to which runs are appended, tables and plots.

use crate::ascii::TextFormat;
use crate::cli::atomic_file;
use crate::cli::exit::{Failure, os_message};
use crate::cli::output::Output;
use crate::input;
use crate::measure::{Header, Journal, Sample};
use std::fs::{File, OpenOptions};
use std::io::Write;
use std::path::Path;
use std::sync::Mutex;

/// Read a journal.
///
/// # Errors
/// If it cannot be read, or is not a journal.
pub(super) fn read(file: &str) -> Result<Journal, Failure> {
    let text = input::read_long_text(file)?;
    Journal::read(&text).map_err(|wrong| {
        Failure::usage(format!("{file} is not a valid measurement: {wrong}"))
            .hint("--shard and --resume write such files")
    })
}

/// Write a result to its file, or to the standard output (-).
pub(super) fn write(file: &str, text: &str, form: TextFormat, out: &mut Output) -> Result<(), Failure> {
    match file {
        "-" => out.in_form(text, form),
        file => atomic_file::write_result(Path::new(file), text),
    }
}

/// Whether one of these results goes to the standard output.
///
/// # Errors
/// If several results do.
pub(super) fn one_on_stdout(results: &[(&str, &Option<String>)], out: &Output) -> Result<bool, Failure> {
    let mut wanting: Vec<String> = out.is_json().then(|| "--json".to_string()).into_iter().collect();
    let to_stdout = results.iter().filter(|(_, file)| file.as_deref() == Some("-"));
    wanting.extend(to_stdout.map(|(flag, _)| format!("{flag} -")));
    match wanting.as_slice() {
        [] => Ok(false),
        [one] => Ok(one != "--json"),
        [first, second, ..] => {
            Err(Failure::usage(format!("{first} and {second} both use the standard output"))
                .hint("write one of them to a file"))
        }
    }
}

/// A journal to which runs are appended. Each run is written at once as a whole line, so that an interrupt loses only the current run.
pub(super) struct JournalWriter {
    pub(super) file: String,
    /// The runs that the file contained before.
    pub(super) known: Vec<Sample>,
    writer: Mutex<File>,
}

impl JournalWriter {
    /// Create a journal, or continue one of the same measurement.
    ///
    /// # Errors
    /// If it cannot be written, or is of another measurement.
    pub(super) fn open(file: &str, header: &Header, out: &Output) -> Result<JournalWriter, Failure> {
        let failed =
            |error: std::io::Error| Failure::usage(format!("cannot write {file}: {}", os_message(&error)));
        let mut known = Vec::new();
        let mut whole = None;
        // An empty file lacks the first line, because of an interrupt.
        let exists = Path::new(file).metadata().is_ok_and(|data| data.len() > 0);
        if exists {
            let journal = read(file)?;
            if let Some(difference) = header.difference(&journal.header) {
                return Err(Failure::usage(format!("{file} is of another measurement: {difference}"))
                    .hint("choose another file, or the options of this one"));
            }
            if journal.header.shard != header.shard {
                return Err(Failure::usage(format!("{file} is for another part of the runs")));
            }
            out.note(format!("{} of {} runs are in {file}", journal.samples.len(), header.runs()));
            (known, whole) = (journal.samples, Some(journal.whole as u64));
        }
        let mut writer = OpenOptions::new().append(true).create(true).open(file).map_err(failed)?;
        match whole {
            // An incomplete last line is removed; otherwise the next line would be appended to it.
            Some(whole) => writer.set_len(whole).map_err(failed)?,
            None => writer.write_all(header.line().as_bytes()).map_err(failed)?,
        }
        Ok(JournalWriter { file: file.into(), known, writer: Mutex::new(writer) })
    }

    /// Append a run.
    ///
    /// # Errors
    /// If it cannot be written.
    pub(super) fn add(&self, sample: &Sample) -> Result<(), Failure> {
        // A thread that panicked while writing has ended the program.
        let Ok(mut writer) = self.writer.lock() else { return Err(Failure::Reported) };
        writer
            .write_all(sample.line().as_bytes())
            .map_err(|error| Failure::usage(format!("cannot write {}: {}", self.file, os_message(&error))))
    }

    /// Rewrite the complete journal with the runs in the order of their numbers.
    ///
    /// # Errors
    /// If it cannot be written.
    pub(super) fn complete(&self, header: &Header, samples: &[Sample]) -> Result<(), Failure> {
        let lines: String = samples.iter().map(Sample::line).collect();
        atomic_file::replace(Path::new(&self.file), &(header.line() + &lines))
    }
}
