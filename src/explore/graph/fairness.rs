//! The fairness that infinite runs must satisfy.

use crate::instance::{ExecutionModel, Instance};

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Fairness {
    Weak,
    Global,
}

impl Fairness {
    pub fn of(instance: &Instance) -> Fairness {
        match instance.model.execution {
            ExecutionModel::Pairs => Fairness::Global,
            _ => Fairness::Weak,
        }
    }

    pub fn as_str(self) -> &'static str {
        match self {
            Fairness::Weak => "weakly fair",
            Fairness::Global => "globally fair",
        }
    }
}
