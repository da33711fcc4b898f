//! Editor features as data: facts about a text at an offset. No protocol, no input, no output.
//!
//! An [`Analysis`] is made of one version of a text and the files that it names. Half-typed texts are the normal case: all
//! clauses that parse are resolved, and words of broken clauses refer to declarations elsewhere. Offsets are bytes. Each feature
//! has its own file.

pub mod actions;
pub mod format;
pub mod lenses;
pub mod calls;
mod headings;
pub mod hints;
pub mod reference;
pub mod symbols;
pub mod hover;
pub mod completion;
pub mod rename;
pub mod signature;
pub mod folding;
pub mod selection;
pub mod tokens;

use crate::check::load::{Loaded, load};
use crate::check::names::{Names, resolve};
use crate::check::{Find, Types};
use crate::source::Span;
use crate::syntax::{Parsed, Token, TokenKind};
use std::ops::Deref;
use std::sync::Arc;

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
    /// Return the files of a program, in the order of its sources.
    fn all(loaded: &Loaded) -> Vec<File> {
        let first_file = |unit: &usize| loaded.units[*unit].file as usize;
        let mut files = Vec::new();
        for unit in &loaded.units {
            let aliases = unit.uses.iter().map(|used| used.name());
            let layers = aliases.zip(&unit.layers);
            for (position, (file, read)) in unit.parsed.iter().enumerate() {
                let layers = layers
                    .clone()
                    .filter_map(|(alias, unit)| Some((alias.text.clone(), first_file(unit.as_ref()?))));
                let made = File {
                    name: loaded.sources.get(*file).name.to_string(),
                    read: read.clone(),
                    problem: unit.problem.as_ref().map(first_file),
                    base: unit.parsed.get(position + 1).map(|(file, _)| *file as usize),
                    layers: layers.collect(),
                };
                files.push((*file, made));
            }
        }
        files.sort_by_key(|(file, _)| *file);
        files.into_iter().map(|(_, file)| file).collect()
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
        let loaded = load(name, read, find);
        let (files, names) = (File::all(&loaded), resolve(&loaded));
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
