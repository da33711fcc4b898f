//! `view` clauses: the variables and fields that they name.

use crate::check::Checker;
use crate::check::context::Def;
use crate::diagnostic::{Hint, Label, Naming, Noun, Requirement, Typing};
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

                            let d = Requirement::ViewedTwice(viewed.name, twice)
                                .at(viewed.span)
                                .related(first.span, Label::FirstNamed);
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
            let have = self.type_words(&ty);
            self.error(Typing::NoShift(text, have).at(span));
            return None;
        }
        Some(ir::Viewed { name: text, item: what, span })
    }

    fn viewed_variable(&mut self, comp: usize, name: &ast::Name) -> Option<(ViewedItem, Type)> {
        if let Some((slots, ty)) = self.variable_of(comp, &name.text) {
            return Some((ViewedItem::Variable(slots), ty));
        }
        let d = match self.comps[comp].names.get(&name.text) {
            Some((Def::Message(kind), _)) => {
                let fields: Vec<String> =
                    self.kinds[*kind as usize].fields.iter().map(|f| f.name.clone()).collect();
                let d = Requirement::MessageInView(name.text.clone()).at(name.span);
                d.hint(match fields.into_iter().next() {
                    Some(field) => Hint::FieldOfMessage(name.text.clone(), field),
                    None => Hint::NoFields,
                })
            }
            Some((Def::Const(_) | Def::Param(_) | Def::Function(_), _)) => {
                Requirement::NotAVariable(name.text.clone()).at(name.span)
            }
            _ => {
                let known = self.variables_of(|of| of == comp);
                let d = Naming::Unknown(Noun::Variable, name.text.clone()).at(name.span);
                let hint = Hint::are("the variables", &known).unwrap_or(Hint::NoVariablesHere);
                d.nearest(&name.text, &known, hint)
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
                let d = Naming::Unknown(Noun::MessageOrRecord, name.text.clone()).at(name.span);
                self.error(d.nearest(&name.text, &known, Hint::ViewNames));
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
                let d = Naming::NoField(name.text.clone(), field.text.clone()).at(field.span);
                let hint = Hint::are("its fields", &known).unwrap_or(Hint::HasNone);
                self.error(d.nearest(&field.text, &known, hint));
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
