//! Conversion between file names and URIs.

use std::path::{Path, PathBuf};

/// Return the file that a `file:` URI names; `None` for other URIs, such as `untitled:`.
pub fn path_of(uri: &str) -> Option<PathBuf> {
    let rest = uri.strip_prefix("file://")?;
    // A host before the path is taken to be this machine.
    let path = &rest[rest.find('/')?..];
    let mut bytes = Vec::new();
    let mut rest = path.bytes();
    while let Some(byte) = rest.next() {
        if byte != b'%' {
            bytes.push(byte);
            continue;
        }
        let digits = [rest.next()?, rest.next()?];
        let code = std::str::from_utf8(&digits).ok().and_then(|d| u8::from_str_radix(d, 16).ok())?;
        bytes.push(code);
    }
    let text = String::from_utf8(bytes).ok()?;
    // On systems with drives, `/C:/…` denotes `C:/…`.
    let has_drive = cfg!(windows) && text.as_bytes().get(2) == Some(&b':');
    Some(PathBuf::from(if has_drive { &text[1..] } else { &text[..] }))
}

pub fn of_path(path: &Path) -> String {
    let text = path.to_string_lossy();
    let text = if cfg!(windows) { text.replace('\\', "/") } else { text.into_owned() };
    let mut uri = String::from(if text.starts_with('/') { "file://" } else { "file:///" });
    for byte in text.bytes() {
        match byte {
            b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9' | b'/' | b'-' | b'_' | b'.' | b'~' => {
                uri.push(byte as char)
            }
            _ => uri.push_str(&format!("%{byte:02X}")),
        }
    }
    uri
}
