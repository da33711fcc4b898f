//! Which networks an algorithm runs on, according to its assumptions. `check` applies this to the topologies of scenarios,
//! instantiation to every instance.

use super::{Assumptions, Compare, Expr, ExprKind, Fact, Shape, Type};
use crate::network::{self, Direction, Labels, Network, NetworkOptions, Requirement, Spec, TopologyError};
use crate::prose;

/// An assumption on the size of the network: `rows >= 3`.
#[derive(Clone, Debug)]
pub struct SizeBound {
    pub rule: SizeRule,
    /// As written.
    pub words: String,
}

/// One comparison or condition, or several combined: `rows = 2 and columns = 2 or rows >= 3 and columns >= 3`.
#[derive(Clone, Debug)]
pub enum SizeRule {
    Compare {
        size: Size,
        compare: Compare,
        /// A global expression, which may mention parameters.
        limit: Expr,
    },
    /// Any other condition, such as `prime(n)`.
    Condition(Expr),
    Both(Box<SizeRule>, Box<SizeRule>),
    Either(Box<SizeRule>, Box<SizeRule>),
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Size {
    Processes,
    Edges,
    Diameter,
    Rows,
    Columns,
}

impl Size {
    const ALL: [Size; 5] = [Size::Processes, Size::Edges, Size::Diameter, Size::Rows, Size::Columns];

    pub fn of(word: &str) -> Option<Size> {
        Some(match word {
            "n" => Size::Processes,
            "edges" => Size::Edges,
            "diameter" => Size::Diameter,
            "rows" => Size::Rows,
            "columns" => Size::Columns,
            _ => return None,
        })
    }
}

impl SizeBound {
    /// Return why the network violates the bound, if it does. `limit` evaluates the limits, and the conditions to 0 or 1.
    ///
    /// # Errors
    /// The first error of `limit`.
    pub fn misfit<E>(
        &self,
        network: &Network,
        limit: &mut impl FnMut(&Expr) -> Result<i64, E>,
    ) -> Result<Option<String>, E> {
        if self.rule.holds(network, limit)? {
            return Ok(None);
        }
        let mut sizes = Vec::new();
        self.rule.sizes(&mut sizes);
        let facts: Vec<String> = sizes.into_iter().map(|size| size.of_network(network)).collect();
        let (topology, facts) = (network.topology(), crate::prose::and(&facts));
        Ok(Some(format!("{topology} has {facts}, but the algorithm assumes {}", self.words)))
    }
}

impl Size {
    fn add_to(self, found: &mut Vec<Size>) {
        if !found.contains(&self) {
            found.push(self);
        }
    }

    fn fact(self) -> Fact {
        match self {
            Size::Processes => Fact::N,
            Size::Edges => Fact::Edges,
            Size::Diameter => Fact::Diameter,
            Size::Rows => Fact::Rows,
            Size::Columns => Fact::Columns,
        }
    }

    /// Return the condition that this size is in a set.
    pub fn in_set(self, set: Expr) -> Expr {
        let span = set.span;
        let size = Expr { kind: ExprKind::Fact(self.fact()), ty: Type::Int, span };
        Expr { kind: ExprKind::In(Box::new(size), Box::new(set)), ty: Type::Bool, span }
    }

    /// Collect the sizes that an expression reads, each once.
    fn read_by(e: &Expr, found: &mut Vec<Size>) {
        if let ExprKind::Fact(fact) = &e.kind {
            Size::ALL.into_iter().filter(|size| size.fact() == *fact).for_each(|size| size.add_to(found));
        }
        e.parts(&mut |part| Size::read_by(part, found));
    }

    fn measure(self, network: &Network) -> Option<u32> {
        match self {
            Size::Processes => Some(network.n()),
            Size::Edges => Some(network.edges()),
            Size::Diameter => network.diameter(),
            Size::Rows => network.rows(),
            Size::Columns => network.columns(),
        }
    }

