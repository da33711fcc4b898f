//! Answers for assistants: without what only a picture or an editor needs, and as text.

use crate::prose;
use serde_json::{Map, Value};
use std::fmt::Write;

/// Fields that only a picture needs.
const PICTURES: &[&str] = &["layout", "svg"];

/// Remove what an assistant does not need.
pub fn slim(value: &mut Value) {
    match value {
        Value::Object(fields) => {
            PICTURES.iter().for_each(|name| drop(fields.remove(*name)));
            // A place has line and column, too. An edit needs its offsets.
            if fields.contains_key("bytes") && fields.contains_key("line") {
                fields.retain(|name, _| !["from", "to", "bytes"].contains(&name.as_str()));
            }
            fields.values_mut().for_each(slim);
        }
        Value::Array(list) => list.iter_mut().for_each(slim),
        _ => {}
    }
}

/// Return the answer of a tool as text.
pub fn text(tool: &str, answer: &Value) -> String {
    let mut out = String::new();
    match tool {
        "check" => check(&mut out, answer),
        "run" => run(&mut out, answer),
        "verify" => verify(&mut out, answer),
        "open" => opened(&mut out, answer),
        "step" | "back" | "fire" | "whatif" => moved(&mut out, answer),
        "enabled" => enabled(&mut out, answer),
        "state" => state(&mut out, answer),
        "why" => why(&mut out, answer),
        "whynot" => whynot(&mut out, answer),
        "library" => library(&mut out, answer),
        "explain" => explain(&mut out, answer),
        "measure" | "source" | "format" => {
            out.push_str(string(&answer["text"]));
            cut(&mut out, answer);
        }
        "evaluate" => {
            let [expression, value, ty] = ["expression", "value", "type"].map(|name| string(&answer[name]));
            line(&mut out, format_args!("{expression} = {value}  ({ty})"));
        }
        _ => out = answer.to_string(),
    }
    out
}

/// Return an error of a tool as text.
pub fn error(error: &Value) -> String {
    let mut out = String::new();
    line(&mut out, format_args!("error: {}", string(&error["message"])));
    if let Some(hint) = error["hint"].as_str() {
        line(&mut out, format_args!("hint: {hint}"));
    }
    diagnostics(&mut out, &error["diagnostics"]);
    out
}

fn line(out: &mut String, text: std::fmt::Arguments<'_>) {
    // Writing to a text does not fail.
    let _ = writeln!(out, "{text}");
}

fn string(value: &Value) -> &str {
    value.as_str().unwrap_or_default()
}

fn list(value: &Value) -> impl Iterator<Item = &Value> {
    value.as_array().into_iter().flatten()
}

/// Return `name = value` for each change or parameter.
fn assignments(value: &Value) -> String {
    let all = list(value).map(|one| format!("{} = {}", string(&one["name"]), string(&one["value"])));
    all.collect::<Vec<_>>().join(", ")
}

fn cut(out: &mut String, answer: &Value) {
    if let Some(words) = answer["cut"].as_str() {
        line(out, format_args!("({words})"));
    }
}

fn diagnostics(out: &mut String, found: &Value) {
    for diagnostic in list(found) {
        let place = &diagnostic["place"];
        let (severity, code) = (string(&diagnostic["severity"]), string(&diagnostic["code"]));
        let at = match (place["line"].as_u64(), place["name"].as_str()) {
            (Some(number), Some(name)) => format!("{name}:{number}:{}", place["column"]),
            (Some(number), None) => format!("line {number}, column {}", place["column"]),
            (None, _) => String::new(),
        };
        line(out, format_args!("{severity} {code} at {at}: {}", string(&diagnostic["message"])));
        for (name, what) in [("label", "here"), ("hint", "hint")] {
            if let Some(text) = diagnostic[name].as_str().filter(|text| !text.is_empty()) {
                line(out, format_args!("  {what}: {text}"));
            }
        }
        for related in list(&diagnostic["related"]) {
            line(out, format_args!("  line {}: {}", related["place"]["line"], string(&related["message"])));
        }
        for fix in list(&diagnostic["fixes"]) {
            line(out, format_args!("  fix: {}", string(&fix["title"])));
        }
    }
}

