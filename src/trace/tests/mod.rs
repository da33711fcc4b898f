mod causality;
mod cuts;
mod exports;
mod files;
pub(crate) mod sample;
mod values;
