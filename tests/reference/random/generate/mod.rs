//! The generator: from a seed to a program on a network, well typed by construction.

mod clauses;
mod collections;
mod expressions;
mod header;
mod leaves;
mod models;
mod orders;
mod patterns;
mod problems;
mod properties;
mod statements;
mod waiting;

use crate::random::dice::Dice;
use crate::random::print::Case;
use crate::random::switches::{PROFILES, Switch, Switches};
use crate::random::tree::{Tree, Ty};

/// A variable of each process.
#[derive(Clone, Debug)]
pub struct Var {
    pub name: String,
    pub ty: Ty,
    /// The limit of the type `0..most`, if it is one.
    pub most: Option<i64>,
    pub role: Role,
}

/// The purpose of a variable.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Role {
    Plain,
    /// A view leaves the variable out: only assignments to it read it.
    LeftOut,
    /// A view takes the variable up to shift: only templates use it.
    Shifted,
    /// The number of remaining sends of a process in repeated commands.
    Fuel,
}

/// The context of an expression.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Where {
    /// In a command: coins may be tossed.
    Command,
    /// In a guard that waits.
    Guard,
    /// In the initial value of a variable.
    Initial,
    /// In constants, parameters and functions.
    Constant,
    Property,
}

#[derive(Clone, Debug)]
pub struct Message {
    pub name: String,
    pub fields: Vec<(String, Ty)>,
}

pub struct Generator {
    pub dice: Dice,
    /// The switches that may be used.
    pub on: Switches,
    /// The switches that have been used.
    pub used: Switches,
    /// The switches of the profile, if the program has one.
    pub profile: &'static [Switch],
    pub model: Switch,
    pub shape: Switch,
    pub place: Where,
    pub vars: Vec<Var>,
    pub locals: Vec<(String, Ty)>,
    /// Names of processes in a property.
    pub processes: Vec<String>,
    pub messages: Vec<Message>,
    pub states: Vec<String>,
    /// The states of all roles.
    pub all_states: Vec<String>,
    /// The number of the state whose commands are being generated.
    pub state: usize,
    /// The expression being generated may read variables that a view leaves out.
    pub reads_left_out: bool,
    /// The commands being generated may run more than once.
    pub repeated: bool,
    /// The expression being generated may read the messages of the round.
    pub has_received: bool,
    pub fresh: u32,
    /// The operations and the upcall of the problem, if there is one.
    pub interface: problems::Interface,
    /// The outputs of the problem, as clauses.
    pub outputs: String,
    /// Properties that a pattern decides: kind and predicate.
    pub claims: Vec<(&'static str, String)>,
    /// The pattern of the first state is the whole behaviour, with this `always` section.
    pub bare: Option<String>,
    /// The program has neither time nor faults, which reductions require.
    pub plain: bool,
    /// The program is meant to tell neither processes nor ports apart, so that interchangeable neighbours are exchanged.
    pub alike: bool,
    /// Operations that can fail may occur anywhere; otherwise they are rare.
    pub fails: bool,
    pub case: Case,
}

/// Return a random program, and the switches that it used.
pub fn generate(seed: u64) -> (Case, Switches) {
    let mut dice = Dice::new(seed);
    let mut on = Switches::random(&mut dice);
    let profile = if dice.chance(30) { *dice.pick(PROFILES) } else { &[] };
    profile.iter().for_each(|switch| on.set(*switch, true));
    let interface = *dice.pick(&problems::INTERFACES);
    let (plain, fails) = (dice.chance(60), dice.chance(35));
    let alike = plain && dice.chance(40);
    // Profiles that concern symmetry, views, or failures.
    let has = |switches: &[Switch]| switches.iter().any(|switch| profile.contains(switch));
    use Switch::{FailingQuantifier, FailingRangeEnd, LeastByName, LeastOfList, ListInSet, NestedTurn};
    use Switch::{PortTurns, ViewShift, ViewWithout};
    let is_symmetric = has(&[NestedTurn, PortTurns, LeastByName, LeastOfList, ListInSet]);
    let alike = alike || is_symmetric && dice.chance(90);
    let plain = plain || alike || has(&[ViewWithout, ViewShift]);
    let fails = fails || has(&[FailingQuantifier, FailingRangeEnd]);
    let case = Case {
        program: Tree::lines(vec![]),
        files: vec![],
        network: String::new(),
        ids: None,
        initiators: None,
        faults: vec![],
        daemon: None,
    };
    let mut generator = Generator {
        dice,
        on,
        used: Switches::none(),
        profile,
        model: Switch::Messages,
        shape: Switch::Complete,
        place: Where::Command,
        vars: vec![],
        locals: vec![],
        processes: vec![],
        messages: vec![],
        states: vec![],
        all_states: vec![],
        state: 0,
        reads_left_out: false,
        repeated: false,
        has_received: false,
        fresh: 0,
        interface,
        outputs: String::new(),
        claims: vec![],
        bare: None,
        plain,
        alike,
        fails,
        case,
    };
    generator.program();
    (generator.case, generator.used)
}

impl Generator {
    fn program(&mut self) {
        let assumptions = self.header();
        let mut clauses = vec![assumptions];
        clauses.extend(self.declarations());
        clauses.extend(self.behaviour());
        clauses.extend(self.properties());
        if self.has(Switch::Problem) {
            clauses.extend(self.orders());
        } else if self.has(Switch::Outputs) {
            let text = format!("problem Work(kind: one | two)\n{}", self.outputs);
            self.case.files.push(("work".into(), text));
        }
        clauses.extend(self.views());
        clauses.extend(self.counterparts(&clauses));
        self.case.program = Tree::lines(clauses);
    }