fn check(out: &mut String, answer: &Value) {
    diagnostics(out, &answer["diagnostics"]);
    let [errors, warnings] = [("errors", "error"), ("warnings", "warning")]
        .map(|(field, noun)| prose::count(answer[field].as_u64().unwrap_or(0) as usize, noun));
    line(out, format_args!("{errors}, {warnings}"));
    let program = &answer["program"];
    if program.is_null() {
        return;
    }
    let title = Some(string(&program["title"])).filter(|title| !title.is_empty());
    let title = title.map_or_else(String::new, |title| format!(": {title}"));
    line(out, format_args!("algorithm {}{title}", string(&program["name"])));
    let names = |field: &str| list(&program[field]).map(string).collect::<Vec<_>>().join(", ");
    line(out, format_args!("assumes {}; default network {}", names("assumes"), string(&program["topology"])));
    for property in list(&program["properties"]) {
        let waived = if property["claimed"] == false { " (not claimed)" } else { "" };
        line(out, format_args!("{}{waived}", string(&property["text"])));
    }
}

fn events(out: &mut String, events: &Value) {
    for event in list(events) {
        if let Some(heading) = event["heading"].as_str() {
            line(out, format_args!("{heading}"));
        }
        line(out, format_args!("{}  {}", event["index"], string(&event["text"])));
    }
}

fn run(out: &mut String, answer: &Value) {
    options(out, &answer["options"]);
    notes(out, answer);
    events(out, &answer["events"]);
    cut(out, answer);
    stop(out, answer);
    for property in list(&answer["properties"]) {
        verdict(out, property, string(&property["verdict"]));
    }
    processes(out, answer);
    metrics(out, &answer["metrics"]);
}

fn verdict(out: &mut String, property: &Value, word: &str) {
    let why = property["why"].as_str().filter(|why| !why.is_empty());
    let why = why.map_or_else(String::new, |why| format!(": {why}"));
    line(out, format_args!("{word}  {} {}{why}", string(&property["kind"]), string(&property["name"])));
}

fn options(out: &mut String, options: &Value) {
    if options.is_null() {
        return;
    }
    let mut text = format!("on {}, ids {}", string(&options["on"]), string(&options["ids"]));
    for (name, value) in [("daemon", &options["daemon"]), ("faults", &options["faults"])] {
        if let Some(value) = value.as_str().filter(|value| !value.is_empty()) {
            text += &format!(", {name} {value}");
        }
    }
    let parameters = assignments(&options["parameters"]);
    if !parameters.is_empty() {
        text += &format!(", {parameters}");
    }
    line(out, format_args!("{text}, schedule {}, seed {}", string(&options["schedule"]), options["seed"]));
}

fn notes(out: &mut String, answer: &Value) {
    list(&answer["notes"]).for_each(|note| line(out, format_args!("note: {}", string(note))));
}

fn position(out: &mut String, answer: &Value) {
    let place = &answer["position"];
    let branch = string(&place["branch"]);
    line(out, format_args!("position {} of {} (branch {branch})", place["at"], place["length"]));
}

fn stop(out: &mut String, answer: &Value) {
    position(out, answer);
    let stop = string(&answer["stop"]["text"]);
    if !stop.is_empty() {
        line(out, format_args!("{stop}"));
    }
}

fn moved(out: &mut String, answer: &Value) {
    events(out, &answer["events"]);
    cut(out, answer);
    stop(out, answer);
    if let Some(removed) = answer["removed"].as_u64().filter(|removed| *removed > 0) {
        line(out, format_args!("removed events: {removed}"));
    }
}

fn opened(out: &mut String, answer: &Value) {
    line(out, format_args!("algorithm {}", string(&answer["program"]["name"])));
    options(out, &answer["options"]);
    notes(out, answer);
    position(out, answer);
}

fn verify(out: &mut String, answer: &Value) {
    let network = &answer["network"];
    line(out, format_args!("{} on {}", string(&answer["algorithm"]), string(&network["topology"])));
    for property in list(&answer["properties"]) {
        verdict(out, property, string(&property["text"]));
    }
    out.push_str(string(&answer["summary"]));
    for found in list(&answer["counterexamples"]) {
        let shows = string(&found["shows"]);
        line(out, format_args!("counterexample {}: {shows}, {} events", found["index"], found["events"]));
        list(&found["explanation"]).for_each(|part| line(out, format_args!("  {}", string(part))));
    }
    let opened = &answer["opened"];
    if !opened.is_null() {
        options(out, &opened["options"]);
        events(out, &opened["events"]);
        cut(out, opened);
        line(out, format_args!("counterexample 0 is the open run:"));
        position(out, opened);
    }
}

