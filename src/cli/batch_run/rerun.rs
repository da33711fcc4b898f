//! The command line that shows one of many runs again.

use super::{RunOptions, ScheduleName};
use crate::measure::plan::quoted;

/// The command that does one of the runs again.
pub(super) fn command(options: &RunOptions, schedule: ScheduleName, seed: u64) -> String {
    let mut words = vec!["synod".to_string(), "run".into(), options.file.clone()];
    words.extend(options.instance.as_words());
    words.extend(["--schedule".into(), schedule.as_str().into(), "--seed".into(), seed.to_string()]);
    if let Some(steps) = options.course.max_steps {
        words.extend(["--max-steps".into(), steps.to_string()]);
    }
    words.iter().map(|word| quoted(word)).collect::<Vec<_>>().join(" ")
}
