//! Positions and addresses of the protocol, in offsets and paths.

use lsp_types::Position;
use std::path::{Path, PathBuf};
use synod::internals::lsp::places::{Encoding, Lines};
use synod::internals::lsp::uri::{of_path, path_of};

#[test]
fn positions_and_offsets_agree_in_both_encodings() {
    let text = "// привет 😀 x\r\nvar y\rlast\n";
    let lines = Lines::new(text);
    for encoding in [Encoding::Utf8, Encoding::Utf16] {
        for (offset, _) in text.char_indices().filter(|(_, c)| *c != '\n' && *c != '\r') {
            let position = lines.position(text, offset, encoding);
            assert_eq!(lines.offset(text, position, encoding), offset, "{encoding:?} {offset}");
        }
    }
    let smile = text.find('😀').unwrap();
    assert_eq!(lines.position(text, smile, Encoding::Utf16), Position { line: 0, character: 10 });
    assert_eq!(lines.position(text, smile + 4, Encoding::Utf16), Position { line: 0, character: 12 });
    // Inside a surrogate pair, beyond the line, beyond the text.
    assert_eq!(lines.offset(text, Position { line: 0, character: 11 }, Encoding::Utf16), smile);
    assert_eq!(
        lines.offset(text, Position { line: 1, character: 99 }, Encoding::Utf16),
        text.find("\rlast").unwrap()
    );
    assert_eq!(lines.offset(text, Position { line: 99, character: 0 }, Encoding::Utf16), text.len());
}

#[test]
fn paths_survive_their_uris() {
    for path in ["/a/b.syn", "/with space/и.syn", "/100%/x+y&z.syn"] {
        assert_eq!(path_of(&of_path(Path::new(path))), Some(PathBuf::from(path)));
    }
    assert_eq!(path_of("file://localhost/a%20b.syn"), Some(PathBuf::from("/a b.syn")));
    assert_eq!(path_of("untitled:Untitled-1"), None);
    assert_eq!(path_of("file:///a%zz"), None);
    assert_eq!(path_of("file:///a%2"), None);
}
