//! Topologies as texts: a family with its arguments, or a file.

use super::error::InputError;
use super::text::read_text;
use crate::network::Spec;
use std::path::Path;

/// Parse a topology: a family with its arguments, or a file.
///
/// # Errors
/// If it is neither.
pub fn spec(written: &str) -> Result<Spec, InputError> {
    let path = Path::new(written);
    let ending = path.extension().map(|ending| ending.to_string_lossy().to_lowercase());
    // A folder is rejected, unless its name is that of a family.
    if written.contains('(') || !(path.is_file() || ending.is_some()) {
        if path.is_dir() && Spec::parse(written).is_err() {
            read_text(written)?;
        }
        return Ok(Spec::parse(written)?);
    }
    Ok(Spec::from_file(path, &read_text(written)?)?)
}
