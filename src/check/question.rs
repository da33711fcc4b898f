//! Expressions that somebody asks about a program from outside: `p3.d`, `count p: p in relay`, typed at a prompt or
//! given on the command line. They see what properties see, and the processes by position.

use super::context::*;
use super::{Checker, Find, examine};
use crate::diagnostic::Diagnostic;
use crate::ir;
use crate::source::Sources;
use crate::syntax::{Parsed, parse_expr};

/// A checked question. It can be asked of every configuration of the program with which it was checked, and of
/// that program checked without it: slots are given out alike.
#[derive(Clone, Debug)]
pub struct Question {
    pub text: String,
    pub expr: ir::Expr,
    /// Words and values of the frame in which it is evaluated.
    pub frame: (u16, u16),
}

/// What is asked, and of which processes.
pub struct Asked<'q> {
    pub text: &'q str,
    /// How many processes there are: `p0`, `p1`, … up to the last but no further.
    pub n: usize,
    /// Their names by position, where a scenario gives them; else empty.
    pub names: &'q [String],
    /// None: any type.
    pub want: Option<ir::Type>,
}

/// Why a question makes no sense, with the texts that the diagnostics point into.
#[derive(Debug)]
pub struct Senseless {
    pub diagnostics: Vec<Diagnostic>,
    pub sources: Sources,
}

/// Checks an expression over the program of a text. `name` and `find` as for [`check`](super::check).
///
/// # Errors
/// When the program is wrong, or the expression.
pub fn ask(name: &str, text: &str, find: Find, asked: &Asked) -> Result<Question, Box<Senseless>> {
    let (checked, question) = examine(name, &Parsed::new(0, text), find, Some(asked), None);
    match question.filter(|_| checked.program.is_some()) {
        Some(question) => Ok(question),
        None => {
            // Warnings about the program are not what was asked for.
            let diagnostics = checked.diagnostics.into_iter().filter(Diagnostic::is_error).collect();
            Err(Box::new(Senseless { diagnostics, sources: checked.sources }))
        }
    }
}

impl Checker<'_> {
    /// The question in `file`, once all roles are done.
    pub(super) fn question(&mut self, file: u32, asked: &Asked) -> Option<Question> {
        let parsed = match parse_expr(file, asked.text) {
            Ok(parsed) => parsed,
            Err(found) => {
                self.found.extend(found);
                return None;
            }
        };
        self.cx = Cx::new(None, self.comps.len(), Mode::Global);
        let named = asked.names.iter().enumerate().map(|(p, name)| (name.clone(), p as i64));
        let n = if asked.names.is_empty() { asked.n as i64 } else { 0 };
        self.cx.processes = Processes { named: named.collect(), n };
        let mut expr = match &asked.want {
            Some(want) => self.expr_as(&parsed, want, "what is asked"),
            None => self.expr(&parsed, None),
        };
        let before = std::mem::take(&mut self.global_frame);
        self.finish_global(|f| f.expr(&mut expr));
        let frame = std::mem::replace(&mut self.global_frame, before);
        Some(Question { text: asked.text.to_string(), expr, frame })
    }
}
