//! Repeated formatting, as in an editor: cached layouts make no difference.

use super::{Draw, everything};
use proptest::prelude::*;
use proptest::test_runner::RngSeed;
use rand_chacha::ChaCha8Rng;
use rand_chacha::rand_core::{Rng, SeedableRng};
use std::sync::Arc;
use synod::internals::syntax::Parsed;
use synod::internals::syntax::format::{Formatter, Signs, format, format_range};

/// The state that an editor keeps of an open text.
struct Open {
    read: Arc<Parsed>,
    formatter: Formatter,
}

impl Open {
    fn new(text: &str) -> Open {
        Open { read: Arc::new(Parsed::new(0, text)), formatter: Formatter::default() }
    }

    /// Change one line, as `number` determines.
    fn type_on(&mut self, number: u32) {
        let mut lines: Vec<String> = self.read.text.lines().map(String::from).collect();
        let at = (number >> 8) as usize % lines.len().max(1);
        let Some(line) = lines.get_mut(at) else { return };
        match number % 9 {
            0 => *line = format!("  {line}"),
            1 => *line = line.trim_start().to_string(),
            2 => *line = format!("{line}   // {}", number % 97),
            3 => *line = line.replacen(' ', "   ", 1 + (number >> 24) as usize % 4),
            4 => *line = line.replacen(" -> ", " ->\n      ", 1),
            5 => lines.insert(at, String::new()),
            6 => lines.insert(at, format!("{}// {}", " ".repeat((number >> 24) as usize % 8), number % 89)),
            7 => lines.extend_from_within(at..=at),
            _ => drop(lines.remove(at)),
        }
        let text = lines.join("\n");
        self.read = Arc::new(Parsed::reparse(self.read.clone(), 0, text));
    }

    /// Compare the formatting of the whole and of a part with that of a fresh formatter. Return false if the text cannot be
    /// parsed.
    fn agrees(&mut self, number: u32) -> Result<bool, String> {
        let text = &self.read.text;
        let (start, length) = ((number >> 4) as usize % (text.len() + 1), number as usize % 400);
        let range = start..(start + length).min(text.len());
        // The order of the two calls determines what the second finds in the cache.
        let part_first = number.is_multiple_of(2).then(|| self.formatter.range(&self.read, range.clone()));
        let whole = self.formatter.whole(&self.read);
        let part = part_first.unwrap_or_else(|| self.formatter.range(&self.read, range.clone()));
        let (whole, part) = match (whole, part, format(text, Signs::AsWritten)) {
            (Ok(whole), Ok(part), Ok(fresh)) if whole == fresh => (whole, part),
            (Err(_), Err(_), Err(_)) => return Ok(false),
            (whole, _, fresh) => return Err(format!("{text}\n──────\n{whole:#?}\n──────\n{fresh:#?}")),
        };
        let fresh = format_range(text, range.clone(), Signs::AsWritten).map_err(|f| format!("{f:#?}"))?;
        if part != fresh {
            return Err(format!("{range:?} of {text}\n──────\n{part:#?}\n──────\n{fresh:#?}"));
        }
        // A part is formatted as it is in the whole.
        let lines = |text: &str| format!("\n{}\n", text.trim_end_matches('\n'));
        match part {
            Some(edit) if !lines(&whole).contains(&lines(&edit.text)) => {
                Err(format!("{range:?} of {text}\n──────\n{edit:#?}\n──────\n{whole}"))
            }
            _ => Ok(true),
        }
    }
}

#[test]
fn programs_of_the_repository_while_they_are_typed() {
    let mut dice = ChaCha8Rng::seed_from_u64(5);
    let (mut read, mut all) = (0, 0);
    let programs = everything().into_iter().filter(|(name, _)| !name.starts_with("tests/cases"));
    for (name, text) in programs.step_by(5) {
        let mut open = Open::new(&text);
        for _ in 0..12 {
            all += 1;
            read += usize::from(open.agrees(dice.next_u32()).unwrap_or_else(|why| panic!("{name}: {why}")));
            open.type_on(dice.next_u32());
        }
    }
    assert!(read > 200, "only {read} of {all} texts could be read");
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 40, max_shrink_iters: 100, failure_persistence: None, rng_seed: RngSeed::Fixed(8), ..ProptestConfig::default() })]

    #[test]
    fn random_programs_while_they_are_typed(
        numbers in proptest::collection::vec(any::<u32>(), 20..200),
        changes in proptest::collection::vec(any::<u32>(), 10),
    ) {
        let mut open = Open::new(&Draw { numbers: &numbers, next: 0 }.program());
        for number in changes {
            open.agrees(number).map_err(TestCaseError::fail)?;
            open.type_on(number);
        }
    }
}

/// Equal clauses at other places may be formatted differently: comment columns, indentation, neighbours.
#[test]
fn the_place_of_a_clause_matters() {
    let part = "var a : Int // one\nvar abc : Int   // two\n";
    let mut open = Open::new(&format!("algorithm x\n{part}"));
    for text in [
        format!("algorithm x\nrole p\n  {}", part.replace('\n', "\n  ")),
        format!("algorithm x\nvar abcdefgh   : Int // three\n{part}"),
        format!("algorithm x {part}"),
        format!("algorithm x\nrole p\nstate s\n  on M -> skip\nstate t\n\non M -> skip {part}"),
        format!("algorithm x\n{part}"),
    ] {
        open.read = Arc::new(Parsed::reparse(open.read.clone(), 0, text.as_str()));
        assert_eq!(open.agrees(0), Ok(true), "{text}");
    }
}
