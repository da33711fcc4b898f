//! HTTP: requests that are read with limits of size and time, and responses. Every connection carries one request.

use std::fmt::Write as _;
use std::io::{self, ErrorKind, Read, Write};
use std::net::{Shutdown, TcpStream};
use std::sync::Arc;
use std::time::{Duration, Instant};

/// The maximum length of a request without its body, in bytes.
const MAX_HEAD: usize = 16 << 10;

/// The maximum number of header fields.
const MAX_FIELDS: usize = 64;

/// The maximum length of a body in bytes: that of a program on disk.
pub const MAX_BODY: usize = 8 << 20;

/// Time for a complete request, and for a complete response.
const REQUEST_TIME: Duration = Duration::from_secs(30);

/// After a refused request, the time to read what the client still sends.
const DRAIN_TIME: Duration = Duration::from_secs(2);

/// The header fields that the server reads. None of them may occur twice.
const FIELDS: [&str; 8] = [
    "content-length",
    "host",
    "if-match",
    "if-none-match",
    "origin",
    "prefer",
    "sec-fetch-site",
    "transfer-encoding",
];

#[derive(Default)]
pub struct Request {
    pub method: String,
    /// The path without the query.
    pub path: String,
    fields: Vec<(&'static str, String)>,
    pub body: Vec<u8>,
}

impl Request {
    /// Return the value of one of the `FIELDS`.
    pub fn field(&self, name: &str) -> Option<&str> {
        self.fields.iter().find(|(own, _)| *own == name).map(|(_, value)| value.as_str())
    }
}

#[derive(Clone, Copy, PartialEq, Eq)]
pub struct Status(u16, &'static str);

impl Status {
    pub const OK: Status = Status(200, "OK");
    pub const NO_CONTENT: Status = Status(204, "No Content");
    pub const NOT_MODIFIED: Status = Status(304, "Not Modified");
    pub const BAD_REQUEST: Status = Status(400, "Bad Request");
    pub const FORBIDDEN: Status = Status(403, "Forbidden");
    pub const NOT_FOUND: Status = Status(404, "Not Found");
    pub const METHOD_NOT_ALLOWED: Status = Status(405, "Method Not Allowed");
    pub const TIMEOUT: Status = Status(408, "Request Timeout");
    pub const CONFLICT: Status = Status(409, "Conflict");
    pub const LENGTH_REQUIRED: Status = Status(411, "Length Required");
    pub const PRECONDITION_FAILED: Status = Status(412, "Precondition Failed");
    pub const TOO_LARGE: Status = Status(413, "Content Too Large");
    pub const PRECONDITION_REQUIRED: Status = Status(428, "Precondition Required");
    pub const HEAD_TOO_LARGE: Status = Status(431, "Request Header Fields Too Large");
    pub const OVERLOAD: Status = Status(503, "Service Unavailable");
}

/// Header fields of every response: nothing is kept, framed, guessed or sent to other sites.
const ALWAYS: &str = "Cache-Control: no-store\r\n\
    Content-Security-Policy: frame-ancestors 'none'\r\n\
    Cross-Origin-Opener-Policy: same-origin\r\n\
    Cross-Origin-Resource-Policy: same-origin\r\n\
    Referrer-Policy: no-referrer\r\n\
    X-Content-Type-Options: nosniff\r\n\
    Connection: close\r\n";

pub struct Response {
    status: Status,
    fields: Vec<(&'static str, String)>,
    body: Arc<str>,
}

impl Response {
    /// Return a response with a plain text: a file, or a sentence about an error.
    pub fn text(status: Status, text: impl Into<Arc<str>>) -> Response {
        Response { status, fields: Vec::new(), body: text.into() }
            .with("Content-Type", "text/plain; charset=utf-8".into())
    }

    pub fn page(page: &Arc<str>) -> Response {
        Response { status: Status::OK, fields: Vec::new(), body: page.clone() }
            .with("Content-Type", "text/html; charset=utf-8".into())
    }

    pub fn empty(status: Status) -> Response {
        Response { status, fields: Vec::new(), body: "".into() }
    }

    /// Add a header field.
    pub fn with(mut self, name: &'static str, value: String) -> Response {
        self.fields.push((name, value));
        self
    }

    /// Write the response, and nothing more.
    ///
    /// # Errors
    /// If the client no longer reads.
    pub fn send(&self, stream: &mut TcpStream) -> io::Result<()> {
        let Status(number, reason) = self.status;
        let mut head = format!("HTTP/1.1 {number} {reason}\r\n{ALWAYS}");
        for (name, value) in &self.fields {
            let _ = write!(head, "{name}: {value}\r\n");
        }
        if !matches!(self.status, Status::NO_CONTENT | Status::NOT_MODIFIED) {
            let _ = write!(head, "Content-Length: {}\r\n", self.body.len());
        }
        head.push_str("\r\n");
        stream.set_write_timeout(Some(REQUEST_TIME))?;
        stream.write_all(head.as_bytes())?;
        stream.write_all(self.body.as_bytes())?;
        stream.shutdown(Shutdown::Write)
    }
}

/// Read what the client still sends: if a connection with unread input is closed, the client may lose the response.
pub fn drain(stream: &mut TcpStream) {
    let end = Instant::now() + DRAIN_TIME;
    let mut chunk = [0; 16 << 10];
    while let Some(left) = end.checked_duration_since(Instant::now()).filter(|left| !left.is_zero()) {
        let read = stream.set_read_timeout(Some(left)).and_then(|()| stream.read(&mut chunk));
        if !read.is_ok_and(|length| length > 0) {
            return;
        }
    }
}

/// A request that gets no answer, or only an error.
pub enum Unread {
    /// The client has gone.
    Gone,
    Refused(Response),
}

impl Unread {
    fn refused(status: Status, why: impl Into<Arc<str>>) -> Unread {
        Unread::Refused(Response::text(status, why))
    }
}

/// Read a request.
///
/// # Errors
/// If it is incomplete, malformed, too long or too slow.
pub fn read(stream: &mut TcpStream) -> Result<Request, Unread> {
    let end = Instant::now() + REQUEST_TIME;
    let mut bytes = Vec::new();
    loop {
        if let Some((mut request, start)) = head(&bytes)? {
            let length = length(&request)?;
            let mut body = bytes.split_off(start);
            while body.len() < length {
                more(stream, end, &mut body)?;
            }
            // A client that sends a second request before it has the answer gets none.
            body.truncate(length);
            request.body = body;
            return Ok(request);
        }
        if bytes.len() > MAX_HEAD {
            return Err(Unread::refused(Status::HEAD_TOO_LARGE, "the head of the request is too long"));
        }
        more(stream, end, &mut bytes)?;
    }
}

/// Read the next bytes of a request.
fn more(stream: &mut TcpStream, end: Instant, bytes: &mut Vec<u8>) -> Result<(), Unread> {
    let slow = || Unread::refused(Status::TIMEOUT, "the request took too long");
    let left = end.checked_duration_since(Instant::now()).filter(|left| !left.is_zero()).ok_or_else(slow)?;
    let mut chunk = [0; 16 << 10];
    let read = stream.set_read_timeout(Some(left)).and_then(|()| stream.read(&mut chunk));
    match read {
        Ok(0) if bytes.is_empty() => Err(Unread::Gone),
        Ok(0) => Err(Unread::refused(Status::BAD_REQUEST, "the request is incomplete")),
        Ok(length) => {
            bytes.extend_from_slice(&chunk[..length]);
            Ok(())
        }
        Err(error) if error.kind() == ErrorKind::Interrupted => Ok(()),
        Err(error) if matches!(error.kind(), ErrorKind::WouldBlock | ErrorKind::TimedOut) => Err(slow()),
        Err(_) => Err(Unread::Gone),
    }
}

/// Return the request without its body, and the place where its body begins; `None`: the head is incomplete.
fn head(bytes: &[u8]) -> Result<Option<(Request, usize)>, Unread> {
    let mut fields = [httparse::EMPTY_HEADER; MAX_FIELDS];
    let mut parsed = httparse::Request::new(&mut fields);
    let start = match parsed.parse(bytes) {
        Ok(httparse::Status::Complete(start)) => start,
        Ok(httparse::Status::Partial) => return Ok(None),
        Err(httparse::Error::TooManyHeaders) => {
            return Err(Unread::refused(Status::HEAD_TOO_LARGE, "the request has too many header fields"));
        }
        Err(_) => return Err(Unread::refused(Status::BAD_REQUEST, "this is not a request of HTTP/1.1")),
    };
    let target = parsed.path.unwrap_or_default();
    let mut request = Request {
        method: parsed.method.unwrap_or_default().into(),
        path: target.split('?').next().unwrap_or_default().into(),
        ..Request::default()
    };
    for field in parsed.headers.iter() {
        let Some(name) = FIELDS.into_iter().find(|name| field.name.eq_ignore_ascii_case(name)) else {
            continue;
        };
        let Ok(value) = std::str::from_utf8(field.value) else {
            return Err(Unread::refused(Status::BAD_REQUEST, "a header field is not UTF-8"));
        };
        if request.field(name).is_some() {
            return Err(Unread::refused(Status::BAD_REQUEST, "a header field occurs twice"));
        }
        request.fields.push((name, value.trim().into()));
    }
    Ok(Some((request, start)))
}

/// Return the length of the body.
fn length(request: &Request) -> Result<usize, Unread> {
    if request.field("transfer-encoding").is_some() {
        return Err(Unread::refused(Status::LENGTH_REQUIRED, "the request has no Content-Length"));
    }
    let Some(length) = request.field("content-length") else { return Ok(0) };
    let is_number = !length.is_empty() && length.bytes().all(|byte| byte.is_ascii_digit());
    if !is_number {
        return Err(Unread::refused(Status::BAD_REQUEST, "the Content-Length is not a number"));
    }
    // A number that does not fit is too large, too.
    match length.parse() {
        Ok(length) if length <= MAX_BODY => Ok(length),
        _ => {
            let why = format!("the text is too large: more than {} MB", MAX_BODY >> 20);
            Err(Unread::refused(Status::TOO_LARGE, why))
        }
    }
}
