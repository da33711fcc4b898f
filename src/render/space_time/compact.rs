//! Diagrams of many processes, or on a narrow terminal: lifelines close together, with a description of each event beside them.

use super::super::canvas::{Line, SgrCode, width};
use super::{Diagram, label, numbers};
use crate::ids::ProcessId;
use crate::semantics::event::Cause;
use crate::trace::TraceEvent;

/// The least distance of two lifelines with an arrow head between them.
const LEAST_PITCH: usize = 2;
/// The width of the descriptions in columns, on narrow and on wider terminals.
const WORDS: (usize, usize) = (16, 30);
/// Longer names are written vertically only if the processes cannot be distinguished otherwise.
const LONGEST_NAME: usize = 12;

/// Return the number of lifelines that fit into a width, and their distance.
pub(super) fn room(total: usize, before: usize, wanted: usize) -> (usize, usize) {
    let words = (total * 2 / 5).clamp(WORDS.0, WORDS.1);
    let room = total.saturating_sub(before + words);
    let fit = (room / LEAST_PITCH).clamp(1, wanted.max(1));
    (fit, (room / fit).clamp(LEAST_PITCH, super::MIN_PITCH - 1))
}

impl Diagram<'_> {
    /// Write a row of texts above the lifelines: horizontally, or else vertically if it is required.
    pub(super) fn over_lifelines(&self, texts: &[(String, SgrCode)], must: bool, out: &mut String) {
        let widest = texts.iter().map(|(text, _)| width(text)).max().unwrap_or(0);
        if widest < self.pitch {
            let mut line = Line::new(self.options.width);
            for (p, (text, paint)) in self.visible.iter().zip(texts) {
                line.write_around(self.column[p], text, *paint);
            }
            line.finish(self.options.look.color, out);
        } else if must {
            let tall = widest.min(LONGEST_NAME);
            let letters: Vec<Vec<char>> =
                texts.iter().map(|(text, _)| text.chars().take(tall).collect()).collect();
            for row in 0..letters.iter().map(Vec::len).max().unwrap_or(0) {
                let mut line = Line::new(self.options.width);
                for (i, p) in self.visible.iter().enumerate() {
                    if let Some(letter) = letters[i].get(row) {
                        line.put(self.column[p], *letter, texts[i].1);
                    }
                }
                line.finish(self.options.look.color, out);
            }
        }
    }

    /// Describe the process and the messages of an event, which have no space in the picture.
    pub(super) fn in_words(&self, event: &TraceEvent) -> Vec<(String, SgrCode)> {
        let name = |p: ProcessId| self.trace.header.name(p);
        let mut words = vec![(name(event.process), self.color(event.process))];
        let rounds = matches!(event.choice.cause, Cause::Round { .. });
        for message in event.received.iter().filter(|_| !rounds) {
            let from = match self.column.contains_key(&message.peer) {
                true if message.peer != event.process => String::new(),
                _ => format!(" from {}", name(message.peer)),
            };
            words.push((
                format!("{} {}{from}", self.glyphs.from, label(&self.trace.header, message)),
                self.color(message.peer),
            ));
        }
        for message in &event.lost {
            words.push((
                format!("{} {}", self.glyphs.lost, label(&self.trace.header, message)),
                self.color(message.peer),
            ));
        }
        match event.sent.as_slice() {
            [] => {}
            [one] => {
                let to = match self.column.contains_key(&one.peer) {
                    true => String::new(),
                    false => format!(" to {}", name(one.peer)),
                };
                let text = format!("{} {}{to}", self.glyphs.to, label(&self.trace.header, one));
                words.push((text, self.color(event.process)));
            }
            sent => {
                let text = format!("{} {}", self.glyphs.to, numbers(sent));
                words.push((text, self.color(event.process)));
            }
        }
        words
    }
}
