//! The language server as editors use it: the real binary, over its pipes.

mod client;
mod places;

use client::{Client, behind, edited, folder, place, uri};
use serde_json::{Value, json};

const RING: &str = "\
/// Кольцо: каждый посылает свой номер. 😀
algorithm ring_election solves Election(winner: greatest, told: one)
assumes unidirectional ring, unique ids
message Elect(candidate: Id) // сообщение 😀 о кандидате
state candidate
  send Elect(id)
  do receive Elect(q) when q > id -> send Elect(q)
  [] receive Elect(q) when q < id -> skip
  [] receive Elect(q) when q = id -> elected := id; halt
  od
scenario four on ring(4) with ids [1, 2, 3, 4]
  expect p3.leader
";

const NOWHERE: &str = "file:///nowhere/ring_election.syn";

fn document(uri: &str) -> Value {
    json!({"textDocument": {"uri": uri}})
}

#[test]
fn the_handshake_lists_the_capabilities() {
    let mut client = Client::silent();
    let utf8 = json!({"general": {"positionEncodings": ["utf-16", "utf-8"]}});
    let answer = client.request("initialize", json!({"capabilities": utf8})).expect("an answer");
    let can = &answer["capabilities"];
    assert_eq!(can["positionEncoding"], "utf-8");
    assert_eq!(can["textDocumentSync"]["change"], 2);
    for provider in [
        "hover",
        "definition",
        "references",
        "documentHighlight",
        "documentSymbol",
        "workspaceSymbol",
        "inlayHint",
        "foldingRange",
        "selectionRange",
        "callHierarchy",
        "documentFormatting",
        "documentRangeFormatting",
    ] {
        assert_eq!(can[format!("{provider}Provider")], true, "{provider}");
    }
    assert_eq!(client.request("initialize", json!({"capabilities": {}})), Err(-32600));
    client.notify("initialized", json!({}));
    assert_eq!(client.stop(), 0);
    let mut client = Client::silent();
    let answer = client.request("initialize", json!({"capabilities": {}})).expect("an answer");
    assert_eq!(answer["capabilities"]["positionEncoding"], "utf-16");
}

#[test]
fn the_end_has_the_right_exit_code() {
    // Without `initialize`, `shutdown` fails.
    let mut client = Client::silent();
    assert_eq!(client.request("shutdown", Value::Null), Err(-32002));
    client.notify("exit", Value::Null);
    assert_eq!(client.ended(), 1);
    // `exit` without `shutdown`.
    let mut client = Client::new();
    client.notify("exit", Value::Null);
    assert_eq!(client.ended(), 1);
    // The editor disconnects.
    let mut client = Client::new();
    client.close_input();
    assert_eq!(client.ended(), 1);
    // In the middle of a message.
    let mut client = Client::new();
    client.raw(b"Content-Length: 100\r\n\r\n{\"jsonrpc\"");
    client.close_input();
    assert_eq!(client.ended(), 1);
    // In the middle of a message whose length exceeds any memory.
    let mut client = Client::new();
    client.raw(b"Content-Length: 9000000000000000000\r\n\r\n{\"jsonrpc\"");
    client.close_input();
    assert_eq!(client.ended(), 1);
    // After `shutdown` no other request is answered.
    let mut client = Client::new();
    client.request("shutdown", Value::Null).expect("it can be shut down");
    assert_eq!(client.at("textDocument/hover", NOWHERE, (0, 0)), Err(-32600));
    client.notify("exit", Value::Null);
    assert_eq!(client.ended(), 0);
}

