//! What a person sees: diagnostics with their place, traces as space-time diagrams, reports of runs.
//!
//! Everything here makes text from data and writes it nowhere: the shells print it.

mod canvas;
pub mod catalogue;
pub mod cuts;
pub mod diagnostics;
pub mod diff;
mod event_names;
mod glyphs;
pub mod html;
pub mod measure;
pub mod observed;
pub mod picture;
pub mod plot;
pub mod run;
pub mod space_time;
mod table;

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
