//! Options that several verbs share.

use clap::{Args, ValueEnum};

#[derive(Args, Clone, Debug)]
pub struct Common {
    /// When to use colour
    #[arg(long, global = true, value_name = "WHEN", default_value = "auto", help_heading = "Output")]
    pub color: Color,

    /// Write ASCII characters only; other characters are spelled out
    #[arg(long, global = true, help_heading = "Output")]
    pub ascii: bool,

    /// Print only the result: no warnings, no notes
    #[arg(short, long, global = true, conflicts_with = "verbose", help_heading = "Output")]
    pub quiet: bool,

    /// Print more: all events of a run, without a limit
    #[arg(short, long, global = true, help_heading = "Output")]
    pub verbose: bool,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Color {
    /// On a terminal, unless NO_COLOR is set or TERM is dumb
    Auto,
    Always,
    Never,
}

#[derive(Args, Clone, Copy, Debug, Default)]
pub struct Json {
    /// Print one JSON object (schema synod/1) instead of text
    #[arg(long, global = true, help_heading = "Output")]
    pub json: bool,
}

/// Parse a seed: `42` or `0x2a`.
///
/// # Errors
/// If it is not a number of 64 bits.
pub fn seed(text: &str) -> Result<u64, String> {
    let plain = text.replace('_', "");
    let number = match plain.strip_prefix("0x").or_else(|| plain.strip_prefix("0X")) {
        Some(digits) => u64::from_str_radix(digits, 16),
        None => plain.parse(),
    };
    number.map_err(|_| format!("a seed is a number from 0 to {}, decimal or 0x…", u64::MAX))
}
