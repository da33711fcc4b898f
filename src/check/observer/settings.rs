//! The header of a scenario: its network and its settings.

use crate::check::Checker;
use crate::check::context::{Processes, default_position};
use crate::diagnostic::{Hint, Label, Naming, Scripting, codes};
use crate::ids::ProcessId;
use crate::ir;
use crate::network::{Spec, TopologyError};
use crate::source::Span;
use crate::syntax::ast::{self, ExprKind};

/// Networks with at most this many processes are built when the program is checked, which takes milliseconds. Larger ones are
/// built when the scenario is played.
const MAX_CHECKED_NETWORK: u32 = 10_000;

impl Checker<'_> {
    pub fn header(&mut self, s: &ast::Scenario, doc: Option<String>, has_worst: bool) -> ir::Scenario {
        let before = self.findings.len();
        let topology = s.on.as_ref().and_then(|on| self.topology(on));
        let mut scenario = ir::Scenario {
            name: s.name.text.clone(),
            doc,
            span: s.name.span,
            topology,
            ids: None,
            ids_by: None,
            names: Vec::new(),
            initiators: None,
            all_initiators: false,
            params: Vec::new(),
            schedule: None,
            is_scripted: false,
            seed: None,
            weights: None,
            unstamped_notes: false,
            daemon: None,
            faults: Vec::new(),
            messages_survive: false,
            lines: Vec::new(),
        };
        let spec = match &s.on {
            Some(_) => scenario.topology.clone(),
            None => Spec::parse(self.assumptions.default_topology()).ok(),
        };
        // If the topology is invalid, the number of processes is not known.
        self.cx.processes.n = spec.as_ref().map_or(i64::MAX, |spec| spec.n().into());
        self.check_repeated_settings(s);
        // Names first: the other settings may use them.
        for (key, value) in s.with.iter().filter(|(key, _)| key.text == "names") {
            self.names(key, value.as_ref(), &mut scenario);
        }
        if let Some(spec) = spec.as_ref().filter(|_| scenario.names.is_empty()) {
            self.cx.processes = Processes::new(spec.names(), spec.n().into());
        }
        for (key, value) in &s.with {
            self.setting(key, value.as_ref(), has_worst, &mut scenario);
        }
        if let Some(initiators) = &scenario.initiators {
            self.check_woken_processes(s, initiators);
        }
        if let Some(spec) = spec.filter(|_| self.findings.len() == before) {
            self.check_network(s, &spec, &scenario);
        }
        scenario
    }

    /// Return the topology that `on …` denotes, if it is valid.
    fn topology(&mut self, on: &ast::Topology) -> Option<Spec> {
        let file = match on.is_file {
            false => return self.fitting(on.span, Spec::parse(&on.text)),
            true if !on.text.contains('.') => Err(Scripting::NotANetworkFile(on.text.clone())),
            true => (self.find.and_then(|find| find(Spec::file_of(&on.text))))
                .ok_or_else(|| Scripting::NoNetworkFile(on.text.clone())),
        };
        match file {
            Ok((_, text)) => self.fitting(on.span, Spec::from_file(&on.text, &text)),
            Err(finding) => {
                self.error(finding.at(on.span));
                None
            }
        }
    }

    /// Return the topology, or report its error.
    fn fitting(&mut self, span: Span, spec: Result<Spec, TopologyError>) -> Option<Spec> {
        spec.map_err(|error| self.misfit(span, error)).ok()
    }

    fn misfit(&mut self, span: Span, error: TopologyError) {
        let hint = (!error.hint.is_empty()).then_some(Hint::Text(error.hint));
        self.error(Scripting::Network(error.message).at(span).hint(hint));
    }

    /// Report a setting that occurs twice.
    fn check_repeated_settings(&mut self, s: &ast::Scenario) {
        for (i, (key, _)) in s.with.iter().enumerate() {
            if let Some((first, _)) = s.with[..i].iter().find(|(k, _)| k.text == key.text) {
                self.error(
                    Scripting::SetTwice(key.text.clone()).at(key.span).related(first.span, Label::FirstSet),
                );
            }
        }
    }

    /// Report a line that wakes a process which is not an initiator.
    fn check_woken_processes(&mut self, s: &ast::Scenario, initiators: &[ProcessId]) {
        let names = s.lines.iter().filter_map(|line| match &line.kind {
            ast::ScenarioLineKind::Wake(names) => Some(names),
            _ => None,
        });
        let initiator = |name: &ast::Name| match self.cx.processes.get(&name.text) {
            Some(position) => initiators.contains(&ProcessId(position as u32)),
            // An unknown process is reported where the line is elaborated.
            None => true,
        };
        let others: Vec<ast::Name> = names.flatten().filter(|name| !initiator(name)).cloned().collect();
        let key =
            s.with.iter().find(|(key, _)| key.text == "initiators").map_or(s.name.span, |(k, _)| k.span);
        for name in others {
            self.error(
                Scripting::NotAnInitiator(name.text.clone()).at(name.span).related(key, Label::Initiators),
            );
        }
    }

    /// Report a network that violates the assumptions, or whose numbers of processes and edges differ from the settings.
    fn check_network(&mut self, s: &ast::Scenario, spec: &Spec, scenario: &ir::Scenario) {
        let place = |key: &str| {
            let setting = s.with.iter().find(|(k, _)| k.text == key);
            setting.map_or(s.name.span, |(k, value)| value.as_ref().map_or(k.span, |v| v.span))
        };
        let n = spec.n() as usize;

        if let Some(ids) = scenario.ids.as_ref().filter(|ids| ids.len() != n) {
            self.error(Scripting::NumberOfIds(spec.to_string(), n, ids.len()).at(place("ids")));
        }
        let named = scenario.names.len();
        if named > n {
            self.error(Scripting::NumberOfNames(spec.to_string(), n, named).at(place("names")));
        }
        if spec.n() > MAX_CHECKED_NETWORK {
            return;
        }
        let span = s.on.as_ref().map_or(s.name.span, |on| on.span);
        let seed = scenario.seed.unwrap_or(ir::DEFAULT_SEED);
        let network = match self.assumptions.network(spec, seed) {
            Ok(network) => network,
            Err(error) => return self.misfit(span, error),
        };
        let misfits = self.assumptions.misfits(&network, self.units[0].roles.len().max(1));
        for message in misfits {
            self.error(
                Scripting::Network(message).at(span).related(self.assumptions.span, Label::AlgorithmAssumes),
            );
        }
        if let Some(weights) = &scenario.weights
            && let Err(error) = self.assumptions.network(&spec.clone().with_weights(weights.clone()), seed)
        {
            self.misfit(place("weights"), error);
        }
    }

    /// `names [A, B]`
    fn names(&mut self, key: &ast::Name, value: Option<&ast::Expr>, scenario: &mut ir::Scenario) {
        let names = self.name_list(key, value);
        let elsewhere = |(i, name): (usize, &ast::Name)| {
            default_position(&name.text).filter(|p| *p != i as i64 && *p < self.cx.processes.n)
        };
        let clashes: Vec<Option<i64>> = names.iter().enumerate().map(elsewhere).collect();
        if clashes.iter().any(Option::is_some) && names.len() as i64 == self.cx.processes.n {
            // For figures that count from p1: all processes have the given names, and none has its default name.
            self.cx.processes.n = 0;
        }
        for (i, name) in names.into_iter().enumerate() {
            if scenario.names.contains(&name.text) {
                self.error(Naming::TwoCalled("processes", name.text.clone()).at(name.span));
            } else if let Some(position) = clashes[i].filter(|_| self.cx.processes.n > 0) {
                self.error(Naming::NameOfAnother(name.text.clone(), position, i).at(name.span));
            }
            self.cx.processes.named.insert(name.text.clone(), i as i64);
            scenario.names.push(name.text);
        }
    }

    fn name_list(&mut self, key: &ast::Name, value: Option<&ast::Expr>) -> Vec<ast::Name> {
        let mut names = Vec::new();
        match value.map(|v| &v.kind) {
            Some(ExprKind::List(items) | ExprKind::Set(items)) => {
                for item in items {
                    match &item.kind {
                        ExprKind::Name(n) => names.push(n.clone()),
                        _ => self.error(Scripting::NameExpected.at(item.span)),
                    }
                }
            }
            Some(ExprKind::Name(n)) => names.push(n.clone()),
            _ => self.error(Scripting::NeedsList(key.text.clone()).at(key.span)),
        }
        names
    }

    #[allow(clippy::too_many_lines, reason = "a table: one arm for each setting")]
    fn setting(
        &mut self,
        key: &ast::Name,
        value: Option<&ast::Expr>,
        has_worst: bool,
        scenario: &mut ir::Scenario,
    ) {
        match (key.text.as_str(), value.map(|v| &v.kind)) {
            ("names", _) => {}
            ("ids", Some(ExprKind::List(items))) => {
                let ids: Vec<i64> = items.iter().filter_map(number).collect();
                if ids.len() != items.len() {
                    self.error(Scripting::IdsAreNumbers.at(key.span));
                }
                if self.assumptions.unique_ids
                    && let Some(i) = (1..ids.len()).find(|i| ids[..*i].contains(&ids[*i]))
                {
                    let first = ids.iter().position(|id| *id == ids[i]).unwrap_or(0);
                    self.error(
                        Scripting::IdTwice(ids[i])
                            .at(items[i].span)
                            .related(items[first].span, Label::FirstGiven),
                    );
                }
                scenario.ids = Some(ids);
            }
            ("ids", Some(ExprKind::Name(n)))
                if ["ascending", "descending", "random", "worst", "names"].contains(&n.text.as_str()) =>
            {
                if n.text == "worst" && !has_worst {
                    self.error(Scripting::NoWorstIds.at(n.span));
                }
                scenario.ids_by = Some(n.text.clone());
            }
            ("ids", _) => self.error(Scripting::IdsNeedList.at(key.span)),
            ("initiators", _) => {
                let names = match value.map(|v| &v.kind) {
                    Some(ExprKind::Name(n)) if n.text == "all" => {
                        scenario.all_initiators = true;
                        return;
                    }
                    Some(ExprKind::Name(n)) if n.text == "none" => Vec::new(),
                    Some(ExprKind::None) => Vec::new(),
                    _ => self.name_list(key, value),
                };
                let mut positions = Vec::new();
                for name in &names {
                    let Some(position) = self.process(name) else { continue };
                    if positions.contains(&position) {
                        self.error(Scripting::InitiatorTwice(name.text.clone()).at(name.span));
                    }
                    positions.push(position);
                }
                scenario.initiators = Some(positions);
            }
            ("daemon", Some(ExprKind::Name(n)))
                if ir::Daemon::ALL.iter().any(|daemon| daemon.as_str() == n.text) =>
            {
                scenario.daemon = ir::Daemon::ALL.into_iter().find(|daemon| daemon.as_str() == n.text);
            }
            ("daemon", _) => self.error(Scripting::Daemons.at(key.span)),
            ("schedule", Some(ExprKind::Name(n)))
                if ["fifo", "random", "adversary", "priorities"].contains(&n.text.as_str()) =>
            {
                scenario.schedule = Some(n.text.clone());
            }
            ("schedule", Some(ExprKind::Name(n))) if n.text == "told" => {
                if self.steps_jointly() {
                    self.error(Scripting::ScriptedRounds.at(key.span));
                }
                scenario.is_scripted = true;
            }
            ("schedule", _) => {
                let text = value.map(|v| self.sources.slice(v.span).to_string()).unwrap_or_default();
                if text == "round-robin" || text == "round_robin" {
                    scenario.schedule = Some("round-robin".into());
                } else {
                    self.error(Scripting::Schedules.at(key.span));
                }
            }
            ("unstamped", Some(ExprKind::Name(n))) if n.text == "notes" => scenario.unstamped_notes = true,
            ("unstamped", _) => self.error(Scripting::UnstampedNotes.at(key.span)),
            ("messages", Some(ExprKind::Name(n))) if n.text == "survive" => {
                scenario.messages_survive = true;
            }
            ("weights", Some(ExprKind::List(items))) => {
                let weights: Vec<i64> = items.iter().filter_map(number).collect();
                if weights.len() != items.len() {
                    self.error(Scripting::WeightsAreNumbers.at(key.span));
                }
                scenario.weights = Some(weights);
            }
            ("weights", _) => self.error(Scripting::WeightsNeedList.at(key.span)),
            ("seed", Some(ExprKind::Int(i))) if *i >= 0 => scenario.seed = Some(*i as u64),
            ("seed", _) => self.error(Scripting::SeedNeedsNumber.at(key.span)),
            (name, _) if ir::Fault::named(name).is_some() && !self.params.iter().any(|p| p.name == name) => {
                match value.map(|v| &v.kind) {
                    Some(ExprKind::Int(i)) if u32::try_from(*i).is_ok() => {
                        scenario.faults.push((name.to_string(), *i as u32));
                    }
                    _ => self.error(Scripting::FaultNeedsNumber(name.into()).at(key.span)),
                }
            }
            (name, _) => match self.params.iter().position(|p| p.name == name) {
                Some(p) => {
                    let ty = self.params[p].ty.clone();
                    match value {
                        Some(v) => {
                            let e = self.expr_as(v, &ty, &format!("the parameter `{name}`"));
                            self.check_param_range(p, &e, codes::SCENARIO);
                            scenario.params.push((p as u16, e));
                        }
                        None => self.error(Scripting::NeedsValue(name.into()).at(key.span)),
                    }
                }
                None => {
                    let d = Scripting::NoSetting(name.into()).at(key.span);
                    let hint = Hint::Are("its settings", self.settings(false));
                    self.error(d.nearest(name, &self.settings(true), hint));
                }
            },
        }
    }

    /// Return the settings of a scenario's header; of faults only those that the algorithm assumes, or all.
    fn settings(&self, all_faults: bool) -> Vec<String> {
        let always =
            ["ids", "names", "initiators", "schedule", "daemon", "seed", "weights", "unstamped notes"];
        let faults = ir::Fault::ALL.into_iter();
        let faults = faults.filter(|fault| all_faults || self.has_assumption(fault.assumption()));
        let survive = (all_faults || self.assumptions.crashes).then_some(ir::MESSAGES_SURVIVE);
        let known = always.into_iter().chain(faults.map(ir::Fault::as_str)).chain(survive).map(String::from);
        known.chain(self.params.iter().map(|param| param.name.clone())).collect()
    }
}

/// Return a number that may have a sign.
fn number(e: &ast::Expr) -> Option<i64> {
    match &e.kind {
        ExprKind::Int(x) => Some(*x),
        ExprKind::Unary(ast::UnaryOp::Negate, x) => match &x.kind {
            ExprKind::Int(x) => x.checked_neg(),
            _ => None,
        },
        _ => None,
    }
}
