//! The catalogue as pages: `stdlib/README.md`, and the page of an algorithm in `synod show`.

mod families;
mod markdown;
mod page;

pub use markdown::{markdown, unshelved};
pub use page::page;

use crate::catalogue::{Card, Figure, PropertyCard, RUNS};

/// Format a range: `13`, or `13–21`.
fn range((least, most): (u64, u64)) -> String {
    if least == most { least.to_string() } else { format!("{least}–{most}") }
}

/// Return the cells of a row: network, messages, time or rounds; and the outcome of unfinished runs.
fn cells(figure: &Figure) -> [String; 3] {
    let messages = match &figure.unfinished {
        Some((count, how)) => {
            format!("{} ({count} of {} runs {how})", range(figure.messages), RUNS)
        }
        None => range(figure.messages),
    };
    let time = figure.time.map(range).or(figure.rounds.map(|r| format!("{} rounds", range(r))));
    [figure.network.clone(), messages, time.unwrap_or_default()]
}

/// Return the names of the problem's properties that an algorithm promises, and of those that it waives.
fn of_problem(card: &Card) -> (Vec<&str>, Vec<&str>) {
    let theirs = |promised: bool| {
        let list = card.properties.iter().filter(|p| p.from_problem && p.promised == promised);
        list.map(|p| p.name.as_str()).collect()
    };
    (theirs(true), theirs(false))
}

/// Return the properties stated in the algorithm's own file: promised ones, or waived ones.
fn own(card: &Card, promised: bool) -> impl Iterator<Item = &PropertyCard> {
    card.properties.iter().filter(move |p| !p.from_problem && p.promised == promised)
}
