//! Editor features as data: facts about a text at an offset. No protocol, no input, no output.
//!
//! An [`Analysis`] is made of one version of a text and the files that it names. Half-typed texts are the normal case: all
//! clauses that parse are resolved, and words of broken clauses refer to declarations elsewhere. Offsets are bytes. Each feature
//! has its own file; `names` resolves the names.

pub mod actions;
pub mod format;
pub mod lenses;
pub mod names;
pub mod calls;
pub mod hints;
pub mod reference;
pub mod hover;
pub mod completion;
pub mod rename;
pub mod signature;
pub mod symbols;
pub mod folding;
pub mod selection;
pub mod tokens;

use crate::check::{Find, Types, find_text};
use crate::library::snake;
use crate::source::Span;
use crate::syntax::ast::{ClauseKind, Module};
use crate::syntax::{Parsed, Token, TokenKind};
use names::Names;
use std::ops::Deref;
use std::sync::Arc;

/// The maximum number of files of one program: more form a cycle, which `check` reports.
const MAX_FILES: usize = 24;

/// One parsed text, and the files that it names.
pub struct File {
    /// The name in messages: a path, or `stdlib/…`.
    pub name: String,
    pub read: Arc<Parsed>,
    /// The index of the problem's file.
    pub problem: Option<usize>,
    pub base: Option<usize>,
    /// Layers by their alias.
    pub layers: Vec<(String, usize)>,
}

impl Deref for File {
    type Target = Parsed;

    fn deref(&self) -> &Parsed {
        &self.read
    }
}

impl File {
    fn new(name: &str, read: Arc<Parsed>) -> File {
        File { name: name.into(), read, problem: None, base: None, layers: Vec::new() }
    }

    pub fn is_library(&self) -> bool {
        self.name.starts_with("stdlib/")
    }

    pub fn slice(&self, span: Span) -> &str {
        self.text.get(span.range()).unwrap_or("")
    }

    /// Return the token at an offset. Between two tokens, a word takes precedence.
    pub fn token_at(&self, offset: usize) -> Option<&Token> {
        let first = self.tokens.partition_point(|t| t.end < offset);
        let mut touching = self.tokens[first..].iter().take_while(|t| t.start <= offset);
        let one = touching.next()?;
        match touching.next() {
            Some(other) if one.kind != TokenKind::Word => Some(other),
            _ => Some(one),
        }
    }

    /// Return the word at an offset, with its range.
    pub fn word_at(&self, offset: usize) -> Option<(&str, std::ops::Range<usize>)> {
        let token = self.token_at(offset).filter(|t| t.kind == TokenKind::Word)?;
        Some((token.text(&self.text), token.start..token.end))
    }

    /// Return whether an offset lies in a comment or a text.
    pub fn is_prose(&self, offset: usize) -> bool {
        let before = self.tokens.partition_point(|t| t.start < offset);
        self.tokens[..before].last().is_some_and(|t| match t.kind {
            // Blanks at the end of a line belong to its comment.
            TokenKind::Comment | TokenKind::Doc | TokenKind::OpenText => {
                !self.text.get(t.end..offset).unwrap_or_default().contains('\n')
            }
            TokenKind::Text => offset < t.end,
            _ => false,
        })
    }
}

/// A text and the files that it names, parsed and resolved; `check` adds types later.
pub struct Analysis {
    /// The user's file, then the files that it needs.
    pub files: Vec<File>,
    pub names: Names,
    pub types: Option<Arc<Types>>,
}

impl Analysis {
    /// Parse and resolve a text; `find` as for [`check`](crate::check::check).
    pub fn new(name: &str, text: &str, find: Find) -> Analysis {
        Analysis::of(name, Arc::new(Parsed::new(0, text)), find)
    }

    /// Analyse a text that has been parsed already, as file 0.
    pub fn of(name: &str, read: Arc<Parsed>, find: Find) -> Analysis {
        let mut files = vec![File::new(name, read)];
        let mut next = 0;
        while next < files.len() {
            let mut wanted: Vec<(Wanted, String)> = Vec::new();
            let mut header_read = false;
            for clause in &files[next].module.clauses {
                match &clause.kind {
                    ClauseKind::Algorithm { variant_of, solves, .. } => {
                        header_read = true;
                        wanted.extend(variant_of.iter().map(|n| (Wanted::Base, n.text.clone())));
                        wanted.extend(solves.iter().map(|s| (Wanted::Problem, s.name.text.clone())));
                    }
                    ClauseKind::Uses(list) => wanted.extend(list.iter().map(|u| {
                        let alias = u.alias.as_ref().unwrap_or(&u.algorithm).text.clone();
                        (Wanted::Layer(alias), u.algorithm.text.clone())
                    })),
                    _ => {}
                }
            }
            if !header_read {
                wanted.extend(half_typed_header(&files[next]));
            }
            for (what, name) in wanted {
                let is_problem = matches!(what, Wanted::Problem);
                let Some(number) = number_of(&mut files, &name, is_problem, find) else { continue };
                match what {
                    Wanted::Base => files[next].base = Some(number),
                    Wanted::Problem => files[next].problem = Some(number),
                    Wanted::Layer(alias) => files[next].layers.push((alias, number)),
                }
            }
            next += 1;
        }
        let names = Names::new(&files);
        Analysis { files, names, types: None }
    }

    /// Return the user's file.
    pub fn user_file(&self) -> &File {
        &self.files[0]
    }

    /// Return the text of a span in any of the files.
    pub fn slice(&self, span: Span) -> &str {
        self.files.get(span.file as usize).map_or("", |f| f.slice(span))
    }

    /// Return the type inferred for a span.
    pub fn type_at(&self, span: Span) -> Option<&str> {
        self.types.as_ref()?.at(span)
    }
}

enum Wanted {
    Base,
    Problem,
    Layer(String),
}

/// Return the name in a header that cannot be parsed yet: `algorithm a solves Election(winner: `.
fn half_typed_header(file: &File) -> Option<(Wanted, String)> {
    let words: Vec<&str> = file
        .tokens
        .iter()
        .filter(|t| t.kind == TokenKind::Word)
        .take(8)
        .map(|t| t.text(&file.text))
        .collect();
    if words.first() != Some(&"algorithm") {
        return None;
    }
    let after = |word: &str| words.iter().position(|w| *w == word).and_then(|i| words.get(i + 1));
    let problem = after("solves").map(|name| (Wanted::Problem, name.to_string()));
    problem.or_else(|| after("of").map(|name| (Wanted::Base, name.to_string())))
}

/// Return the index of the file that a name refers to; read it if necessary.
fn number_of(files: &mut Vec<File>, name: &str, is_problem: bool, find: Find) -> Option<usize> {
    let declares = |f: &File| {
        let of_kind = matches!(f.module.clauses.first().map(|c| &c.kind), Some(ClauseKind::Problem { .. }));
        of_kind == is_problem && header_name(&f.module).is_some_and(|own| snake(own) == snake(name))
    };
    if let Some(known) = files.iter().skip(1).position(declares) {
        return Some(known + 1);
    }
    if files.len() >= MAX_FILES {
        return None;
    }
    let (shown, text) = find_text(name, is_problem, find)?;
    let read = Parsed::new(files.len() as u32, text);
    files.push(File::new(&shown, Arc::new(read)));
    Some(files.len() - 1)
}

fn header_name(module: &Module) -> Option<&str> {
    match &module.clauses.first()?.kind {
        ClauseKind::Algorithm { name, .. } | ClauseKind::Problem { name, .. } => Some(&name.text),
        _ => None,
    }
}
