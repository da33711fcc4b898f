//! Inlay hints: inferred types, shown after the names.

use super::Analysis;
use crate::check::names::{Decl, Kind};
use crate::source::Span;

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TypeHint {
    /// The hint follows this offset.
    pub offset: u32,
    /// The text of the hint: `: set of Id`
    pub text: String,
}

impl Analysis {
    /// Return the hints within a range.
    pub fn hints(&self, range: Span) -> Vec<TypeHint> {
        let mut hints: Vec<TypeHint> = Vec::new();
        for (id, decl) in self.names.decls.iter().enumerate() {
            let here = decl.place.file == 0 && decl.place.start >= range.start && decl.place.end <= range.end;
            if !here || decl.written.is_some() || !self.wants_hint(decl) {
                continue;
            }
            // A binder over processes needs no hint: it is the usual case in properties.
            if let Some(ty) = self.inferred(id).filter(|ty| ty != "Process") {
                hints.push(TypeHint { offset: decl.place.end, text: format!(": {ty}") });
            }
        }
        hints.sort_by_key(|h| h.offset);
        hints
    }

    fn wants_hint(&self, decl: &Decl) -> bool {
        match decl.kind {
            Kind::Variable | Kind::Output | Kind::Param | Kind::Const | Kind::Field | Kind::RecordField => {
                true
            }
            Kind::Parameter => true,
            // The types of message fields are given by the declaration.
            Kind::Local => !self.is_part_of_pattern(decl.place),
            _ => false,
        }
    }

    /// Return whether a name is an argument of a pattern, as in `Probe(j, k, d)`.
    fn is_part_of_pattern(&self, place: Span) -> bool {
        let text = &self.user_file().text;
        let before = text[..place.start as usize].trim_end();
        let after = text[place.end as usize..].trim_start();
        before.ends_with(['(', ',']) && after.starts_with([')', ','])
    }
}
