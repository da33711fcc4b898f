mod causality;
mod files;
pub(crate) mod sample;
mod values;
