//! Writing pictures to files.

use super::super::exit::{Failure, plain};
use std::path::Path;

#[expect(clippy::disallowed_methods, reason = "writing files is the business of the command line")]
pub fn write(file: &Path, text: &str) -> Result<(), Failure> {
    std::fs::write(file, text)
        .map_err(|error| Failure::usage(format!("cannot write {}: {}", file.display(), plain(&error))))
}

pub fn make_folder(folder: &Path) -> Result<(), Failure> {
    std::fs::create_dir_all(folder).map_err(|error| {
        Failure::usage(format!("cannot make the folder {}: {}", folder.display(), plain(&error)))
    })
}
