//! The calls of tools: requests to the workbench, and their answers in the form for assistants.

use super::limits::{CallLimits, EVENTS, SECONDS};
use super::report;
use super::tools::{AnsweredBy, Tool};
use crate::workbench::Workbench;
use crate::workbench::limits::cut;
use serde_json::{Map, Value, json};

/// The arguments of a call, or the fields of a request.
pub type Fields = Map<String, Value>;

/// The answer to a request; otherwise its error: an object with message, hint and diagnostics.
pub type Answered = Result<Value, Value>;

/// The greatest number of processes whose final state `run` reports.
const MOST_PROCESSES: usize = 20;

/// A call whose arguments have been checked.
pub struct Call {
    tool: &'static Tool,
    fields: Fields,
    pub seconds: u64,
    events: u64,
}

fn error(message: &str, hint: &str) -> Value {
    json!({"message": message, "hint": hint})
}

impl Call {
    /// Check the arguments that the workbench does not know.
    ///
    /// # Errors
    /// If an argument is unknown, or has another type.
    pub fn new(tool: &'static Tool, mut fields: Fields) -> Result<Call, Value> {
        tool.check(&fields).map_err(|(message, hint)| error(&message, &hint))?;
        fields.retain(|_, value| !value.is_null());
        let mut number = |limit: crate::workbench::limits::Limit| match fields.remove(limit.name) {
            None => Ok(limit.default),
            Some(value) => {
                let range = format!("it is an integer from 0 to {}", limit.max);
                let given = value.as_u64().filter(|number| *number <= limit.max);
                given.ok_or_else(|| error(&format!("{}: {value} is not valid", limit.name), &range))
            }
        };
        let (seconds, events) = (number(SECONDS)?, number(EVENTS)?);
        Ok(Call { tool, fields, seconds, events })
    }

    /// Answer the call.
    pub fn answer(mut self, bench: &mut Workbench, limits: &CallLimits) -> Answered {
        if self.tool.has("library") {
            self.fields = with_text(bench, self.fields)?;
        }
        let mut answer = match self.tool.answered_by {
            AnsweredBy::Request => ask(bench, self.tool.name, self.fields),
            AnsweredBy::Library => {
                self.fields.insert("brief".into(), true.into());
                ask(bench, "library", self.fields)
            }
            AnsweredBy::Run => run(bench, self.fields, self.events as usize, limits),
            AnsweredBy::Verify => verify(bench, self.fields, self.events as usize, limits),
        }?;
        limits.report();
        report::slim(&mut answer);
        Ok(answer)
    }
}

/// Send a request to the workbench.
fn ask(bench: &mut Workbench, request: &str, mut fields: Fields) -> Answered {
    fields.insert("request".into(), request.into());
    let text = bench.answer(&Value::Object(fields).to_string());
    match serde_json::from_str::<Value>(&text) {
        Ok(mut answer) => match answer.get_mut("error") {
            Some(failed) => Err(failed.take()),
            None => Ok(answer),
        },
        Err(wrong) => Err(json!({"message": format!("the answer of the workbench is not valid: {wrong}")})),
    }
}

fn fields<const N: usize>(pairs: [(&str, Value); N]) -> Fields {
    pairs.into_iter().map(|(name, value)| (name.to_string(), value)).collect()
}

/// Replace the name of a library file by its text.
fn with_text(bench: &mut Workbench, mut given: Fields) -> Result<Fields, Value> {
    let Some(name) = given.remove("library") else { return Ok(given) };
    if given.contains_key("text") {
        return Err(error("text and library cannot be combined", "`library` names a file of the library"));
    }
    let mut file = ask(bench, "source", fields([("name", name)]))?;
    let path = file["path"].as_str().unwrap_or_default();
    let name = path.rsplit('/').next().unwrap_or_default().to_string();
    given.entry("name").or_insert_with(|| name.into());
    given.insert("text".into(), file["text"].take());
    Ok(given)
}

/// Make a run, or continue the open one.
fn run(bench: &mut Workbench, mut given: Fields, events: usize, limits: &CallLimits) -> Answered {
    let most: Fields = given.remove_entry("most").into_iter().collect();
    let opened = match given.is_empty() {
        true => Value::Null,
        false => ask(bench, "open", given)?,
    };
    let went = ask(bench, "run", most)?;
    limits.report();
    let (from, at) = (position(&went["from"]), position(&went["position"]["at"]));
    let listed = listed(bench, from, at, events)?;
    let verdicts = ask(bench, "verdicts", Fields::new())?;
    let mut state = ask(bench, "state", Fields::new())?;
    let mut processes = state["processes"].take();
    let all = processes.as_array().map_or(0, Vec::len);
    if let Some(list) = processes.as_array_mut() {
        list.truncate(MOST_PROCESSES);
    }
    let mut answer = json!({
        "options": opened["options"],
        "notes": opened["notes"],
        "position": went["position"],
        "stop": went["stop"],
        "outcome": state["outcome"],
        "explanation": state["explanation"],
        "metrics": state["metrics"],
        "properties": verdicts["properties"],
        "processes": processes,
        "events": listed["events"],
    });
    if opened.is_null() {
        let fields = answer.as_object_mut();
        fields.into_iter().for_each(|fields| fields.retain(|name, _| name != "options" && name != "notes"));
    }
    if let Some(words) = cut(all.min(MOST_PROCESSES), all, "first") {
        answer["processes_cut"] = words.into();
    }
    if let Some(words) = cut(events.min(at - from), at - from, "first") {
        answer["cut"] = words.into();
    }
    Ok(answer)
}

/// Model-check, and add the events of the first counterexample.
fn verify(bench: &mut Workbench, given: Fields, events: usize, limits: &CallLimits) -> Answered {
    let mut answer = ask(bench, "verify", given)?;
    limits.report();
    if answer["opened"].is_null() {
        return Ok(answer);
    }
    let length = position(&answer["opened"]["position"]["length"]);
    let listed = listed(bench, 0, length, events)?;
    answer["opened"]["events"] = listed["events"].clone();
    if let Some(words) = cut(events.min(length), length, "first") {
        answer["opened"]["cut"] = words.into();
    }
    Ok(answer)
}

/// Return the first recorded events between two positions.
fn listed(bench: &mut Workbench, from: usize, to: usize, most: usize) -> Answered {
    let to = to.min(from.saturating_add(most));
    ask(bench, "events", fields([("from", from.into()), ("to", to.into())]))
}

fn position(value: &Value) -> usize {
    value.as_u64().unwrap_or(0) as usize
}
