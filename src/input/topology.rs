//! Topologies as texts: a family with its arguments, or a file.

use super::error::InputError;
use super::text::read_text;
use crate::network::Spec;
use std::path::Path;

/// Parse a topology: a family with its arguments, a file, or `-` for the standard input. `simple(…)` around a file joins its
/// parallel edges and drops its loops.
///
/// # Errors
/// If it is neither.
pub fn spec(written: &str) -> Result<Spec, InputError> {
    let file = Spec::file_of(written);
    let path = Path::new(file);
    // A folder is rejected, unless its name is that of a family.
    if file.contains('(') || !(path.is_file() || path.extension().is_some() || file == "-") {
        if path.is_dir() && Spec::parse(written).is_err() {
            read_text(written)?;
        }
        return Ok(Spec::parse(written)?);
    }
    Ok(Spec::from_file(written, &read_text(file)?)?)
}
