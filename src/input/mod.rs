//! Inputs of users as texts: programs, traces and topologies, by path or by name, and the options of an instance.
//!
//! This module reads files and the standard input.

mod error;
mod text;
mod topology;
mod value;
mod options;
mod recorded;

pub use error::{InputError, Problem, os_message};
pub use options::{InstanceTexts, numbering};
pub use recorded::{
    Runnable, check_runnable, parse_recorded, program_of_trace, read_recorded, recorded_instance,
};
pub use text::{
    DrawInput, SourceText, check_without_errors, comes_from_a_file, program_path, read_and_check,
    read_long_text, read_program, read_text, read_trace, reject_non_program, reject_problem, split_list,
    trace_or_program,
};
pub use topology::spec;
pub use value::{parse as parse_value, parse_at as parse_value_at};
