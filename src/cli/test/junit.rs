//! Results as JUnit XML, the format of continuous integration servers. Times are 0, so that equal results give equal files.

use super::body::{FileBody, MessageBody, ScenarioBody, TestBody};
use super::snapshots::SnapshotStatus;
use crate::xml::{Element, element};

/// A test case: a scenario, a snapshot, or a file that could not be tested.
struct Case {
    name: String,
    file: String,
    line: Option<usize>,
    /// The element, `failure` or `error`, its message and its text.
    wrong: Option<(&'static str, String, String)>,
    /// Standard output, one line each.
    notes: String,
}

/// Return the document.
pub fn document(body: &TestBody) -> String {
    let suites: Vec<(&FileBody, Vec<Case>)> = body.files.iter().map(|file| (file, cases(file))).collect();
    let count = |cases: &[Case], what: &str| {
        cases.iter().filter(|case| case.wrong.as_ref().is_some_and(|(element, ..)| *element == what)).count()
    };
    let sum = |f: &dyn Fn(&[Case]) -> usize| suites.iter().map(|(_, cases)| f(cases)).sum::<usize>();
    let mut all = element("testsuites")
        .with("name", "synod")
        .with("tests", sum(&|cases| cases.len()))
        .with("failures", sum(&|cases| count(cases, "failure")))
        .with("errors", sum(&|cases| count(cases, "error")))
        .with("time", 0)
        .markup("\n");
    for (file, cases) in &suites {
        let mut suite = element("testsuite")
            .with("name", file.title())
            .with("tests", cases.len())
            .with("failures", count(cases, "failure"))
            .with("errors", count(cases, "error"))
            .with("skipped", 0)
            .with("time", 0)
            .markup("\n");
        for case in cases {
            suite = suite.markup(format_args!("    {}\n", test_case(file.title(), case)));
        }
        all = all.markup(format_args!("  {}\n", suite.markup("  ")));
    }
    format!("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n{all}\n")
}

fn test_case(suite: &str, case: &Case) -> Element {
    let mut written =
        element("testcase").with("name", &case.name).with("classname", suite).with("file", &case.file);
    if let Some(line) = case.line {
        written = written.with("line", line);
    }
    written = written.with("time", 0);
    if let Some((kind, message, text)) = &case.wrong {
        let wrong = element(kind).with("message", message).text(text);
        written = written.markup(format_args!("\n      {wrong}\n    "));
    }
    if !case.notes.is_empty() {
        let notes = element("system-out").text(&case.notes);
        written = written.markup(format_args!("\n      {notes}\n    "));
    }
    written
}

fn cases(file: &FileBody) -> Vec<Case> {
    let mut cases: Vec<Case> =
        file.scenarios.iter().flat_map(|s| [Some(played(s)), compared(s)]).flatten().collect();
    let case = |wrong| Case {
        name: "(file)".into(),
        file: file.file.clone(),
        line: None,
        wrong: Some(wrong),
        notes: String::new(),
    };
    if let Some(error) = &file.error {
        cases.push(case(("error", error.message().into(), error.hint().unwrap_or_default().into())));
    }
    let errors: Vec<String> = (file.diagnostics.iter().filter(|d| d.is_error()))
        .map(|d| format!("{}:{}:{}: {}: {}", d.place.file, d.place.line, d.place.column, d.code, d.message))
        .collect();
    if let Some(first) = errors.first() {
        cases.push(case(("error", first.clone(), errors.join("\n"))));
    }
    for stale in file.unreferenced.iter().filter(|stale| stale.rejected) {
        let message = "the scenario of this snapshot does not exist".to_string();
        let wrong = Some(("failure", message.clone(), message));
        cases.push(Case {
            name: stale.file.clone(),
            file: stale.file.clone(),
            line: None,
            wrong,
            notes: String::new(),
        });
    }
    cases
}

fn played(scenario: &ScenarioBody) -> Case {
    let lines = |of: &[MessageBody]| of.iter().map(MessageBody::to_string).collect::<Vec<_>>().join("\n");
    let first = scenario.failures.first();
    Case {
        name: scenario.name.clone(),
        file: scenario.place.file.clone(),
        line: Some(scenario.place.line),
        wrong: first.map(|first| ("failure", first.message.clone(), lines(&scenario.failures))),
        notes: lines(&scenario.notes),
    }
}

fn compared(scenario: &ScenarioBody) -> Option<Case> {
    let snapshot = scenario.snapshot.as_ref()?;
    let why = snapshot.why.clone().unwrap_or_default();
    let wrong = match snapshot.result {
        SnapshotStatus::Same => None,
        SnapshotStatus::Different => {
            Some(("failure", format!("the snapshot differs: {why}"), snapshot.text.clone()))
        }
        SnapshotStatus::New => Some(("failure", "the snapshot has not been accepted".into(), String::new())),
        SnapshotStatus::Unreadable => Some(("error", why.clone(), why)),
    };
    let name = format!("{} (snapshot)", scenario.name);
    Some(Case { name, file: snapshot.file.clone(), line: None, wrong, notes: String::new() })
}
