//! The subjects of questions about a run, by name: variables of a process, actions, properties.

use super::why::WhySubject;
use crate::ids::ProcessId;
use crate::instance::Instance;
use crate::ir::show::Show;
use crate::ir::{Action, ActionId, CRASHED, HALTED, Program};
use crate::prose;
use crate::semantics::Configuration;
use crate::source::Span;
use crate::trace::Change;
use crate::trace::show::column;

/// The greatest number of actions that a part of a name may select.
const MOST_ACTIONS: usize = 60;

/// The reason why a question has no answer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Unanswerable {
    /// One sentence without a full stop.
    pub message: String,
    pub hint: Option<String>,
}

impl Unanswerable {
    pub fn new(message: impl Into<String>) -> Unanswerable {
        Unanswerable { message: message.into(), hint: None }
    }

    pub fn hint(self, hint: impl Into<String>) -> Unanswerable {
        Unanswerable { hint: Some(hint.into()), ..self }
    }
}

/// Variables of a process, and the definition if the name is defined by these variables.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NamedVariables {
    pub subject: WhySubject,
    pub definition: Option<String>,
}

/// Find a variable of a process, or the variables that define an output.
///
/// # Errors
/// If the process has no such variable.
pub fn variables(
    instance: &Instance,
    configuration: &Configuration,
    p: ProcessId,
    name: &str,
) -> Result<NamedVariables, Unanswerable> {
    let program = &instance.program;
    let show = Show::new(program);
    let all = show.process(instance.role_of(p), configuration.words(p), configuration.values(p));
    let mut known: Vec<String> = all.into_iter().map(|(name, _)| name).collect();
    known.retain(|name| name != "halted");
    known.push("halted".into());
    if known.iter().any(|known| known == name) {
        let subject = WhySubject::Variables { process: p, names: vec![name.into()] };
        return Ok(NamedVariables { subject, definition: None });
    }
    let owner = instance.process_name(p);
    let unknown = Unanswerable::new(format!("{owner} has no variable {name}"));
    if let Some(output) = program.outputs.iter().find(|output| output.name == name) {
        let definition = program.sources.slice(output.value.span);
        let definition = definition.split_whitespace().collect::<Vec<_>>().join(" ");
        let words: Vec<&str> = definition.split(|c: char| !c.is_alphanumeric() && c != '_').collect();
        let names: Vec<String> =
            known.iter().filter(|known| words.contains(&known.as_str())).cloned().collect();
        return match names.is_empty() {
            true => Err(unknown
                .hint(format!("it is defined as `{definition}`, which contains no variable of {owner}"))),
            false => Ok(NamedVariables {
                subject: WhySubject::Variables { process: p, names },
                definition: Some(definition),
            }),
        };
    }
    let hint = match prose::nearest(name, &known) {
        Some(near) => format!("did you mean {near}?"),
        None => prose::available(&known),
    };
    Err(unknown.hint(hint))
}

/// Return the variables of a subject with their values: `p3.leader`.
pub fn values(instance: &Instance, configuration: &Configuration, of: &WhySubject) -> Vec<Change> {
    let WhySubject::Variables { process, names } = of else { return Vec::new() };
    let show = Show::new(&instance.program).at(&instance.network, *process);
    let (words, values) = (configuration.words(*process), configuration.values(*process));
    let all = show.process(instance.role_of(*process), words, values);
    let value = |name: &String| all.iter().find(|(n, _)| n == name).map_or("?", |(_, value)| value.as_str());
    let owner = instance.process_name(*process);
    let named = |name: &String| Change {
        name: format!("{owner}.{name}"),
        value: prose::with_names(value(name), instance.names()).into_owned(),
    };
    names.iter().map(named).collect()
}

/// Find the actions by the whole name, otherwise by a part of it.
///
/// # Errors
/// If there is none, or there are too many.
pub fn actions(program: &Program, name: &str) -> Result<Vec<ActionId>, Unanswerable> {
    let plain = |text: &str| text.split_whitespace().collect::<Vec<_>>().join(" ").to_lowercase();
    let wanted = plain(name);
    let all = || (0u32..).zip(&program.actions);
    let is = |a: &Action| plain(&a.name) == wanted || plain(&a.to_string()) == wanted;
    let exact: Vec<u32> = all().filter(|(_, a)| is(a)).map(|(i, _)| i).collect();
    let part = || all().filter(|(_, a)| plain(&a.to_string()).contains(&wanted)).map(|(i, _)| i).collect();
    let found: Vec<u32> = if exact.is_empty() && !wanted.is_empty() { part() } else { exact };
    if !found.is_empty() && found.len() <= MOST_ACTIONS {
        return Ok(found);
    }
    let mut names: Vec<String> = program.actions.iter().map(|a| column(&a.to_string())).collect();
    names.dedup();
    let message = match name {
        "" => "which action?".into(),
        _ => format!("there is no action {name}"),
    };
    Err(Unanswerable::new(message).hint(format!("there are {}", names.join(" · "))))
}

/// Check that the program has all these properties.
///
/// # Errors
/// If it lacks one of them.
pub fn properties_exist(program: &Program, wanted: &[String]) -> Result<(), Unanswerable> {
    let known: Vec<String> = program.properties.iter().map(|property| property.name.clone()).collect();
    let Some(unknown) = wanted.iter().find(|name| !known.contains(name)) else { return Ok(()) };
    let hint = match (prose::nearest(unknown, &known), known.is_empty()) {
        (Some(near), _) => format!("did you mean {near}?"),
        (None, true) => format!("{} has no properties", program.name),
        (None, false) => format!("there are {}", known.join(", ")),
    };
    Err(Unanswerable::new(format!("{} has no property {unknown}", program.name)).hint(hint))
}

/// Return the local variables of a process that are not listed with the others.
pub fn locals(instance: &Instance, configuration: &Configuration, p: ProcessId) -> Vec<(String, String)> {
    let role = &instance.program.roles[instance.role_of(p)];
    let show = Show::new(&instance.program).at(&instance.network, p);
    let value = |slot, ty| show.slot(slot, ty, configuration.words(p), configuration.values(p));
    let locals = role.vars.iter().filter(|v| v.local);
    locals.map(|v| (v.name.clone(), value(v.slot, &v.ty))).collect()
}

/// Return what a process waits for, with the place of its waiting point; `None` if it has halted or crashed.
pub fn awaited(
    instance: &Instance,
    configuration: &Configuration,
    p: ProcessId,
) -> Option<(String, Option<Span>)> {
    let role = &instance.program.roles[instance.role_of(p)];
    let pc = configuration.pc(p);
    let wait = usize::try_from(pc).ok().filter(|pc| *pc > 0).and_then(|pc| role.waits.get(pc));
    match (pc, wait) {
        (HALTED | CRASHED, _) => None,
        (_, Some(wait)) => Some((wait.to_string(), Some(wait.span))),
        (0, None) => Some(("messages, in its handlers".into(), None)),
        (_, None) => Some(("start".into(), None)),
    }
}
