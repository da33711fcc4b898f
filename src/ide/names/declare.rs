//! The declarations of a file's clauses.

use super::resolve::Resolver;
use super::{Decl, DeclId, Kind};
use crate::source::Span;
use crate::syntax::ast::{
    Clause, ClauseKind, Expr, Handler, Name, Param, Pattern, ProblemParam, Trigger, TypeExpr, Use,
};

impl Resolver<'_> {
    pub fn declare_all(&mut self) {
        for file in 0..self.files.len() {
            self.file = file;
            self.role = None;
            let clauses = &self.files[file].module.clauses;
            let is_problem = |c: &Clause| matches!(c.kind, ClauseKind::Problem { .. });
            self.scopes[file].is_problem = clauses.first().is_some_and(is_problem);
            for clause in clauses {
                self.clause = clause.span;
                self.declare(clause);
            }
            self.declare_broken();
        }
    }

    fn text(&self, span: Span) -> String {
        // On one line, regardless of how it was written.
        let words: Vec<&str> = self.files[self.file].slice(span).split_whitespace().collect();
        words.join(" ").replace("( ", "(").replace(" )", ")")
    }

    /// Return ` : T`, or an empty text.
    fn type_text(&self, ty: &Option<TypeExpr>) -> String {
        ty.as_ref().map(|t| format!(" : {}", self.text(t.span))).unwrap_or_default()
    }

    fn value_text(&self, sign: &str, value: &Option<Expr>) -> String {
        let value = value.as_ref().map(|e| self.text(e.span));
        value.filter(|text| text.len() <= 80).map(|text| format!(" {sign} {text}")).unwrap_or_default()
    }

    fn param_texts(&self, params: &[Param]) -> Vec<String> {
        let ty = |p: &Param| p.ty.as_ref().map(|t| format!(": {}", self.text(t.span))).unwrap_or_default();
        let text = |p: &Param| format!("{}{}{}", p.name.text, ty(p), self.value_text(":=", &p.default));
        params.iter().map(text).collect()
    }

    /// Return the comment after a declaration, on its line.
    fn line_comment(&self, place: Span) -> Option<String> {
        let file = &self.files[self.file];
        let comments = &file.module.comments;
        let next = comments.get(comments.partition_point(|(span, _)| span.start < place.end))?;
        let between = file.text.get(place.end as usize..next.0.start as usize)?;
        let text = next.1.trim_start_matches('/').trim();
        (!between.contains('\n') && !text.is_empty()).then(|| text.to_string())
    }

    fn decl(&self, kind: Kind, name: &Name, head: String, clause: &Clause) -> Decl {
        Decl {
            kind,
            name: name.text.clone(),
            place: name.span,
            head,
            doc: clause.doc.clone().or_else(|| self.line_comment(name.span)),
            parent: None,
            role: self.role.clone(),
            clause: clause.span,
            visible: None,
            ty: None,
            params: Vec::new(),
        }
    }

    /// Add a declaration to the current role; an existing declaration of that name is kept.
    fn in_role(&mut self, decl: Decl) -> DeclId {
        let (name, role) = (decl.name.clone(), decl.role.clone());
        let id = self.add(decl);
        self.scopes[self.file].table(role.as_deref()).entry(name).or_insert(id);
        id
    }

    /// Add a declaration that all roles see.
    fn in_file(&mut self, decl: Decl) -> DeclId {
        self.in_role(Decl { role: None, ..decl })
    }

    fn part(&mut self, kind: Kind, name: &Name, param: Option<&Param>, parent: DeclId, clause: &Clause) {
        let ty = param.and_then(|p| p.ty.as_ref()).map(|t| self.text(t.span));
        let head = match &ty {
            Some(ty) => format!("{}: {ty}", name.text),
            None => name.text.clone(),
        };
        let doc = None;
        let decl = Decl { parent: Some(parent), ty, doc, ..self.decl(kind, name, head, clause) };
        let id = self.add(decl);
        if kind == Kind::RecordField {
            self.scopes[self.file].record_fields.entry(name.text.clone()).or_default().push(id);
        }
        if kind == Kind::Case {
            self.scopes[self.file].common.entry(name.text.clone()).or_insert(id);
        }
    }

    fn declare(&mut self, clause: &Clause) {
        match &clause.kind {
            ClauseKind::Algorithm { name, .. } => self.declare_header(Kind::Algorithm, name, clause),
            ClauseKind::Problem { name, params, .. } => {
                self.declare_header(Kind::Problem, name, clause);
                params.iter().for_each(|option| self.option(option, clause));
            }
            ClauseKind::Uses(list) => list.iter().for_each(|used| self.used_layer(used, clause)),
            ClauseKind::Message(list) => {
                for message in list {
                    let params = self.param_texts(&message.fields);
                    let head = with_params("message", &message.name, &params);
                    let decl = Decl { params, ..self.decl(Kind::Message, &message.name, head, clause) };
                    let id = self.in_file(decl);
                    for field in &message.fields {
                        self.part(Kind::Field, &field.name, Some(field), id, clause);
                    }
                }
            }
            ClauseKind::Enum { name, cases } => {
                let head = self.text(clause.span);
                let decl = self.decl(Kind::Enum, name, head, clause);
                let id = self.in_file(decl);
                for case in cases {
                    self.part(Kind::Case, case, None, id, clause);
                }
            }
            ClauseKind::Record { name, fields } => {
                let params = self.param_texts(fields);
                let head = with_params("record", name, &params);
                let decl = Decl { params, ..self.decl(Kind::Record, name, head, clause) };
                let id = self.in_file(decl);
                for field in fields {
                    self.part(Kind::RecordField, &field.name, Some(field), id, clause);
                }
            }
            ClauseKind::Const { name, ty, value } => {
                let value = self.value_text("=", &Some(value.clone()));
                let head = format!("const {}{}{value}", name.text, self.type_text(ty));
                let written = ty.as_ref().map(|t| self.text(t.span));
                let decl = Decl { ty: written, ..self.decl(Kind::Const, name, head, clause) };
                self.in_file(decl);
            }
            ClauseKind::Param { name, ty, default } => {
                let head =
                    format!("param {}{}{}", name.text, self.type_text(ty), self.value_text("=", default));
                let written = ty.as_ref().map(|t| self.text(t.span));
                let decl = Decl { ty: written, ..self.decl(Kind::Param, name, head, clause) };
                self.in_file(decl);
            }
            ClauseKind::Var { output, persistent, initially, names, ty, init } => {
                let (kind, word) = match (output, persistent) {
                    (true, _) => (Kind::Output, "output"),
                    (_, true) => (Kind::Variable, "persistent var"),
                    _ => (Kind::Variable, "var"),
                };
                let rest =
                    self.type_text(ty) + &self.value_text(if *initially { "initially" } else { ":=" }, init);
                names.iter().for_each(|name| self.variable(kind, name, (word, &rest), ty.as_ref(), clause));
            }
            ClauseKind::Function { name, params, result, .. } => {
                let params = self.param_texts(params);
                let head = with_params("function", name, &params) + &self.type_text(result);
                let ty = result.as_ref().map(|t| self.text(t.span));
                let decl = Decl { params, ty, ..self.decl(Kind::Function, name, head, clause) };
                self.in_file(decl);
            }
            ClauseKind::Procedure { name, params, .. } => {
                let params = self.param_texts(params);
                let head = with_params("procedure", name, &params);
                let decl = Decl { params, ..self.decl(Kind::Procedure, name, head, clause) };
                self.in_role(decl);
            }
            ClauseKind::Operation { name, params, alias, .. } => {
                self.operation(name, params, alias.as_ref(), clause);
            }
            ClauseKind::Role { name } => {
                self.role = Some(name.text.clone());
                if !self.scopes[self.file].common.contains_key(&name.text) {
                    let decl = self.decl(Kind::Role, name, format!("process {}", name.text), clause);
                    self.in_file(decl);
                }
                self.scopes[self.file].table(Some(&name.text));
            }
            ClauseKind::State { names, initial, .. } => {
                names.iter().for_each(|name| self.state(name, *initial, clause));
            }
            ClauseKind::Handler(handler) => self.upcall(handler, clause),
            ClauseKind::Property(property) => {
                let head = self.text(clause.span);
                let id = self.add(self.decl(Kind::Property, &property.name, shortened(head), clause));
                self.scopes[self.file].properties.entry(property.name.text.clone()).or_insert(id);
            }
            ClauseKind::Scenario(scenario) => {
                let on =
                    scenario.on.as_ref().map(|on| format!(" on {}", self.text(on.span))).unwrap_or_default();
                let head = format!("scenario {}{on}", scenario.name.text);
                let decl = self.decl(Kind::Scenario, &scenario.name, head, clause);
                self.add(decl);
            }
            _ => {}
        }
    }

    fn declare_header(&mut self, kind: Kind, name: &Name, clause: &Clause) {
        let head = self.text(clause.span);
        let decl = self.decl(kind, name, head, clause);
        let id = self.add(decl);
        self.scopes[self.file].header.get_or_insert(id);
    }

    /// Declare an option of a problem and its choices.
    fn option(&mut self, option: &ProblemParam, clause: &Clause) {
        let choices: Vec<&str> = option.options.iter().map(|o| o.text.as_str()).collect();
        let head = format!("{}: {}", option.name.text, choices.join(" | "));
        let decl = Decl { doc: None, ..self.decl(Kind::Option, &option.name, head, clause) };
        let id = self.in_file(decl);
        for choice in &option.options {
            self.part(Kind::Choice, choice, None, id, clause);
        }
    }

    fn used_layer(&mut self, used: &Use, clause: &Clause) {
        let alias = used.alias.as_ref().unwrap_or(&used.algorithm);
        let head = match used.alias {
            Some(_) => format!("uses {} as {}", used.algorithm.text, alias.text),
            None => format!("uses {}", alias.text),
        };
        let decl = self.decl(Kind::Layer, alias, head, clause);
        let id = self.add(decl);
        self.scopes[self.file].layers.entry(alias.text.clone()).or_insert(id);
    }

    /// Declare an operation, and the alias under which it is called.
    fn operation(&mut self, name: &Name, params: &[Param], alias: Option<&Name>, clause: &Clause) {
        let params = self.param_texts(params);
        let head = with_params("operation", name, &params);
        let decl = Decl { params, ..self.decl(Kind::Operation, name, head, clause) };
        let id = self.in_role(decl);
        self.scopes[self.file].operations.entry(name.text.clone()).or_insert(id);
        if let Some(alias) = alias {
            let head = format!("operation {} as {}", name.text, alias.text);
            let decl = Decl { parent: Some(id), ..self.decl(Kind::Alias, alias, head, clause) };
            let id = self.add(decl);
            self.scopes[self.file].operations.entry(alias.text.clone()).or_insert(id);
        }
    }

    /// Declare a variable or output, with the texts before and after its name.
    fn variable(
        &mut self,
        kind: Kind,
        name: &Name,
        (word, rest): (&str, &str),
        ty: Option<&TypeExpr>,
        clause: &Clause,
    ) {
        let ty = ty.map(|t| self.text(t.span));
        let decl = Decl { ty, ..self.decl(kind, name, format!("{word} {}{rest}", name.text), clause) };
        if kind == Kind::Output {
            self.in_file(decl)
        } else {
            self.in_role(decl)
        };
    }

    /// Declare a state, unless an earlier section of it has done so.
    fn state(&mut self, name: &Name, initial: bool, clause: &Clause) {
        let role = self.role.clone();
        if !self.scopes[self.file].table(role.as_deref()).contains_key(&name.text) {
            let word = if initial { "initial state" } else { "state" };
            let decl = self.decl(Kind::State, name, format!("{word} {}", name.text), clause);
            self.in_role(decl);
        }
    }

    /// Declare the upcall that a problem handles.
    fn upcall(&mut self, handler: &Handler, clause: &Clause) {
        if let Trigger::On(guard) = &handler.trigger
            && guard.layer.as_ref().is_some_and(|l| l.text == "algorithm")
            && let Pattern::Name(name) | Pattern::Message(name, ..) = &guard.pattern
            && !self.scopes[self.file].upcalls.contains_key(&name.text)
        {
            let pattern = self.text(crate::ide::names::stmt::pattern_span(&guard.pattern));
            let decl = self.decl(Kind::Upcall, name, format!("on algorithm.{pattern}"), clause);
            let id = self.add(decl);
            self.scopes[self.file].upcalls.insert(name.text.clone(), id);
        }
    }

    /// Declare a name of a clause that cannot be parsed yet; only its name is known.
    pub fn declare_word(&mut self, kind: Kind, name: &Name, clause: Span) -> DeclId {
        let decl = Decl {
            kind,
            name: name.text.clone(),
            place: name.span,
            head: format!("{} {}", kind.as_str(), name.text),
            doc: None,
            parent: None,
            role: self
                .role
                .clone()
                .filter(|_| matches!(kind, Kind::Variable | Kind::State | Kind::Procedure | Kind::Operation)),
            clause,
            visible: None,
            ty: None,
            params: Vec::new(),
        };
        match kind {
            Kind::Algorithm | Kind::Problem => {
                let id = self.add(decl);
                self.scopes[self.file].header.get_or_insert(id);
                id
            }
            Kind::Property | Kind::Scenario => {
                let id = self.add(decl);
                self.scopes[self.file].properties.entry(name.text.clone()).or_insert(id);
                id
            }
            Kind::Operation => {
                let id = self.in_role(decl);
                self.scopes[self.file].operations.entry(name.text.clone()).or_insert(id);
                id
            }
            _ => self.in_role(decl),
        }
    }
}

fn with_params(word: &str, name: &Name, params: &[String]) -> String {
    match params.is_empty() {
        true => format!("{word} {}", name.text),
        false => format!("{word} {}({})", name.text, params.join(", ")),
    }
}

/// Return a text shortened for display.
fn shortened(text: String) -> String {
    if text.chars().count() <= 240 {
        return text;
    }
    text.chars().take(239).chain(['…']).collect()
}
