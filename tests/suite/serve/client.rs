//! A client of `synod serve`: the real binary, and requests as bytes.

use crate::cli::harness::folder;
use crate::served::server;
use std::io::{BufRead, BufReader, Read, Write};
use std::net::{Shutdown, TcpStream};
use std::path::PathBuf;
use std::process::{Child, Output};

/// A page that has the two marks.
pub const PAGE: &str = r#"<!doctype html>
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; connect-src 'none'">
<meta name="synod-file" content="">
"#;

pub const TEXT: &str = "algorithm first\nassumes ring\nstate s\n  skip\n";

/// A server with its folder. It ends with its value.
pub struct Server {
    pub folder: PathBuf,
    process: Child,
    /// Host and port.
    pub host: String,
    /// The path of the page: `/KEY/`.
    pub path: String,
}

impl Drop for Server {
    fn drop(&mut self) {
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}

/// Start a server for a file of this name, in a folder of this test.
pub fn serve(test: &str, file: &str) -> Server {
    start(test, &[(file, TEXT.as_bytes())], &[file])
}

/// Start a server with these arguments, in a folder with these files.
pub fn start(test: &str, files: &[(&str, &[u8])], arguments: &[&str]) -> Server {
    let folder = folder(test, &[files, &[("page.html", PAGE.as_bytes())]].concat());
    let mut command = server("serve");
    let mut process =
        command.args(["--page", "page.html"]).args(arguments).current_dir(&folder).spawn().expect("starts");
    drop(process.stdin.take());
    let mut line = String::new();
    BufReader::new(process.stdout.take().expect("a pipe")).read_line(&mut line).expect("a line");
    let address = line.trim().strip_prefix("http://").unwrap_or_else(|| panic!("no address: {line}"));
    let (host, path) = address.split_once('/').expect("a path");
    let (host, path) = (host.to_string(), format!("/{path}"));
    Server { folder, process, host, path }
}

/// Return what a command says that must not start a server.
pub fn refused(test: &str, files: &[(&str, &[u8])], arguments: &[&str]) -> String {
    let folder = folder(test, &[files, &[("page.html", PAGE.as_bytes())]].concat());
    let mut command = server("serve");
    let Output { status, stdout, stderr } =
        command.args(arguments).current_dir(folder).output().expect("starts");
    assert_eq!((status.code(), stdout.as_slice()), (Some(2), &b""[..]));
    String::from_utf8(stderr).expect("UTF-8")
}

pub struct Reply {
    pub status: u16,
    pub head: String,
    pub body: String,
}

impl Reply {
    /// Return the value of a header field.
    pub fn field(&self, name: &str) -> Option<&str> {
        let fields = self.head.lines().skip(1).filter_map(|line| line.split_once(": "));
        fields.into_iter().find(|(own, _)| *own == name).map(|(_, value)| value)
    }

    pub fn version(&self) -> &str {
        self.field("ETag").expect("a version")
    }
}

/// A connection on which a request may be sent in parts.
pub struct Connection(TcpStream);

impl Connection {
    pub fn send(&mut self, bytes: impl AsRef<[u8]>) {
        self.0.write_all(bytes.as_ref()).expect("the server reads");
    }

    /// End the request.
    pub fn end(&self) {
        self.0.shutdown(Shutdown::Write).expect("an open connection");
    }

    /// Read the reply. `None`: there is none.
    pub fn reply(mut self) -> Option<Reply> {
        let mut bytes = Vec::new();
        // A connection that the server refuses may be reset after its reply.
        let _ = self.0.read_to_end(&mut bytes);
        let text = String::from_utf8(bytes).expect("UTF-8");
        let (head, body) = text.split_once("\r\n\r\n")?;
        let status = head.strip_prefix("HTTP/1.1 ")?.get(..3)?.parse().expect("a number");
        Some(Reply { status, head: head.into(), body: body.into() })
    }
}

impl Server {
    pub fn connect(&self) -> Connection {
        Connection(TcpStream::connect(&self.host).expect("the server listens"))
    }

    /// Send these bytes, and return the reply.
    pub fn bytes(&self, bytes: impl AsRef<[u8]>) -> Reply {
        let mut connection = self.connect();
        connection.send(bytes);
        connection.reply().expect("a reply")
    }

    /// Send a request without a body for a path after the key.
    pub fn ask(&self, method: &str, path: &str, fields: &[&str]) -> Reply {
        self.bytes(self.head(method, path, fields) + "\r\n")
    }

    /// Return a request without the blank line.
    pub fn head(&self, method: &str, path: &str, fields: &[&str]) -> String {
        let fields: String = fields.iter().map(|field| format!("{field}\r\n")).collect();
        format!("{method} {}{path} HTTP/1.1\r\nHost: {}\r\n{fields}", self.path, self.host)
    }

    pub fn get(&self) -> Reply {
        self.ask("GET", "file", &[])
    }

    /// Read the file from a server that may refuse the connection.
    pub fn try_get(&self) -> Option<Reply> {
        let mut connection = self.connect();
        let request = self.head("GET", "file", &[]) + "\r\n";
        connection.0.write_all(request.as_bytes()).ok()?;
        connection.reply()
    }

    /// Write the file under a condition.
    pub fn put(&self, condition: &str, text: impl AsRef<[u8]>) -> Reply {
        let text = text.as_ref();
        let length = format!("Content-Length: {}", text.len());
        let head = self.head("PUT", "file", &[condition, &length]);
        self.bytes([head.as_bytes(), b"\r\n", text].concat())
    }

    pub fn text(&self, file: &str) -> String {
        std::fs::read_to_string(self.folder.join(file)).expect("a text")
    }

    pub fn write(&self, file: &str, text: impl AsRef<[u8]>) {
        std::fs::write(self.folder.join(file), text).expect("a folder of the test");
    }

    /// Interrupt the server, and return its exit code and what it has said.
    #[cfg(unix)]
    pub fn interrupt(&mut self) -> (Option<i32>, String) {
        let id = self.process.id().to_string();
        assert!(std::process::Command::new("kill").args(["-INT", &id]).status().expect("kill").success());
        let mut said = String::new();
        self.process.stderr.take().expect("a pipe").read_to_string(&mut said).expect("UTF-8");
        (self.process.wait().expect("it ends").code(), said)
    }
}