#[test]
fn malformed_messages_are_harmless() {
    let mut client = Client::new();
    client.raw(b"Content-Length: 8\r\n\r\n{\"id\": 1");
    assert_eq!(client.wait(|m| m["error"]["code"] == -32700)["id"], Value::Null);
    client.raw(b"Content-Length: 2\r\n\r\n[]Content-Length: many\r\n\r\n");
    client.wait(|m| m["error"]["code"] == -32600);
    client.wait(|m| m["error"]["code"] == -32700);
    client.raw(b"no header at all\r\n\r\n");
    client.wait(|m| m["error"]["code"] == -32700);
    client.raw(b"Content-Length: 3\r\n\r\n\xff\xfe\xfd");
    client.wait(|m| m["error"]["code"] == -32700);
    let beyond =
        json!({"jsonrpc": "2.0", "id": 1u64 << 40, "method": "textDocument/quantumHover"}).to_string();
    client.raw(format!("Content-Length: {}\r\n\r\n{beyond}", beyond.len()).as_bytes());
    client.wait(|m| m["id"] == 1u64 << 40 && m["error"]["code"] == -32601);
    assert_eq!(client.request("textDocument/quantumHover", json!({})), Err(-32601));
    assert_eq!(client.request("textDocument/hover", json!({"textDocument": 7})), Err(-32602));
    assert_eq!(client.at("textDocument/hover", NOWHERE, (0, 0)), Err(-32602), "it is not open");
    client.notify("textDocument/didChange", json!({"nonsense": true}));
    client.notify("$/somethingNew", json!({}));
    client.open(NOWHERE, RING);
    assert_eq!(client.findings(NOWHERE, 1), Vec::<Value>::new());
    assert_eq!(client.stop(), 0);
}

#[test]
fn columns_count_utf_16_units_or_bytes() {
    // The emoji takes two units, four bytes; the misspelt name follows it.
    let text = "algorithm t assumes ring\nstate s\n  x := \"привет 😀\"; send Mesage(x) to neighbours\n  halt\nmessage Message(x: Value)\n";
    let line = text.lines().nth(2).expect("three lines");
    let bytes = line.find("Mesage").expect("misspelt") as u32;
    for (encoding, units) in [("utf-16", behind(text, "send ").1), ("utf-8", bytes)] {
        let mut client = Client::with(json!({"general": {"positionEncodings": [encoding]}}));
        client.open(NOWHERE, text);
        let findings = client.findings(NOWHERE, 1);
        let unknown = findings.iter().find(|d| d["code"] == "SYN0030").expect("a misspelt name");
        assert_eq!(unknown["range"]["start"], json!({"line": 2, "character": units}), "{encoding}");
        assert_eq!(unknown["range"]["end"], json!({"line": 2, "character": units + 6}), "{encoding}");
        assert_eq!(client.stop(), 0);
    }
}

#[test]
fn diagnostics_follow_what_is_typed() {
    let mut client =
        Client::with(json!({"textDocument": {"publishDiagnostics": {"codeDescriptionSupport": true}}}));
    client.open(NOWHERE, RING);
    assert_eq!(client.findings(NOWHERE, 1), Vec::<Value>::new());
    // A change of its range removes `unique ids`.
    let (line, column) = behind(RING, "unidirectional ring");
    let range = json!({"start": {"line": line, "character": column}, "end": {"line": line, "character": column + 12}});
    client.change(NOWHERE, 2, json!([{"range": range, "text": ""}]));
    let findings = client.findings(NOWHERE, 2);
    let missing = findings.iter().find(|d| d["code"] == "SYN0060").expect("`id` needs it");
    assert!(missing["message"].as_str().expect("text").contains("hint: add `unique ids`"));
    assert_eq!(missing["relatedInformation"][0]["message"], "the assumptions");
    assert_eq!(missing["relatedInformation"][0]["location"]["uri"], NOWHERE);
    let href = missing["codeDescription"]["href"].as_str().expect("an explanation");
    let page = std::fs::read_to_string(href.strip_prefix("file://").expect("a file")).expect("it is there");
    assert!(page.starts_with("# SYN0060"), "{page}");
    // The code action restores it.
    let whole = json!({"start": {"line": 0, "character": 0}, "end": {"line": 99, "character": 0}});
    let context = json!({"diagnostics": [missing]});
    let wanted = json!({"textDocument": {"uri": NOWHERE}, "range": whole, "context": context});
    let actions = client.request("textDocument/codeAction", wanted).expect("a list");
    assert_eq!(actions[0]["title"], "Assume `unique ids`");
    assert_eq!(actions[0]["diagnostics"][0]["code"], "SYN0060");
    let edits = actions[0]["edit"]["changes"][NOWHERE].as_array().expect("edits").clone();
    let changes: Vec<Value> =
        edits.iter().map(|e| json!({"range": e["range"], "text": e["newText"]})).collect();
    client.change(NOWHERE, 3, json!(changes));
    assert_eq!(client.findings(NOWHERE, 3), Vec::<Value>::new());
    client.notify("textDocument/didClose", document(NOWHERE));
    client.wait(|m| m["params"]["uri"] == NOWHERE && m["params"]["version"] == Value::Null);
    assert_eq!(client.stop(), 0);
}