fn enabled(out: &mut String, answer: &Value) {
    line(out, format_args!("at position {}, {} steps are enabled", answer["at"], answer["total"]));
    for step in list(&answer["steps"]) {
        let aborts = step["aborts"].as_str().map_or_else(String::new, |why| format!("  aborts: {why}"));
        line(out, format_args!("[{}]  {}{aborts}", step["index"], string(&step["event"]["text"])));
    }
    cut(out, answer);
}

fn processes(out: &mut String, answer: &Value) {
    for process in list(&answer["processes"]) {
        let mut text = string(&process["name"]).to_string();
        if !process["id"].is_null() {
            text += &format!(" (id {})", process["id"]);
        }
        let condition = string(&process["condition"]);
        let place = if condition == "up" { string(&process["state"]) } else { condition };
        text += &format!("  {place}  {}", assignments(&process["texts"]));
        let locals = assignments(&process["locals"]);
        if !locals.is_empty() {
            text += &format!("  locals {locals}");
        }
        let outputs = process["outputs"].as_object().map(outputs).filter(|outputs| !outputs.is_empty());
        if let Some(outputs) = outputs {
            text += &format!("  outputs {outputs}");
        }
        if let Some(waits) = process["waits_for"].as_str() {
            text += &format!("  waits for {waits}");
        }
        line(out, format_args!("{}", text.trim_end()));
    }
    if let Some(words) = answer["processes_cut"].as_str() {
        line(out, format_args!("({words} processes)"));
    }
}

fn outputs(outputs: &Map<String, Value>) -> String {
    let shown = |value: &Value| if value.is_null() { "none".to_string() } else { value.to_string() };
    outputs.iter().map(|(name, value)| format!("{name} = {}", shown(value))).collect::<Vec<_>>().join(", ")
}

fn state(out: &mut String, answer: &Value) {
    position(out, answer);
    processes(out, answer);
    for channel in list(&answer["channels"]) {
        let message = |message: &Value| format!("m{} {}", message["id"], string(&message["text"]));
        let messages: Vec<String> = list(&channel["messages"]).map(message).collect();
        line(out, format_args!("p{} → p{}: {}", channel["from"], channel["to"], messages.join(", ")));
    }
    cut(out, answer);
    metrics(out, &answer["metrics"]);
    if let Some(outcome) = answer["outcome"].as_str() {
        line(out, format_args!("{outcome}"));
        list(&answer["explanation"]).for_each(|why| line(out, format_args!("  {}", string(why))));
    }
}

fn metrics(out: &mut String, metrics: &Value) {
    let known = metrics.as_object().into_iter().flatten().filter(|(_, value)| value.is_number());
    let all: Vec<String> = known.map(|(name, value)| format!("{name} {value}")).collect();
    line(out, format_args!("{}", all.join(", ")));
}

fn why(out: &mut String, answer: &Value) {
    line(out, format_args!("{}", assignments(&answer["subjects"])));
    if let Some(definition) = answer["definition"].as_str() {
        line(out, format_args!("defined as {definition}"));
    }
    if answer["initial"] == true {
        line(out, format_args!("no event has set it"));
    }
    events(out, &answer["events"]);
    cut(out, answer);
}

fn whynot(out: &mut String, answer: &Value) {
    for action in list(&answer["actions"]) {
        line(out, format_args!("{}", string(&action["action"])));
        for reason in list(&action["reasons"]) {
            let processes: Vec<String> = list(&reason["processes"]).map(|p| format!("p{p}")).collect();
            let enabled: Vec<String> = list(&reason["enabled"]).map(|index| format!("[{index}]")).collect();
            let enabled = match enabled.is_empty() {
                true => String::new(),
                false => format!("  (enabled: {})", enabled.join(", ")),
            };
            line(out, format_args!("  {}: {}{enabled}", processes.join(", "), string(&reason["text"])));
        }
    }
}

fn library(out: &mut String, answer: &Value) {
    for file in list(&answer["files"]) {
        let problem = file["problem"].as_str().map_or_else(String::new, |problem| format!(" [{problem}]"));
        line(out, format_args!("{}{problem}: {}", string(&file["name"]), string(&file["title"])));
    }
    if list(&answer["files"]).next().is_none() {
        line(out, format_args!("no file of the library is about all of these words"));
    }
}

fn explain(out: &mut String, answer: &Value) {
    match answer["code"].as_str() {
        Some(code) => line(out, format_args!("{code}: {}\n", string(&answer["title"]))),
        None => {
            line(out, format_args!("{}", string(&answer["word"])));
            line(out, format_args!("Field's term: {}\n", string(&answer["term"])));
        }
    }
    out.push_str(string(&answer["markdown"]));
}
