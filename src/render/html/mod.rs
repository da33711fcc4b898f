//! A run as one HTML file with page, style, script and data, so that it opens anywhere and loads nothing else.
//!
//! The page is written by hand in `page.html`, `page.css` and `page.js`; `data` defines the data for the script.

mod data;

use super::picture::choice::DrawSelection;
use super::picture::topology::ProgramFacts;
use super::picture::{Chart, NetworkLayout};

const PAGE: &str = include_str!("page.html");
const STYLE: &str = include_str!("page.css");
const SCRIPT: &str = include_str!("page.js");

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
    let parts =
        [("{{title}}", title.as_str()), ("{{style}}", STYLE), ("{{data}}", &data), ("{{script}}", SCRIPT)];
    // Each placeholder occurs once; inserted text is not scanned again.
    let mut out = String::with_capacity(PAGE.len() + STYLE.len() + SCRIPT.len() + data.len() + 200);
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
