//! Load a text and everything that it needs: its base, its problem and its layers.

pub mod unit;
mod variant;

use super::Find;
use crate::diagnostic::{Diagnostic, Hint, Naming, Noun};
use crate::library::{self, snake};
use crate::source::Sources;
use crate::syntax::{Parsed, ast, parse};
use std::sync::Arc;
use unit::Unit;

/// Maximum number of algorithms and problems beside the user's; more are a mistake.
const MAX_UNITS: usize = 16;

/// The texts of a program with their trees.
pub struct Loaded {
    pub sources: Sources,
    /// The user's unit first; then the problems and layers that it needs, directly or through others.
    pub units: Vec<Arc<Unit>>,
    pub diagnostics: Vec<Diagnostic>,
    /// Whether the user's header and every base were found. If not, only names are resolved.
    pub is_complete: bool,
}

/// Load a text, which has been parsed as file 0. `name` is the name of the file in messages.
pub fn load(name: &str, parsed: Arc<Parsed>, find: Find) -> Loaded {
    let mut loader = Loader { find, sources: Sources::default(), diagnostics: Vec::new(), is_complete: true };
    let file = loader.sources.add(name, &parsed.text);
    let mut first = loader.unit(file, parsed);
    unit::add_synchronizer_layer(&mut first);
    let mut units = vec![first];
    let mut next = 0;
    while next < units.len() {
        let goes_on = units.len() <= MAX_UNITS;
        let said = loader.diagnostics.len();
        // The problem that a layer solves defines the layer's outputs.
        let problem = units[next].solves.as_ref().map(|solves| solves.name.clone());
        units[next].problem = problem.and_then(|name| loader.needed(&mut units, &name, true, goes_on));
        for used in 0..units[next].uses.len() {
            let name = units[next].uses[used].algorithm.clone();
            let layer = loader.needed(&mut units, &name, false, goes_on);
            units[next].layers.push(layer);
        }
        loader.withdraw_unless_sound(&units[next], said);
        next += 1;
    }
    let Loader { sources, diagnostics, is_complete, .. } = loader;
    let is_complete = is_complete && units[0].has_header;
    Loaded { sources, units: units.into_iter().map(Arc::new).collect(), diagnostics, is_complete }
}

/// Return the text that a name denotes. An algorithm in a file `election.syn` does not hide the problem `Election` of the library
/// where a problem is needed, nor the reverse.
fn find_text(name: &str, is_problem: bool, find: Find) -> Option<(String, String)> {
    let found = find(name)?;
    let listed = library::find(name).filter(|entry| entry.is_problem() == is_problem);
    let Some(entry) = listed.filter(|entry| entry.text != found.1) else { return Some(found) };
    let (module, _) = parse(0, &found.1);
    let other = match module.clauses.first().map(|clause| &clause.kind) {
        Some(ast::ClauseKind::Algorithm { .. }) => is_problem,
        Some(ast::ClauseKind::Problem { .. }) => !is_problem,
        _ => false,
    };
    if other { library::source(entry.name) } else { Some(found) }
}

struct Loader<'f> {
    find: Find<'f>,
    sources: Sources,
    diagnostics: Vec<Diagnostic>,
    is_complete: bool,
}

impl Loader<'_> {
    /// Sort the clauses of a text, and combine a variant with its base.
    fn unit(&mut self, file: u32, parsed: Arc<Parsed>) -> Unit {
        let unit = self.sorted(file, parsed);
        let said = self.diagnostics.len();
        let unit = self.with_base(unit, &mut Vec::new());
        self.withdraw_unless_sound(&unit, said);
        unit
    }

    fn sorted(&mut self, file: u32, parsed: Arc<Parsed>) -> Unit {
        self.diagnostics.extend(parsed.diagnostics.iter().cloned());
        Unit::new(file, parsed, &mut self.diagnostics)
    }

    /// Withdraw the findings after the first `said`, if the header of the unit is being typed.
    fn withdraw_unless_sound(&mut self, unit: &Unit, said: usize) {
        if !unit.has_header {
            self.diagnostics.truncate(said);
        }
    }

    /// Add a text, and return its file with its tree.
    fn read(&mut self, (shown, text): &(String, String)) -> (u32, Arc<Parsed>) {
        let file = self.sources.add(shown, text);
        (file, Arc::new(Parsed::new(file, text.as_str())))
    }

    /// Return the number of the algorithm or problem that a unit needs; load it, if `goes_on`.
    fn needed(
        &mut self,
        units: &mut Vec<Unit>,
        name: &ast::Name,
        is_problem: bool,
        goes_on: bool,
    ) -> Option<usize> {
        // An algorithm may have the same name as the problem that it solves.
        let is_it =
            |u: &Unit| u.has_header && u.is_problem == is_problem && snake(&u.name.text) == snake(&name.text);
        if let Some(known) = units.iter().position(is_it) {
            return Some(known);
        }
        if !goes_on {
            return None;
        }
        let Some(text) = find_text(&name.text, is_problem, self.find) else {
            self.report_unknown(name, is_problem, Hint::OwnFile(snake(&name.text)));
            return None;
        };
        let (file, parsed) = self.read(&text);
        let unit = self.unit(file, parsed);
        if unit.has_header && unit.is_problem != is_problem {
            let finding = if unit.is_problem { Naming::IsProblem } else { Naming::IsAlgorithm };
            self.diagnostics.push(finding(name.text.clone()).at(name.span));
        }
        units.push(unit);
        Some(units.len() - 1)
    }

    /// Report an unknown algorithm or problem; `hint` is used if no known name is similar.
    fn report_unknown(&mut self, name: &ast::Name, is_problem: bool, hint: Hint) {
        let what = if is_problem { Noun::Problem } else { Noun::Algorithm };
        let d = Naming::Unknown(what, name.text.clone()).at(name.span);
        // Files beside the user's may hide the library, or there may be no library.
        let near = library::nearest(&name.text, Some(is_problem)).filter(|near| (self.find)(near).is_some());
        self.diagnostics.push(match near {
            Some(near) => d.suggest(&near),
            None => d.hint(hint),
        });
    }

    /// Combine a variant with its base. `path`: the variants on the way here.
    fn with_base(&mut self, unit: Unit, path: &mut Vec<String>) -> Unit {
        let Some(name) = unit.variant_of.clone() else { return unit };
        path.push(snake(&unit.name.text));
        if unit.file == 0 && variant::is_empty(&unit) {
            let finding = Naming::VariantWithoutChange(unit.name.text.clone(), name.text.clone());
            self.diagnostics.push(finding.at(unit.name.span));
        }
        match self.base(&name, path) {
            Some(base) => {
                self.is_complete &= base.has_header && !base.is_problem;
                variant::apply(&base, &unit)
            }
            None => {
                self.is_complete = false;
                unit
            }
        }
    }

    /// Return the base of a variant, itself combined with its base.
    fn base(&mut self, name: &ast::Name, path: &mut Vec<String>) -> Option<Unit> {
        if path.contains(&snake(&name.text)) {
            self.diagnostics.push(Naming::VariantOfItself(name.text.clone()).at(name.span));
            return None;
        }
        let Some(text) = find_text(&name.text, false, self.find) else {
            self.report_unknown(name, false, Hint::BaseOfVariant);
            return None;
        };
        let (file, parsed) = self.read(&text);
        let base = self.sorted(file, parsed);
        if base.is_problem {
            let finding = Naming::IsProblem(name.text.clone()).at(name.span);
            self.diagnostics.push(finding.hint(Hint::OnlyAlgorithms));
        }
        Some(self.with_base(base, path))
    }
}
