//! A space-time diagram for LaTeX: processes are lines from left to right, events dots, messages arrows. It requires
//! only `\usepackage{tikz}`; its lengths and styles are at its head, for adjustment.

use crate::ids::MessageId;
use crate::trace::{Message, Trace};
use rustc_hash::FxHashMap;
use std::fmt::Write;

pub fn tikz(trace: &Trace) -> String {
    let mut out =
        format!("% {}\n% \\usepackage{{tikz}} in the preamble, then \\input this file.\n", trace.title());
    out += "\\begin{tikzpicture}[x=7mm, y=-13mm, font=\\footnotesize,\n\
        \x20 process/.style={->, gray}, event/.style={circle, fill, inner sep=1.1pt}, note/.style={font=\\tiny, above, align=center},\n\
        \x20 message/.style={-stealth, blue!60!black}, lost/.style={dashed, red!70!black}, in transit/.style={dotted, gray},\n\
        \x20 label/.style={font=\\tiny, sloped, above, midway, inner sep=1pt}]\n";
    let end = trace.events.len() + 1;
    for p in trace.processes() {
        let row = p.0;
        let _ = writeln!(
            out,
            "  \\draw[process] (0,{row}) node[left, black] {{{}}} -- ({end},{row});",
            text(&trace.label(p))
        );
    }
    let mut senders: FxHashMap<MessageId, u64> = FxHashMap::default();
    for event in &trace.events {
        let (i, here) = (event.index, event.process.0);
        let remarks = event.remarks(&trace.header).join(", ");
        let note = if remarks.is_empty() { event.action.clone() } else { remarks };
        let _ =
            writeln!(out, "  \\node[event] (e{i}) at ({},{here}) {{}}; % {}", i + 1, comment(&event.action));
        let _ = writeln!(out, "  \\node[note] at (e{i}.north) {{{}}};", text(&note));
        if let Some(with) = &event.with {
            let _ = writeln!(
                out,
                "  \\node[event] (w{i}) at ({},{}) {{}};\n  \\draw (e{i}) -- (w{i});",
                i + 1,
                with.process.0
            );
        }
        senders.extend(event.sent.iter().map(|m| (m.id, i)));
        let mut arrow = |style: &str, m: &Message| {
            let from = senders.get(&m.id).map_or(format!("(0,{})", m.peer.0), |e| format!("(e{e})"));
            let words = text(&format!("{} {}", m.id, m.text));
            // A message to oneself, received in the same step.
            let way = if from == format!("(e{i})") { "to[loop below]" } else { "--" };
            let _ = writeln!(out, "  \\draw[{style}] {from} {way} node[label] {{{words}}} (e{i});");
        };
        event.received.iter().for_each(|m| arrow("message", m));
        event.lost.iter().for_each(|m| arrow("lost", m));
    }
    for undelivered in trace.undelivered() {
        let m = undelivered.message;
        let style = if undelivered.lost_at.is_some() { "lost" } else { "in transit" };
        let from = senders.get(&m.id).copied().unwrap_or(0);
        let words = text(&format!("{} {}", m.id, m.text));
        let _ = writeln!(out, "  \\draw[{style}] (e{from}) -- node[label] {{{words}}} ({end},{});", m.peer.0);
    }
    out + "\\end{tikzpicture}\n"
}

/// Symbols that pdfLaTeX has in mathematics mode only.
const SIGNS: &[(char, &str)] = &[
    ('⊥', "\\bot"),
    ('∞', "\\infty"),
    ('→', "\\rightarrow"),
    ('←', "\\leftarrow"),
    ('↦', "\\mapsto"),
    ('≤', "\\le"),
    ('≥', "\\ge"),
    ('≠', "\\ne"),
    ('∧', "\\wedge"),
    ('∨', "\\vee"),
    ('¬', "\\neg"),
    ('∈', "\\in"),
    ('∅', "\\emptyset"),
    ('×', "\\times"),
    ('·', "\\cdot"),
    ('α', "\\alpha"),
    ('β', "\\beta"),
    ('γ', "\\gamma"),
    ('λ', "\\lambda"),
    ('Ω', "\\Omega"),
];

/// Escape the special characters of LaTeX.
fn text(words: &str) -> String {
    let mut out = String::new();
    for c in words.chars() {
        match c {
            '\\' => out += "\\textbackslash{}",
            '~' => out += "\\textasciitilde{}",
            '^' => out += "\\textasciicircum{}",
            '<' => out += "\\textless{}",
            '>' => out += "\\textgreater{}",
            '|' => out += "\\textbar{}",
            '"' => out += "{\\char34}",
            '{' | '}' | '$' | '&' | '#' | '_' | '%' => {
                out.push('\\');
                out.push(c);
            }
            '\n' => out += "\\\\",
            c if c.is_control() => out.push(' '),
            c => match SIGNS.iter().find(|(sign, _)| *sign == c) {
                Some((_, command)) => out += &format!("\\ensuremath{{{command}}}"),
                None => out.push(c),
            },
        }
    }
    out
}

/// Remove line breaks: a comment ends with its line.
fn comment(words: &str) -> String {
    words.replace(|c: char| c.is_control(), " ")
}
