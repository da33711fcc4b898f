//! Output for people: diagnostics with their place, traces as space-time diagrams, reports of runs.
//!
//! This module turns data into text and performs no output; the command line prints the text.

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

/// The appearance of text, which depends on the terminal and not on the content.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Look {
    /// Whether to use ANSI colours.
    pub color: bool,
    /// Whether Synod's own output uses only ASCII characters.
    pub ascii: bool,
}

impl Look {
    /// Unicode without colour, for files and snapshots.
    pub const PLAIN: Look = Look { color: false, ascii: false };
    pub const ASCII: Look = Look { color: false, ascii: true };
}
