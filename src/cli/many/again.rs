//! The command line that shows one of many runs again.

use super::{Options, ScheduleName};

/// The command that does one of the runs again.
pub(super) fn command(options: &Options, schedule: ScheduleName, seed: u64) -> String {
    let mut words = vec!["synod".to_string(), "run".into(), options.file.clone()];
    words.extend(options.instance.as_words());
    words.extend(["--schedule".into(), schedule.word().into(), "--seed".into(), seed.to_string()]);
    if let Some(steps) = options.course.max_steps {
        words.extend(["--max-steps".into(), steps.to_string()]);
    }
    words.iter().map(|word| quoted(word)).collect::<Vec<_>>().join(" ")
}

/// As a shell takes it for one word.
fn quoted(word: &str) -> String {
    let plain = |c: char| c.is_ascii_alphanumeric() || "_-+=,./:@%".contains(c);
    match !word.is_empty() && word.chars().all(plain) {
        true => word.to_string(),
        false => format!("'{}'", word.replace('\'', "'\\''")),
    }
}
