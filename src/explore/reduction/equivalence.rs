//! Equivalence of vectors: equality, up to a renumbering of processes, or under a view.

use crate::explore::reduction::symmetry::Symmetry;
use crate::explore::reduction::view::View;
use crate::explore::store::hash_index;
use crate::ids::ProcessId;
use std::sync::Arc;

#[derive(Clone, Debug, Default)]
pub struct Equivalence {
    pub symmetry: Option<Arc<Symmetry>>,
    pub view: Option<Arc<View>>,
}

impl Equivalence {
    /// Return whether the equivalence is equality.
    pub fn is_exact(&self) -> bool {
        self.symmetry.is_none() && self.view.is_none()
    }

    /// Return a hash that is equal for equivalent vectors.
    pub fn hash(&self, key: &[u32]) -> u64 {
        match (&self.symmetry, &self.view) {
            (None, None) => hash_index::hash(key),
            (Some(symmetry), None) => symmetry.hash(key),
            (None, Some(view)) => view.hash(key),
            // Views up to shift exclude symmetry: see `search`.
            (Some(symmetry), Some(view)) => symmetry.hash(&view.numbers(key)),
        }
    }

    pub fn same(&self, a: &[u32], b: &[u32]) -> bool {
        match (&self.symmetry, &self.view) {
            (None, None) => a == b,
            (Some(symmetry), None) => symmetry.same(a, b, 1),
            (None, Some(view)) => view.same(a, b),
            (Some(symmetry), Some(view)) => a == b || symmetry.same(&view.numbers(a), &view.numbers(b), 1),
        }
    }

    /// Return a renumbering that takes `from` to `to`, or to a vector that the view identifies with `to`. `None`: there is
    /// none.
    pub fn between(&self, from: &[u32], to: &[u32]) -> Option<Vec<ProcessId>> {
        let symmetry = self.symmetry.as_ref()?;
        match &self.view {
            None => symmetry.between(from, to),
            Some(view) => symmetry.between(&view.numbers(from), &view.numbers(to)),
        }
    }
}
