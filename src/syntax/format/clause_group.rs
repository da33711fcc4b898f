//! A stretch: consecutive clauses with the same indentation. They are laid out together, since neighbours may be aligned. No
//! other clause affects them.

use super::builder::Builder;
use super::clause::Clause;
use super::doc::{self, Doc, Row};
use super::sheet::{Sheet, Unit};
use super::stmt::Branch;
use super::symbols::Signs;
use rustc_hash::FxHashMap;
use std::cell::RefCell;
use std::ops::Range;

/// Return the lines of each clause of a stretch.
pub fn rows(sheet: &Sheet<'_>, stretch: Range<usize>, signs: Signs) -> Vec<Vec<Row>> {
    let units = &sheet.units[stretch];
    let docs = documents(sheet, units, signs);
    docs.iter().zip(units).map(|(doc, unit)| doc::rows(doc, unit.indent)).collect()
}

fn documents(sheet: &Sheet<'_>, units: &[Unit<'_>], signs: Signs) -> Vec<Doc> {
    let found = RefCell::new(FxHashMap::default());
    let builder = |unit: &Unit<'_>, reaches| Builder {
        tokens: &sheet.tokens,
        signs,
        offset: unit.offset,
        first: unit.first,
        measures: reaches,
        found: &found,
    };
    // First measure the blocks, then lay out with the result.
    for unit in units {
        let builder = builder(unit, None);
        if let Clause::Handler(branch) = builder.clause(&unit.clause, unit.indent) {
            let arrow = builder.arrows(std::slice::from_ref(&branch), unit.indent)[0];
            builder.whole_handler(branch, arrow, unit.indent);
        }
    }
    let reaches = found.take();
    let made = units.iter().map(|unit| builder(unit, Some(&reaches)).clause(&unit.clause, unit.indent));
    let mut made = made.collect::<Vec<Clause<'_>>>().into_iter().enumerate().peekable();
    let mut docs = Vec::with_capacity(units.len());
    while let Some((at, clause)) = made.next() {
        let mut run = vec![clause];
        while let Some((_, clause)) = made.next_if(|(_, clause)| alike(&run, clause)) {
            run.push(clause);
        }
        let units = &units[at..at + run.len()];
        docs.extend(columns(run, units, |unit| builder(unit, Some(&reaches))));
    }
    docs
}

/// Declarations are not aligned with ones whose names are longer by more than this number of columns.
const MAX_NAME_DIFFERENCE: usize = 12;

/// Return whether a clause is aligned with those above.
fn alike(run: &[Clause<'_>], clause: &Clause<'_>) -> bool {
    let width = |clause: &Clause<'_>| match clause {
        Clause::Columns { head, .. } => head.width(),
        _ => None,
    };
    match (&run[0], clause) {
        (Clause::Handler(_), Clause::Handler(_)) => true,
        (Clause::Columns { key, .. }, Clause::Columns { key: other, .. }) => {
            let near = |width: usize, other: usize| width.abs_diff(other) <= MAX_NAME_DIFFERENCE;
            let own = width(clause);
            key == other && own.is_some_and(|own| run.iter().all(|c| width(c).is_some_and(|w| near(w, own))))
        }
        _ => false,
    }
}

/// Align neighbours: handlers by their arrows, declarations if the author has begun to.
fn columns<'b, 't: 'b>(
    run: Vec<Clause<'_>>,
    units: &[Unit<'_>],
    builder: impl Fn(&Unit<'_>) -> Builder<'b, 't>,
) -> Vec<Doc> {
    let (mut heads, mut handlers, mut alone) = (Vec::new(), Vec::new(), Vec::new());
    for clause in run {
        match clause {
            Clause::Alone(doc) => alone.push(doc),
            Clause::Columns { head, tail, gap, .. } => heads.push((head, tail, gap)),
            Clause::Handler(branch) => handlers.push(branch),
        }
    }
    if !handlers.is_empty() {
        let arrows = arrows(&builder(&units[0]), &handlers, units[0].indent);
        let all = handlers.into_iter().zip(arrows).zip(units);
        return all
            .map(|((branch, arrow), unit)| builder(unit).whole_handler(branch, arrow, unit.indent))
            .collect();
    }
    let together = heads.iter().any(|(_, _, gap)| *gap > 1);
    let widest = heads.iter().filter_map(|(head, ..)| head.width()).max().unwrap_or(0);
    alone.extend(heads.into_iter().map(|(head, tail, _)| {
        let missing = head.width().filter(|_| together).map_or(0, |width| widest - width);
        Doc::Cat(vec![head, Doc::Blanks(missing), tail])
    }));
    alone
}

/// Return the columns of the arrows of handlers. A handler whose commands are below its head separates those above from those
/// after it: neither alignment nor width in one part affects the other. So the parts remain the same when the result is formatted
/// again and more commands are below.
fn arrows(builder: &Builder<'_, '_>, handlers: &[Branch<'_>], indent: usize) -> Vec<Option<usize>> {
    let mut columns = vec![None; handlers.len()];
    let mut parts = runs(handlers.iter().map(Branch::may_follow_arrow), 0);
    while let Some(part) = parts.pop() {
        let found = builder.arrows(&handlers[part.clone()], indent);
        if found.iter().all(Option::is_some) {
            columns.splice(part, found);
        } else {
            parts.extend(runs(found.iter().map(Option::is_some), part.start));
        }
    }
    columns
}

/// Return the ranges of consecutive chosen neighbours, counted from `start`.
fn runs(chosen: impl Iterator<Item = bool>, start: usize) -> Vec<Range<usize>> {
    let mut runs: Vec<Range<usize>> = Vec::new();
    for (at, _) in chosen.enumerate().filter(|(_, chosen)| *chosen) {
        let at = start + at;
        match runs.last_mut() {
            Some(run) if run.end == at => run.end += 1,
            _ => runs.push(at..at + 1),
        }
    }
    runs
}
