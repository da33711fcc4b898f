//! Atomic writing of files, and the files of a folder.

use super::exit::{Failure, os_message};
use crate::input;
use std::fs::{self, OpenOptions};
use std::io::{self, Read, Write};
use std::path::{Path, PathBuf};

/// The greatest depth of nested folders.
const MAX_FOLDERS: usize = 64;

/// Replace the content of a file by a text: completely, or in case of an error not at all.
///
/// The text is written to a file in the same folder, which then replaces the given file and keeps its permissions. For a link, the
/// target is replaced.
///
/// # Errors
/// If the file cannot be written, or is read-only.
pub fn replace(path: &Path, text: &str) -> Result<(), Failure> {
    let failed = |error: io::Error| cannot("write", path, &error);
    let place = fs::canonicalize(path).map_err(failed)?;
    let permissions = fs::metadata(&place).map_err(failed)?.permissions();
    if permissions.readonly() {
        return Err(Failure::usage(format!("cannot write {}: the file is read-only", path.display())));
    }
    through_another(&place, text, Some(permissions)).map_err(failed)
}

/// Write a result to a file that the user has named. All results are written by this function. Pipes and devices are allowed.
///
/// # Errors
/// If the file cannot be written, contains something other than a result of Synod, or its folder does not exist.
pub fn write_result(path: &Path, text: &str) -> Result<(), Failure> {
    check_target(path)?;
    let failed = |error: io::Error| cannot("write", path, &error);
    match fs::metadata(path) {
        Ok(there) if there.is_file() => return replace(path, text),
        Ok(there) if !there.is_dir() => {
            let opened = OpenOptions::new().write(true).open(path);
            return opened.and_then(|mut opened| opened.write_all(text.as_bytes())).map_err(failed);
        }
        _ => {}
    }
    through_another(path, text, None).map_err(failed)
}

/// Create a folder, with its parents.
///
/// # Errors
/// If the system refuses.
pub fn create_folder(folder: &Path) -> Result<(), Failure> {
    fs::create_dir_all(folder).map_err(|error| cannot("create the folder", folder, &error))
}

/// Check that a result may be written to this path: the file does not exist but its folder does, or [`put`] may replace the file.
///
/// # Errors
/// If it may not.
fn check_target(path: &Path) -> Result<(), Failure> {
    match fs::metadata(path) {
        Ok(there) if there.is_dir() => is_a_folder(path),
        Ok(there) if !there.is_file() => Ok(()),
        Ok(_) if is_another_program(path) => {
            let message = format!("{} is a program, and would be overwritten", path.display());
            Err(Failure::usage(message).hint("choose another file for the result"))
        }
        Ok(_) if !is_result(path) => {
            let message = format!("{} was not written by synod, and would be overwritten", path.display());
            Err(Failure::usage(message).hint("choose another name, or remove the file first"))
        }
        Ok(_) => Ok(()),
        Err(_) => match folder_of(path) {
            folder if folder.is_dir() || folder.symlink_metadata().is_ok() => Ok(()),
            folder => {
                let message =
                    format!("cannot write {}: there is no folder {}", path.display(), folder.display());
                Err(Failure::usage(message).hint("create the folder first"))
            }
        },
    }
}

fn folder_of(path: &Path) -> &Path {
    match path.parent() {
        Some(folder) if !folder.as_os_str().is_empty() => folder,
        _ => Path::new("."),
    }
}

/// The beginnings of files that Synod writes: traces, exports, pictures, tables, reports, manual pages.
const BEGINNINGS: &[&str] = &[
    "synod trace ",
    "{\"synod_trace\":",
    "{\"synod_measure\":",
    "{\"schema\":",
    "{\"#meta\":",
    "(?<host>",
    "---\ntitle: ",
    "@startuml",
    "{\"displayTimeUnit\":",
    "digraph ",
    "% ",
    "index,at,process,",
    "algorithm,",
    "<svg ",
    "<!doctype html>",
    "<?xml ",
    ".ie ",
    ".TH ",
];

