//! What a person sees: diagnostics with their place, traces as space-time diagrams, reports of runs.
//!
//! Everything here makes text from data and writes it nowhere: the shells print it.

mod canvas;
pub mod diagnostics;
mod glyphs;
pub mod picture;
pub mod html;
pub mod space_time;
mod table;
pub mod catalogue;
pub mod measure;
pub mod plot;
pub mod run;
pub mod diff;
mod event_names;
pub mod cuts;
pub mod observed;

/// How text may look: the terminal decides, not the content.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Look {
    /// ANSI colours.
    pub color: bool,
    /// Only ASCII characters in what Synod itself draws.
    pub ascii: bool,
}

impl Look {
    /// Unicode without colour: what files and snapshots hold.
    pub const PLAIN: Look = Look { color: false, ascii: false };
    pub const ASCII: Look = Look { color: false, ascii: true };
}

#[cfg(test)]
mod tests;

#[cfg(test)]
mod tests_run;
