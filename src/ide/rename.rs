//! Definition, references and renaming: all occurrences of a name, in other files too.

use super::Analysis;
use crate::check::names::{Access, DeclId, Kind};
use crate::check::{FUNCTIONS, PREDEFINED};
use crate::diagnostic::Edit;
use crate::source::Span;
use crate::syntax::is_reserved;
use std::collections::BTreeSet;

impl Analysis {
    /// Return the declarations of the names at an offset.
    pub fn definition(&self, offset: usize) -> Vec<Span> {
        let found: BTreeSet<Span> =
            self.names.at(0, offset).iter().map(|u| self.names.decl(u.decl).place).collect();
        found.into_iter().collect()
    }

    /// Return all occurrences of the name at an offset, with its declarations if wanted.
    pub fn references(&self, offset: usize, with_declaration: bool) -> Vec<(Span, Access)> {
        let decls = self.names.same(0, offset);
        let all = self.names.places_of(&decls);
        all.iter()
            .filter(|u| with_declaration || u.access != Access::Declare)
            .map(|u| (u.place, u.access))
            .collect()
    }

    /// Return the span of the name at an offset, if it can be renamed.
    ///
    /// # Errors
    /// The reason why it cannot be renamed.
    pub fn renamable(&self, offset: usize) -> Result<Span, String> {
        let uses = self.names.at(0, offset);
        let Some(first) = uses.first() else {
            return Err(match self.user_file().word_at(offset) {
                Some((word, _)) if is_reserved(word) => format!("`{word}` is a word of the language"),
                Some((word, _)) => format!("`{word}` is not declared in this program"),
                None => "there is no name here".into(),
            });
        };
        let name = self.user_file().slice(first.place);
        for id in self.names.same(0, offset) {
            let decl = self.names.decl(id);
            let file = &self.files[decl.place.file as usize];
            if decl.place.file != 0 {
                return Err(format!("`{name}` is declared in {}: rename it there", file.name));
            }
            match decl.kind {
                Kind::Algorithm | Kind::Problem => {
                    return Err(format!("`{name}` is also the file name, by which other files refer to it"));
                }
                Kind::Layer if !self.heading(decl).text.contains(" as ") => {
                    return Err(format!(
                        "the layer `{name}` has the name of its algorithm: add `as …` first"
                    ));
                }
                Kind::Upcall => {
                    return Err(format!("`{name}` is an upcall, which other files handle by name"));
                }
                Kind::Operation if self.names.uses_of(id).any(|used| used.place.file != 0) => {
                    return Err(format!("`{name}` is called by the problem by name"));
                }
                _ => {}
            }
        }
        Ok(first.place)
    }

    /// Return the edits that rename the name at an offset.
    ///
    /// # Errors
    /// The reason why the new name cannot be used: the program would change its meaning.
    pub fn rename(&self, offset: usize, new: &str) -> Result<Vec<Edit>, String> {
        let place = self.renamable(offset)?;
        let old = self.user_file().slice(place).to_string();
        let is_name = new.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_')
            && new.chars().all(|c| c.is_ascii_alphanumeric() || c == '_');
        if !is_name || new == "_" {
            return Err(format!(
                "`{new}` is not a name: names are a letter or `_`, then letters, digits and `_`"
            ));
        }
        if is_reserved(new) {
            return Err(format!("`{new}` is a keyword and cannot be a name"));
        }
        if PREDEFINED.contains(&new) || FUNCTIONS.contains(&new) {
            return Err(format!("`{new}` is predefined and cannot be declared"));
        }
        if new == old {
            return Ok(Vec::new());
        }
        let decls = self.names.same(0, offset);
        if let Some(clash) = self.clash(&decls, new) {
            let (line, _) = self.line_column(self.names.decl(clash).place);
            let kind = self.names.decl(clash).kind.as_str();
            return Err(format!("there is already a {kind} `{new}` (line {line})"));
        }
        let places = self.names.places_of(&decls);
        Ok(places.iter().filter(|u| u.place.file == 0).map(|u| Edit::new(u.place, new)).collect())
    }

    /// Return the declaration of the name at an offset if it is in another, writable file: the file's name, and the offset there.
    pub fn declaration_in_other_file(&self, offset: usize) -> Option<(&str, usize)> {
        let decls = self.names.same(0, offset);
        let place = decls.iter().map(|id| self.names.decl(*id).place).find(|place| place.file != 0)?;
        let file = &self.files[place.file as usize];
        (!file.is_library()).then_some((file.name.as_str(), place.start as usize))
    }

    /// Return the edits in another text that refers to the renamed name.
    ///
    /// # Errors
    /// The reason why the new name cannot be used there.
    pub fn rename_in_other_file(
        &self,
        offset: usize,
        new: &str,
        other: &Analysis,
    ) -> Result<Vec<Edit>, String> {
        let Some(file) = other.files.iter().skip(1).position(|file| file.name == self.user_file().name)
        else {
            return Ok(Vec::new());
        };
        let there = |id: DeclId| other.names.same(file + 1, self.names.decl(id).place.start as usize);
        let decls: BTreeSet<DeclId> = self.names.same(0, offset).into_iter().flat_map(there).collect();
        let decls: Vec<DeclId> = decls.into_iter().collect();
        let places = other.names.places_of(&decls);
        let edits: Vec<Edit> =
            places.iter().filter(|u| u.place.file == 0).map(|u| Edit::new(u.place, new)).collect();
        match other.clash(&decls, new).filter(|_| !edits.is_empty()) {
            Some(clash) => {
                let (kind, name) = (other.names.decl(clash).kind.as_str(), &other.user_file().name);
                Err(format!("{name} already has a {kind} `{new}`"))
            }
            None => Ok(edits),
        }
    }

    /// Return a declaration that one of these would hide, or be hidden by, under a new name.
    fn clash(&self, decls: &[DeclId], new: &str) -> Option<DeclId> {
        let others = self.names.decls.iter().enumerate().filter(|(_, d)| d.name == new);
        for (id, other) in others {
            for own in decls.iter().map(|d| self.names.decl(*d)) {
                let parts = [Kind::Field, Kind::RecordField, Kind::Choice];
                let clashes = match (own.visible, other.visible) {
                    // Parts of different declarations may share a name.
                    _ if parts.contains(&own.kind) || parts.contains(&other.kind) => {
                        own.kind == other.kind && own.parent == other.parent
                    }
                    (Some(a), Some(b)) => a.file == b.file && a.start < b.end && b.start < a.end,
                    // A local name and a declared one: one would hide the other if both are visible.
                    (Some(_), None) | (None, Some(_)) => {
                        let (local, declared) =
                            if own.visible.is_some() { (own, other) } else { (other, own) };
                        declared.role.is_none() || local.role.is_none() || declared.role == local.role
                    }
                    (None, None) => {
                        let families = |kind: Kind| match kind {
                            Kind::Property | Kind::Scenario => 1,
                            Kind::Timer => 2,
                            Kind::Layer => 3,
                            Kind::Upcall | Kind::Alias => 4,
                            Kind::Algorithm | Kind::Problem => 5,
                            _ => 0,
                        };
                        let alike = families(own.kind) == families(other.kind);
                        alike && (own.role.is_none() || other.role.is_none() || own.role == other.role)
                    }
                };
                if clashes {
                    return Some(id);
                }
            }
        }
        None
    }

    fn line_column(&self, place: Span) -> (usize, usize) {
        let text = &self.files[place.file as usize].text;
        let before = &text[..place.start as usize];
        let line = before.matches('\n').count() + 1;
        (line, before.len() - before.rfind('\n').map_or(0, |i| i + 1) + 1)
    }
}
