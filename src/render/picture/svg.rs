//! Elements of SVG with rounded coordinates, and the widths of texts.

use crate::xml::{Element, element};
use std::fmt::Display;

/// Return a text with its baseline at a point.
pub fn text(class: &str, x: f64, y: f64, text: &str) -> Element {
    element("text").with("class", class).with("x", num(x)).with("y", num(y)).text(text)
}

pub fn circle(class: &str, x: f64, y: f64, r: f64) -> Element {
    element("circle").with("class", class).with("cx", num(x)).with("cy", num(y)).with("r", num(r))
}

pub fn rect(class: &str, (x, y): (f64, f64), (width, height): (f64, f64)) -> Element {
    let corner = element("rect").with("class", class).with("x", num(x)).with("y", num(y));
    corner.with("width", num(width)).with("height", num(height))
}

pub fn path(class: &str, d: impl Display) -> Element {
    element("path").with("class", class).with("d", d)
}

/// Return a tooltip: the first child of the element that it describes.
pub fn title(text: &str) -> Element {
    element("title").text(text)
}

/// Return a group of elements at a new origin.
pub fn translated(x: f64, y: f64, markup: &str) -> Element {
    element("g").with("transform", format!("translate({} {})", num(x), num(y))).markup(markup)
}

/// Return an SVG document: a description for screen readers, two lines of title, and a body below them.
pub fn document(
    described: &str,
    (name, about): (&str, &str),
    (width, height): (f64, f64),
    style: &str,
    body: &str,
) -> String {
    let (width, height) = (num(width), num(height));
    let svg = element("svg").with("xmlns", "http://www.w3.org/2000/svg");
    let svg = svg.with("viewBox", format_args!("0 0 {width} {height}")).with("width", &width);
    let svg = svg.with("height", &height).with("role", "img").with("aria-label", described);
    let ground = element("rect").with("class", "bg").with("width", "100%").with("height", "100%");
    let svg = svg.markup("\n").markup(title(described)).markup(element("style").markup(style)).markup("\n");
    let svg =
        svg.markup(ground).markup(text("title", 14.0, 25.0, name)).markup(text("quiet", 14.0, 43.0, about));
    format!("{}\n", svg.markup(format_args!("\n{body}\n")))
}

/// Format a coordinate: a tenth of a pixel is precise enough.
pub fn num(value: f64) -> String {
    let tenths = (value * 10.0).round() as i64;
    match (tenths % 10, tenths < 0) {
        (0, _) => (tenths / 10).to_string(),
        (rest, true) => format!("-{}.{}", tenths.abs() / 10, rest.abs()),
        (rest, false) => format!("{}.{rest}", tenths / 10),
    }
}

/// Format a component of a direction.
pub fn fine(value: f64) -> String {
    let text = format!("{value:.4}");
    let text = text.trim_end_matches('0').trim_end_matches('.');
    if text == "-0" { "0".into() } else { text.into() }
}

/// Return the text, or its beginning with `…`.
pub fn truncated(text: &str, most: usize) -> String {
    crate::render::canvas::truncated(text, most, "…")
}

/// Return the width of a text at this font size, estimated from the wider common fonts.
pub fn text_width(text: &str, size: f64) -> f64 {
    let of = |c: char| match c {
        'i' | 'j' | 'l' | '.' | ',' | ';' | ':' | '|' | '\'' | ' ' => 0.32,
        'f' | 'r' | 't' | '(' | ')' | '[' | ']' | '-' | '/' => 0.41,
        'm' | 'w' | 'M' | 'W' | '@' | '…' => 0.95,
        'A'..='Z' | '{' | '}' => 0.7,
        c if c.is_ascii() => 0.63,
        c => 0.64 * crate::render::canvas::width(c.encode_utf8(&mut [0; 4])) as f64,
    };
    text.chars().map(of).sum::<f64>() * size
}
