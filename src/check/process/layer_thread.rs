//! Layers with threads of their own. A process has one thread: of the algorithm and its layers, at most one may have states with
//! bodies, which the thread executes; all others have handlers and operations. `halt` in a layer ends that layer: its part of the
//! thread is over and it takes no more messages, while the components above it continue.

use crate::check::Checker;
use crate::check::context::*;
use crate::check::context::{Flow, THREAD};
use crate::check::load::unit::{HandlerSection, RoleSection};
use crate::diagnostic::{Behaviour, Hint, Label, Modelling};
use crate::ir::{self, Compare, ExprKind as K, Handlers, Op, Type};
use crate::source::Span;
use crate::syntax::ast::{self, Pattern, StmtKind};

/// The control state of a layer that has ended, in traces; a layer without states has this one and an unnamed one.
pub const HALTED: &str = "halted";
const RUNNING: &str = "running";

impl Checker<'_> {
    /// Return the component whose bodies the thread of the current role executes.
    pub(in crate::check) fn thread_owner(&mut self, role: u16) -> usize {
        let bodies: Vec<usize> = (0..self.component_count())
            .filter(|c| self.cx.comps[*c].has_bodies && !self.comps[*c].is_problem)
            .collect();
        let Some(layer) = bodies.iter().copied().find(|c| *c != 0) else { return 0 };
        let name = self.comps[layer].name.clone();
        let d = Modelling::LayerHasThread(name.clone()).at(self.use_of(layer));
        let body = self.body_of(layer, role);
        let d = body.into_iter().fold(d, |d, place| d.related(place, Label::LayerBody));
        if let Some(other) = bodies.iter().copied().find(|c| *c != layer) {
            let (what, hint) = match other {
                0 => (Label::AlgorithmBody, Hint::HandlersOnly(name)),
                _ => (Label::OtherLayerBody(self.comps[other].name.clone()), Hint::HandlersInOne),
            };
            let place = self.body_of(other, role);
            let d = place.into_iter().fold(d, |d, place| d.related(place, what.clone())).hint(hint);
            self.error(d);
        } else if let Some(operation) = self.operation_above(role) {
            self.error(d.related(operation, Label::CalledFromOutside).hint(Hint::OperationAsMessage));
        }
        layer
    }

    /// Return the place where the algorithm, or the layer above, names the layer.
    pub(in crate::check) fn use_of(&self, layer: usize) -> Span {
        let user = self.comps[layer].upper.unwrap_or_default();
        let alias = self.comps[layer].name.rsplit('.').next().unwrap_or_default();
        let uses = &self.units[self.comps[user].unit].uses;
        let is_it = |u: &&ast::Use| u.name().text == alias;
        uses.iter().find(is_it).map_or(self.units[0].name.span, |u| u.algorithm.span)
    }

    fn body_of(&self, comp: usize, role: u16) -> Option<Span> {
        let sections = self.sections(comp, role);
        let mut states = sections.iter().flat_map(|s| &s.states);
        states.find(|s| !s.body.is_empty()).map(|s| s.name.span)
    }

    /// Return an operation of the algorithm itself, which clients and scenarios call.
    fn operation_above(&self, role: u16) -> Option<Span> {
        let sections = self.sections(0, role);
        sections.iter().flat_map(|s| &s.operations).next().map(|o| o.name.span)
    }

    /// Return whether this layer can end, by its own `halt` or together with the layer above.
    fn may_end(&self, comp: usize) -> bool {
        if comp == 0 || self.comps[comp].is_problem || self.comps[comp].defines_outputs_of.is_some() {
            return false;
        }
        let unit = &self.units[self.comps[comp].unit];
        let halts = |block: &&ast::Block| halts(block);
        unit.sections().any(|s| blocks(s).iter().any(halts))
            || self.comps[comp].upper.is_some_and(|upper| self.may_end(upper))
    }

    /// Return the number of the control state of a layer that has ended: the first after its own states.
    fn ended(&self, comp: usize) -> u32 {
        number_of_end(&self.cx.comps[comp])
    }

    /// Return this number if the layer can end.
    pub(in crate::check) fn ended_state(&self, comp: usize, scope: &CompScope) -> Option<i64> {
        self.may_end(comp).then(|| i64::from(number_of_end(scope)))
    }

    /// `halt`, in a layer.
    pub(in crate::check) fn end_layer(&mut self, span: Span, tail: bool) -> Flow {
        let layer = self.cx.comp;
        if self.cx.mode == Mode::Operation && !tail {
            self.error(Behaviour::LayerEnds.at(span));
        }
        let below: Vec<usize> =
            (1..self.component_count()).filter(|c| self.stands_below(*c, layer)).collect();
        for comp in below.iter().chain([&layer]) {
            for timer in self.timers_of(*comp) {
                self.emit(Op::CancelTimer(timer));
            }
        }
        for comp in below {
            let thread = false;
            self.emit(Op::Become { component: comp as u16, state: self.ended(comp), thread });
        }
        let thread = self.cx.comps[layer].has_bodies && self.cx.mode != Mode::Operation;
        if thread {
            self.emit(Op::Clear(vec![THREAD]));
        }
        self.emit(Op::Become { component: layer as u16, state: self.ended(layer), thread });
        self.cx.becomes = true;
        match self.cx.mode {
            Mode::Operation => return Flow::NO_WAIT,
            _ if thread => {}
            Mode::Procedure => drop(self.emit(Op::Return)),
            _ => drop(self.emit(Op::Finish)),
        }
        Flow::ENDS
    }

    fn stands_below(&self, comp: usize, layer: usize) -> bool {
        let upper = self.comps[comp].upper;
        comp != layer && upper.is_some_and(|upper| upper == layer || self.stands_below(upper, layer))
    }

    /// Return the timers that handlers of the layer wait for; every timer that is set has one.
    fn timers_of(&mut self, comp: usize) -> Vec<u16> {
        let unit = self.units[self.comps[comp].unit].clone();
        let mut timers = Vec::new();
        for section in unit.sections() {
            for guard in section.guards() {
                if let Pattern::Message(event, args, _) = &guard.pattern
                    && event.text == "timeout"
                    && let Some(Pattern::Name(timer)) = args.first()
                {
                    timers.push(self.in_component(comp, |this| this.timer(timer)));
                }
            }
        }
        timers.sort();
        timers.dedup();
        timers
    }

    /// Add the state of a layer that has ended, in which it takes nothing.
    pub(in crate::check) fn add_ended_state(
        &mut self,
        comp: usize,
        states: &mut Vec<ir::State>,
        always: &mut Handlers,
    ) {
        if !self.may_end(comp) {
            return;
        }
        let span = self.units[self.comps[comp].unit].name.span;
        let state =
            |name: &str| ir::State { name: name.into(), body: None, handlers: Handlers::default(), span };
        if states.is_empty() {
            states.push(state(RUNNING));
        }
        states.push(state(HALTED));
        let control = self.cx.comps[comp].state_local;
        for alternative in &mut always.alternatives {
            let left = self.make(K::Slot(slot(control)), Type::Int, span);
            let right = self.make(K::Word(i64::from(self.ended(comp))), Type::Int, span);
            let runs = K::Compare(Compare::NotEqual, Box::new(left), Box::new(right));
            let runs = self.make(runs, Type::Bool, span);
            alternative.guard = Some(match alternative.guard.take() {
                Some(guard) => self.make(K::And(Box::new(runs), Box::new(guard)), Type::Bool, span),
                None => runs,
            });
        }
    }
}

fn number_of_end(scope: &CompScope) -> u32 {
    (scope.states.len() as u32).max(1)
}

fn halts(block: &ast::Block) -> bool {
    block.iter().any(|s| match &s.kind {
        StmtKind::Halt => true,
        StmtKind::If(branches) | StmtKind::Do(branches) => branches.iter().any(|b| halts(&b.body)),
        StmtKind::For { body, .. } => halts(body),
        _ => false,
    })
}

fn blocks(section: &RoleSection) -> Vec<&ast::Block> {
    let mut blocks: Vec<&ast::Block> = Vec::new();
    blocks.extend(section.procedures.iter().map(|p| &p.body));
    blocks.extend(section.operations.iter().map(|p| &p.body));
    for h in section.handlers() {
        if let HandlerSection::Handler(h) = h {
            blocks.push(&h.body);
        }
    }
    blocks.extend(section.states.iter().map(|s| &s.body));
    blocks
}
