//! The `assumes` clause: the assumptions that it grants, and their conflicts.

use super::{Checker, codes, prose};
use crate::diagnostic::Diagnostic;
use crate::ir::{PAIRS, Shape};
use crate::source::Span;
use crate::syntax::ast;

/// All assumptions of the language, for suggestions and the reference.
pub const VOCABULARY: &[&str] = &[
    "ring",
    "unidirectional ring",
    "bidirectional ring",
    "unoriented ring",
    "line",
    "star",
    "tree",
    "complete",
    "mesh",
    "oriented mesh",
    "unoriented mesh",
    "torus",
    "oriented torus",
    "hypercube",
    "oriented hypercube",
    "oriented complete",
    "unoriented hypercube",
    "connected graph",
    "fifo",
    "unordered",
    "reliable",
    "unique ids",
    "integer ids",
    "anonymous",
    "knows n",
    "knows diameter",
    "knows edges",
    "knows rows",
    "knows columns",
    "knows peers",
    "knows neighbours",
    "addressable ids",
    "weights",
    "one",
    "synchronous",
    "delay",
    "detector",
    "perfect detector",
    "eventually perfect detector",
    "crashes",
    "restarts",
    "loses messages",
    "duplicates messages",
    "links fail",
    "timers",
    "randomness",
    "reads neighbours",
    "radio",
    "collision detection",
    "beeps",
    "transmitter feedback",
    "central daemon",
    "synchronous daemon",
    "distributed daemon",
    "pairwise interactions",
    "oracle",
    "oracles err",
    "simultaneous start",
    "virtual ring",
    "spanning tree",
    "spontaneous start",
    "no loops",
];

/// Return a hint for an assumption in the words of the literature, or for one that holds by default.
fn assumed_elsewhere(words: &str) -> Option<&'static str> {
    Some(match words.to_lowercase().as_str() {
        "asynchronous" | "asynchrony" => {
            "remove it: processes are asynchronous unless `synchronous`, `delay <= D` or the like is assumed"
        }
        "bidirectional" | "bidirectional links" | "undirected" => {
            "links are bidirectional by default; a ring whose processes agree on left and right is a `bidirectional ring`"
        }
        "unidirectional" | "directed" => "a ring with links in one direction is a `unidirectional ring`",
        "reliable channels" | "reliable links" | "reliable communication" | "no loss" => "write `reliable`",
        "clique" | "complete graph" | "fully connected" | "complete network" => "write `complete`",
        "grid" => "write `mesh` or `oriented mesh`",
        "graph" | "connected" | "arbitrary graph" | "arbitrary network" | "general graph" | "any"
        | "network" => "write `connected graph`",
        "ids" | "identifiers" | "distinct ids" | "unique identifiers" | "identities" => {
            "write `unique ids`, or `integer ids` if the algorithm calculates with them"
        }
        "no ids" | "no identifiers" | "uniform" => "write `anonymous`",
        "crash" | "crash faults" | "crash failures" | "fail stop" | "failures" | "faults" => {
            "write `crashes` or `crashes <= k`; other faults are `restarts`, `loses messages`, `duplicates messages` and `links fail`"
        }
        "byzantine" | "byzantine faults" | "byzantine failures" | "arbitrary faults" => {
            "model a Byzantine process as a role that chooses what it sends: `one Traitor`, `choose v in S`"
        }
        "lossy" | "lossy channels" | "message loss" | "unreliable" | "loss" => "write `loses messages`",
        "timeouts" | "clocks" | "partially synchronous" | "partial synchrony" => {
            "write a bound, `delay <= D`, or `timers`, which may expire too early"
        }
        "not fifo" | "no order" | "non fifo channels" => "write `unordered`",
        "fifo channels" | "fifo links" | "ordered" => "write `fifo`",
        "non fifo" | "reordering" | "bag" => "write `unordered`",
        "one initiator" | "single initiator" | "a single initiator" => {
            "initiators belong to the instance: `with initiators [p0]` in a scenario, or `--initiators p0`; `one Root` assumes a role"
        }
        "simple" | "simple graph" | "loop free" | "no self loops" => {
            "write `no loops`; two processes may be joined by several links"
        }
        "shared memory" | "shared variables" => {
            "write `reads neighbours`: processes read their neighbours' variables, and assign only their own"
        }
        _ => return None,
    })
}

