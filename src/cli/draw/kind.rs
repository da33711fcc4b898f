//! The kinds of pictures, and the file endings that select them.

use super::Failure;
use clap::ValueEnum;
use std::path::Path;

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Kind {
    /// Space-time diagram for the terminal
    Text,
    /// Space-time diagram
    Svg,
    /// The network after an event
    #[value(alias = "topology-svg", alias = "network")]
    Topology,
    /// The network at several moments, side by side
    Filmstrip,
    /// The network as an animation (SVG)
    Animation,
    /// An interactive page to step through the run, in one file
    Html,
}

impl Kind {
    pub fn as_str(self) -> &'static str {
        match self {
            Kind::Text => "text",
            Kind::Svg => "svg",
            Kind::Topology => "topology",
            Kind::Filmstrip => "filmstrip",
            Kind::Animation => "animation",
            Kind::Html => "html",
        }
    }

    pub fn what(self) -> &'static str {
        match self {
            Kind::Text | Kind::Svg => "space-time diagram",
            Kind::Topology | Kind::Filmstrip => "network",
            Kind::Animation => "animation of the network",
            Kind::Html => "page",
        }
    }

    pub fn of_file(file: &str) -> Result<Kind, Failure> {
        let ending = Path::new(file).extension().map(|e| e.to_string_lossy().to_lowercase());
        match ending.as_deref() {
            Some("svg") => Ok(Kind::Svg),
            Some("html" | "htm") => Ok(Kind::Html),
            Some("txt") | None => Ok(Kind::Text),
            Some(other) => Err(Failure::usage(format!("the ending .{other} determines no kind of picture"))
                .hint("use .svg, .html or .txt, or choose the kind with --to")),
        }
    }
}
