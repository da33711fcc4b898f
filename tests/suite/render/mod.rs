//! Texts for people, from data made by hand.

mod diagnostics;
mod measure;
mod run;
mod space_time;
