//! Which vectors count as one: those that are equal, renumberings of one another, or the same under a view.

use super::symmetry::Symmetry;
use super::view::View;
use super::visited_set;
use std::sync::Arc;

#[derive(Clone, Debug, Default)]
pub struct Equivalence {
    pub symmetry: Option<Arc<Symmetry>>,
    pub view: Option<Arc<View>>,
}

impl Equivalence {
    /// Is everything told apart?
    pub fn is_exact(&self) -> bool {
        self.symmetry.is_none() && self.view.is_none()
    }

    /// The same for all vectors that count as one.
    pub fn hash(&self, key: &[u32]) -> u64 {
        match (&self.symmetry, &self.view) {
            (None, None) => visited_set::hash(key),
            (Some(symmetry), None) => symmetry.hash(key),
            (None, Some(view)) => view.hash(key),
            // Views up to shift go without symmetry: see `search`.
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

    /// A renumbering that makes `to` of `from`, or what counts as the same; None: there is none.
    pub fn between(&self, from: &[u32], to: &[u32]) -> Option<Vec<u32>> {
        let symmetry = self.symmetry.as_ref()?;
        match &self.view {
            None => symmetry.between(from, to),
            Some(view) => symmetry.between(&view.numbers(from), &view.numbers(to)),
        }
    }
}
