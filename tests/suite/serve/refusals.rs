//! Requests that get nothing: from other hosts, sites and users, malformed, too large, too many.

use super::client::{PAGE, Reply, TEXT, refused, serve};
use std::net::TcpListener;
use synod::internals::serve::MAX_CONNECTIONS;

/// Assert the status and a part of the sentence.
fn says(reply: &Reply, status: u16, part: &str) {
    assert_eq!(reply.status, status, "{}", reply.body);
    assert!(reply.body.contains(part), "{}", reply.body);
}

#[test]
fn other_hosts() {
    let server = serve("serve_hosts", "mine.syn");
    let ask = |host: &str| server.bytes(format!("GET {}file HTTP/1.1\r\n{host}\r\n", server.path));
    for host in ["127.0.0.1", "localhost", "LocalHost:80", "127.0.0.1:8080"] {
        assert_eq!(ask(&format!("Host: {host}\r\n")).status, 200, "{host}");
    }
    let hosts = [
        "evil.example",
        "127.0.0.1.evil.example",
        "localhost.",
        "0.0.0.0",
        "[::1]:80",
        "127.0.0.1:",
        "127.0.0.1:x",
        "",
        "@127.0.0.1",
    ];
    for host in hosts {
        says(&ask(&format!("Host: {host}\r\n")), 403, "the host is neither 127.0.0.1 nor localhost");
    }
    assert_eq!(ask("").status, 403);
    says(&ask("Host: 127.0.0.1\r\nHost: evil.example\r\n"), 400, "twice");
}

#[test]
fn other_sites() {
    let server = serve("serve_sites", "mine.syn");
    let own = format!("Origin: http://{}", server.host);
    assert_eq!(server.ask("GET", "file", &[&own, "Sec-Fetch-Site: same-origin"]).status, 200);
    assert_eq!(server.ask("GET", "file", &["Sec-Fetch-Site: none"]).status, 200);
    let port = server.host.split_once(':').unwrap().1;
    let other = [
        "http://evil.example",
        "null",
        "http://127.0.0.1",
        "http://127.0.0.1:1",
        &format!("https://{}", server.host),
        &format!("http://localhost:{port}"),
        &format!("http://{}.evil.example", server.host),
    ]
    .map(|origin| format!("Origin: {origin}"));
    for field in
        other.iter().map(String::as_str).chain(["Sec-Fetch-Site: cross-site", "Sec-Fetch-Site: same-site"])
    {
        says(&server.ask("GET", "file", &[field]), 403, "the request comes from another site");
        assert_eq!(server.ask("PUT", "file", &[field, "If-None-Match: *"]).status, 403, "{field}");
    }
    // A request by which a browser asks for leave gets none.
    let preflight =
        server.ask("OPTIONS", "file", &["Origin: http://evil.example", "Access-Control-Request-Method: PUT"]);
    assert_eq!((preflight.status, preflight.field("Access-Control-Allow-Origin")), (403, None));
    // A link on another site may lead to the page, which its reader has to know.
    assert_eq!(server.ask("GET", "", &["Sec-Fetch-Site: cross-site"]).status, 200);
}

#[test]
fn other_keys_and_paths() {
    let server = serve("serve_keys", "mine.syn");
    let key = server.path.trim_matches('/').to_string();
    assert!(key.len() == 32 && key.bytes().all(|byte| byte.is_ascii_hexdigit()), "{key}");
    assert_ne!(serve("serve_keys_2", "mine.syn").path, server.path);
    let ask = |path: &str| server.bytes(format!("GET {path} HTTP/1.1\r\nHost: {}\r\n\r\n", server.host));
    let wrong = [
        "/",
        "/file",
        "//file",
        &format!("/{key}"),
        &format!("/{}/file", &key[1..]),
        &format!("/{key}0/file"),
        &format!("/{}/file", "0".repeat(32)),
        "*",
    ];
    for path in wrong {
        says(&ask(path), 403, "open the address that `synod serve` has printed");
    }
    for path in [
        "../mine.syn",
        "page.html",
        "file/",
        "file/../file",
        "%66ile",
        "..%2fmine.syn",
        "./file",
        "/file",
        "\\file",
    ] {
        assert_eq!(ask(&format!("/{key}/{path}")).status, 404, "{path}");
    }
    assert_eq!(ask(&format!("http://{}/{key}/file", server.host)).status, 403);
}

#[test]
fn other_methods() {
    let server = serve("serve_methods", "mine.syn");
    for (path, methods) in [("", "GET"), ("file", "GET, PUT")] {
        for method in ["POST", "DELETE", "HEAD", "OPTIONS", "get"] {
            let reply = server.ask(method, path, &[]);
            assert_eq!((reply.status, reply.field("Allow")), (405, Some(methods)), "{method} {path}");
        }
    }
}

