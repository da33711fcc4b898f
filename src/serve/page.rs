//! The page: one HTML file, which learns from two marks that it is served with a file.

use crate::xml::escaped;
use std::sync::Arc;

/// The place for the name of the file.
const FILE: &str = "<meta name=\"synod-file\" content=\"\">";

/// The part of the policy that permits no connection. A page with a file may connect to its server.
const NO_CONNECTION: &str = "connect-src 'none'";

/// Return the page for a file of this name, or without a file. `None`: the text is not the page of Synod.
pub fn with_file(page: &str, name: Option<&str>) -> Option<Arc<str>> {
    let is_once = |mark: &str| page.matches(mark).count() == 1;
    if !is_once(FILE) || !is_once(NO_CONNECTION) {
        return None;
    }
    let Some(name) = name else { return Some(page.into()) };
    let file = FILE.replace("\"\"", &format!("\"{}\"", escaped(name)));
    // The name comes last: it may be any text.
    Some(page.replace(NO_CONNECTION, "connect-src 'self'").replace(FILE, &file).into())
}
