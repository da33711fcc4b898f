//! Headings of declarations: one line, a doc comment, and parameters, as written.

use super::{Analysis, File};
use crate::check::names::{Decl, Kind};
use crate::source::Span;
use crate::syntax::ast::{Clause, ClauseKind, Expr, Name, Param, Pattern, Trigger, TypeExpr};

/// A declaration, as its clause shows it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Heading {
    /// The declaration in one line.
    pub text: String,
    /// The doc comment, or the comment at the end of the line.
    pub doc: Option<String>,
    /// Parameters or fields.
    pub params: Vec<String>,
}

impl Heading {
    /// Return the first paragraph of the doc comment, for lists.
    pub fn summary(&self) -> String {
        let first = self.doc.as_deref().and_then(|doc| doc.split("\n\n").next()).unwrap_or_default();
        first.replace('\n', " ")
    }
}

impl Analysis {
    pub fn heading(&self, decl: &Decl) -> Heading {
        let file = &self.files[decl.place.file as usize];
        let clauses = &file.module.clauses;
        let at = clauses.partition_point(|c| c.span.start < decl.clause.start);
        let clause = clauses.get(at).filter(|c| c.span == decl.clause);
        let written = decl.written.map(|ty| file.line(ty));
        let (name, word) = (&decl.name, decl.kind.as_str());
        match decl.kind {
            Kind::Case | Kind::Choice => Heading { text: name.clone(), ..Heading::default() },
            Kind::Field | Kind::RecordField => {
                let ty = written.map(|ty| format!(": {ty}")).unwrap_or_default();
                Heading { text: format!("{name}{ty}"), ..Heading::default() }
            }
            _ => match clause.and_then(|clause| file.declared(decl, clause)) {
                Some((text, params)) => {
                    let doc = clause.and_then(|c| c.doc.clone()).or_else(|| file.line_comment(decl.place));
                    let doc = doc.filter(|_| decl.kind != Kind::Option);
                    Heading { text, doc, params }
                }
                None => Heading { text: format!("{word} {name}"), ..Heading::default() },
            },
        }
    }

    /// Return the type of a declaration, as written.
    pub fn written_type(&self, decl: &Decl) -> Option<String> {
        decl.written.map(|ty| self.files[ty.file as usize].line(ty))
    }
}

impl File {
    /// Return the text of a span on one line, regardless of how it was written.
    fn line(&self, span: Span) -> String {
        let words: Vec<&str> = self.slice(span).split_whitespace().collect();
        words.join(" ").replace("( ", "(").replace(" )", ")")
    }

    /// Return ` : T`, or an empty text.
    fn type_text(&self, ty: &Option<TypeExpr>) -> String {
        ty.as_ref().map(|t| format!(" : {}", self.line(t.span))).unwrap_or_default()
    }

    fn value_text(&self, sign: &str, value: Option<&Expr>) -> String {
        let value = value.map(|e| self.line(e.span));
        value.filter(|text| text.len() <= 80).map(|text| format!(" {sign} {text}")).unwrap_or_default()
    }

    fn param_texts(&self, params: &[Param]) -> Vec<String> {
        let ty = |p: &Param| p.ty.as_ref().map(|t| format!(": {}", self.line(t.span))).unwrap_or_default();
        let value = |p: &Param| self.value_text(":=", p.default.as_ref());
        params.iter().map(|p| format!("{}{}{}", p.name.text, ty(p), value(p))).collect()
    }

    /// Return the comment after a declaration, on its line.
    fn line_comment(&self, place: Span) -> Option<String> {
        let comments = &self.module.comments;
        let next = comments.get(comments.partition_point(|(span, _)| span.start < place.end))?;
        let between = self.text.get(place.end as usize..next.0.start as usize)?;
        let text = next.1.trim_start_matches('/').trim();
        (!between.contains('\n') && !text.is_empty()).then(|| text.to_string())
    }

