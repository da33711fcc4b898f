//! Diagnostics of a source text, as data. `render::diagnostics` draws them.
//!
//! Each finding is a variant of one of the tables below, with its arguments; the tables hold every sentence that `check` and the
//! parser say about a program. Nothing else composes messages, and nothing selects findings by their text.

#[macro_use]
mod table;
pub mod codes;
mod noun;
mod need;
mod grammar;
mod naming;
mod typing;
mod behaviour;
mod modelling;
mod requirement;
mod scripting;
mod label;
mod hint;
mod fix;

pub use behaviour::Behaviour;
pub use codes::{Code, Severity};
pub use fix::{Edit, Fix, apply};
pub use grammar::Grammar;
pub use hint::Hint;
pub use label::Label;
pub use modelling::Modelling;
pub use naming::Naming;
pub use need::Need;
pub use noun::Noun;
pub use requirement::Requirement;
pub use scripting::Scripting;
pub use typing::Typing;

use crate::prose;
use crate::source::Span;
use std::fmt;

/// Join the tables of findings to one enum.
macro_rules! subjects {
    ($($subject:ident),*) => {
        /// A fault of the program, or a doubtful place.
        #[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
        pub enum Finding {
            $(
                #[doc = concat!("See [`", stringify!($subject), "`].")]
                $subject($subject)
            ),*
        }

        impl Finding {
            fn code(&self) -> Code {
                match self {
                    $(Finding::$subject(finding) => finding.code(),)*
                }
            }

            fn label(&self) -> Option<String> {
                match self {
                    $(Finding::$subject(finding) => finding.label(),)*
                }
            }

            fn hint(&self) -> Option<String> {
                match self {
                    $(Finding::$subject(finding) => finding.hint(),)*
                }
            }
        }

        impl fmt::Display for Finding {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                match self {
                    $(Finding::$subject(finding) => finding.fmt(f),)*
                }
            }
        }

        $(
            impl From<$subject> for Finding {
                fn from(finding: $subject) -> Finding {
                    Finding::$subject(finding)
                }
            }

            impl $subject {
                pub fn at(self, span: Span) -> Diagnostic {
                    Diagnostic::new(span, self)
                }
            }
        )*
    };
}

subjects!(Grammar, Naming, Typing, Behaviour, Modelling, Requirement, Scripting);

/// A finding with its place, related places, and the fix if there is one.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Diagnostic {
    pub finding: Finding,
    pub span: Span,
    /// Other places that explain the finding.
    pub related: Vec<(Span, Label)>,
    /// How to correct it here; otherwise the hint of the finding applies, if it has one.
    pub hint: Option<Hint>,
    /// The correction as edits, where it needs no decision.
    pub fix: Option<Fix>,
}

impl Diagnostic {
    pub fn new(span: Span, finding: impl Into<Finding>) -> Diagnostic {
        Diagnostic { finding: finding.into(), span, related: Vec::new(), hint: None, fix: None }
    }

    pub fn related(mut self, span: Span, label: Label) -> Diagnostic {
        self.related.push((span, label));
        self
    }

    /// Return the diagnostic with all its places changed.
    pub fn moved(mut self, place: impl Fn(Span) -> Span) -> Diagnostic {
        self.span = place(self.span);
        self.related.iter_mut().for_each(|(span, _)| *span = place(*span));
        let edits = self.fix.iter_mut().flat_map(|fix| &mut fix.edits);
        edits.for_each(|edit| edit.span = place(edit.span));
        self
    }

    /// Give this hint, if any, in place of that of the finding.
    pub fn hint(mut self, hint: impl Into<Option<Hint>>) -> Diagnostic {
        self.hint = hint.into().or(self.hint);
        self
    }

    pub fn fix(mut self, fix: impl Into<Option<Fix>>) -> Diagnostic {
        self.fix = fix.into();
        self
    }

    /// Suggest that the text of the span is a misspelt `word`.
    pub fn suggest(self, word: &str) -> Diagnostic {
        let span = self.span;
        self.suggest_at(span, word)
    }

    /// Suggest that the text at `span` is a misspelt `word`.
    pub fn suggest_at(self, span: Span, word: &str) -> Diagnostic {
        self.hint(Hint::DidYouMean(word.into())).fix(Fix::replace(span, word))
    }

    /// Suggest the known word nearest to a misspelt one; otherwise give this hint, if any.
    pub fn nearest(self, word: &str, known: &[String], otherwise: impl Into<Option<Hint>>) -> Diagnostic {
        match prose::nearest(word, known) {
            Some(near) => self.suggest(near),
            None => self.hint(otherwise),
        }
    }

    /// Give the hint for a word of another language, or else suggest the nearest known word.
    pub fn foreign_or_nearest(self, word: &str, known: &[String]) -> Diagnostic {
        match prose::foreign_equivalent(word) {
            Some(hint) => self.hint(Hint::Word(hint)),
            None => self.nearest(word, known, None),
        }
    }

    pub fn code(&self) -> Code {
        self.finding.code()
    }

    pub fn severity(&self) -> Severity {
        self.code().severity()
    }

    pub fn is_error(&self) -> bool {
        self.severity() == Severity::Error
    }

    /// Return the finding as one sentence without a full stop.
    pub fn message(&self) -> String {
        self.finding.to_string()
    }

    /// Return the text under the span; if empty, the span is only underlined.
    pub fn label(&self) -> String {
        self.finding.label().unwrap_or_default()
    }

    /// Return the hint as one sentence without a full stop.
    pub fn advice(&self) -> Option<String> {
        self.hint.as_ref().map(Hint::to_string).or_else(|| self.finding.hint())
    }
}
