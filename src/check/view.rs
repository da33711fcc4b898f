//! `view` clauses: the variables and fields that they name.

use super::context::Def;
use super::{Checker, codes, prose};
use crate::diagnostic::Diagnostic;
use crate::ir::{self, Type, ViewKind, ViewedItem};
use crate::syntax::ast;

impl Checker<'_> {
    /// Elaborate the views of the algorithm, its layers and its problem. Roles and types are final.
    pub fn views(&mut self) -> Vec<ir::View> {
        let mut views = Vec::new();
        let mut named: Vec<ir::Viewed> = Vec::new();
        for comp in 0..self.component_count() {
            for view in self.units[self.comps[comp].unit].views.clone() {
                let mut of: Vec<ir::Viewed> = Vec::new();
                for viewed in &view.of {
                    let Some(viewed) = self.viewed(comp, view.kind, viewed) else { continue };
                    match named.iter().find(|other| other.item == viewed.item) {
                        Some(first) => {
                            let twice = of.iter().any(|own| own.item == viewed.item);
                            let where_to = if twice { "twice in this view" } else { "in two views" };
                            let d = Diagnostic::error(
                                codes::DUPLICATE,
                                viewed.span,
                                format!("`{}` occurs {where_to}", viewed.name),
                            )
                            .related(first.span, "first named here");
                            self.error(d);
                        }
                        None => {
                            named.push(viewed.clone());
                            of.push(viewed);
                        }
                    }
                }
                views.push(ir::View { kind: view.kind, of, span: view.span });
            }
        }
        views
    }

    fn viewed(&mut self, comp: usize, kind: ViewKind, viewed: &ast::Viewed) -> Option<ir::Viewed> {
        let (name, span) = (&viewed.name, viewed.name.span);
        let (text, span, (what, ty)) = match &viewed.field {
            Some(field) => {
                let found = self.viewed_field(comp, name, field)?;
                (format!("{}.{}", name.text, field.text), span.to(field.span), found)
            }
            None => (name.text.clone(), span, self.viewed_variable(comp, name)?),
        };
        let ty = self.infer.full(&ty);
        if kind == ViewKind::UpToShift && !has_numbers(&ty) {
            let have = prose::a(&self.type_words(&ty));
            self.error(
                Diagnostic::error(
                    codes::TYPE_MISMATCH,
                    span,
                    format!("`{text}` is {have}, which contains no number to shift"),
                )
                .hint("to disregard it entirely write `view without …`"),
            );
            return None;
        }
        Some(ir::Viewed { name: text, item: what, span })
    }

    fn viewed_variable(&mut self, comp: usize, name: &ast::Name) -> Option<(ViewedItem, Type)> {
        let key = (comp, name.text.clone());
        let found: Vec<_> = self.elaborated_roles.iter().map(|role| role.vars.get(&key).cloned()).collect();
        if let Some((_, ty)) = found.iter().flatten().next() {
            let ty = ty.clone();
            return Some((
                ViewedItem::Variable(found.into_iter().map(|v| v.map(|(slot, _)| slot)).collect()),
                ty,
            ));
        }
        let mut known: Vec<String> = Vec::new();
        for role in &self.elaborated_roles {
            known.extend(role.vars.keys().filter(|(c, _)| *c == comp).map(|(_, name)| name.clone()));
        }
        known.sort();
        known.dedup();
        let d = match self.comps[comp].names.get(&name.text) {
            Some((Def::Message(kind), _)) => {
                let fields: Vec<String> =
                    self.kinds[*kind as usize].fields.iter().map(|f| f.name.clone()).collect();
                let d = Diagnostic::error(
                    codes::NOT_HERE,
                    name.span,
                    format!("`{}` is a message, but a view names variables and fields", name.text),
                );
                match fields.first() {
                    Some(field) => d.hint(format!("name one of its fields: `{}.{field}`", name.text)),
                    None => d.hint("this message has no fields"),
                }
            }
            Some((Def::Const(_) | Def::Param(_) | Def::Function(_), _)) => {
                Diagnostic::error(codes::NOT_HERE, name.span, format!("`{}` is not a variable", name.text))
                    .hint("a view names variables, and fields of messages and records")
            }
            _ => {
                let d = Diagnostic::error(
                    codes::UNKNOWN_NAME,
                    name.span,
                    format!("no variable is called `{}`", name.text),
                );
                match prose::nearest(&name.text, &known) {
                    Some(near) => d.hint(format!("did you mean `{near}`?")),
                    None if known.is_empty() => d.hint("there are no variables here"),
                    None => d.hint(format!("the variables are {}", prose::list(&known))),
                }
            }
        };
        self.error(d);
        None
    }

    fn viewed_field(
        &mut self,
        comp: usize,
        name: &ast::Name,
        field: &ast::Name,
    ) -> Option<(ViewedItem, Type)> {
        let names = &self.comps[comp].names;
        let of_message = |f: &ir::Field| (f.name.clone(), f.ty.clone());
        let fields: Vec<(String, Type)> = match names.get(&name.text) {
            Some((Def::Message(kind), _)) => {
                self.kinds[*kind as usize].fields.iter().map(of_message).collect()
            }
            Some((Def::Record(record), _)) => self.records[*record as usize].fields.clone(),
            _ => {
                let is_message = |def: &Def| matches!(def, Def::Message(_) | Def::Record(_));
                let known: Vec<String> =
                    names.iter().filter(|(_, (def, _))| is_message(def)).map(|(n, _)| n.clone()).collect();
                let d = Diagnostic::error(
                    codes::UNKNOWN_NAME,
                    name.span,
                    format!("no message or record is called `{}`", name.text),
                );
                self.error(match prose::nearest(&name.text, &known) {
                    Some(near) => d.hint(format!("did you mean `{near}`?")),
                    None => d.hint(
                        "a view names variables (`clock`), and fields of messages and records (`Request.stamp`)",
                    ),
                });
                return None;
            }
        };
        let what = |position: usize| match names.get(&name.text) {
            Some((Def::Message(kind), _)) => Some(ViewedItem::Field(*kind, position)),
            Some((Def::Record(record), _)) => Some(ViewedItem::Part(*record, position)),
            _ => None,
        };
        match fields.iter().position(|(own, _)| *own == field.text) {
            Some(position) => Some((what(position)?, fields[position].1.clone())),
            None => {
                let known: Vec<String> = fields.into_iter().map(|(own, _)| own).collect();
                let d = Diagnostic::error(
                    codes::UNKNOWN_NAME,
                    field.span,
                    format!("`{}` has no field `{}`", name.text, field.text),
                );
                self.error(match prose::nearest(&field.text, &known) {
                    Some(near) => d.hint(format!("did you mean `{near}`?")),
                    None if known.is_empty() => d.hint("it has none"),
                    None => d.hint(format!("its fields are {}", prose::list(&known))),
                });
                None
            }
        }
    }
}

/// Return whether values of this type contain numbers at places that a view finds.
fn has_numbers(ty: &Type) -> bool {
    match ty {
        Type::Int => true,
        Type::Tuple(parts) => parts.iter().any(has_numbers),
        Type::Option(inner) | Type::List(inner) | Type::Set(inner) => has_numbers(inner),
        Type::Map(keys, values) => has_numbers(keys) || has_numbers(values),
        _ => false,
    }
}
