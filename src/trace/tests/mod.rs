mod causality;
mod exports;
mod files;
pub(crate) mod sample;
mod values;