#[test]
fn features_answer_on_a_program() {
    let mut client = Client::new();
    client.open(NOWHERE, RING);
    assert_eq!(client.findings(NOWHERE, 1), Vec::<Value>::new());
    let message = behind(RING, "message Ele");
    let hover = client.at("textDocument/hover", NOWHERE, message).expect("an answer");
    let told = hover["contents"]["value"].as_str().expect("Markdown");
    assert!(
        told.contains("message Elect(candidate: Id)") && told.contains("сообщение 😀 о кандидате"),
        "{told}"
    );
    assert!(told.contains("Sent by `state candidate`") && told.contains("Taken by"), "{told}");

    let used = behind(RING, "  send Ele");
    let definition = client.at("textDocument/definition", NOWHERE, used).expect("an answer");
    assert_eq!(definition[0]["range"]["start"], json!({"line": 3, "character": 8}));
    let highlights = client.at("textDocument/documentHighlight", NOWHERE, used).expect("an answer");
    assert_eq!(highlights.as_array().map(Vec::len), Some(6));
    let mut references = place(NOWHERE, used);
    references["context"] = json!({"includeDeclaration": false});
    let references = client.request("textDocument/references", references).expect("an answer");
    assert_eq!(references.as_array().map(Vec::len), Some(5));

    let symbols = client.request("textDocument/documentSymbol", document(NOWHERE)).expect("an answer");
    let names: Vec<&str> =
        symbols.as_array().expect("a list").iter().filter_map(|s| s["name"].as_str()).collect();
    assert_eq!(names, ["ring_election", "Elect", "candidate", "four"]);
    let tokens = client.request("textDocument/semanticTokens/full", document(NOWHERE)).expect("an answer");
    assert_eq!(tokens["data"].as_array().expect("numbers").len() % 5, 0);
    let range = json!({"start": {"line": 3, "character": 0}, "end": {"line": 4, "character": 0}});
    let part = json!({"textDocument": {"uri": NOWHERE}, "range": range});
    let part = client.request("textDocument/semanticTokens/range", part).expect("an answer");
    assert_eq!(part["data"][0], 3, "the first token stands in line 3");
    let hints = json!({"textDocument": {"uri": NOWHERE}, "range": {"start": {"line": 0, "character": 0}, "end": {"line": 99, "character": 0}}});
    client.request("textDocument/inlayHint", hints).expect("an answer");
    let folds = client.request("textDocument/foldingRange", document(NOWHERE)).expect("an answer");
    assert!(folds.as_array().expect("a list").contains(&json!({"startLine": 6, "endLine": 9})), "{folds}");
    let selections = json!({"textDocument": {"uri": NOWHERE}, "positions": [{"line": 6, "character": 14}]});
    let selections = client.request("textDocument/selectionRange", selections).expect("an answer");
    assert!(selections[0]["parent"]["range"].is_object(), "{selections}");

    let lenses = client.request("textDocument/codeLens", document(NOWHERE)).expect("an answer");
    let titles: Vec<&str> =
        lenses.as_array().expect("a list").iter().filter_map(|l| l["command"]["title"].as_str()).collect();
    assert_eq!(titles, ["Run", "Verify", "Step", "Play its scenario", "Play", "Run", "Verify", "Step"]);
    let run =
        lenses.as_array().expect("a list").iter().filter(|l| l["command"]["command"] == "synod.run").nth(1);
    assert_eq!(
        run.expect("of the scenario")["command"]["arguments"],
        json!([NOWHERE, "--on", "ring(4)", "--ids", "1,2,3,4"])
    );

    // Only a client that has the debugger gets lenses for it.
    let mut debugging = Client::silent();
    let given = json!({"capabilities": {}, "initializationOptions": {"debug": true}});
    debugging.request("initialize", given).expect("an answer");
    debugging.notify("initialized", json!({}));
    debugging.open(NOWHERE, RING);
    let lenses = debugging.request("textDocument/codeLens", document(NOWHERE)).expect("an answer");
    let debug = lenses.as_array().expect("a list").iter().filter(|l| l["command"]["title"] == "Debug");
    let arguments: Vec<&Value> = debug.map(|l| &l["command"]["arguments"]).collect();
    assert_eq!(arguments, [&json!([NOWHERE]), &json!([NOWHERE, "four"])]);
    assert_eq!(debugging.stop(), 0);

    let item =
        client.at("textDocument/prepareCallHierarchy", NOWHERE, message).expect("an answer")[0].clone();
    let incoming = client.request("callHierarchy/incomingCalls", json!({"item": item})).expect("an answer");
    assert_eq!(incoming[0]["from"]["name"], "state candidate");
    let outgoing = client.request("callHierarchy/outgoingCalls", json!({"item": item})).expect("an answer");
    assert_eq!(outgoing[0]["to"]["name"], "Elect");
    assert_eq!(client.stop(), 0);
}

