//! The server of the page as a browser, and others, use it: the real binary, over its port.

mod client;
mod refusals;

use client::{PAGE, TEXT, serve, start};

#[test]
fn the_page_knows_the_name_of_the_file_and_may_reach_it() {
    let server = serve("serve_page", "mine.syn");
    let page = server.ask("GET", "", &[]);
    let expected = PAGE
        .replace("connect-src 'none'", "connect-src 'self'")
        .replace("content=\"\"", "content=\"mine.syn\"");
    assert_eq!((page.status, page.body), (200, expected));
    let expected = [
        ("Content-Type", "text/html; charset=utf-8"),
        ("Cache-Control", "no-store"),
        ("Content-Security-Policy", "frame-ancestors 'none'"),
        ("Referrer-Policy", "no-referrer"),
        ("X-Content-Type-Options", "nosniff"),
    ];
    let page = server.ask("GET", "?a=b", &[]);
    assert_eq!(expected.map(|(name, _)| page.field(name)), expected.map(|(_, value)| Some(value)));
    assert!(page.field("Access-Control-Allow-Origin").is_none());
}

/// A name may contain any character but those of paths.
#[cfg(unix)]
#[test]
fn a_hostile_name_is_no_markup() {
    let name = "\"><script>x</script> connect-src 'none' $&\n.syn";
    let server = serve("serve_name", name);
    let page = server.ask("GET", "", &[]).body;
    assert!(!page.contains("<script>"), "{page}");
    assert!(
        page.contains(
            "content=\"&quot;&gt;&lt;script&gt;x&lt;/script&gt; connect-src 'none' $&amp;\n.syn\">"
        ),
        "{page}"
    );
    assert_eq!(page.matches("connect-src 'self'").count(), 1);
    assert_eq!(server.put(&format!("If-Match: {}", server.get().version()), "new").status, 204);
    assert_eq!(server.text(name), "new");
}

#[test]
fn without_a_file_the_page_is_as_it_is_and_reaches_nothing() {
    let server = start("serve_nothing", &[], &[]);
    let page = server.ask("GET", "", &[]);
    assert_eq!((page.status, page.body.as_str()), (200, PAGE));
    assert_eq!((server.get().status, server.put("If-None-Match: *", TEXT).status), (404, 404));
}

#[test]
fn a_file_has_versions() {
    let server = serve("serve_versions", "mine.syn");
    let first = server.get();
    assert_eq!((first.status, first.body.as_str()), (200, TEXT));
    assert_eq!(first.field("Content-Type"), Some("text/plain; charset=utf-8"));
    let known = format!("If-None-Match: {}", first.version());
    let same = server.ask("GET", "file", &[&known]);
    assert_eq!((same.status, same.version(), same.body.as_str()), (304, first.version(), ""));

    // A change on disk is another version; the same text again is the old one.
    server.write("mine.syn", "changed");
    let second = server.ask("GET", "file", &[&known]);
    assert_eq!((second.status, second.body.as_str()), (200, "changed"));
    assert_ne!(second.version(), first.version());
    server.write("mine.syn", TEXT);
    assert_eq!(server.get().version(), first.version());
}

#[test]
fn a_text_replaces_the_version_that_it_names_and_no_other() {
    let server = serve("serve_save", "mine.syn");
    let first = server.get();
    let condition = format!("If-Match: {}", first.version());
    let saved = server.put(&condition, "Größe\r\n");
    assert_eq!((saved.status, saved.body.as_str()), (204, ""));
    assert_eq!(server.text("mine.syn"), "Größe\r\n");
    assert_eq!(server.get().version(), saved.version());

    let late = server.put(&condition, "late");
    assert_eq!((late.status, late.body.as_str()), (412, "mine.syn has changed on disk"));
    let created = server.put("If-None-Match: *", "created");
    assert_eq!((created.status, created.body.as_str()), (412, "mine.syn exists"));
    for condition in ["Origin-Agent-Cluster: ?1", "If-None-Match: \"x\""] {
        assert_eq!(server.put(condition, "careless").status, 428, "{condition}");
    }
    assert_eq!(server.put("If-Match: *", "any version").status, 412);
    assert_eq!(server.text("mine.syn"), "Größe\r\n");

    server.write("mine.syn", "by another editor");
    assert_eq!(server.put(&format!("If-Match: {}", saved.version()), "late").status, 412);
    assert_eq!(server.text("mine.syn"), "by another editor");
    // Nothing else is left in the folder.
    let mut names: Vec<_> =
        std::fs::read_dir(&server.folder).unwrap().map(|entry| entry.unwrap().file_name()).collect();
    names.sort();
    assert_eq!(names, ["mine.syn", "page.html"]);
}

#[test]
fn of_several_writers_one_succeeds() {
    let server = serve("serve_race", "mine.syn");
    let condition = format!("If-Match: {}", server.get().version());
    let write = &|text: &str| server.put(&condition, text).status == 204;
    let texts: Vec<String> = (0..16).map(|writer| format!("text of {writer}")).collect();
    let written: Vec<&String> = std::thread::scope(|scope| {
        let writers: Vec<_> =
            texts.iter().map(|text| scope.spawn(move || write(text).then_some(text))).collect();
        writers.into_iter().filter_map(|writer| writer.join().expect("no panic")).collect()
    });
    assert_eq!(written, [&server.text("mine.syn")]);
}