/// Whether this file is empty, or begins like a result of Synod. Any other file belongs to the user.
fn is_result(path: &Path) -> bool {
    let mut beginning = Vec::new();
    let read = fs::File::open(path).and_then(|file| file.take(LONGEST_BEGINNING).read_to_end(&mut beginning));
    // An unreadable file is left to the write, which reports the error.
    if read.is_err() || beginning.is_empty() {
        return true;
    }
    let text = String::from_utf8_lossy(&beginning);
    let first = text.lines().next().unwrap_or_default();
    // The heading of a drawing in text: `lelann on ring(4) · terminated · schedule fifo · seed 1`.
    let is_drawing = first.contains(" on ") && first.contains(" schedule ") && first.contains(" seed ");
    // `is_another_program` decides about programs.
    let is_source = path.extension().is_some_and(|ending| ending == "syn");
    is_source || is_drawing || BEGINNINGS.iter().any(|beginning| text.starts_with(beginning))
}

/// Number of bytes that are examined: the heading of a drawing contains the network, which may be long.
const LONGEST_BEGINNING: u64 = 4_096;

/// Check that [`put`] will be able to write this file, before long work. The check leaves no file.
///
/// # Errors
/// As for [`put`].
pub fn check_writable(path: &Path) -> Result<(), Failure> {
    let failed = |error: io::Error| cannot("write", path, &error);
    check_target(path)?;
    match fs::metadata(path) {
        Ok(there) if there.is_file() => replaceable(path),
        // A pipe is not opened: its reader would take the end of the check for the end of the text.
        Ok(_) => Ok(()),
        Err(_) => {
            let folder = folder_of(path);
            let probe = folder.join(format!(".synod.{}.tmp", std::process::id()));
            let made = OpenOptions::new().write(true).create_new(true).open(&probe);
            made.and_then(|made| {
                drop(made);
                fs::remove_file(&probe)
            })
            .map_err(failed)
        }
    }
}

/// Check that [`replace`] will be able to write this file.
///
/// # Errors
/// If the file does not exist or is read-only.
pub fn replaceable(path: &Path) -> Result<(), Failure> {
    let opened = OpenOptions::new().append(true).open(path);
    opened.map(drop).map_err(|error| cannot("write", path, &error))
}

/// Check that all results of a command can be written; `-` is the standard output. A result may not overwrite another result, a file
/// that is `read`, or any other program.
///
/// # Errors
/// If one of them cannot be written, or would overwrite such a file.
pub fn check_all_writable<'f>(
    read: &[&str],
    files: impl IntoIterator<Item = &'f Option<String>>,
) -> Result<(), Failure> {
    let named: Vec<&Path> = files.into_iter().flatten().filter(|file| *file != "-").map(Path::new).collect();
    for (place, file) in named.iter().enumerate() {
        if file.as_os_str().is_empty() {
            return Err(Failure::usage("the file name of a result is empty")
                .hint("name a file, or - for the standard output"));
        }
        let taken = |other: &&Path| is_same(other, file);
        if read.iter().map(|other| Path::new(*other)).any(|other| is_same(other, file)) {
            let message = format!("{} is an input, and would be overwritten", file.display());
            return Err(Failure::usage(message).hint("choose another file for the result"));
        }
        if named[..place].iter().any(taken) {
            return Err(Failure::usage(format!("two results would be written to {}", file.display()))
                .hint("choose a different file for each"));
        }
        check_writable(file)?;
    }
    Ok(())
}

/// Whether two paths refer to the same file.
pub fn is_same(a: &Path, b: &Path) -> bool {
    let place = |path: &Path| fs::canonicalize(path).unwrap_or_else(|_| path.to_path_buf());
    place(a) == place(b)
}

/// Rename a file. It replaces an existing file of the new name.
///
/// # Errors
/// If the system refuses.
pub fn rename(from: &Path, to: &Path) -> Result<(), Failure> {
    fs::rename(from, to).map_err(|error| cannot("write", to, &error))
}

