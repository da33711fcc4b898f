//! The way from a text to its tree: tokens, clauses, pest, tree.

use pest::Parser;

use crate::diagnostic::Diagnostic;
use crate::source::Span;
use crate::syntax::ast;
use crate::syntax::build::Builder;
use crate::syntax::clauses::{self, Piece};
use crate::syntax::nesting::Nesting;
use crate::syntax::tokens::{self, Token, TokenKind};
use crate::syntax::{codes, lexical, mistakes};

#[derive(pest_derive::Parser)]
#[grammar = "grammar/synod.pest"]
pub(super) struct SynodParser;

/// Far more than a program needs, and little enough to be read, held and shown at once.
pub const MAX_SOURCE_BYTES: usize = 4 * 1024 * 1024;

/// Nobody reads more; a file that is no program at all should not fill the screen for minutes.
const MAX_DIAGNOSTICS: usize = 100;

/// Reads a whole file. The module holds every clause that could be read.
pub fn parse(file: u32, text: &str) -> (ast::Module, Vec<Diagnostic>) {
    if let Some(finding) = too_large(file, text) {
        return (ast::Module::default(), vec![finding]);
    }
    let mut cut = clauses::cut(file, text, &tokens::tokens(text));
    let mut builder = Builder::new(file);
    let mut module = ast::Module::default();
    for piece in cut.pieces {
        if piece.broken {
            continue;
        }
        match clause(&mut builder, file, text, &cut.tokens, piece) {
            Ok(clause) => module.clauses.push(clause),
            Err(finding) => cut.diagnostics.push(*finding),
        }
    }
    module.comments = cut.comments;
    module.nodes = builder.nodes();
    cut.diagnostics.sort_by_key(|finding| finding.span.start);
    cut.diagnostics.truncate(MAX_DIAGNOSTICS);
    (module, cut.diagnostics)
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

fn clause(
    builder: &mut Builder,
    file: u32,
    text: &str,
    tokens: &[Token],
    piece: Piece,
) -> Result<ast::Clause, Box<Diagnostic>> {
    let part = &text[piece.start..piece.end];
    match SynodParser::parse(Rule::clause, part) {
        Ok(pairs) => {
            let kind = builder.clause(piece.start, &tokens[piece.tokens], pairs)?;
            Ok(ast::Clause { doc: piece.doc, span: Span::new(file, piece.start, piece.end), kind })
        }
        Err(error) => {
            let tokens = &tokens[piece.tokens];
            Err(Box::new(mistakes::explain(file, text, piece.start, tokens, &error)))
        }
    }
}
