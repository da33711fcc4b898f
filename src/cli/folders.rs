//! Programs that are named by the folder they are in.

use super::exit::Failure;
use super::{atomic_file, input};
use std::path::Path;

/// What is meant by the names on the command line. None: the folder one is in; but `synod fmt < mine.syn` is about mine.syn, and not
/// about what stands beside it.
pub fn meant(named: &[String]) -> Vec<String> {
    match named {
        [] if input::comes_from_a_file() => vec!["-".to_string()],
        [] => vec![".".to_string()],
        named => named.to_vec(),
    }
}

/// The files that are meant, in the order in which they are named, each once; those of a folder by their names.
pub fn wanted(named: &[String]) -> Vec<(String, Result<(), Failure>)> {
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
                // One folder that is closed keeps no other from being looked at.
                files
                    .extend(unread.into_iter().map(|(folder, why)| (folder.display().to_string(), Err(why))));
                found.extend(all.iter().map(|path| path.display().to_string()));
            }
            false => found.push(input::with_ending(name)),
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
