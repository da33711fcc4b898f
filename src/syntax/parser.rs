//! From a text to its tree: tokens, clauses, pest, tree.

use pest::Parser;
use pest::iterators::Pairs;
use rustc_hash::FxHashMap;
use std::sync::Arc;

use crate::diagnostic::{Diagnostic, Grammar};

use crate::source::Span;
use crate::syntax::ast;
use crate::syntax::build::{Builder, clause_of};
use crate::syntax::clauses::{self, ClausePiece};
use crate::syntax::former::former_words;
use crate::syntax::nesting::Nesting;
use crate::syntax::recovery::further;
use crate::syntax::rule::{Rule, SynodParser};
use crate::syntax::shape::Shape;
use crate::syntax::tokens::{self, Token, TokenKind};
use crate::syntax::{lexical, mistakes};

/// Maximum size of a source text in bytes: far more than a program needs, yet small enough to parse, keep and display.
pub const MAX_SOURCE_BYTES: usize = 4 * 1024 * 1024;

/// Maximum number of diagnostics; a file that is not a program should not fill the screen.
const MAX_DIAGNOSTICS: usize = 100;

/// A parsed text.
#[derive(Clone, Debug, Default)]
pub struct Parsed {
    pub text: Arc<str>,
    /// All clauses without syntax errors.
    pub module: ast::Module,
    /// All tokens, including comments.
    pub tokens: Vec<Token>,
    pub diagnostics: Vec<Diagnostic>,
    /// The rules that pest matched in each clause: the formatter also needs words and signs.
    pub(super) shapes: Vec<Shape>,
}

impl Parsed {
    /// Parse a whole file.
    pub fn new(file: u32, text: impl Into<Arc<str>>) -> Parsed {
        read(file, text.into(), |_| None)
    }

    /// Parse a new version of the file: only clauses that did not occur before are parsed. The result is that of [`Parsed::new`].
    pub fn reparse(before: Arc<Parsed>, file: u32, text: impl Into<Arc<str>>) -> Parsed {
        // Usually this is the only reference: then the trees are moved, not copied.
        let before = Arc::unwrap_or_clone(before);
        let mut trees: FxHashMap<&str, Vec<Tree>> = FxHashMap::default();
        for (clause, shape) in before.module.clauses.into_iter().zip(before.shapes) {
            // Findings are made anew.
            if before.diagnostics.iter().any(|d| clause.span.range().contains(&(d.span.start as usize))) {
                continue;
            }
            trees.entry(&before.text[clause.span.range()]).or_default().push((clause, shape));
        }
        read(file, text.into(), |clause| trees.get_mut(clause)?.pop())
    }
}

/// Parse a whole file. The module contains every clause without syntax errors.
pub fn parse(file: u32, text: &str) -> (ast::Module, Vec<Diagnostic>) {
    let parsed = Parsed::new(file, text);
    (parsed.module, parsed.diagnostics)
}

/// The tree of a clause, and the rules that pest matched.
type Tree = (ast::Clause, Shape);

/// `known` may return the tree of a clause from its text.
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
            let own = |d: &&Diagnostic| (piece.start..piece.end).contains(&(d.span.start as usize));
            let known = cut.diagnostics.iter().filter(own).cloned().collect();
            cut.diagnostics.extend(further(file, &text[piece.start..piece.end], piece.start, known));
            continue;
        }
        let (start, end) = (piece.start, piece.end);
        let tree = match known(&text[piece.start..piece.end]) {
            Some((mut clause, shape)) => {
                clause.move_by((piece.start as u32).wrapping_sub(clause.span.start));
                clause.doc = piece.doc;
                Ok((clause, shape, Vec::new()))
            }
            None => tree(&mut builder, file, &text, &cut.tokens, piece),
        };
        match tree {
            Ok((clause, shape, former)) => {
                module.clauses.push(clause);
                shapes.push(shape);
                cut.diagnostics.extend(former);
            }
            Err(finding) => {
                cut.diagnostics.extend(further(file, &text[start..end], start, vec![(*finding).clone()]));
                cut.diagnostics.push(*finding);
            }
        }
    }
    module.comments = cut.comments;
    cut.diagnostics.sort_by_key(|finding| finding.span.start);
    cut.diagnostics.truncate(MAX_DIAGNOSTICS);
    Parsed { diagnostics: cut.diagnostics, module, tokens, text, shapes }
}

/// Parse a text that is one expression.
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
    let pairs = SynodParser::parse(Rule::lone_expr, text)
        .map_err(|error| vec![mistakes::explain(file, text, 0, &tokens, &error)])?;
    let former = former_words(file, text, 0, &tokens, pairs.clone());
    if !former.is_empty() {
        return Err(former);
    }
    Builder::new(file).lone_expr(&tokens, pairs).map_err(|finding| vec![*finding])
}

fn too_large(file: u32, text: &str) -> Option<Diagnostic> {
    (text.len() > MAX_SOURCE_BYTES)
        .then(|| Grammar::TextTooLarge(text.len(), MAX_SOURCE_BYTES).at(Span::new(file, 0, 0)))
}

fn tree(
    builder: &mut Builder,
    file: u32,
    text: &str,
    tokens: &[Token],
    piece: ClausePiece,
) -> Result<(ast::Clause, Shape, Vec<Diagnostic>), Box<Diagnostic>> {
    let tokens = &tokens[piece.tokens.clone()];
    let read = parts(file, text, tokens, &piece)?;
    let kind = builder.clause(piece.start, tokens, read.clone())?;
    let span = Span::new(file, piece.start, piece.end);
    let former = former_words(file, text, piece.start, tokens, read.clone());
    Ok((ast::Clause { doc: piece.doc, span, kind }, Shape::of(clause_of(read)), former))
}

fn parts<'t>(
    file: u32,
    text: &'t str,
    tokens: &[Token],
    piece: &ClausePiece,
) -> Result<Pairs<'t, Rule>, Box<Diagnostic>> {
    SynodParser::parse(Rule::clause, &text[piece.start..piece.end])
        .map_err(|error| Box::new(mistakes::explain(file, text, piece.start, tokens, &error)))
}