    /// Return the text and the parameters of a declaration in its clause; none, if the clause does not mention it as such.
    fn declared(&self, decl: &Decl, clause: &Clause) -> Option<(String, Vec<String>)> {
        use ClauseKind as C;
        let name = &decl.name;
        let is_it = |name: &Name| name.span == decl.place;
        let with_params = |word: &str, params: &[Param], rest: String| {
            let params = self.param_texts(params);
            let list = if params.is_empty() { String::new() } else { format!("({})", params.join(", ")) };
            (format!("{word} {name}{list}{rest}"), params)
        };
        let text = match (decl.kind, &clause.kind) {
            (Kind::Algorithm, C::Algorithm { .. })
            | (Kind::Problem, C::Problem { .. })
            | (Kind::Enum, C::Enum { .. }) => self.line(clause.span),
            (Kind::Property, C::Property(_)) => shortened(self.line(clause.span)),
            (Kind::Message, C::Message(list)) => {
                let message = list.iter().find(|m| is_it(&m.name))?;
                return Some(with_params("message", &message.fields, String::new()));
            }
            (Kind::Record, C::Record { fields, .. }) => {
                return Some(with_params("record", fields, String::new()));
            }
            (Kind::Const, C::Const { ty, value, .. }) => {
                format!("const {name}{}{}", self.type_text(ty), self.value_text("=", Some(value)))
            }
            (Kind::Param, C::Param { ty, default, .. }) => {
                format!("param {name}{}{}", self.type_text(ty), self.value_text("=", default.as_ref()))
            }
            (Kind::Variable | Kind::Output, C::Var { output, persistent, initially, ty, init, .. }) => {
                let word = match (output, persistent) {
                    (true, _) => "output",
                    (_, true) => "persistent var",
                    _ => "var",
                };
                let begins = if *initially { "initially" } else { ":=" };
                format!("{word} {name}{}{}", self.type_text(ty), self.value_text(begins, init.as_ref()))
            }
            (Kind::Function, C::Function { params, result, .. }) => {
                return Some(with_params("function", params, self.type_text(result)));
            }
            (Kind::Procedure, C::Procedure { params, .. }) => {
                return Some(with_params("procedure", params, String::new()));
            }
            (Kind::Operation, C::Operation { params, .. }) => {
                return Some(with_params("operation", params, String::new()));
            }
            (Kind::Alias, C::Operation { name: own, .. }) => format!("operation {} as {name}", own.text),
            (Kind::Role, C::Role { .. }) => format!("role {name}"),
            (Kind::State, C::State { initial, .. }) => {
                format!("{} {name}", if *initial { "initial state" } else { "state" })
            }
            (Kind::Scenario, C::Scenario(scenario)) => {
                let on = scenario.on.as_ref().map(|on| format!(" on {}", self.line(on.span)));
                format!("scenario {name}{}", on.unwrap_or_default())
            }
            (Kind::Option, C::Problem { params, .. }) => {
                let option = params.iter().find(|option| is_it(&option.name))?;
                let choices: Vec<&str> = option.options.iter().map(|o| o.text.as_str()).collect();
                format!("{name}: {}", choices.join(" | "))
            }
            (Kind::Layer, C::Uses(list)) => {
                let used = list.iter().find(|used| is_it(used.name()))?;
                match used.alias {
                    Some(_) => format!("uses {} as {name}", used.algorithm.text),
                    None => format!("uses {name}"),
                }
            }
            (Kind::Upcall, C::Handler(handler)) => {
                let Trigger::On(guard) = &handler.trigger else { return None };
                let place = match &guard.pattern {
                    Pattern::Name(name) if is_it(name) => name.span,
                    Pattern::Message(name, _, place) if is_it(name) => *place,
                    _ => return None,
                };
                format!("on algorithm.{}", self.line(place))
            }
            _ => return None,
        };
        Some((text, Vec::new()))
    }
}

/// Return a text shortened for display.
fn shortened(text: String) -> String {
    if text.chars().count() <= 240 {
        return text;
    }
    text.chars().take(239).chain(['…']).collect()
}