    /// `3 rows`, `no diameter, since it is not connected`
    fn of_network(self, network: &Network) -> String {
        let one = match self {
            Size::Processes => "process",
            Size::Edges => "edge",
            Size::Diameter => "diameter",
            Size::Rows => "row",
            Size::Columns => "column",
        };
        match (self.measure(network), self) {
            (Some(size), Size::Diameter) => format!("the diameter {size}"),
            (None, Size::Diameter) => "no diameter, since it is not connected".into(),
            (Some(1), _) => format!("1 {one}"),
            (Some(size), Size::Processes) => format!("{size} processes"),
            (Some(size), _) => prose::count(size as usize, one),
            (None, _) => format!("no {one}s"),
        }
    }
}

impl SizeRule {
    fn holds<E>(
        &self,
        network: &Network,
        limit: &mut impl FnMut(&Expr) -> Result<i64, E>,
    ) -> Result<bool, E> {
        Ok(match self {
            SizeRule::Compare { size, compare, limit: e } => {
                let limit = limit(e)?;
                size.measure(network).is_some_and(|size| compare.holds(i64::from(size), limit))
            }
            SizeRule::Condition(e) => limit(e)? != 0,
            SizeRule::Both(a, b) => a.holds(network, limit)? && b.holds(network, limit)?,
            SizeRule::Either(a, b) => a.holds(network, limit)? || b.holds(network, limit)?,
        })
    }

    /// Collect the sizes that the rule depends on, each once.
    fn sizes(&self, found: &mut Vec<Size>) {
        match self {
            SizeRule::Compare { size, .. } => size.add_to(found),
            SizeRule::Condition(e) => Size::read_by(e, found),
            SizeRule::Both(a, b) | SizeRule::Either(a, b) => {
                a.sizes(found);
                b.sizes(found);
            }
        }
    }

    /// Return whether all limits are literals.
    pub fn is_constant(&self) -> bool {
        match self {
            SizeRule::Compare { limit, .. } => matches!(limit.kind, ExprKind::Word(_)),
            SizeRule::Condition(_) => false,
            SizeRule::Both(a, b) | SizeRule::Either(a, b) => a.is_constant() && b.is_constant(),
        }
    }

    /// Return the comparisons that must all hold.
    pub fn conjuncts(&self) -> Vec<(Size, Compare, &Expr)> {
        match self {
            SizeRule::Compare { size, compare, limit } => vec![(*size, *compare, limit)],
            SizeRule::Both(a, b) => a.conjuncts().into_iter().chain(b.conjuncts()).collect(),
            SizeRule::Condition(_) | SizeRule::Either(..) => Vec::new(),
        }
    }
}

impl Assumptions {
    /// Return a small network of the assumed kind.
    pub fn default_topology(&self) -> &'static str {
        match self.topology {
            Some(Shape::Ring) => "ring(4)",
            Some(Shape::Line) => "line(4)",
            Some(Shape::Star) => "star(3)",
            Some(Shape::Tree) => "tree(7)",
            Some(Shape::Complete) | None => "complete(3)",
            Some(Shape::Mesh) => "mesh(3, 3)",
            Some(Shape::Torus) => "torus(3, 3)",
            Some(Shape::Hypercube) => "hypercube(3)",
            Some(Shape::Connected) => "petersen",
        }
    }