#[test]
fn a_client_that_waits_hears_of_a_change() {
    let server = serve("serve_wait", "mine.syn");
    let known = format!("If-None-Match: {}", server.get().version());
    let mut waiting = Vec::new();
    for _ in 0..2 {
        let mut connection = server.connect();
        connection.send(server.head("GET", "file", &[&known, "Prefer: wait=60"]) + "\r\n");
        waiting.push(connection);
    }
    // Others are answered meanwhile.
    assert_eq!(server.ask("GET", "file", &[&known]).status, 304);
    assert_eq!(server.ask("GET", "file", &[&known, "Prefer: wait=0"]).status, 304);
    server.write("mine.syn", "changed");
    for connection in waiting {
        let reply = connection.reply().expect("a reply");
        assert_eq!((reply.status, reply.body.as_str()), (200, "changed"));
    }
    // One that has an old version need not wait.
    let late = server.ask("GET", "file", &[&known, "Prefer: wait=60"]);
    assert_eq!((late.status, late.body.as_str()), (200, "changed"));
}

#[test]
fn a_removed_file_is_missed_and_can_be_written_again() {
    let server = serve("serve_removed", "mine.syn");
    let version = server.get().version().to_string();
    std::fs::remove_file(server.folder.join("mine.syn")).unwrap();
    let missing = server.get();
    assert_eq!((missing.status, missing.body.as_str()), (404, "there is no file mine.syn"));
    // One that waits hears of it.
    let waited = server.ask("GET", "file", &[&format!("If-None-Match: {version}"), "Prefer: wait=60"]);
    assert_eq!(waited.status, 404);
    let late = server.put(&format!("If-Match: {version}"), "late");
    assert_eq!((late.status, late.body.as_str()), (412, "there is no file mine.syn"));
    assert_eq!(server.put("If-None-Match: *", "again").status, 204);
    assert_eq!(server.text("mine.syn"), "again");

    std::fs::remove_dir_all(&server.folder).unwrap();
    let gone = server.put("If-None-Match: *", "nowhere");
    assert_eq!(gone.status, 409);
    assert!(gone.body.starts_with("cannot write mine.syn"), "{}", gone.body);
}

#[test]
fn a_file_that_becomes_unreadable_is_reported() {
    let server = serve("serve_unreadable", "mine.syn");
    let version = server.get().version().to_string();
    server.write("mine.syn", b"a\xff");
    let reply = server.get();
    assert_eq!(
        (reply.status, reply.body.as_str()),
        (409, "mine.syn is not UTF-8: invalid byte 0xff at offset 1 (line 1)")
    );
    server.write("mine.syn", vec![b' '; (8 << 20) + 1]);
    assert_eq!(server.get().body, "mine.syn is too large: more than 8 MB");
    assert_eq!(server.put(&format!("If-Match: {version}"), "x").status, 412);
    std::fs::remove_file(server.folder.join("mine.syn")).unwrap();
    std::fs::create_dir(server.folder.join("mine.syn")).unwrap();
    let folder = server.get();
    assert_eq!((folder.status, folder.body.as_str()), (409, "mine.syn is a folder, not a file"));
    // An empty file is a text: an editor may be about to write it.
    std::fs::remove_dir(server.folder.join("mine.syn")).unwrap();
    server.write("mine.syn", "");
    let empty = server.get();
    assert_eq!((empty.status, empty.body.as_str()), (200, ""));
}

#[test]
fn what_cannot_be_written_is_said() {
    let server = serve("serve_read_only", "mine.syn");
    let path = server.folder.join("mine.syn");
    let mut permissions = std::fs::metadata(&path).unwrap().permissions();
    permissions.set_readonly(true);
    std::fs::set_permissions(&path, permissions).unwrap();
    let reply = server.put(&format!("If-Match: {}", server.get().version()), "new");
    assert_eq!((reply.status, reply.body.as_str()), (409, "cannot write mine.syn: the file is read-only"));
    assert_eq!(server.text("mine.syn"), TEXT);

    let library = start("serve_library", &[], &["chang_roberts"]);
    let text = library.get();
    assert!(text.body.contains("algorithm chang_roberts"));
    let reply = library.put(&format!("If-Match: {}", text.version()), "new");
    assert_eq!(reply.status, 409);
    assert!(reply.body.ends_with("is not a file on disk"), "{}", reply.body);
}

#[cfg(unix)]
#[test]
fn the_target_of_a_link_is_written_and_the_link_stays() {
    let server = serve("serve_link", "mine.syn");
    let link = server.folder.join("mine.syn");
    std::fs::rename(&link, server.folder.join("target.syn")).unwrap();
    std::os::unix::fs::symlink("target.syn", &link).unwrap();
    assert_eq!(server.put(&format!("If-Match: {}", server.get().version()), "new").status, 204);
    assert_eq!(server.text("target.syn"), "new");
    assert!(link.is_symlink());
}

#[cfg(unix)]
#[test]
fn an_interrupt_ends_the_server_with_success() {
    let mut server = serve("serve_interrupt", "mine.syn");
    let known = format!("If-None-Match: {}", server.get().version());
    let mut waiting = server.connect();
    waiting.send(server.head("GET", "file", &[&known, "Prefer: wait=60"]) + "\r\n");
    assert_eq!(server.interrupt(), (Some(0), "serving mine.syn; Ctrl-C ends the server\n".into()));
}

/// The page knows no other files, which its user learns before it reports errors.
#[cfg(unix)]
#[test]
fn files_that_the_page_does_not_find_are_named() {
    let files: [(&str, &[u8]); 2] = [
        ("mine.syn", b"algorithm mine solves Own\nassumes ring\nvar x : Bool\nstate s\n  x := true\n"),
        ("own.syn", b"problem Own\nstate begin\nstate end\n"),
    ];
    let (_, said) = start("serve_neighbours", &files, &["mine.syn"]).interrupt();
    assert!(said.contains("note: the page finds only files of the library, not own.syn"), "{said}");
}
