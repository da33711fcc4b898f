//! The way from a text to its tree: tokens, clauses, pest, tree.

use pest::Parser;
use pest::iterators::Pairs;
use rustc_hash::FxHashMap;
use std::sync::Arc;

use crate::diagnostic::Diagnostic;
use crate::source::Span;
use crate::syntax::ast;
use crate::syntax::build::{Builder, clause_of};
use crate::syntax::clauses::{self, Piece};
use crate::syntax::nesting::Nesting;
use crate::syntax::rule::{Rule, SynodParser};
use crate::syntax::shape::Shape;
use crate::syntax::tokens::{self, Token, TokenKind};
use crate::syntax::{codes, lexical, mistakes};

/// Far more than a program needs, and little enough to be read, held and shown at once.
pub const MAX_SOURCE_BYTES: usize = 4 * 1024 * 1024;

/// Nobody reads more; a file that is no program at all should not fill the screen for minutes.
const MAX_DIAGNOSTICS: usize = 100;

/// A text that has been read.
#[derive(Clone, Debug, Default)]
pub struct Parsed {
    pub text: Arc<str>,
    /// Every clause that could be read.
    pub module: ast::Module,
    /// All words, signs and comments.
    pub tokens: Vec<Token>,
    pub diagnostics: Vec<Diagnostic>,
    /// What pest has read of each clause of the module: the formatter needs its words and signs, too.
    pub(super) shapes: Vec<Shape>,
}

impl Parsed {
    /// Reads a whole file.
    pub fn new(file: u32, text: impl Into<Arc<str>>) -> Parsed {
        read(file, text.into(), |_| None)
    }

    /// Reads the file again, now that its text is this: only clauses that were not there before are read, whatever stands
    /// around them. The result is what [`Parsed::new`] gives.
    pub fn again(before: Arc<Parsed>, file: u32, text: impl Into<Arc<str>>) -> Parsed {
        // Usually nobody else holds what was read before: its trees are taken, not copied.
        let before = Arc::unwrap_or_clone(before);
        let mut trees: FxHashMap<&str, Vec<Tree>> = FxHashMap::default();
        for (clause, shape) in before.module.clauses.into_iter().zip(before.shapes) {
            trees.entry(&before.text[clause.span.range()]).or_default().push((clause, shape));
        }
        read(file, text.into(), |clause| trees.get_mut(clause)?.pop())
    }
}

/// Reads a whole file. The module holds every clause that could be read.
pub fn parse(file: u32, text: &str) -> (ast::Module, Vec<Diagnostic>) {
    let parsed = Parsed::new(file, text);
    (parsed.module, parsed.diagnostics)
}

/// A clause, and what pest has read of it.
type Tree = (ast::Clause, Shape);

/// `known` may give the tree of a clause by its text.
fn read(file: u32, text: Arc<str>, mut known: impl FnMut(&str) -> Option<Tree>) -> Parsed {
    if let Some(finding) = too_large(file, &text) {
        return Parsed { diagnostics: vec![finding], text, ..Parsed::default() };
    }
    let tokens = tokens::tokens(&text);
    let mut cut = clauses::cut(file, &text, &tokens);
    let mut builder = Builder::new(file);
    let mut module = ast::Module::default();
    let mut shapes = Vec::with_capacity(cut.pieces.len());
    for piece in cut.pieces {
        if piece.broken {
            continue;
        }
        let tree = match known(&text[piece.start..piece.end]) {
            Some((mut clause, shape)) => {
                clause.move_by((piece.start as u32).wrapping_sub(clause.span.start));
                clause.doc = piece.doc;
                Ok((clause, shape))
            }
            None => tree(&mut builder, file, &text, &cut.tokens, piece),
        };
        match tree {
            Ok((clause, shape)) => {
                module.clauses.push(clause);
                shapes.push(shape);
            }
            Err(finding) => cut.diagnostics.push(*finding),
        }
    }
    module.comments = cut.comments;
    cut.diagnostics.sort_by_key(|finding| finding.span.start);
    cut.diagnostics.truncate(MAX_DIAGNOSTICS);
    Parsed { diagnostics: cut.diagnostics, module, tokens, text, shapes }
}

/// Reads a text that is one expression.
pub fn parse_expr(file: u32, text: &str) -> Result<ast::Expr, Vec<Diagnostic>> {
    if let Some(finding) = too_large(file, text) {
        return Err(vec![finding]);
    }
    let mut tokens = tokens::tokens(text);
    tokens.retain(|token| !matches!(token.kind, TokenKind::Comment | TokenKind::Doc));
    let mut nesting = Nesting::new(file, text);
    let mut findings: Vec<Diagnostic> = Vec::new();
    for token in &tokens {
        findings.extend(lexical::check(file, text, token));
        findings.extend(nesting.feed(token));
    }
    findings.extend(nesting.finish());
    if !findings.is_empty() {
        findings.truncate(MAX_DIAGNOSTICS);
        return Err(findings);
    }
    let parsed = SynodParser::parse(Rule::lone_expr, text);
    parsed
        .map_err(|error| Box::new(mistakes::explain(file, text, 0, &tokens, &error)))
        .and_then(|pairs| Builder::new(file).lone_expr(&tokens, pairs))
        .map_err(|finding| vec![*finding])
}

fn too_large(file: u32, text: &str) -> Option<Diagnostic> {
    (text.len() > MAX_SOURCE_BYTES).then(|| {
        let message = format!("the text has {} bytes; the limit is {MAX_SOURCE_BYTES}", text.len());
        Diagnostic::error(codes::TOO_LARGE, Span::new(file, 0, 0), message)
            .hint("one file for each algorithm and problem")
    })
}

fn tree(
    builder: &mut Builder,
    file: u32,
    text: &str,
    tokens: &[Token],
    piece: Piece,
) -> Result<Tree, Box<Diagnostic>> {
    let tokens = &tokens[piece.tokens.clone()];
    let read = parts(file, text, tokens, &piece)?;
    let kind = builder.clause(piece.start, tokens, read.clone())?;
    let span = Span::new(file, piece.start, piece.end);
    Ok((ast::Clause { doc: piece.doc, span, kind }, Shape::of(clause_of(read))))
}

fn parts<'t>(
    file: u32,
    text: &'t str,
    tokens: &[Token],
    piece: &Piece,
) -> Result<Pairs<'t, Rule>, Box<Diagnostic>> {
    SynodParser::parse(Rule::clause, &text[piece.start..piece.end])
        .map_err(|error| Box::new(mistakes::explain(file, text, piece.start, tokens, &error)))
}