    /// Return a smaller network of the assumed kind, if the default one has too many configurations to explore them all: for
    /// arbitrary graphs one with two cycles that share an edge.
    pub fn topology_to_explore(&self) -> Option<&'static str> {
        (self.topology == Some(Shape::Connected)).then_some("mesh(2, 3)")
    }

    /// Return other networks of its family, the nearest first: larger ones, then smaller ones; or the reverse, to explore them.
    pub fn other_topologies(&self, to_explore: bool) -> impl Iterator<Item = String> {
        let (family, size) =
            self.default_topology().trim_end_matches(')').split_once('(').unwrap_or_default();
        let size: Option<u32> = size.parse().ok();
        let sizes = size.map_or_else(Vec::new, |size| {
            let mut sides = [(size + 1..=4 * size).collect(), (1..size).rev().collect::<Vec<_>>()];
            if to_explore {
                sides.reverse();
            }
            sides.concat()
        });
        sizes.into_iter().map(move |size| format!("{family}({size})"))
    }

    /// Return whether the topology determines the order of ports. Otherwise the order is drawn at random: an algorithm that
    /// assumes no labels must not benefit from them.
    pub fn has_labels(&self) -> bool {
        self.oriented
            || self.unidirectional
            || matches!(self.topology, Some(Shape::Star | Shape::Tree | Shape::Complete) | None)
    }

    /// Build the network as the algorithm sees it: direction, labels, self links.
    ///
    /// # Errors
    /// If there is no such network.
    pub fn network(&self, spec: &Spec, seed: u64) -> Result<Network, TopologyError> {
        if spec.is_numbered() && self.has_labels() {
            return Err(TopologyError::new(
                "the assumed topology determines the order of the ports, so no other numbering is possible",
            ));
        }
        let options = NetworkOptions {
            direction: match self.unidirectional {
                true => Direction::Unidirectional,
                false => Direction::Bidirectional,
            },
            labels: if self.has_labels() { Labels::Oriented } else { Labels::Unoriented { seed } },
            self_links: self.identifies_by_id(),
            seed,
            addressable: self.identifies_by_id(),
        };
        let network = network::build(spec, &options)?;
        match self.topology.map(requirement) {
            // A graph given as a list of edges that has the shape gets its labels; on a star, the centre has the first role.
            Some(shape)
                if (self.oriented || self.unidirectional || shape == Requirement::Star)
                    && network.satisfies(shape).is_ok() =>
            {
                network.with_orientation(shape).map_err(TopologyError::new)
            }
            _ => Ok(network),
        }
    }

    /// Return the assumptions that the network violates, one sentence each; `roles` is the number of roles of the algorithm.
    pub fn misfits(&self, network: &Network, roles: usize) -> Vec<String> {
        let mut wrong = Vec::new();
        let topology = network.topology();
        if let Some(shape) = self.topology
            && let Err(reason) = network.satisfies(requirement(shape))
        {
            wrong.push(reason);
        }
        let options = network.options();
        let unidirectional = options.direction == Direction::Unidirectional;
        if self.unidirectional && !unidirectional {
            wrong.push(format!(
                "{topology} carries messages both ways, but the algorithm assumes one direction"
            ));
        }
        if unidirectional && !self.unidirectional && self.topology.is_some() {
            wrong.push(format!(
                "{topology} carries messages one way only, but the algorithm assumes both directions"
            ));
        }
        if self.oriented && options.labels != Labels::Oriented {
            wrong.push(format!(
                "the ports of {topology} have no labels, but the algorithm assumes an orientation"
            ));
        }
        if self.identifies_by_id() && !options.self_links {
            wrong.push("the network needs self links, since processes send to ids".into());
        }
        if self.addressable && !options.addressable && self.topology != Some(Shape::Complete) {
            wrong.push("the network must be addressable, since processes send to ids they learn".into());
        }
        if self.knows_diameter && network.n() > 0 && network.diameter().is_none() {
            wrong.push(format!(
                "{topology} has no diameter, since it is not connected, but the algorithm knows the diameter"
            ));
        }
        for (known, size, what) in
            [(self.knows_rows, network.rows(), "rows"), (self.knows_columns, network.columns(), "columns")]
        {
            if known && size.is_none() {
                wrong.push(format!("{topology} has no {what}, but the algorithm knows them"));
            }
        }
        if self.weights
            && let Some(reason) = network.unusable_weights()
        {
            wrong.push(format!(
                "the weights of {topology} cannot be used, but the algorithm assumes weights: {reason}"
            ));
        }
        if self.no_loops
            && let Some(p) = network.first_loop()
        {
            let p = network.process_name(p);
            wrong.push(format!("in {topology} {p} has a link to itself, but the algorithm assumes no loops"));
        }
        for bound in &self.sizes {
            // Limits that mention parameters are checked when the parameters have values.
            let mut written = |limit: &Expr| match limit.kind {
                ExprKind::Word(limit) => Ok(limit),
                _ => Err(()),
            };
            wrong.extend(bound.misfit(network, &mut written).ok().flatten());
        }
        let (n, single) = (network.n() as usize, self.single_roles.len());
        if single > n {
            wrong.push(format!(
                "{topology} has {n} {}, but the algorithm needs {single} for its single roles",
                if n == 1 { "process" } else { "processes" }
            ));
        }
        if n > single && roles <= single {
            wrong
                .push(format!("{topology} has {n} processes, but the algorithm has roles for {single} only"));
        }
        wrong
    }
}

/// Return the network shape that an assumption requires.
pub fn requirement(shape: Shape) -> Requirement {
    match shape {
        Shape::Ring => Requirement::Ring,
        Shape::Line => Requirement::Line,
        Shape::Star => Requirement::Star,
        Shape::Tree => Requirement::Tree,
        Shape::Complete => Requirement::Complete,
        Shape::Mesh => Requirement::Mesh,
        Shape::Torus => Requirement::Torus,
        Shape::Hypercube => Requirement::Hypercube,
        Shape::Connected => Requirement::ConnectedGraph,
    }
}
