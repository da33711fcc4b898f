//! Colours and fonts of the pictures, for light and dark backgrounds.
//!
//! States are tints along the lifelines, and kinds of messages are colours of arrows. Grey is reserved for passive processes.
//! Colours are written out for each class, not as CSS variables, so that programs with limited CSS support show the light
//! version.

/// Colours for kinds of messages: on light, on dark.
pub const KINDS: [(&str, &str); 8] = [
    ("#2f5d9e", "#8db8f2"),
    ("#b4472e", "#f0957c"),
    ("#2f7a3d", "#86cf91"),
    ("#8a4fa3", "#cd9be3"),
    ("#96660c", "#e8bd5e"),
    ("#1b767d", "#6fd0d6"),
    ("#a83a6e", "#f08fbd"),
    ("#565b63", "#b5bac2"),
];

/// Tints for control states.
pub const STATES: [(&str, &str); 8] = [
    ("#c3d8f2", "#2c4a75"),
    ("#f6d6b0", "#6f4a20"),
    ("#c9e6c3", "#2b5c33"),
    ("#e5cdee", "#583768"),
    ("#f2e5a0", "#625718"),
    ("#bfe4e4", "#1f595c"),
    ("#f5c8d8", "#6c2c49"),
    ("#dcd6c8", "#55503f"),
];

/// The tint of passive states.
const PASSIVE_TINT: (&str, &str) = ("#a9b0ba", "#6b727d");

/// The rules for light and for dark.
#[rustfmt::skip]
const RULES: &[(&str, &str, &str)] = &[
    (".bg", "fill:#ffffff", "fill:#14171c"),
    ("text", "fill:#1d2129", "fill:#e4e7ec"),
    (".quiet", "fill:#626a76", "fill:#9aa3b0"),
    (".band", "fill:#f3f5f8", "fill:#1b1f26"),
    (".rule", "stroke:#d5dae2", "stroke:#343b46"),
    (".line", "stroke:#3b424d", "stroke:#b3bac5"),
    (".over", "stroke:#b9c0ca", "stroke:#4a515c"),
    (".dot", "fill:#1d2129;stroke:#ffffff", "fill:#e4e7ec;stroke:#14171c"),
    (".open", "fill:#ffffff;stroke:#1d2129", "fill:#14171c;stroke:#e4e7ec"),
    (".bad", "stroke:#c62828", "stroke:#ff7a70"),
    (".badtext", "fill:#b71c1c", "fill:#ff8a80"),
    (".good", "stroke:#1b7f3b", "stroke:#6fd08c"),
    (".goodtext", "fill:#176b32", "fill:#7fdc9b"),
    (".critical", "fill:#ffd54a;stroke:#a87b00", "fill:#8a6a00;stroke:#ffd54a"),
    (".operation", "stroke:#a87b00", "stroke:#ffd54a"),
    (".pair", "stroke:#6a1b9a", "stroke:#d6a2f5"),
    (".halo", "stroke:#ffffff", "stroke:#14171c"),
    (".edge", "stroke:#aeb6c2", "stroke:#4d5562"),
    (".head", "fill:#8b94a1", "fill:#7d8693"),
    (".vertex", "stroke:#1d2129", "stroke:#e4e7ec"),
    (".filled", "fill:#1d2129", "fill:#e4e7ec"),
    (".vertex.plain", "fill:#ffffff", "fill:#14171c"),
    ("text.on", "fill:#ffffff", "fill:#14171c"),
    (".now", "stroke:#e08a00", "stroke:#ffb640"),
    ("text.fresh", "fill:#b25f00", "fill:#ffc46b"),
];

/// The rules that do not depend on the colour scheme.
const FIXED: &str = "\
text{font-family:Inter,system-ui,-apple-system,'Segoe UI','Helvetica Neue','DejaVu Sans',Arial,sans-serif;font-size:12px}\
.title{font-size:17px;font-weight:600}\
.name{font-weight:600}\
.small{font-size:10.5px}\
.tiny{font-size:8.5px}\
.middle{text-anchor:middle}\
.end{text-anchor:end}\
.line,.over,.rule,.edge{fill:none}\
.line{stroke-width:1.4}\
.over{stroke-width:1.4;stroke-dasharray:2 4}\
.dot{stroke-width:1}\
.open,.vertex{stroke-width:1.6}\
.bad,.good,.operation,.pair{fill:none;stroke-width:2}\
.a{fill:none;stroke-width:1.3}\
.way{stroke-dasharray:5 3}\
.halo{paint-order:stroke;stroke-width:3.5px;stroke-linejoin:round}\
.edge{stroke-width:1.4}\
.now{stroke-width:3.2}\
.note{font-weight:700}\
.tint{stroke-width:11;stroke-linecap:butt;fill:none}";

/// Return the content of the `style` element, with as many colours as there are states and kinds.
pub fn style(states: &[bool], kinds: usize) -> String {
    let mut light = FIXED.to_string();
    let mut dark = String::new();
    for (selector, on_light, on_dark) in RULES {
        light += &format!("{selector}{{{on_light}}}");
        dark += &format!("{selector}{{{on_dark}}}");
    }
    let mut next = 0;
    for (i, gives_way) in states.iter().enumerate() {
        let (l, d) = match gives_way {
            true => PASSIVE_TINT,
            false => {
                next += 1;
                STATES[(next - 1) % STATES.len()]
            }
        };
        light += &format!(".tint.s{i}{{stroke:{l}}}.vertex.s{i}{{fill:{l}}}");
        dark += &format!(".tint.s{i}{{stroke:{d}}}.vertex.s{i}{{fill:{d}}}");
    }
    for (i, (l, d)) in KINDS.iter().enumerate().take(kinds.min(KINDS.len())) {
        light += &format!(".a.k{i}{{stroke:{l}}}.h.k{i},text.k{i}{{fill:{l}}}");
        dark += &format!(".a.k{i}{{stroke:{d}}}.h.k{i},text.k{i}{{fill:{d}}}");
    }
    // Filled vertices come last: they override the tints of states.
    format!(
        "{light}.vertex.filled{{fill:#1d2129}}@media(prefers-color-scheme:dark){{{dark}.vertex.filled{{fill:#e4e7ec}}}}"
    )
}

/// Return the class of a kind of messages.
pub fn kind_class(kinds: &[&str], kind: &str) -> String {
    let place = kinds.iter().position(|k| *k == kind).unwrap_or(0);
    format!("k{}", place % KINDS.len())
}