#[test]
fn what_is_no_request() {
    let server = serve("serve_malformed", "mine.syn");
    for bytes in [
        &b"\0\0\0\0\r\n\r\n"[..],
        b"GET\r\n\r\n",
        b"GET / HTTP/9.9\r\n\r\n",
        b"\x16\x03\x01\x02\0\x01\r\n",
        b"{\"request\": \"about\"}\r\n\r\n",
    ] {
        says(&server.bytes(bytes), 400, "this is not a request of HTTP/1.1");
    }
    let put = |fields: &[&str], body: &[u8]| {
        let version = format!("If-Match: {}", server.get().version());
        let head = server.head("PUT", "file", &[&[version.as_str()], fields].concat());
        server.bytes([head.as_bytes(), b"\r\n", body].concat())
    };
    for length in ["-1", "x", "", "1 2", "+1"] {
        says(&put(&[&format!("Content-Length: {length}")], b"a"), 400, "not a number");
    }
    says(&put(&["Content-Length: 1", "Content-Length: 2"], b"ab"), 400, "twice");
    says(&put(&["Transfer-Encoding: chunked"], b"1\r\na\r\n0\r\n\r\n"), 411, "no Content-Length");
    says(&put(&["Content-Length: 2"], b"a\xff"), 400, "not UTF-8");
    says(&put(&["Content-Length: 2"], b"a\0"), 400, "zero byte");
    says(&server.ask("GET", "file", &["Origin: http://\u{fc}"]), 403, "another site");
    assert_eq!(server.text("mine.syn"), TEXT);
}

#[test]
fn what_is_too_large() {
    let server = serve("serve_large", "mine.syn");
    let version = format!("If-Match: {}", server.get().version());
    for length in ["8388609", "4294967296", "99999999999999999999999999"] {
        // The server refuses it by its length, and does not wait for it.
        let reply = server.ask("PUT", "file", &[&version, &format!("Content-Length: {length}")]);
        says(&reply, 413, "more than 8 MB");
    }
    // A client that sends all of it before it reads gets the reply, too.
    says(&server.put(&version, vec![b'a'; 9 << 20]), 413, "more than 8 MB");
    assert_eq!(server.text("mine.syn"), TEXT);
    let largest = vec![b'a'; 8 << 20];
    assert_eq!(server.put(&version, &largest).status, 204);
    assert_eq!(server.text("mine.syn").as_bytes(), largest);

    let long = format!("X: {}", "x".repeat(40 << 10));
    says(&server.ask("GET", "file", &[&long]), 431, "too long");
    says(&server.ask("GET", "file", &["X: y"; 100]), 431, "too many header fields");
}

#[test]
fn requests_in_parts() {
    let server = serve("serve_parts", "mine.syn");
    let version = format!("If-Match: {}", server.get().version());
    let request = server.head("PUT", "file", &[&version, "Content-Length: 4"]) + "\r\nabcd";
    // Each part may be the last one.
    let mut open = Vec::new();
    for length in (0..request.len()).step_by(7) {
        let mut connection = server.connect();
        connection.send(&request[..length]);
        open.push((length, connection));
    }
    assert_eq!(server.get().body, TEXT, "others are answered meanwhile");
    for (length, connection) in open {
        connection.end();
        match connection.reply() {
            Some(reply) => says(&reply, 400, "the request is incomplete"),
            None => assert_eq!(length, 0),
        }
    }
    assert_eq!(server.text("mine.syn"), TEXT);
    // A complete one, byte by byte.
    let mut connection = server.connect();
    for byte in request.bytes() {
        connection.send([byte]);
    }
    assert_eq!(connection.reply().expect("a reply").status, 204);
    assert_eq!(server.text("mine.syn"), "abcd");
    // A second request on the same connection gets no reply.
    let get = server.head("GET", "file", &[]) + "\r\n";
    assert_eq!(server.bytes(get.repeat(2)).body, "abcd");
}

#[test]
fn too_many_connections() {
    let server = serve("serve_many", "mine.syn");
    let idle: Vec<_> = (0..MAX_CONNECTIONS).map(|_| server.connect()).collect();
    says(&server.connect().reply().expect("a reply"), 503, "too many connections are open");
    drop(idle);
    // The server notices soon that they are closed.
    while server.try_get().is_none_or(|reply| reply.status != 200) {}
}

#[test]
fn inputs_that_cannot_be_served() {
    let page = &["--page", "page.html"];
    let refused = |files: &[(&str, &[u8])], arguments: &[&str]| {
        refused("serve_inputs", files, &[&page[..], arguments].concat())
    };
    assert!(refused(&[], &["missing.syn"]).contains("there is no file missing.syn"));
    assert!(refused(&[], &["."]).contains(". is a folder, not a file"));
    assert!(refused(&[("a.syn", b"a\xff")], &["a.syn"]).contains("a.syn is not UTF-8"));
    assert!(refused(&[("a.syn", b"")], &["a.syn"]).contains("a.syn is empty"));
    assert!(refused(&[("a.syn", &vec![b' '; 10_000_000])], &["a.syn"]).contains("a.syn is too large"));
    assert!(refused(&[], &["--port", "65536"]).contains("65536"));
    let taken = TcpListener::bind("127.0.0.1:0").unwrap();
    let port = taken.local_addr().unwrap().port().to_string();
    assert!(refused(&[], &["--port", &port]).contains(&format!("cannot listen on port {port}")));
}

#[test]
fn pages_that_are_not_the_playground() {
    use synod::internals::serve::with_file;
    assert!(with_file(PAGE, None).is_some());
    let twice = PAGE.repeat(2);
    let without_policy = PAGE.replace("connect-src 'none'", "");
    let without_place = PAGE.replace("synod-file", "other");
    for page in ["", "<!doctype html>", &twice, &without_policy, &without_place] {
        assert!(with_file(page, Some("a.syn")).is_none(), "{page}");
    }
    let said = refused("serve_pages", &[("a.syn", TEXT.as_bytes())], &["a.syn", "--page", "a.syn"]);
    assert!(said.contains("a.syn is not the page of the playground of this version"), "{said}");
    assert!(said.contains("synod-playground.html"), "{said}");
}
