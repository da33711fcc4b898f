//! A run as one HTML file with page, style, script and data, so that it opens anywhere and loads nothing else.
//!
//! The page is written by hand: `page.html`, three style sheets, and JavaScript modules that `editors/playground` uses, too. `data` defines the
//! data for the script. A page opened from disk may not import modules, so [`script`] joins them into one script.

mod data;

use super::picture::choice::DrawSelection;
use super::picture::topology::ProgramFacts;
use super::picture::{Chart, NetworkLayout};

const PAGE: &str = include_str!("page.html");
const STYLE: &str = concat!(include_str!("theme.css"), include_str!("network.css"), include_str!("page.css"));

/// The modules of the page by name. Each imports only from those before it.
pub const MODULES: [(&str, &str); 10] = [
    ("elements.js", include_str!("elements.js")),
    ("run.js", include_str!("run.js")),
    ("view.js", include_str!("view.js")),
    ("cut.js", include_str!("cut.js")),
    ("diagram.js", include_str!("diagram.js")),
    ("labels.js", include_str!("labels.js")),
    ("network.js", include_str!("network.js")),
    ("details.js", include_str!("details.js")),
    ("legend.js", include_str!("legend.js")),
    ("page.js", include_str!("page.js")),
];

/// Join the modules into one script. An import is one line, and `export` precedes a declaration; names at the top level are unique.
pub fn script() -> String {
    let mut out = String::from("\"use strict\";\n(() => {\n");
    for line in MODULES.iter().flat_map(|(_, text)| text.lines()).filter(|line| !line.starts_with("import "))
    {
        out.push_str(line.strip_prefix("export ").unwrap_or(line));
        out.push('\n');
    }
    out + "})();"
}

/// Return the data of the page of a run, as JSON.
pub fn data(
    chart: &Chart,
    stage: Option<&NetworkLayout>,
    choice: &DrawSelection,
    facts: &ProgramFacts,
) -> String {
    data::json(chart, stage, choice, facts)
}

/// Return the page of a run. `stage` is `None` if the network is too large to draw.
pub fn page(
    chart: &Chart,
    stage: Option<&NetworkLayout>,
    choice: &DrawSelection,
    facts: &ProgramFacts,
) -> String {
    let data = data::json(chart, stage, choice, facts);
    let header = &chart.trace.header;
    let title = crate::xml::escaped(&format!("{} on {}", header.algorithm, header.network));
    let script = script();
    let parts =
        [("{{title}}", title.as_str()), ("{{style}}", STYLE), ("{{data}}", &data), ("{{script}}", &script)];
    // Each placeholder occurs once; inserted text is not scanned again.
    let mut out = String::with_capacity(PAGE.len() + STYLE.len() + script.len() + data.len() + 200);
    let mut rest = PAGE;
    while let Some((at, (mark, text))) =
        parts.iter().filter_map(|part| rest.find(part.0).map(|at| (at, part))).min_by_key(|(at, _)| *at)
    {
        out.push_str(&rest[..at]);
        out.push_str(text);
        rest = &rest[at + mark.len()..];
    }
    out + rest
}