#[test]
fn an_editor_with_a_grammar_gets_tokens_of_names_only() {
    let kinds = |client: &mut Client| -> Vec<u64> {
        client.open(NOWHERE, RING);
        let tokens =
            client.request("textDocument/semanticTokens/full", document(NOWHERE)).expect("an answer");
        let data: Vec<u64> =
            tokens["data"].as_array().expect("numbers").iter().filter_map(Value::as_u64).collect();
        data.chunks(5).map(|token| token[3]).collect()
    };
    let mut client = Client::new();
    let all = kinds(&mut client);
    assert_eq!(client.stop(), 0);
    let mut client =
        Client::with(json!({"textDocument": {"semanticTokens": {"augmentsSyntaxTokens": true}}}));
    let names = kinds(&mut client);
    assert_eq!(client.stop(), 0);
    // Keywords, comments, texts and numbers are the first four kinds.
    assert_eq!(names, all.iter().copied().filter(|kind| *kind > 3).collect::<Vec<_>>());
    assert!(!names.is_empty() && names.len() < all.len());
}

#[test]
fn renaming_gives_a_program_that_still_checks() {
    let mut client = Client::new();
    client.open(NOWHERE, RING);
    let at = behind(RING, "[] receive Elect(q) when q < id -> skip\n  [] receive El");
    let prepared = client.at("textDocument/prepareRename", NOWHERE, at).expect("it has a name");
    assert_eq!(prepared["placeholder"], "Elect");
    let mut wanted = place(NOWHERE, at);
    wanted["newName"] = json!("Candidate");
    let edit = client.request("textDocument/rename", wanted.clone()).expect("edits");
    let renamed = edited(RING, &edit["changes"][NOWHERE]);
    assert!(!renamed.contains("Elect(") && renamed.matches("Candidate(").count() == 6, "{renamed}");
    client.change(NOWHERE, 2, json!([{"text": renamed}]));
    assert_eq!(client.findings(NOWHERE, 2), Vec::<Value>::new());
    wanted["newName"] = json!("halt");
    assert_eq!(client.request("textDocument/rename", wanted), Err(-32803));
    // A keyword, and a name of the library.
    assert_eq!(client.at("textDocument/prepareRename", NOWHERE, behind(RING, "  sen")), Err(-32803));
    assert_eq!(client.at("textDocument/prepareRename", NOWHERE, behind(RING, "solves Elec")), Err(-32803));
    assert_eq!(client.stop(), 0);
}

