//! The typed program. Its trees and code mention locals: `Slot::Word(3)` is the fourth local of the role, or of the observers,
//! whatever its type. `code` gives the locals slots.

use crate::check::context::{Class, Comp, CompScope, Local, LocalId, Processes, Written};
use crate::check::load::unit::Unit;
use crate::check::names::Names;
use crate::check::types::infer::Infer;
use crate::ir::{self, Change, Op, Slot, Type, Wait};
use crate::source::{Sources, Span};
use crate::syntax::ast;
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

/// A program whose expressions have types.
#[derive(Clone)]
pub struct Typed {
    pub sources: Sources,
    pub names: Arc<Names>,
    pub units: Vec<Arc<Unit>>,
    pub comps: Vec<Comp>,
    /// The layer that simulates the rounds, if they are not part of the system model.
    pub synchronizer: Option<usize>,
    pub assumptions: ir::Assumptions,
    pub enums: Vec<ir::EnumType>,
    pub records: Vec<ir::RecordType>,
    pub params: Vec<ir::Param>,
    /// Their fields have types, but no places yet.
    pub kinds: Vec<ir::MessageKind>,
    pub lanes: Vec<ir::Lane>,
    pub actions: Vec<ir::Action>,
    pub guards: Vec<ir::Guard>,
    pub operations: Vec<ir::Operation>,
    pub upcalls: Vec<String>,
    /// The upcalls that components make, by component and name.
    pub made_upcalls: BTreeSet<(usize, String)>,
    /// Outputs that the algorithm or a layer leaves to the definition in its problem, by index.
    pub derived: BTreeMap<(usize, String), usize>,
    pub reads_initiator: bool,
    /// Types as written, and their component.
    pub written_types: BTreeMap<Written, (usize, ast::TypeExpr)>,
    pub roles: Vec<Arc<Role>>,
    pub outputs: Vec<ir::Output>,
    pub oracles: Vec<ir::Oracle>,
    pub properties: Vec<ir::Property>,
    pub scenarios: Vec<ir::Scenario>,
    /// The processes of each scenario by name.
    pub processes: Vec<Processes>,
    pub worst_id: Option<(Slot, ir::Expr)>,
    /// The clock that notes carry, in each role.
    pub note_clock: Option<Vec<Option<LocalId>>>,
    pub views: Vec<ir::View>,
    pub shared: Vec<ir::Shared>,
    /// The types of the observers' locals. Each clause has a frame of its own; locals are numbered through all frames.
    pub frames: Vec<Vec<Type>>,
    /// For questions: types that nothing determines are still unknown.
    pub infer: Infer,
}

/// A role: code over its locals.
#[derive(Clone, Debug)]
pub struct Role {
    pub span: Span,
    pub locals: Vec<Local>,
    /// The scope of the role's commands, by component.
    pub comps: Vec<CompScope>,
    /// Variables, by component and name.
    pub vars: BTreeMap<(usize, String), LocalId>,
    /// The local that holds the control state, and the value of each state.
    pub states: BTreeMap<(usize, String), (LocalId, i64)>,
    pub components: Vec<ir::Component>,
    /// The initial state of each component.
    pub initial_states: Vec<i64>,
    pub code: Vec<Op>,
    /// By operation, as in [`ir::Role`].
    pub statements: Vec<Span>,
    pub guards: Vec<(ir::GuardId, ir::GuardTaken)>,
    /// Guards that the code does not test: see `Cx::implied`.
    pub implied: Vec<(ir::Pc, ir::Expr)>,
    pub waits: Vec<Wait>,
    /// From the initial values to the operation after them.
    pub start: std::ops::Range<ir::Pc>,
    pub client: Option<ir::Pc>,
    pub operations: Vec<Option<ir::Entry>>,
    pub has_wakeup: bool,
    pub timers: Vec<String>,
    /// The output of the synchronizer with what was received.
    pub received: Option<LocalId>,
    /// The locals that belong to the thread alone, and return addresses.
    pub thread: Vec<Slot>,
}

impl Typed {
    pub fn has_assumption(&self, words: &str) -> bool {
        self.assumptions.has(words)
    }

    /// Return the component of the problem.
    pub fn problem(&self) -> Option<usize> {
        self.comps.iter().position(|comp| comp.is_problem)
    }

    /// Return whether the algorithm runs in rounds.
    pub fn in_rounds(&self) -> bool {
        self.synchronizer.is_some() || self.assumptions.proceeds_in_rounds()
    }

    /// Return the type in the notation of the language.
    pub fn type_words(&self, ty: &Type) -> String {
        super::type_name(ty, &self.enums, &self.records)
    }

    /// Change the observers' trees.
    pub fn change_observers(&mut self, change: &impl Change) {
        change.assumptions(&mut self.assumptions);
        for param in &mut self.params {
            change.ranges(&mut param.ranges);
            change.exprs(&mut param.default);
        }
        for output in &mut self.outputs {
            change.index(&mut output.process);
            change.expr(&mut output.value);
        }
        change.exprs(self.oracles.iter_mut().map(|oracle| &mut oracle.truth));
        self.properties.iter_mut().for_each(|property| change.property(property));
        self.scenarios.iter_mut().for_each(|scenario| change.scenario(scenario));
        if let Some((slot, e)) = &mut self.worst_id {
            change.slot(slot);
            change.expr(e);
        }
        for (role, clock) in self.note_clock.iter_mut().flatten().enumerate() {
            clock.iter_mut().for_each(|clock| change.index_of_role(role, clock));
        }
        for viewed in self.views.iter_mut().flat_map(|view| &mut view.of) {
            if let ir::ViewedItem::Variable(slots) = &mut viewed.item {
                change.slots_of_roles(slots);
            }
        }
        self.shared.iter_mut().for_each(|shared| change.slots_of_roles(&mut shared.slots));
    }
}

impl Role {
    pub fn local(&self, slot: Slot) -> &Local {
        &self.locals[slot.index() as usize]
    }

    /// Return whether the local is part of the state of a process.
    pub fn is_state(local: &Local) -> bool {
        local.class != Class::Temp
    }

    /// Change the code and its trees.
    pub fn change(&mut self, change: &impl Change) {
        self.locals.iter_mut().for_each(|local| change.ranges(&mut local.ranges));
        self.code.iter_mut().for_each(|op| change.op(op));
        self.waits.iter_mut().flat_map(|wait| &mut wait.alternatives).for_each(|a| change.alternative(a));
        change.exprs(self.implied.iter_mut().map(|(_, guard)| guard));
        self.components.iter_mut().for_each(|component| change.component(component));
        self.operations.iter_mut().flatten().for_each(|entry| change.entry(entry));
        self.thread.iter_mut().for_each(|slot| change.slot(slot));
    }
}

/// Return a variable of a component as processes have it: its local in each role that has it, and its type.
pub fn variable_of(roles: &[Arc<Role>], comp: usize, name: &str) -> Option<(Vec<Option<Slot>>, Type)> {
    let key = (comp, name.to_string());
    let found: Vec<Option<LocalId>> = roles.iter().map(|role| role.vars.get(&key).copied()).collect();
    let first = roles.iter().zip(&found).find_map(|(role, local)| Some(&role.locals[(*local)? as usize]))?;
    Some((found.into_iter().map(|local| local.map(Slot::Word)).collect(), first.ty.clone()))
}