/// Remove a file. A file that does not exist is not an error.
///
/// # Errors
/// If the system refuses.
pub fn remove(path: &Path) -> Result<(), Failure> {
    match fs::remove_file(path) {
        Err(error) if error.kind() != io::ErrorKind::NotFound => Err(cannot("remove", path, &error)),
        _ => Ok(()),
    }
}

/// Return the wanted files in a folder and its subfolders in alphabetical order, except for hidden files.
///
/// # Errors
/// If a folder cannot be read.
pub fn below(folder: &Path, wanted: &dyn Fn(&Path) -> bool) -> Result<Vec<PathBuf>, Failure> {
    let (found, closed) = open_below(folder, wanted);
    closed.into_iter().next().map_or(Ok(found), |(_, failure)| Err(failure))
}

/// Return the wanted files of all folders that can be read, and the failure of each folder that cannot.
pub fn open_below(folder: &Path, wanted: &dyn Fn(&Path) -> bool) -> (Vec<PathBuf>, Vec<(PathBuf, Failure)>) {
    let mut found = (Vec::new(), Vec::new());
    gather(folder, 0, wanted, &mut found);
    found
}

fn gather(
    folder: &Path,
    depth: usize,
    wanted: &dyn Fn(&Path) -> bool,
    found: &mut (Vec<PathBuf>, Vec<(PathBuf, Failure)>),
) {
    let entries = fs::read_dir(folder)
        .and_then(|entries| entries.map(|entry| Ok(entry?.path())).collect::<io::Result<Vec<PathBuf>>>());
    let mut entries = match entries {
        Ok(entries) => entries,
        Err(error) => {
            found.1.push((shortened(folder), cannot("read", &shortened(folder), &error)));
            return;
        }
    };
    entries.sort();
    for path in entries {
        let hidden = path.file_name().is_some_and(|name| name.to_string_lossy().starts_with('.'));
        if hidden {
            continue;
        }
        if path.is_dir() {
            // Links between folders may form a cycle.
            if !path.is_symlink() && depth < MAX_FOLDERS {
                gather(&path, depth + 1, wanted, found);
            }
        } else if wanted(&path) {
            found.0.push(shortened(&path));
        }
    }
}

/// Return the path without the prefix `./`.
fn shortened(path: &Path) -> PathBuf {
    match path.strip_prefix(".") {
        Ok(inside) if inside != Path::new("") => inside.to_path_buf(),
        _ => path.to_path_buf(),
    }
}

fn through_another(place: &Path, text: &str, permissions: Option<fs::Permissions>) -> io::Result<()> {
    let mut beside = place.file_name().unwrap_or_default().to_os_string();
    beside.push(format!(".{}.tmp", std::process::id()));
    let beside: PathBuf = place.with_file_name(beside);
    let written = OpenOptions::new().write(true).create_new(true).open(&beside).and_then(|mut file| {
        file.write_all(text.as_bytes())?;
        if let Some(permissions) = permissions {
            file.set_permissions(permissions)?;
        }
        file.sync_all()
    });
    let replaced = written.and_then(|()| fs::rename(&beside, place));
    replaced.inspect_err(|_| {
        // The temporary file is useless now. If it cannot be removed, it stays.
        let _ = fs::remove_file(&beside);
    })
}

/// Whether a file is a program, and so not an earlier result. A file that contains only scenarios is a result.
fn is_another_program(path: &Path) -> bool {
    let ends_so = path.extension().is_some_and(|ending| ending == "syn");
    let begins = |line: &str| ["algorithm ", "problem "].iter().any(|word| line.starts_with(word));
    let read = || input::read_program(&path.display().to_string());
    ends_so && path.is_file() && read().is_ok_and(|program| program.text.lines().any(begins))
}

fn is_a_folder(path: &Path) -> Result<(), Failure> {
    Err(Failure::usage(format!("cannot write {}: it is a folder", path.display())))
}

fn cannot(verb: &str, path: &Path, error: &io::Error) -> Failure {
    Failure::usage(format!("cannot {verb} {}: {}", path.display(), os_message(error)))
}