#[test]
fn texts_are_formatted_whole_and_in_parts() {
    let text = "algorithm a\nassumes complete\nvar x : Int := 0   // ноль\nstate s\n   x := 1+1\n   halt\n";
    let mut client = Client::new();
    client.open("file:///tmp/a.syn", text);
    let options = json!({"tabSize": 2, "insertSpaces": true});
    let edits = |client: &mut Client, method: &str, range: Value| {
        let params =
            json!({"textDocument": {"uri": "file:///tmp/a.syn"}, "options": options, "range": range});
        client.request(method, params).expect("an answer")
    };
    let whole = edits(&mut client, "textDocument/formatting", Value::Null);
    let formatted =
        synod::internals::syntax::format::format(text, synod::internals::syntax::format::Signs::AsWritten);
    assert_eq!(edited(text, &whole), formatted.expect("no errors"));
    // Only changed lines are sent.
    assert_eq!(whole[0]["range"]["start"], json!({"line": 4, "character": 0}));
    assert_eq!(whole[0]["range"]["end"], json!({"line": 6, "character": 0}));
    let last = json!({"start": {"line": 4, "character": 0}, "end": {"line": 4, "character": 5}});
    let part = edits(&mut client, "textDocument/rangeFormatting", last);
    assert_eq!(part[0]["newText"], "state s\n  x := 1 + 1\n  halt");
    assert_eq!(part[0]["range"]["start"], json!({"line": 3, "character": 0}));
    client.open("file:///tmp/b.syn", "algorithm b\nstate (\n");
    let wrong = json!({"textDocument": {"uri": "file:///tmp/b.syn"}, "options": options});
    assert_eq!(client.request("textDocument/formatting", wrong), Ok(json!([])));
    assert_eq!(client.stop(), 0);
}

#[test]
fn a_text_that_goes_on_changing_is_formatted_as_a_new_one() {
    let mut text = String::from(
        "algorithm a\nassumes complete\n\nvar x : Int\nvar long: Int // so\nstate s\n   x:= 1\n   halt\n",
    );
    let mut client = Client::new();
    let uri = "file:///tmp/typed.syn";
    client.open(uri, &text);
    let options = json!({"tabSize": 2, "insertSpaces": true});
    let typed = [(4, "var y  : Int\n"), (3, "  "), (7, "  x := x+1 // and\n"), (0, "// new\n"), (5, "\n")];
    for (version, (line, new)) in typed.into_iter().enumerate() {
        let at = json!({"line": line, "character": 0});
        let changes = json!([{"range": {"start": at, "end": at}, "text": new}]);
        text = edited(&text, &json!([{"range": {"start": at, "end": at}, "newText": new}]));
        client.change(uri, version as i32 + 2, changes);
        let params = json!({"textDocument": {"uri": uri}, "options": options});
        let edits = client.request("textDocument/formatting", params).expect("an answer");
        let formatted = synod::internals::syntax::format::format(
            &text,
            synod::internals::syntax::format::Signs::AsWritten,
        );
        assert_eq!(edited(&text, &edits), formatted.expect("no errors"), "{text}");
    }
    assert_eq!(client.stop(), 0);
}

#[test]
fn half_typed_texts_have_answers_too() {
    let half = RING.replace("  send Elect(id)\n", "  send Elect(\n");
    let mut client = Client::new();
    client.open(NOWHERE, &half);
    assert!(!client.findings(NOWHERE, 1).is_empty());
    let at = behind(&half, "send Elect(");
    let offered = client.at("textDocument/completion", NOWHERE, at).expect("a list");
    let labels: Vec<&str> =
        offered["items"].as_array().expect("items").iter().filter_map(|i| i["label"].as_str()).collect();
    assert!(labels.contains(&"id") && labels.contains(&"elected"), "{labels:?}");
    let signature = client.at("textDocument/signatureHelp", NOWHERE, at).expect("an answer");
    assert_eq!(signature["signatures"][0]["label"], "Elect(candidate: Id)");
    let definition =
        client.at("textDocument/definition", NOWHERE, behind(&half, "send Ele")).expect("an answer");
    assert_eq!(definition[0]["range"]["start"]["line"], 3);
    let hover =
        client.at("textDocument/hover", NOWHERE, behind(&half, "unidirectional r")).expect("an answer");
    assert!(hover["contents"]["value"].as_str().expect("Markdown").contains("`next`, `prev`"), "{hover}");
    assert_eq!(client.stop(), 0);
}

