//! Programs that are named by the folder they are in.

use super::exit::{Failure, plain};
use std::fs;
use std::io;
use std::path::Path;

/// Folders in folders: more than that is a circle of links.
const MAX_FOLDERS: usize = 64;

/// The files that are meant, in the order in which they are named, each once; those of a folder by their names.
pub fn wanted(named: &[String]) -> Vec<(String, Result<(), Failure>)> {
    let mut files: Vec<(String, Result<(), Failure>)> = Vec::new();
    for name in named {
        let mut found = Vec::new();
        match Path::new(name).is_dir() {
            true => match programs(Path::new(name), 0, &mut found) {
                Ok(()) if found.is_empty() => {
                    let nothing =
                        Failure::usage(format!("there are no programs (*.syn) in the folder {name}"));
                    files.push((name.clone(), Err(nothing)));
                }
                Ok(()) => {}
                Err(failure) => files.push((name.clone(), Err(failure))),
            },
            false => found.push(name.clone()),
        }
        for file in found {
            if files.iter().all(|(known, _)| *known != file) {
                files.push((file, Ok(())));
            }
        }
    }
    files
}

/// The programs in a folder and below, but for hidden ones.
fn programs(folder: &Path, depth: usize, found: &mut Vec<String>) -> Result<(), Failure> {
    let failed =
        |error: io::Error| Failure::usage(format!("cannot read {}: {}", folder.display(), plain(&error)));
    let mut entries = Vec::new();
    for entry in fs::read_dir(folder).map_err(failed)? {
        entries.push(entry.map_err(failed)?.path());
    }
    entries.sort();
    for path in entries {
        let hidden = path.file_name().is_some_and(|name| name.to_string_lossy().starts_with('.'));
        if hidden {
            continue;
        }
        let shown = path.strip_prefix(".").unwrap_or(&path).display().to_string();
        if path.is_dir() {
            // Links between folders may go round in circles.
            if !path.is_symlink() && depth < MAX_FOLDERS {
                programs(&path, depth + 1, found)?;
            }
        } else if path.extension().is_some_and(|ending| ending == "syn") {
            found.push(shown);
        }
    }
    Ok(())
}
