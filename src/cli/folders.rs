//! Programs that are named on the command line, by file or by folder.

use super::atomic_file;
use super::exit::Failure;
use crate::input;
use std::path::Path;

/// Return the files and folders that the command line names. Without names, that is the current folder, or the standard input if it is
/// a file: `synod fmt < mine.syn` formats mine.syn, and not the other programs of the folder.
pub fn named_or_default(named: &[String]) -> Vec<String> {
    match named {
        [] if input::comes_from_a_file() => vec!["-".to_string()],
        [] => vec![".".to_string()],
        named => named.to_vec(),
    }
}

/// Return the programs in the given files and folders, each once, in the order in which they are named. Those of a folder are in
/// alphabetical order.
pub fn expand_folders(named: &[String]) -> Vec<(String, Result<(), Failure>)> {
    let mut files: Vec<(String, Result<(), Failure>)> = Vec::new();
    for name in named {
        let mut found = Vec::new();
        match Path::new(name).is_dir() {
            true => {
                let (all, unread) = atomic_file::open_below(Path::new(name), &is_program);
                if all.is_empty() && unread.is_empty() {
                    let nothing =
                        Failure::usage(format!("there are no programs (*.syn) in the folder {name}"));
                    files.push((name.clone(), Err(nothing)));
                }
                // A folder that cannot be read is reported; the others are still read.
                files
                    .extend(unread.into_iter().map(|(folder, why)| (folder.display().to_string(), Err(why))));
                found.extend(all.iter().map(|path| path.display().to_string()));
            }
            false => found.push(input::program_path(name)),
        }
        for file in found {
            if files.iter().all(|(known, _)| *known != file) {
                files.push((file, Ok(())));
            }
        }
    }
    files
}

fn is_program(path: &Path) -> bool {
    path.extension().is_some_and(|ending| ending == "syn")
}