#[test]
fn snippets_are_sent_to_clients_that_support_them() {
    for (snippets, inserted) in [(true, "become ${1:state}"), (false, "become state")] {
        let knows = json!({"textDocument": {"completion": {"completionItem": {"snippetSupport": snippets}}}});
        let mut client = Client::with(knows);
        client.open(NOWHERE, "algorithm t assumes ring\nstate s\n  \n  halt\n");
        let offered = client.at("textDocument/completion", NOWHERE, (2, 2)).expect("a list");
        let items = offered["items"].as_array().expect("items");
        let item = items.iter().find(|i| i["label"] == "become").expect("a statement");
        assert_eq!(item["textEdit"]["newText"], inserted);
        assert_eq!(item["insertTextFormat"], if snippets { 2 } else { 1 });
        // A blank triggers completion only where something is expected.
        let mut after_blank = place(NOWHERE, (3, 6));
        after_blank["context"] = json!({"triggerKind": 2, "triggerCharacter": " "});
        assert_eq!(client.request("textDocument/completion", after_blank), Ok(json!([])));
        assert_eq!(client.stop(), 0);
    }
}

#[test]
fn files_beside_one_another_are_seen_as_they_are_typed() {
    let problem =
        "/// Everybody says hello.\nproblem Greeting\noutput done : Bool\nfinally all: forall p: p.done\n";
    let algorithm = "algorithm greeter solves Greeting\nassumes ring\nstate s\n  done := true\n  halt\n";
    let folder = folder("beside", &[("greeting.syn", problem), ("greeter.syn", algorithm)]);
    let (one, other) = (uri(&folder.join("greeter.syn")), uri(&folder.join("greeting.syn")));
    let mut client = Client::new();
    client.open(&one, algorithm);
    assert_eq!(client.findings(&one, 1), Vec::<Value>::new());
    let definition =
        client.at("textDocument/definition", &one, behind(algorithm, "solves Gre")).expect("an answer");
    assert_eq!(definition[0]["uri"], other);
    // The problem is changed in the editor, and not saved.
    client.open(&other, &problem.replace("done", "greeted"));
    let findings = client.findings(&one, 1);
    let unread = |d: &Value| d["message"].as_str().is_some_and(|m| m.contains("`done` is never read"));
    assert!(findings.iter().any(unread), "`done` is no output any more: {findings:?}");
    let hover = client.at("textDocument/hover", &one, behind(algorithm, "solves Gre")).expect("an answer");
    assert!(hover["contents"]["value"].as_str().expect("Markdown").contains("Everybody says hello"));
    let field = client.at("textDocument/definition", &one, behind(algorithm, "  do")).expect("an answer");
    assert_ne!(field[0]["uri"], other, "the output is called otherwise now");
    // An error in the other file is reported where that file is named.
    client.change(&other, 2, json!([{"text": "problem Greeting\noutput done : Nonsense\n"}]));
    let findings = client.findings(&one, 1);
    let told = findings.iter().find(|d| d["message"].as_str().is_some_and(|m| m.contains("Nonsense")));
    let told = told.unwrap_or_else(|| panic!("{findings:?}"));
    assert_eq!(told["range"]["start"]["line"], 0);
    assert!(told["relatedInformation"].to_string().contains("greeting.syn"), "{told}");
    assert_eq!(client.stop(), 0);
}

/// Renaming works from either side, in open texts and in files on disk; a name that is in use elsewhere is rejected.
#[test]
fn a_name_of_the_problem_is_renamed_in_the_algorithms_beside_it() {
    let problem = "problem Greeting\noutput done : Bool\nfinally all: forall p: p.done\n";
    let algorithm = "algorithm greeter solves Greeting\nassumes ring\nstate s\n  done := true\n  halt\n";
    let waver = algorithm.replace("greeter", "waver");
    let quiet = "algorithm quiet\nassumes ring\nvar done : Bool\n";
    let taken = algorithm.replace("greeter", "taken").replace("state s", "var said : Bool\nstate s");
    let files =
        [("greeting.syn", problem), ("greeter.syn", algorithm), ("waver.syn", &waver), ("quiet.syn", quiet)];
    let folder = folder("renamed_beside", &files);
    let at = |name: &str| uri(&folder.join(name));
    let mut client = Client::new();
    client.open(&at("greeting.syn"), problem);
    client.open(&at("greeter.syn"), algorithm);
    for (from, text, before) in [("greeting.syn", problem, "output do"), ("greeter.syn", algorithm, "  do")] {
        let place_of = behind(text, before);
        let prepared = client.at("textDocument/prepareRename", &at(from), place_of).expect("it has a name");
        assert_eq!(prepared["placeholder"], "done");
        let mut wanted = place(&at(from), place_of);
        wanted["newName"] = json!("said");
        let edit = client.request("textDocument/rename", wanted).expect("edits");
        let changes = edit["changes"].as_object().expect("changes by file");
        assert_eq!(changes.len(), 3, "{edit}");
        for (name, text) in [("greeting.syn", problem), ("greeter.syn", algorithm), ("waver.syn", &waver)] {
            assert_eq!(edited(text, &changes[&at(name)]), text.replace("done", "said"), "{name}");
        }
    }
    client.open(&at("taken.syn"), &taken);
    let mut wanted = place(&at("greeting.syn"), behind(problem, "output do"));
    wanted["newName"] = json!("said");
    assert_eq!(client.request("textDocument/rename", wanted), Err(-32803), "taken.syn has a variable `said`");
    assert_eq!(client.stop(), 0);
}

