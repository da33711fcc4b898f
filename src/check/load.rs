//! Load everything that a file needs: its base, its problem and its layers.

use super::Find;
use super::collect::{Unit, collect};
use crate::diagnostic::{Diagnostic, Hint, Naming, Noun};
use crate::library::{self, snake};
use crate::source::Sources;
use crate::syntax::{ast, parse};

/// Maximum depth of layers on layers; deeper nesting is a mistake.
const MAX_LAYERS: usize = 16;

/// Report an unknown algorithm or problem; `hint` is used if no known name is similar.
fn unknown(name: &ast::Name, is_problem: bool, find: Find, hint: Hint) -> Diagnostic {
    let what = if is_problem { Noun::Problem } else { Noun::Algorithm };
    let d = Naming::Unknown(what, name.text.clone()).at(name.span);
    // Files beside the user's may hide the library, or there may be no library.
    match library::nearest(&name.text, Some(is_problem)).filter(|near| find(near).is_some()) {
        Some(near) => d.suggest(&near),
        None => d.hint(hint),
    }
}

/// Return the text that a name denotes. An algorithm in a file `election.syn` does not hide the problem `Election` of the library
/// where a problem is needed, nor the reverse.
pub(crate) fn find_text(name: &str, is_problem: bool, find: Find) -> Option<(String, String)> {
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

/// Load the unit itself, then everything it solves or uses, directly or through layers.
pub fn load(first: Unit, sources: &mut Sources, find: Find, found: &mut Vec<Diagnostic>) -> Vec<Unit> {
    let mut first = resolve_variant(first, sources, find, found, &mut Vec::new());
    super::synchronizer::add_synchronizer_layer(&mut first);
    let mut units = vec![first];
    let mut next = 0;
    while next < units.len() {
        let mut wanted: Vec<(ast::Name, bool)> = Vec::new();
        // The problem that a layer solves defines the layer's outputs.
        if let Some(solves) = &units[next].solves {
            wanted.push((solves.name.clone(), true));
        }
        wanted.extend(units[next].uses.iter().map(|u| (u.algorithm.clone(), false)));
        for (name, is_problem) in wanted {
            // An algorithm may have the same name as the problem that it solves.
            if units.iter().any(|u| u.is_problem == is_problem && same_name(&u.name.text, &name.text)) {
                continue;
            }
            match find_text(&name.text, is_problem, find) {
                Some((shown, text)) => {
                    let file = sources.add(&shown, &text);
                    let (module, errors) = parse(file, &text);
                    found.extend(errors);
                    if let Some(unit) = collect(file, &module, found) {
                        let unit = resolve_variant(unit, sources, find, found, &mut Vec::new());
                        if unit.is_problem != is_problem {
                            let finding =
                                if unit.is_problem { Naming::IsProblem } else { Naming::IsAlgorithm };
                            found.push(finding(name.text.clone()).at(name.span));
                        }
                        units.push(unit);
                    }
                }
                None => found.push(unknown(&name, is_problem, find, Hint::OwnFile(snake(&name.text)))),
            }
        }
        next += 1;
        if units.len() > MAX_LAYERS {
            break;
        }
    }
    units
}

/// Combine a variant with its base. `path`: the variants on the way here.
pub(in crate::check) fn resolve_variant(
    mut unit: Unit,
    sources: &mut Sources,
    find: Find,
    found: &mut Vec<Diagnostic>,
    path: &mut Vec<String>,
) -> Unit {
    let Some(name) = unit.variant_of.clone() else {
        return unit;
    };
    path.push(snake(&unit.name.text));
    if unit.file == 0 && super::variant::is_empty(&unit) {
        found
            .push(Naming::VariantWithoutChange(unit.name.text.clone(), name.text.clone()).at(unit.name.span));
    }
    let base = base_of(&name, sources, find, found, path);
    match base {
        Some(base) => super::variant::apply(&base, &unit),
        None => {
            unit.base_not_found = true;
            unit
        }
    }
}

/// Return the base of a variant, itself resolved.
pub(in crate::check) fn base_of(
    name: &ast::Name,
    sources: &mut Sources,
    find: Find,
    found: &mut Vec<Diagnostic>,
    path: &mut Vec<String>,
) -> Option<Unit> {
    if path.contains(&snake(&name.text)) {
        found.push(Naming::VariantOfItself(name.text.clone()).at(name.span));
        return None;
    }
    let Some((shown, text)) = find_text(&name.text, false, find) else {
        found.push(unknown(name, false, find, Hint::BaseOfVariant));
        return None;
    };
    let file = sources.add(&shown, &text);
    let (module, errors) = parse(file, &text);
    found.extend(errors);
    let base = collect(file, &module, found)?;
    if base.is_problem {
        found.push(Naming::IsProblem(name.text.clone()).at(name.span).hint(Hint::OnlyAlgorithms));
        return None;
    }
    let base = resolve_variant(base, sources, find, found, path);
    (!base.base_not_found).then_some(base)
}

/// Return whether two names denote the same file: `Election` is found in `election.syn`.
pub(in crate::check) fn same_name(a: &str, b: &str) -> bool {
    snake(a) == snake(b)
}