    /// Return the counterparts that other clauses need: a statement that sets a timer, and a handler for the layer's upcall.
    fn counterparts(&self, clauses: &[Tree]) -> Vec<Tree> {
        let text: String = clauses.iter().map(crate::random::print::text).collect();
        let mut all = vec![];
        if text.contains("timeout(again)") && !text.contains("set timer again") {
            all.push(Tree::fixed("procedure arm\n  set timer again after 1", vec![]));
        }
        if self.has(Switch::Layer) {
            all.push(Tree::fixed("always\non Low.deliver(m0) -> a := m0", vec![]));
        }
        all
    }

    /// Test a switch; if it is on, it is used with this probability in percent, or a greater one if the profile has it.
    pub fn use_it(&mut self, switch: Switch, percent: usize) -> bool {
        let percent = if self.profile.contains(&switch) { percent.max(85) } else { percent };
        let used = self.on.has(switch) && self.dice.chance(percent);
        if used {
            self.used.set(switch, true);
        }
        used
    }

    /// Return one of the switches that are on, and mark it as used.
    pub fn take(&mut self, of: &[Switch]) -> Option<Switch> {
        let taken = self.draw(of)?;
        self.used.set(taken, true);
        Some(taken)
    }

    /// Generate something by one of the switches that are on, and mark it as used on success.
    pub fn one_of<T>(
        &mut self,
        of: &[Switch],
        make: impl FnOnce(&mut Generator, Switch) -> Option<T>,
    ) -> Option<T> {
        let drawn = self.draw(of)?;
        let made = make(self, drawn);
        if made.is_some() {
            self.used.set(drawn, true);
        }
        made
    }

    pub fn draw(&mut self, of: &[Switch]) -> Option<Switch> {
        let mut on: Vec<Switch> = of.iter().copied().filter(|s| self.on.has(*s)).collect();
        if on.iter().any(|switch| self.profile.contains(switch)) && self.dice.chance(40) {
            on.retain(|switch| self.profile.contains(switch));
        }
        if on.is_empty() { None } else { Some(*self.dice.pick(&on)) }
    }

    pub fn has(&self, switch: Switch) -> bool {
        self.used.has(switch)
    }

    pub fn new_name(&mut self, first: &str) -> String {
        self.fresh += 1;
        format!("{first}{}", self.fresh)
    }

    /// Generate something in another context, and restore the locals afterwards.
    pub fn within<T>(&mut self, place: Where, make: impl FnOnce(&mut Generator) -> T) -> T {
        let (before, locals, processes) = (self.place, self.locals.len(), self.processes.len());
        self.place = place;
        let made = make(self);
        self.place = before;
        self.locals.truncate(locals);
        self.processes.truncate(processes);
        made
    }

    /// Generate something with one more local.
    pub fn with_local<T>(&mut self, name: &str, ty: Ty, make: impl FnOnce(&mut Generator) -> T) -> T {
        let locals = self.locals.len();
        let processes = self.processes.len();
        match ty {
            Ty::Process => self.processes.push(name.into()),
            ty => self.locals.push((name.into(), ty)),
        }
        let made = make(self);
        self.locals.truncate(locals);
        self.processes.truncate(processes);
        made
    }

    /// Test whether processes know their identifiers.
    pub fn has_ids(&self) -> bool {
        !self.has(Switch::Anonymous)
    }

    /// Test whether messages are addressed by identifiers.
    pub fn by_ids(&self) -> bool {
        self.has(Switch::Peers) || self.has(Switch::AddressableIds)
    }

    /// Return the type of the sender that `from` names.
    pub fn sender_type(&self) -> Ty {
        if self.by_ids() { Ty::Id } else { Ty::Port }
    }

    pub fn in_rounds(&self) -> bool {
        matches!(self.model, Switch::Rounds | Switch::Radio)
    }
}