#[test]
fn the_librarys_files_open_as_files() {
    let mut client = Client::new();
    client.open(NOWHERE, RING);
    let definition =
        client.at("textDocument/definition", NOWHERE, behind(RING, "solves Elec")).expect("an answer");
    let target = definition[0]["uri"].as_str().expect("a file").to_string();
    let path = std::path::PathBuf::from(target.strip_prefix("file://").expect("a file"));
    assert!(path.ends_with("stdlib/problems/election.syn"), "{target}");
    let text = std::fs::read_to_string(&path).expect("it has been written out");
    assert!(std::fs::metadata(&path).expect("it is there").permissions().readonly());
    // It can be read, but not renamed.
    client.open(&target, &text);
    assert_eq!(client.findings(&target, 1), Vec::<Value>::new());
    let at = behind(&text, "problem Elec");
    assert!(client.at("textDocument/hover", &target, at).expect("an answer")["contents"].is_object());
    assert_eq!(client.at("textDocument/prepareRename", &target, behind(&text, "output el")), Err(-32803));
    let found = client.request("workspace/symbol", json!({"query": "maekawa"})).expect("a list");
    assert!(found.as_array().expect("a list").iter().any(|s| s["name"] == "maekawa_1985"), "{found}");
    assert_eq!(client.stop(), 0);
}

#[test]
fn cancelled_and_outdated_requests_are_answered_at_once() {
    let mut client = Client::new();
    client.open(NOWHERE, RING);
    client.findings(NOWHERE, 1);
    // Sent in one piece, so that the server has read everything before it answers the first.
    let message = |m: Value| {
        let body = m.to_string();
        format!("Content-Length: {}\r\n\r\n{body}", body.len())
    };
    let mut bytes = String::new();
    // The first request takes long: a text that is slow to parse.
    let long = format!("{RING}{}", "function f(k: Int) : Int = k + 1\n".repeat(800));
    let opened =
        json!({"uri": "file:///nowhere/long.syn", "languageId": "synod", "version": 1, "text": long});
    bytes += &message(
        json!({"jsonrpc": "2.0", "method": "textDocument/didOpen", "params": {"textDocument": opened}}),
    );
    let symbols = document("file:///nowhere/long.syn");
    bytes += &message(
        json!({"jsonrpc": "2.0", "id": 900, "method": "textDocument/documentSymbol", "params": symbols}),
    );
    bytes += &message(
        json!({"jsonrpc": "2.0", "id": 901, "method": "textDocument/hover", "params": place(NOWHERE, (3, 9))}),
    );
    bytes += &message(
        json!({"jsonrpc": "2.0", "id": 902, "method": "textDocument/codeLens", "params": document(NOWHERE)}),
    );
    bytes += &message(json!({"jsonrpc": "2.0", "method": "$/cancelRequest", "params": {"id": 901}}));
    let changed = json!({"textDocument": {"uri": NOWHERE, "version": 2}, "contentChanges": [{"text": RING}]});
    bytes += &message(json!({"jsonrpc": "2.0", "method": "textDocument/didChange", "params": changed}));
    client.raw(bytes.as_bytes());
    assert!(client.answer(900).is_ok());
    assert_eq!(client.answer(901), Err(-32800));
    assert_eq!(client.answer(902), Err(-32801));
    assert_eq!(client.findings(NOWHERE, 2), Vec::<Value>::new());
    // A request that waits for `check` can be cancelled, too.
    client.change(NOWHERE, 3, json!([{"text": long}]));
    let hints = json!({"textDocument": {"uri": NOWHERE}, "range": {"start": {"line": 0, "character": 0}, "end": {"line": 99, "character": 0}}});
    let id = client.ask("textDocument/inlayHint", hints);
    client.notify("$/cancelRequest", json!({"id": id}));
    assert!(matches!(client.answer(id), Err(-32800) | Ok(_)));
    assert_eq!(client.stop(), 0);
}

