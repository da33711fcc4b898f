//! The kinds of pictures, and the endings of files that mean them.

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
    /// The network as a film that moves by itself (SVG)
    Animation,
    /// A page to step through the run, with everything in one file
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
            Kind::Animation => "film of the network",
            Kind::Html => "page",
        }
    }

    pub fn of_file(file: &str) -> Result<Kind, Failure> {
        let ending = Path::new(file).extension().map(|e| e.to_string_lossy().to_lowercase());
        match ending.as_deref() {
            Some("svg") => Ok(Kind::Svg),
            Some("html" | "htm") => Ok(Kind::Html),
            Some("txt") | None => Ok(Kind::Text),
            Some(other) => Err(Failure::usage(format!("what is to be drawn in a file .{other}?"))
                .hint(".svg, .html and .txt say it; --to says it for any file")),
        }
    }
}
