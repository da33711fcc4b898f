//! Signature help: the call at the cursor, and the argument that is being written.

use super::{Analysis, reference};
use crate::check::names::{Access, Kind};
use crate::syntax::{Token, TokenKind};

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Signature {
    /// The call forms, each with its parameters as parts of its label.
    pub ways: Vec<(String, Vec<String>)>,
    pub doc: String,
    /// The index of the argument at the cursor, from 0.
    pub active: usize,
}

impl Analysis {
    pub fn signature(&self, offset: usize) -> Option<Signature> {
        let file = self.user_file();
        if file.is_prose(offset) {
            return None;
        }
        let tokens: Vec<&Token> = file
            .tokens
            .iter()
            .take_while(|t| t.end <= offset)
            .filter(|t| !matches!(t.kind, TokenKind::Comment | TokenKind::Doc))
            .collect();
        let (mut depth, mut active) = (0usize, 0);
        // A call does not begin further back than this.
        for (i, token) in tokens.iter().enumerate().rev().take(400) {
            match token.text(&file.text) {
                ")" | "]" | "}" => depth += 1,
                "(" if depth == 0 => {
                    let name = tokens.get(i.checked_sub(1)?)?;
                    if name.kind != TokenKind::Word || !token.touches {
                        // A parenthesised group may itself be inside a call.
                        active = 0;
                        continue;
                    }
                    return self.signature_of(name, active);
                }
                "[" | "{" if depth == 0 => active = 0,
                "(" | "[" | "{" => depth -= 1,
                "," if depth == 0 => active += 1,
                "->" | "→" | ":=" | "←" | ";" if depth == 0 => return None,
                _ => {}
            }
        }
        None
    }

    fn signature_of(&self, name: &Token, active: usize) -> Option<Signature> {
        let file = self.user_file();
        let word = name.text(&file.text);
        let callable = |kind: Kind| {
            matches!(kind, Kind::Message | Kind::Record | Kind::Function | Kind::Procedure | Kind::Operation)
        };
        let uses = self.names.at(0, name.end);
        // A declaration is not a call.
        let meant = uses
            .iter()
            .filter(|u| u.access != Access::Declare)
            .map(|u| u.decl)
            .find(|id| callable(self.names.decl(*id).kind));
        if let Some(id) = meant {
            let decl = self.names.decl(id);
            let heading = self.heading(decl);
            let label = format!("{}({})", decl.name, heading.params.join(", "));
            let doc = heading.summary();
            return Some(Signature { ways: vec![(label, heading.params)], doc, active });
        }
        let calls = reference::calls(word);
        if calls.is_empty() || !uses.is_empty() {
            return None;
        }
        let ways: Vec<(String, Vec<String>)> = calls
            .iter()
            .map(|form| {
                let inner =
                    form.split_once('(').and_then(|(_, rest)| rest.strip_suffix(')')).unwrap_or_default();
                (form.to_string(), inner.split(", ").map(String::from).collect())
            })
            .collect();
        let doc = reference::function(word).map_or("", |(_, says)| says).to_string();
        Some(Signature { ways, doc, active })
    }
}