#[test]
fn a_text_nested_beyond_measure_is_answered() {
    let deep = format!(
        "algorithm deep assumes ring\nstate s\n  x := {}1{}\n  halt\n",
        "(".repeat(10_000),
        ")".repeat(10_000)
    );
    let mut client = Client::new();
    client.open(NOWHERE, &deep);
    let findings = client.findings(NOWHERE, 1);
    assert!(findings[0]["message"].as_str().expect("text").contains("nested too deeply"), "{findings:?}");
    for method in ["documentSymbol", "foldingRange", "semanticTokens/full", "codeLens"] {
        client.request(&format!("textDocument/{method}"), document(NOWHERE)).expect(method);
    }
    let selections =
        json!({"textDocument": {"uri": NOWHERE}, "positions": [{"line": 2, "character": 10_005}]});
    client.request("textDocument/selectionRange", selections).expect("an answer");
    client.at("textDocument/completion", NOWHERE, (2, 10_000)).expect("an answer");
    assert_eq!(client.stop(), 0);
}

/// Only the changed part is parsed again: everything after it has to move.
#[test]
fn positions_after_an_edit_move() {
    let functions: String =
        (0..120).map(|k| format!("/// Number {k}.\nfunction f{k}(k: Int) : Int = k + {k}\n")).collect();
    let text = format!("{RING}{functions}");
    let mut client = Client::new();
    client.open(NOWHERE, &text);
    let lines_of = |findings: &[Value]| -> Vec<u64> {
        let unused = |d: &&Value| d["message"].as_str().is_some_and(|m| m.contains("is never used"));
        findings.iter().filter(unused).filter_map(|d| d["range"]["start"]["line"].as_u64()).collect()
    };
    let before = lines_of(&client.findings(NOWHERE, 1));
    assert_eq!(before.len(), 120);
    // Two more lines before them, one of them in a clause.
    let (line, column) = behind(&text, "  send Elect(id)");
    let at = json!({"line": line, "character": column});
    let here = json!({"start": at, "end": at});
    client.change(NOWHERE, 2, json!([{"range": here, "text": "\n  // пишет 😀\n  skip"}]));
    let after = lines_of(&client.findings(NOWHERE, 2));
    assert_eq!(after, before.iter().map(|line| line + 2).collect::<Vec<_>>());
    // A clause that is broken, and repaired.
    let end = json!({"line": line + 2, "character": 6});
    let there = json!({"start": end, "end": end});
    client.change(NOWHERE, 3, json!([{"range": there, "text": "("}]));
    let broken = client.findings(NOWHERE, 3);
    assert!(broken.iter().any(|d| d["range"]["start"]["line"] == json!(line + 2)), "{broken:?}");
    let behind_it = json!({"start": end, "end": {"line": line + 2, "character": 7}});
    client.change(NOWHERE, 4, json!([{"range": behind_it, "text": ""}]));
    assert_eq!(lines_of(&client.findings(NOWHERE, 4)), after);
    let place = (after[119] as u32, 10);
    let hover = client.at("textDocument/hover", NOWHERE, place).expect("an answer");
    assert_eq!(hover["range"]["start"], json!({"line": place.0, "character": 9}));
    assert!(hover["contents"]["value"].as_str().expect("Markdown").contains("Number 119."), "{hover}");
    assert_eq!(client.stop(), 0);
}
