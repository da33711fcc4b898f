//! Library files for editors: extracted to a cache folder, read-only, when the user navigates to one.
//!
//! Virtual documents would need support by the client; every client can open a file.

use crate::diagnostic::Code;
use crate::diagnostic::codes::CODES;
use crate::library;
use std::path::{Path, PathBuf};

/// Return the folder for extracted files; it depends on the version, so that editors never show outdated texts.
fn folder() -> PathBuf {
    let from = |name: &str| std::env::var_os(name).filter(|v| !v.is_empty()).map(PathBuf::from);
    let cache = from("XDG_CACHE_HOME")
        .filter(|path| path.is_absolute())
        .or_else(|| from("LOCALAPPDATA"))
        .or_else(|| from("HOME").map(|home| home.join(".cache")))
        .unwrap_or_else(std::env::temp_dir);
    cache.join("synod").join(env!("CARGO_PKG_VERSION"))
}

/// Return the path of a file that messages call `stdlib/…`.
pub fn path_of(shown: &str) -> Option<PathBuf> {
    let place = shown.strip_prefix("stdlib/")?;
    let entry = library::entries().into_values().find(|entry| entry.path == place)?;
    written(&folder().join("stdlib").join(place), entry.text)
}

/// Return the name used in messages if this is an extracted file.
pub fn shown_name(path: &Path) -> Option<String> {
    let place = path.strip_prefix(folder().join("stdlib")).ok()?;
    let place = place.to_string_lossy().replace('\\', "/");
    library::entries().into_values().any(|entry| entry.path == place).then(|| format!("stdlib/{place}"))
}

/// Return the output of `synod explain` for a code, as a file.
pub fn explanation(code: Code) -> Option<PathBuf> {
    let (_, title, text) = CODES.iter().find(|entry| entry.0 == code)?;
    let page = format!("# {code}: {title}\n\n{text}");
    written(&folder().join("explain").join(format!("{code}.md")), &page)
}

/// Return the path if the file exists with this text, or can be written.
fn written(path: &Path, text: &str) -> Option<PathBuf> {
    if std::fs::read_to_string(path).is_ok_and(|had| had == text) {
        return Some(path.to_path_buf());
    }
    std::fs::create_dir_all(path.parent()?).ok()?;
    // Write a temporary file and rename it: another server may be doing the same.
    let aside = path.with_extension(format!("{}.new", std::process::id()));
    std::fs::write(&aside, text).ok()?;
    let mut permissions = std::fs::metadata(&aside).ok()?.permissions();
    permissions.set_readonly(true);
    std::fs::set_permissions(&aside, permissions).ok()?;
    std::fs::rename(&aside, path).ok()?;
    Some(path.to_path_buf())
}
