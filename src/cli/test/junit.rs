//! Results as JUnit XML, the format of continuous integration servers. Times are 0, so that equal results give equal files.

use super::snapshots::SnapshotStatus;
use super::{FileBody, ScenarioBody, TestBody};
use std::fmt::Write;

/// A test case: a scenario, a snapshot, or a file that could not be tested.
struct Case {
    name: String,
    file: String,
    line: Option<usize>,
    /// The element, `failure` or `error`, its message and its text.
    wrong: Option<(&'static str, String, String)>,
}

/// Return the document.
pub fn document(body: &TestBody) -> String {
    let suites: Vec<(&FileBody, Vec<Case>)> = body.files.iter().map(|file| (file, cases(file))).collect();
    let count = |cases: &[Case], what: &str| {
        cases.iter().filter(|case| case.wrong.as_ref().is_some_and(|(element, ..)| *element == what)).count()
    };
    let sum = |f: &dyn Fn(&[Case]) -> usize| suites.iter().map(|(_, cases)| f(cases)).sum::<usize>();
    let mut out = String::from("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n");
    let (tests, failures, errors) = (
        sum(&|cases| cases.len()),
        sum(&|cases| count(cases, "failure")),
        sum(&|cases| count(cases, "error")),
    );
    let _ = writeln!(
        out,
        "<testsuites name=\"synod\" tests=\"{tests}\" failures=\"{failures}\" errors=\"{errors}\" time=\"0\">"
    );
    for (file, cases) in &suites {
        let _ = writeln!(
            out,
            "  <testsuite name=\"{}\" tests=\"{}\" failures=\"{}\" errors=\"{}\" skipped=\"0\" time=\"0\">",
            attribute(file.title()),
            cases.len(),
            count(cases, "failure"),
            count(cases, "error"),
        );
        for case in cases {
            write_case(&mut out, file.title(), case);
        }
        out += "  </testsuite>\n";
    }
    out + "</testsuites>\n"
}

fn write_case(out: &mut String, suite: &str, case: &Case) {
    let line = case.line.map(|line| format!(" line=\"{line}\"")).unwrap_or_default();
    let _ = write!(
        out,
        "    <testcase name=\"{}\" classname=\"{}\" file=\"{}\"{line} time=\"0\"",
        attribute(&case.name),
        attribute(suite),
        attribute(&case.file),
    );
    match &case.wrong {
        None => *out += "/>\n",
        Some((element, message, text)) => {
            let _ = writeln!(
                out,
                ">\n      <{element} message=\"{}\">{}</{element}>\n    </testcase>",
                attribute(message),
                escaped(text)
            );
        }
    }
}

fn cases(file: &FileBody) -> Vec<Case> {
    let mut cases: Vec<Case> =
        file.scenarios.iter().flat_map(|s| [Some(played(s)), compared(s)]).flatten().collect();
    let case =
        |wrong| Case { name: "(file)".into(), file: file.file.clone(), line: None, wrong: Some(wrong) };
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
        cases.push(Case { name: stale.file.clone(), file: stale.file.clone(), line: None, wrong });
    }
    cases
}

fn played(scenario: &ScenarioBody) -> Case {
    let lines: Vec<String> = (scenario.failures.iter())
        .map(|f| format!("{}:{}:{}: {}", f.place.file, f.place.line, f.place.column, f.message))
        .collect();
    let first = scenario.failures.first();
    Case {
        name: scenario.name.clone(),
        file: scenario.place.file.clone(),
        line: Some(scenario.place.line),
        wrong: first.map(|first| ("failure", first.message.clone(), lines.join("\n"))),
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
    Some(Case { name, file: snapshot.file.clone(), line: None, wrong })
}

/// Escape a text for an attribute, in which newlines would become blanks.
fn attribute(text: &str) -> String {
    escaped(text).replace('\n', "&#10;")
}

/// Escape a text for an element. Most control characters cannot be written in XML.
fn escaped(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '&' => out += "&amp;",
            '<' => out += "&lt;",
            '>' => out += "&gt;",
            '"' => out += "&quot;",
            '\n' => out.push(c),
            c if c.is_control() || matches!(c, '\u{fffe}' | '\u{ffff}') => {
                let _ = write!(out, "\\u{{{:x}}}", u32::from(c));
            }
            c => out.push(c),
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::{attribute, escaped};

    #[test]
    fn special_characters_are_escaped() {
        let text = "a<b & \"c\"\r\n\u{0}\u{1b}[1m\u{ffff}\u{85}é";
        let expected = "a&lt;b &amp; &quot;c&quot;\\u{d}\n\\u{0}\\u{1b}[1m\\u{ffff}\\u{85}é";
        assert_eq!(escaped(text), expected);
        assert_eq!(attribute(text), expected.replace('\n', "&#10;"));
    }
}
