//! Distances of configurations from the beginning of runs, and shortest paths.

use crate::explore::graph::Graph;
use crate::ids::StateId;

/// An incremental breadth-first search.
pub struct Distances {
    /// The sources, with their own distances; nearest first.
    from: Vec<(StateId, u32)>,
    /// Number of sources reached so far.
    begun: usize,
    /// The configurations in the order of their discovery, which does not depend on their numbers, and how many of them have
    /// been expanded.
    met: Vec<StateId>,
    followed: usize,
    /// By number of the configuration: its distance + 1 (0: not reached), and its predecessor.
    far: Vec<u32>,
    before: Vec<StateId>,
}

impl Distances {
    pub fn new(graph: &Graph, from: impl IntoIterator<Item = (StateId, u32)>) -> Distances {
        let mut from: Vec<(StateId, u32)> = from.into_iter().collect();
        from.sort_by_key(|(_, far)| *far);
        let size = graph.size(from.iter().map(|(state, _)| *state));
        Distances {
            from,
            begun: 0,
            met: Vec::new(),
            followed: 0,
            far: vec![0; size],
            before: vec![StateId(0); size],
        }
    }

    /// Continue through configurations that are `inside`, until one is `wanted` (it is the nearest one not reached before), or
    /// all within distance `most` have been reached.
    pub fn find(
        &mut self,
        graph: &Graph,
        inside: &dyn Fn(StateId) -> bool,
        wanted: &dyn Fn(StateId) -> bool,
        most: u32,
    ) -> Option<StateId> {
        let mut looked = self.met.len();
        loop {
            if let Some(state) = self.met.get(looked) {
                if wanted(*state) {
                    return Some(*state);
                }
                looked += 1;
                continue;
            }
            let at = self.met.get(self.followed).copied();
            let next = at.map(|at| self.far[at.index()] + 1);
            let begins = self.from.get(self.begun).copied();
            match (begins, next) {
                (Some((state, far)), next) if next.is_none_or(|next| far < next) => {
                    if far > most {
                        return None;
                    }
                    self.begun += 1;
                    self.meet(state, far + 1, state, inside);
                }
                (_, Some(next)) if next - 1 <= most => {
                    self.followed += 1;
                    let at = at.unwrap_or_default();
                    graph.edges(at).iter().for_each(|(to, _)| self.meet(*to, next, at, inside));
                }
                _ => return None,
            }
        }
    }

    fn meet(&mut self, state: StateId, far: u32, before: StateId, inside: &dyn Fn(StateId) -> bool) {
        let place = state.index();
        if self.far[place] == 0 && inside(state) {
            (self.far[place], self.before[place]) = (far, before);
            self.met.push(state);
        }
    }

    /// Return the distance of a configuration, if it has been reached.
    pub fn far(&self, state: StateId) -> Option<u32> {
        self.far.get(state.index())?.checked_sub(1)
    }

    /// Return the configurations reached so far, nearest first.
    pub fn met(&self) -> &[StateId] {
        &self.met
    }

    /// Return a shortest path to a configuration reached before, both ends included.
    pub fn way(&self, to: StateId) -> Vec<StateId> {
        let mut way = vec![to];
        let mut at = to;
        while self.before[at.index()] != at {
            at = self.before[at.index()];
            way.push(at);
        }
        way.reverse();
        way
    }
}
