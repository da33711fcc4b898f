//! Types by place in the text, for editors. They are kept only on request.

use crate::check::load::load;
use crate::check::{Checked, Checker, Find, examine};
use crate::ir::Type;
use crate::source::Span;
use crate::syntax::Parsed;
use std::collections::BTreeMap;
use std::sync::Arc;

/// The types of expressions and declared names of a program, in the notation of the language.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Types {
    by_place: BTreeMap<Span, String>,
}

impl Types {
    /// Return the type of the expression or name that covers exactly this place.
    pub fn at(&self, place: Span) -> Option<&str> {
        self.by_place.get(&place).map(String::as_str)
    }
}

/// Check a text as [`check`](super::check) does, and also return the types.
pub fn check_typed(name: &str, text: &str, find: Find) -> (Checked, Types) {
    check_parsed(name, Arc::new(Parsed::new(0, text)), find)
}

/// The same for a text that has already been parsed, as file 0.
pub fn check_parsed(name: &str, parsed: Arc<Parsed>, find: Find) -> (Checked, Types) {
    let mut types = Types::default();
    let checked = examine(load(name, parsed, find), find, Some(&mut types));
    (checked, types)
}

impl Checker<'_> {
    /// Record a type. A clause that several roles share is elaborated for each: the first known type counts.
    pub fn note_type(&mut self, place: Span, ty: &Type) {
        let Some(types) = &mut self.types else { return };
        let known = types.get(&place).is_some_and(|had| self.infer.is_known(had));
        if !known {
            types.insert(place, ty.clone());
        }
    }

    /// Record the types of named locals.
    pub(in crate::check) fn note_types_of_locals(&mut self) {
        if self.types.is_some() {
            let of_roles = self.roles.iter().flat_map(|role| &role.locals);
            let locals = of_roles.chain(&self.cx.locals).filter(|local| local.named);
            let types: Vec<(Span, Type)> = locals.map(|local| (local.span, local.ty.clone())).collect();
            types.iter().for_each(|(place, ty)| self.note_type(*place, ty));
        }
    }

    /// Name the recorded types once inference is complete, while enumerations and records still have their names.
    pub(in crate::check) fn name_types(&mut self) {
        let Some(types) = self.types.take() else { return };
        let mut declared: Vec<(Span, Type)> = Vec::new();
        for comp in &self.comps {
            let unit = &self.units[comp.unit];
            for message in &unit.messages {
                let kind = self.kinds.iter().find(|kind| kind.span == message.name.span);
                let fields = kind.into_iter().flat_map(|kind| &kind.fields);
                declared.extend(message.fields.iter().zip(fields).map(|(f, d)| (f.name.span, d.ty.clone())));
            }
            for (name, fields) in &unit.records {
                let record = self.records.iter().find(|record| record.name == name.text);
                let known = record.into_iter().flat_map(|record| &record.fields);
                declared.extend(fields.iter().zip(known).map(|(f, (_, ty))| (f.name.span, ty.clone())));
            }
        }
        declared.extend(self.params.iter().map(|param| (param.span, param.ty.clone())));
        let all = types.into_iter().chain(declared);
        let known = all.filter(|(_, ty)| self.infer.is_known(ty));
        self.named_types.by_place = known.map(|(place, ty)| (place, self.type_words(&ty))).collect();
    }
}