impl Checker<'_> {
    pub fn assume(&mut self) {
        let unit = self.units[0].clone();
        self.cx.comp = 0;
        if let Some(span) = unit.assumes_span {
            self.assumptions.span = span;
        }
        for a in &unit.assumes {
            self.assumption(a);
        }
        self.conflicts();
        for lane in &mut self.lanes {
            lane.fifo = !self.assumptions.unordered;
        }
        // The algorithm must also assume what its layers assume.
        for comp in 1..self.component_count() {
            if !self.comps[comp].is_problem {
                self.layer_assumptions(comp);
            }
        }
    }

    pub(super) fn assumption(&mut self, a: &ast::Assumption) {
        let text: Vec<&str> = a.words.iter().map(|w| w.text.as_str()).collect();
        let text = text.join(" ");
        let mut written = text.clone();
        if a.bound.is_some() {
            written = self.sources.slice(a.span).split_whitespace().collect::<Vec<_>>().join(" ");
        }
        self.assumptions.written.push((written, a.span));
        if self.model_assumption(a, &text) {
            return;
        }
        if let Some((_, bound)) = &a.bound
            && VOCABULARY.contains(&text.as_str())
        {
            self.error(
                Diagnostic::error(codes::ASSUMPTION_UNKNOWN, bound.span, format!("`{text}` takes no bound"))
                    .hint("only `delay <= 2`, `crashes <= 1` and sizes of the network take bounds: `n >= 3`, `rows >= 2`"),
            );
        }
        let s = &mut self.assumptions;
        let mut shape = |shape: Shape| match s.topology {
            Some(other) if other != shape => false,
            _ => {
                s.topology = Some(shape);
                true
            }
        };
        let fine = match text.as_str() {
            "ring" | "unoriented ring" => shape(Shape::Ring),
            "unidirectional ring" => {
                let fine = shape(Shape::Ring);
                s.unidirectional = true;
                fine
            }
            "bidirectional ring" | "oriented ring" | "bidirectional oriented ring" => {
                let fine = shape(Shape::Ring);
                s.oriented = true;
                fine
            }
            "line" => {
                let fine = shape(Shape::Line);
                s.oriented = true;
                fine
            }
            "star" => shape(Shape::Star),
            "tree" => shape(Shape::Tree),
            "complete" | "complete graph" | "complete network" => shape(Shape::Complete),
            "mesh" | "unoriented mesh" => shape(Shape::Mesh),
            "oriented mesh" => {
                let fine = shape(Shape::Mesh);
                s.oriented = true;
                fine
            }
            "torus" | "unoriented torus" => shape(Shape::Torus),
            "oriented torus" => {
                let fine = shape(Shape::Torus);
                s.oriented = true;
                fine
            }
            "hypercube" | "unoriented hypercube" => shape(Shape::Hypercube),
            "oriented complete" => {
                let fine = shape(Shape::Complete);
                s.oriented = true;
                fine
            }
            "oriented hypercube" => {
                let fine = shape(Shape::Hypercube);
                s.oriented = true;
                fine
            }
            "connected graph" | "connected" => shape(Shape::Connected),
            "fifo" => true,
            "unordered" => {
                s.unordered = true;
                true
            }
            "reliable" => {
                s.reliable = true;
                true
            }
            "unique ids" => {
                s.unique_ids = true;
                true
            }
            "integer ids" => {
                s.integer_ids = true;
                true
            }
            "anonymous" => {
                s.anonymous = true;
                true
            }
            "knows n" => {
                s.knows_n = true;
                true
            }
            "knows diameter" => {
                s.knows_diameter = true;
                true
            }
            "knows edges" => {
                s.knows_edges = true;
                true
            }
            "knows rows" => {
                s.knows_rows = true;
                true
            }
            "knows columns" => {
                s.knows_columns = true;
                true
            }
            "knows peers" => {
                s.knows_peers = true;
                true
            }
            "knows neighbours" => {
                s.knows_neighbours = true;
                true
            }
            "addressable ids" => {
                s.addressable = true;
                true
            }
            "weights" | "distinct weights" => {
                s.weights = true;
                true
            }
            "spanning tree" => {
                s.spanning_tree = true;
                true
            }
            "oracles err" => {
                s.unreliable_oracles = true;
                true
            }
            "virtual ring" => {
                s.virtual_ring = true;
                true
            }
            "no loops" => {
                s.no_loops = true;
                true
            }
            "simultaneous start" | "spontaneous start" | "randomness" => true,
            other if crate::ir::JOINT.contains(&other) || other.starts_with("synchronous by ") => {
                s.models.push((other.to_string(), a.span));
                true
            }
            other if other.starts_with("oracle ") && a.words.len() == 2 => {
                self.assume_oracle(&a.words[1]);
                return;
            }
            other
                if other.starts_with("one ")
                    && a.words.len() == 2
                    && (assumed_elsewhere(other).is_none()
                        || self.role_named(&a.words[1].text).is_some()) =>
            {
                let name = a.words[1].clone();
                match self.role_named(&name.text) {
                    Some(role) => self.assumptions.single_roles.push(role.index),
                    None => {
                        let known: Vec<String> = self.units[0]
                            .roles
                            .iter()
                            .filter_map(|r| r.name.as_ref())
                            .map(|n| n.text.clone())
                            .collect();
                        let d = Diagnostic::error(
                            codes::UNKNOWN_NAME,
                            name.span,
                            format!("no role is called `{}`", name.text),
                        );
                        let d = match prose::nearest(&name.text, &known) {
                            Some(k) => {
                                let meant = self.role_named(k).map(|r| r.index);
                                self.assumptions.single_roles.extend(meant);
                                d.suggest(k)
                            }
                            None if known.is_empty() => {
                                d.hint(format!("declare the role with a `process {}` clause", name.text))
                            }
                            None => d.hint(format!("the roles are {}", prose::list(&known))),
                        };
                        self.error(d);
                    }
                }
                return;
            }
            other => {
                let known: Vec<String> = VOCABULARY
                    .iter()
                    .filter(|w| !["one", "oracle"].contains(w))
                    .map(|s| s.to_string())
                    .collect();
                let d = Diagnostic::error(
                    codes::ASSUMPTION_UNKNOWN,
                    a.span,
                    format!("`{other}` is not an assumption of the language"),
                );
                if let Some(hint) = assumed_elsewhere(other) {
                    self.error(d.hint(hint));
                    return;
                }
                let d = match prose::nearest(other, &known) {
                    Some(k) => {
                        let words = a.words.iter().map(|w| w.span).reduce(Span::to).unwrap_or(a.span);
                        d.suggest_at(words, k)
                    }
                    None if other.split(' ').any(|word| ["or", "and"].contains(&word)) => d.hint(
                        "separate assumptions by commas (all of them hold); `or` joins sizes only: `n = 1 or n >= 3`",
                    ),
                    None => d.hint("`synod explain SYN0061` lists them"),
                };
                self.error(d);
                // Continue with the assumption that was probably meant, so that its uses are not reported too.
                if let Some(meant) = prose::nearest(other, &known) {
                    let words =
                        meant.split(' ').map(|w| ast::Name { text: w.to_string(), span: a.span }).collect();
                    self.assumption(&ast::Assumption { words, ..a.clone() });
                }
                return;
            }
        };
        if !fine {
            self.error(
                Diagnostic::error(
                    codes::ASSUMPTION_CONFLICT,
                    a.span,
                    format!("`{text}` is a second topology, but a network has only one"),
                )
                .hint("assume one topology, or write an algorithm for each"),
            );
        }
    }

    fn conflicts(&mut self) {
        let a = self.assumptions.clone();
        let place = |word: &str| a.written.iter().find(|(w, _)| w == word).map(|(_, s)| *s);
        let pairs = [
            (a.anonymous && a.unique_ids, "anonymous", "unique ids"),
            (a.anonymous && a.integer_ids, "anonymous", "integer ids"),
            (a.anonymous && a.knows_peers, "anonymous", "knows peers"),
            (a.anonymous && a.addressable, "anonymous", "addressable ids"),
            (a.anonymous && a.knows_neighbours, "anonymous", "knows neighbours"),
            (a.unordered && place("fifo").is_some(), "fifo", "unordered"),
            (a.reliable, "reliable", "loses messages"),
            (a.reliable, "reliable", "duplicates messages"),
        ];
        for (both, x, y) in pairs {
            if both && let (Some(p), Some(q)) = (place(x), place(y)) {
                let (first, second) = if p < q { (p, q) } else { (q, p) };
                self.error(
                    Diagnostic::error(
                        codes::ASSUMPTION_CONFLICT,
                        second,
                        format!("`{x}` and `{y}` exclude each other"),
                    )
                    .related(first, "assumed here"),
                );
            }
        }
        self.joint_conflicts();
        self.synchronizer_conflicts();
        if a.virtual_ring
            && let Some(shape) = a.topology
            && !matches!(shape, Shape::Complete | Shape::Connected)
            && let Some(span) = place("virtual ring")
        {
            self.error(
                Diagnostic::error(
                    codes::ASSUMPTION_CONFLICT,
                    span,
                    "a virtual ring needs a complete network or a connected graph",
                )
                .hint("also assume `complete` or `connected graph`; every network is a connected graph"),
            );
        }
        if a.identifies_by_id() && !a.unique_ids && !self.units[0].is_problem {
            let span = place("knows peers").or(place("addressable ids")).unwrap_or(a.span);
            self.error(
                Diagnostic::error(
                    codes::ASSUMPTION_MISSING,
                    span,
                    "processes are addressed by identifier, but identifiers are not assumed to be unique",
                )
                .hint("add `unique ids` to the `assumes` clause")
                .fix(self.fix_assume("unique ids")),
            );
        }
    }

    pub fn has_assumption(&self, words: &str) -> bool {
        self.assumptions
            .written
            .iter()
            .any(|(w, _)| w == words || (w.starts_with(words) && w[words.len()..].starts_with(' ')))
    }

    /// Report a construct of a model that is not assumed.
    pub fn uses_model(&mut self, model: &str, span: Span) {
        match model {
            "synchronous" => {
                let granted = self.in_rounds();
                self.require_assumption(
                    granted,
                    "synchronous",
                    "rounds belong to synchronous algorithms",
                    span,
                );
            }
            "radio" => {
                let granted = self.has_assumption("radio");
                self.require_assumption(
                    granted,
                    "radio",
                    "`transmit`, `listen` and `heard` belong to radio networks",
                    span,
                );
            }
            PAIRS => {
                let granted = self.has_assumption(PAIRS);
                let what = "`on interaction` handles a pairwise interaction";
                self.require_assumption(granted, PAIRS, what, span);
            }
            "detector" | "restarts" | "timers" => return self.uses_fault_or_time(model, span),
            _ => {}
        }
        if !self.assumptions.models.iter().any(|(m, _)| m == model) {
            self.assumptions.models.push((model.to_string(), span));
        }
    }

    /// Report if more than one role is not assumed to have exactly one process.
    pub fn check_roles(&mut self, roles: u16) {
        if roles < 2 {
            return;
        }
        let one = self.assumptions.single_roles.clone();
        let rest: Vec<u16> = (0..roles).filter(|r| !one.contains(r)).collect();
        let names = |list: &[u16], this: &Self| -> Vec<String> {
            list.iter()
                .filter_map(|r| this.units[0].roles[*r as usize].name.as_ref())
                .map(|n| n.text.clone())
                .collect()
        };
        if rest.len() > 1 {
            let first = self.units[0].roles[0].span;
            let known = names(&rest, self);
            self.error(
                Diagnostic::error(
                    codes::ROLE_ASSIGNMENT,
                    first,
                    format!("nothing determines which processes have the roles {}", prose::list(&known)),
                )
                .hint("assume exactly one process for every role but one: `assumes …, one Server`"),
            );
        }
    }
}
