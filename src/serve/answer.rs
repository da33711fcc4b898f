//! Answers: the page, and the file as a resource with versions.

use super::access::{Key, admit};
use super::http::{Request, Response, Status};
use std::hash::{DefaultHasher, Hasher};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// The maximum time in seconds that a client may wait for a change.
const MAX_WAIT: u32 = 60;

/// Reads of the file in a second, while a client waits.
pub const READS_PER_SECOND: u32 = 5;

/// The file that the page shows.
pub trait Document: Send + Sync {
    /// Return the name that the page shows.
    fn name(&self) -> &str;

    /// Return the present text.
    ///
    /// # Errors
    /// If it cannot be read; the error is a sentence without a full stop.
    fn read(&self) -> Result<String, String>;

    /// Whether there is a file to read.
    fn exists(&self) -> bool;

    /// Replace the text completely, or in case of an error not at all.
    ///
    /// # Errors
    /// If it cannot be written; the error is a sentence without a full stop.
    fn write(&self, text: &str) -> Result<(), String>;
}

/// The answers to all requests.
pub struct Service {
    key: Key,
    page: Arc<str>,
    document: Option<Box<dyn Document>>,
    /// Held while a text is compared and written, so that no two pages write at once.
    writing: Mutex<()>,
}

impl Service {
    pub fn new(page: Arc<str>, document: Option<Box<dyn Document>>) -> Service {
        Service { key: Key::random(), page, document, writing: Mutex::default() }
    }

    /// Return the path of the page.
    pub fn path(&self) -> String {
        format!("/{}/", self.key.as_str())
    }

    /// Wait for the end of a write, and let no other begin.
    pub fn hold(&self) -> MutexGuard<'_, ()> {
        self.writing.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Answer a request. `pause` waits for the time between two reads of the file; it returns false if there is no reason to wait longer.
    pub fn answer(&self, request: &Request, pause: &mut dyn FnMut() -> bool) -> Response {
        let path = match admit(request, &self.key) {
            Ok(path) => path,
            Err(refusal) => return refusal,
        };
        match (path, request.method.as_str(), &self.document) {
            ("", "GET", _) => Response::page(&self.page),
            ("", ..) => not_allowed("GET"),
            ("file", "GET", Some(document)) => read(document.as_ref(), request, pause),
            ("file", "PUT", Some(document)) => self.write(document.as_ref(), request),
            ("file", _, Some(_)) => not_allowed("GET, PUT"),
            _ => Response::text(Status::NOT_FOUND, "there is nothing at this address"),
        }
    }

    /// Replace the text of the version that the client names, or create the file.
    fn write(&self, document: &dyn Document, request: &Request) -> Response {
        let Ok(text) = std::str::from_utf8(&request.body) else {
            return Response::text(Status::BAD_REQUEST, "the text is not UTF-8");
        };
        if text.contains('\0') {
            return Response::text(Status::BAD_REQUEST, "the text contains a zero byte");
        }
        let name = document.name();
        let _held = self.hold();
        let obstacle = match (request.field("if-match"), request.field("if-none-match")) {
            (Some(known), None) => match document.read() {
                Ok(now) if version(&now) == known => None,
                Ok(_) => Some(format!("{name} has changed on disk")),
                Err(why) => Some(why),
            },
            (None, Some("*")) => document.exists().then(|| format!("{name} exists")),
            _ => {
                let why = "the request has neither If-Match with a version nor If-None-Match with *";
                return Response::text(Status::PRECONDITION_REQUIRED, why);
            }
        };
        if let Some(why) = obstacle {
            return Response::text(Status::PRECONDITION_FAILED, why);
        }
        match document.write(text) {
            Ok(()) => Response::empty(Status::NO_CONTENT).with("ETag", version(text)),
            Err(why) => Response::text(Status::CONFLICT, why),
        }
    }
}

fn not_allowed(methods: &str) -> Response {
    Response::text(Status::METHOD_NOT_ALLOWED, format!("the methods here are {methods}"))
        .with("Allow", methods.into())
}

/// Return the text, as soon as it is not that of the version that the client has. Without `Prefer: wait`, at once.
fn read(document: &dyn Document, request: &Request, pause: &mut dyn FnMut() -> bool) -> Response {
    let known = request.field("if-none-match");
    let wait = request.field("prefer").and_then(|prefer| prefer.strip_prefix("wait="));
    let seconds = wait.and_then(|seconds| seconds.parse::<u32>().ok()).unwrap_or(0).min(MAX_WAIT);
    let mut reads = seconds * READS_PER_SECOND;
    let mut now = document.read();
    let is_known = |text: &Result<String, String>| {
        known.is_some_and(|known| text.as_ref().is_ok_and(|text| version(text) == known))
    };
    // Some editors write a file in parts, or remove it first: a change counts when two reads agree.
    let mut is_settled = known.is_none();
    while reads > 0 && (is_known(&now) || !is_settled) && pause() {
        reads -= 1;
        let next = document.read();
        is_settled = next == now;
        now = next;
    }
    match now {
        Ok(text) if known.is_some_and(|known| version(&text) == known) => {
            Response::empty(Status::NOT_MODIFIED).with("ETag", version(&text))
        }
        Ok(text) => {
            let version = version(&text);
            Response::text(Status::OK, text).with("ETag", version)
        }
        Err(why) if document.exists() => Response::text(Status::CONFLICT, why),
        Err(why) => Response::text(Status::NOT_FOUND, why),
    }
}

/// Return the version of a text, as an entity tag of HTTP: a hash, so that a file that has its old text again has its old version.
fn version(text: &str) -> String {
    let mut hasher = DefaultHasher::new();
    hasher.write(text.as_bytes());
    format!("\"{:016x}-{}\"", hasher.finish(), text.len())
}
