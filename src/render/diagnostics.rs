//! Diagnostics as text: the place in the source, the problem, related places, the fix. Drawn by ariadne.

use super::Look;
use crate::diagnostic::{Diagnostic, Severity};
use crate::source::{Sources, Span};
use ariadne::{Cache, CharSet, Color, Config, IndexType, Label, Report, ReportKind};
use std::fmt::Display;
use std::ops::Range;

/// The width of a tab, in columns.
const TAB_WIDTH: usize = 4;

/// Lines with more bytes than this are not shown: they would fill the screen, and are not written by hand.
const LONGEST_LINE_SHOWN: usize = 400;

/// Return all diagnostics in the given order, separated by empty lines.
///
/// Never panics: a span outside its text is moved to the nearest place inside.
pub fn diagnostics(sources: &Sources, list: &[Diagnostic], look: Look) -> String {
    let mut files = Files::new(sources);
    let texts: Vec<String> = list.iter().map(|d| draw(&mut files, d, look)).collect();
    texts.join("\n")
}

/// Return one diagnostic, with a newline at its end.
pub fn diagnostic(sources: &Sources, diagnostic: &Diagnostic, look: Look) -> String {
    draw(&mut Files::new(sources), diagnostic, look)
}

/// Return the counts, such as `2 errors, 1 warning`; `None` without diagnostics.
pub fn summary(list: &[Diagnostic]) -> Option<String> {
    let errors = list.iter().filter(|d| d.is_error()).count();
    let count = |n: usize, word: &str| match n {
        0 => None,
        1 => Some(format!("1 {word}")),
        n => Some(format!("{n} {word}s")),
    };
    let parts = [count(errors, "error"), count(list.len() - errors, "warning")];
    let said: Vec<String> = parts.into_iter().flatten().collect();
    (!said.is_empty()).then(|| said.join(", "))
}

fn draw(files: &mut Files, diagnostic: &Diagnostic, look: Look) -> String {
    let Some(main) = files.place(diagnostic.span) else {
        return without_place(diagnostic);
    };
    if let Some(text) = files.too_long_to_show(diagnostic) {
        return text;
    }
    let (kind, color) = match diagnostic.severity() {
        Severity::Error => (ReportKind::Error, Color::Red),
        Severity::Warning => (ReportKind::Warning, Color::Yellow),
    };
    let mut labels = vec![(main.clone(), diagnostic.label(), color)];
    for (span, text) in &diagnostic.related {
        if let Some(place) = files.place(*span) {
            labels.push((place, text.to_string(), Color::Blue));
        }
    }
    // Ariadne begins a new snippet whenever the file changes or the line decreases. In this order each file is shown once, that
    // of the diagnostic first.
    labels.sort_by_key(|((file, range), ..)| (*file != main.0, *file, range.start, range.end));

    let config = Config::default()
        // Spans are in bytes, but `Files::place` counts characters for ariadne. With byte indices, version 0.6 takes the
        // character offset of a second snippet for a byte offset, and panics inside a character.
        .with_index_type(IndexType::Char)
        .with_tab_width(TAB_WIDTH)
        .with_color(look.color)
        .with_char_set(if look.ascii { CharSet::Ascii } else { CharSet::Unicode });
    let mut report = Report::build(kind, main)
        .with_config(config)
        .with_code(diagnostic.code())
        .with_message(diagnostic.message());
    for (place, text, color) in labels {
        let label = Label::new(place).with_color(color);
        // Without a label, ariadne would not underline the span.
        report.add_label(label.with_message(if text.is_empty() { "here".into() } else { text }));
    }
    if let Some(hint) = diagnostic.advice() {
        report.set_help(hint);
    }
    let mut out = Vec::new();
    match report.finish().write(files, &mut out) {
        // Ariadne pads lines to the right; trailing blanks would disturb diffs.
        Ok(()) => {
            String::from_utf8_lossy(&out).lines().map(|line| format!("{}\n", line.trim_end())).collect()
        }
        Err(_) => without_place(diagnostic),
    }
}

/// Return the text of a diagnostic whose span is in no known file.
fn without_place(diagnostic: &Diagnostic) -> String {
    let word = match diagnostic.severity() {
        Severity::Error => "Error",
        Severity::Warning => "Warning",
    };
    let mut text = format!("[{}] {word}: {}\n", diagnostic.code(), diagnostic.message());
    for (_, related) in &diagnostic.related {
        text += &format!("  {related}\n");
    }
    if let Some(hint) = diagnostic.advice() {
        text += &format!("  Help: {hint}\n");
    }
    text
}

