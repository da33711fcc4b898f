mod causality;
mod cuts;
mod files;
pub(crate) mod sample;
mod values;
