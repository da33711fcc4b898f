//! Removal of clauses from a program, by name, by kind and name, or by the head of a handler.

use super::{
    ClausePosition, Entered, Program, Rejection, apply, group, head, in_section, is_handler, names, rank,
};
use super::{SECTIONS, section, without};

use crate::prose;
use crate::syntax::ast::{Clause, ClauseKind as K};
use std::ops::Range;

/// Maximum number of clauses named in a message.
const MOST_NAMED: usize = 6;

/// A clause, or one of the names that it declares.
struct Item {
    /// Index among the clauses of the program.
    number: usize,
    /// The name; `None`: the whole clause.
    name: Option<String>,
    /// The unique full name: `on Ack(x) in state relay`.
    full: String,
    /// Shorter names, which may be ambiguous.
    short: Vec<String>,
}

/// Remove a clause from a program without errors: `leader`, `var leader`, `on Ack in relay`, `state relay`, `always`. A
/// state is removed with its handlers, a role with all its clauses.
///
/// # Errors
/// If no clause has this name, or several have.
pub fn drop(text: &str, wanted: &str) -> Result<Entered, Rejection> {
    let program = Program::read(text);
    let items = program.items();
    let wanted = normal(wanted);
    let called = |item: &&Item| item.full == wanted || item.short.contains(&wanted);
    // A full name takes precedence.
    let exact: Vec<&Item> = items.iter().filter(|item| item.full == wanted).collect();
    let found = if exact.len() == 1 { exact } else { items.iter().filter(called).collect() };
    match found.as_slice() {
        [item] => {
            let range = program.extent(item);
            Ok(Entered { text: apply(text, range), done: vec![format!("{} dropped", item.full)] })
        }
        [] => {
            let known: Vec<String> =
                items.iter().flat_map(|item| item.short.iter().chain([&item.full])).cloned().collect();
            let hint = match prose::nearest(&wanted, &known) {
                Some(near) => format!("did you mean `{near}`?"),
                None => {
                    "a name, a kind with a name, or the head of a handler: `var x`, `on Ack in relay`".into()
                }
            };
            Err(Rejection::Unclear(format!("no clause `{wanted}`"), hint))
        }
        several => {
            let mut all: Vec<String> =
                several.iter().take(MOST_NAMED).map(|item| format!("`{}`", item.full)).collect();
            if several.len() > MOST_NAMED {
                all.push(format!("{} more", several.len() - MOST_NAMED));
            }
            Err(Rejection::Unclear(
                format!("`{wanted}` is ambiguous: {}", prose::list(&all).replace(" and ", " or ")),
                "use the full name".into(),
            ))
        }
    }
}

/// Return the full names of the clauses of a program, for completion.
pub fn full_names(text: &str) -> Vec<String> {
    Program::read(text).items().into_iter().map(|item| item.full).collect()
}

fn normal(text: &str) -> String {
    text.split_whitespace()
        .collect::<Vec<_>>()
        .join(" ")
        .replace('→', "->")
        .trim_end_matches("->")
        .trim()
        .into()
}

impl Program<'_> {
    fn items(&self) -> Vec<Item> {
        let mut items = Vec::new();
        for (number, (clause, at)) in self.clauses().enumerate() {
            // The name of the program cannot be removed.
            if matches!(clause.kind, K::Algorithm { .. } | K::Problem { .. }) {
                continue;
            }
            let role = at.role.as_ref().filter(|_| rank(&clause.kind) <= SECTIONS + 1);
            let of = role.filter(|_| !matches!(clause.kind, K::Role { .. }));
            let of = of.map_or(String::new(), |role| format!(" of {role}"));
            let several = if self.several_roles() { of.as_str() } else { "" };
            if is_handler(&clause.kind) {
                let head = head(self.text, clause);
                let place = in_section(&ClausePosition { role: None, ..at.clone() }).replace('`', "");
                let mut places = vec![String::new(), format!(" {place}")];
                places.extend(section(at).iter().map(|state| format!(" in {state}")));
                let heads = [head.about.clone(), normal(&head.written)];
                let full = format!("{} {place}{several}", heads[1]);
                let short = heads.iter().flat_map(|head| {
                    let ways = places
                        .iter()
                        .flat_map(|place| [String::new(), of.clone()].map(|of| format!("{place}{of}")));
                    ways.map(|way| format!("{head}{way}")).collect::<Vec<_>>()
                });
                items.push(Item { number, name: None, full, short: short.collect() });
                continue;
            }
            let group = group(&clause.kind);
            let declared = names(&clause.kind);
            if declared.is_empty() {
                let short = vec![group.to_string(), format!("{group}{of}")];
                items.push(Item { number, name: None, full: format!("{group}{several}"), short });
            }
            let keyword = self.text[clause.span.range()].split_whitespace().next().unwrap_or_default();
            for name in declared {
                let name = name.text;
                let words = [name.clone(), format!("{group} {name}"), format!("{keyword} {name}")];
                let short = words.iter().flat_map(|word| [word.clone(), format!("{word}{of}")]).collect();
                items.push(Item {
                    number,
                    full: format!("{group} {name}{several}"),
                    name: Some(name),
                    short,
                });
            }
        }
        items
    }

    /// Return the ranges that are removed with a clause.
    fn extent(&self, item: &Item) -> Vec<(Range<usize>, String)> {
        let clause = &self.module.clauses[item.number];
        let declared = names(&clause.kind);
        if let Some(name) = &item.name
            && declared.len() > 1
        {
            let gone = without(self.text, clause, std::slice::from_ref(name));
            return gone.into_iter().map(|range| (range, String::new())).collect();
        }
        let behind = &self.module.clauses[item.number + 1..];
        let belongs = |other: &&Clause| match clause.kind {
            K::State { .. } | K::Always => is_handler(&other.kind),
            K::Role { .. } => rank(&other.kind) <= SECTIONS + 1 && !matches!(other.kind, K::Role { .. }),
            _ => false,
        };
        let last = behind.iter().take_while(belongs).last().unwrap_or(clause);
        // `always` is removed with its last handler.
        let mut first = clause;
        if is_handler(&clause.kind)
            && let Some(before) = item.number.checked_sub(1).map(|i| &self.module.clauses[i])
            && matches!(before.kind, K::Always)
            && behind.first().is_none_or(|next| !is_handler(&next.kind))
        {
            first = before;
        }
        let range = self.with_doc(first).start..self.line_end(last.span.end as usize);
        vec![(self.with_lines(range), String::new())]
    }

    /// Extend the range to whole lines, with one of the empty lines around it.
    fn with_lines(&self, range: Range<usize>) -> Range<usize> {
        let mut range = self.with_line(range);
        let (before, behind) = (&self.text[..range.start], &self.text[range.end..]);
        if before.is_empty() || before.ends_with("\n\n") {
            if behind.starts_with('\n') {
                range.end += 1;
            } else if behind.is_empty() {
                range.start = before.trim_end().len() + usize::from(!before.is_empty());
            }
        }
        range
    }
}