/// The texts in the form that ariadne needs, built once for a list of diagnostics.
struct Files {
    names: Vec<String>,
    texts: Vec<ariadne::Source<String>>,
}

impl Files {
    fn new(sources: &Sources) -> Files {
        Files {
            names: sources.iter().map(|s| s.name.to_string()).collect(),
            texts: sources.iter().map(|s| shown(&s.text).into()).collect(),
        }
    }

    /// Return the file and the range in characters, clamped to the text.
    fn place(&self, span: Span) -> Option<(u32, Range<usize>)> {
        let text = self.texts.get(span.file as usize)?.text();
        let bytes = Files::clamped(text, span);
        let start = text[..bytes.start].chars().count();
        Some((span.file, start..start + text[bytes].chars().count()))
    }

    /// Return a diagnostic whose line is too long to show, with its place in words.
    fn too_long_to_show(&self, diagnostic: &Diagnostic) -> Option<String> {
        let spans = std::iter::once(&diagnostic.span).chain(diagnostic.related.iter().map(|(span, _)| span));
        let long = spans.into_iter().any(|span| {
            self.texts.get(span.file as usize).is_some_and(|source| {
                let text = source.text();
                let bytes = Files::clamped(text, *span);
                let start = text[..bytes.start].rfind('\n').map_or(0, |at| at + 1);
                let end = text[bytes.end..].find('\n').map_or(text.len(), |at| bytes.end + at);
                text[start..end].split('\n').any(|line| line.len() > LONGEST_LINE_SHOWN)
            })
        });
        if !long {
            return None;
        }
        let (file, range) = self.place(diagnostic.span)?;
        let text = self.texts[file as usize].text();
        let before: String = text.chars().take(range.start).collect();
        let line = before.matches('\n').count() + 1;
        let column = before.rsplit('\n').next().unwrap_or("").chars().count() + 1;
        let name = &self.names[file as usize];
        let place = format!("  at {name}:{line}:{column}, in a line that is too long to show\n");
        let mut said = without_place(diagnostic);
        let first = said.find('\n').map_or(said.len(), |at| at + 1);
        said.insert_str(first, &place);
        Some(said)
    }

    /// Return the bytes of a span, on character boundaries.
    fn clamped(text: &str, span: Span) -> Range<usize> {
        let floor = |offset: u32| {
            let mut at = (offset as usize).min(text.len());
            while !text.is_char_boundary(at) {
                at -= 1;
            }
            at
        };
        let start = floor(span.start);
        let mut end = (span.end as usize).clamp(start, text.len());
        while !text.is_char_boundary(end) {
            end += 1;
        }
        if start < end {
            return start..end;
        }
        // An empty span at the end of the text is shown after the last word, not on an empty line below. Elsewhere it is shown as
        // the character there.
        if text[start..].trim().is_empty() {
            let at = text.trim_end().len();
            return at..at;
        }
        let next = text[start..].chars().next().filter(|c| !c.is_whitespace());
        start..start + next.map_or(0, char::len_utf8)
    }
}

impl Cache<u32> for &mut Files {
    type Storage = String;

    fn fetch(&mut self, id: &u32) -> Result<&ariadne::Source<String>, impl std::fmt::Debug> {
        self.texts.get(*id as usize).ok_or("no such file")
    }

    fn display<'a>(&self, id: &'a u32) -> Option<impl Display + 'a> {
        self.names.get(*id as usize).cloned()
    }
}

/// Replace every character that would disturb a terminal or the line count by one of the same length in bytes, so that spans stay
/// valid. Lines end at `\n`, as in [`crate::source::Source`]; ariadne would also break them at `\r`, form feeds and Unicode
/// separators.
fn shown(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let mut chars = text.chars().peekable();
    while let Some(c) = chars.next() {
        out.push(match c {
            '\n' | '\t' => c,
            '\r' if chars.peek() == Some(&'\n') => c,
            '\r' | '\x0B' | '\x0C' => ' ',
            '\0'..='\x1F' | '\x7F' => '?',
            '\u{80}'..='\u{9F}' => '¤',
            // Separators, and the marks that reorder text: a program must not look like another one.
            '\u{2028}' | '\u{2029}' | '\u{202A}'..='\u{202E}' | '\u{2066}'..='\u{2069}' => '␣',
            c => c,
        });
    }
    debug_assert_eq!(out.len(), text.len());
    out
}
