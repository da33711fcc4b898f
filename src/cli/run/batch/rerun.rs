//! The command line that reproduces one of many runs.

use crate::cli::run::batch::{RunOptions, ScheduleName};
use crate::measure::plan::quoted;

/// Return the command that reproduces the run with this seed.
pub(super) fn command(options: &RunOptions, schedule: ScheduleName, seed: u64) -> String {
    let mut words = vec!["synod".to_string(), "run".into(), options.file.clone()];
    words.extend(options.instance.as_words());
    words.extend(["--schedule".into(), schedule.as_str().into(), "--seed".into(), seed.to_string()]);
    if let Some(steps) = options.course.max_steps {
        words.extend(["--max-steps".into(), steps.to_string()]);
    }
    words.iter().map(|word| quoted(word)).collect::<Vec<_>>().join(" ")
}
