//! Messages to the language server: the rest of a session that begins with an open document. After the byte `f`, each line is a message, which is
//! framed here; after another byte, the rest is sent as it is. A session ends, whatever was sent.

#![no_main]

use libfuzzer_sys::fuzz_target;
use std::io::Cursor;
use synod::internals::lsp::serve;

const START: [&str; 3] = [
    r#"{"jsonrpc":"2.0","id":0,"method":"initialize","params":{"capabilities":{}}}"#,
    r#"{"jsonrpc":"2.0","method":"initialized","params":{}}"#,
    r#"{"jsonrpc":"2.0","method":"textDocument/didOpen","params":{"textDocument":{"uri":"file:///fuzz/a.syn","languageId":"synod","version":1,"text":"algorithm a\nassumes unidirectional ring, unique ids\nvar d := id\nstate begin\n  send d\n  receive d\n"}}}"#,
];

fn framed(message: &[u8]) -> Vec<u8> {
    let header = format!("Content-Length: {}\r\n\r\n", message.len());
    [header.as_bytes(), message].concat()
}

fuzz_target!(|input: &[u8]| {
    let Some((form, rest)) = input.split_first() else { return };
    // Only documents that are open: the server would look for others on this machine.
    if String::from_utf8_lossy(rest).replace("file:///fuzz/", "").contains("file:") {
        return;
    }
    let mut session: Vec<u8> = START.iter().flat_map(|message| framed(message.as_bytes())).collect();
    match form {
        b'f' => session.extend(rest.split(|byte| *byte == b'\n').flat_map(framed)),
        _ => session.extend(rest),
    }
    serve(Cursor::new(session), std::io::sink()).expect("threads can be started");
});
