//! The generator: from a seed to a program on a network, well typed by construction.

mod clauses;
mod collections;
mod expressions;
mod header;
mod leaves;
mod models;
mod patterns;
mod properties;
mod statements;
mod waiting;

use crate::random::dice::Dice;
use crate::random::print::Case;
use crate::random::switches::{Switch, Switches};
use crate::random::tree::{Tree, Ty};

/// A variable of each process.
#[derive(Clone, Debug)]
pub struct Var {
    pub name: String,
    pub ty: Ty,
    /// Of the type `0..most`.
    pub most: Option<i64>,
    pub role: Role,
}

/// What a variable is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Role {
    Plain,
    /// A view leaves it out: only what is assigned to it reads it.
    LeftOut,
    /// A view takes it up to shift: only templates use it.
    Shifted,
    /// How many more sends a process may make in what is repeated.
    Fuel,
}

/// Where an expression stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Where {
    /// In a command: coins may be tossed.
    Command,
    /// In a guard that waits.
    Guard,
    /// What a variable begins with.
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
    /// What may be used.
    pub on: Switches,
    /// What has been used.
    pub used: Switches,
    pub model: Switch,
    pub shape: Switch,
    pub place: Where,
    pub vars: Vec<Var>,
    pub locals: Vec<(String, Ty)>,
    /// Names of processes in a property.
    pub processes: Vec<String>,
    pub messages: Vec<Message>,
    pub states: Vec<String>,
    /// The number of the state whose commands are being made.
    pub state: usize,
    /// May the expression being made read variables that a view leaves out?
    pub reads_left_out: bool,
    /// Are commands being made that may run more than once?
    pub repeated: bool,
    /// May messages be looked at that the round has brought?
    pub has_received: bool,
    pub fresh: u32,
    /// Neither time nor faults: only then are there reductions.
    pub plain: bool,
    /// May operations stand anywhere that can fail? Else nearly none can.
    pub fails: bool,
    pub case: Case,
}

/// A random program, and the switches that it used.
pub fn generate(seed: u64) -> (Case, Switches) {
    let mut dice = Dice::new(seed);
    let on = Switches::random(&mut dice);
    let (plain, fails) = (dice.chance(60), dice.chance(35));
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
        model: Switch::Messages,
        shape: Switch::Complete,
        place: Where::Command,
        vars: vec![],
        locals: vec![],
        processes: vec![],
        messages: vec![],
        states: vec![],
        state: 0,
        reads_left_out: false,
        repeated: false,
        has_received: false,
        fresh: 0,
        plain,
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
        clauses.extend(self.views());
        clauses.extend(self.counterparts(&clauses));
        self.case.program = Tree::lines(clauses);
    }

    /// What others need: somewhere a timer is set, and something takes what the layer delivers.
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

    /// Is the switch on? Then it counts as used with this probability in percent.
    pub fn use_it(&mut self, switch: Switch, percent: usize) -> bool {
        let used = self.on.has(switch) && self.dice.chance(percent);
        if used {
            self.used.set(switch, true);
        }
        used
    }

    /// One of those that are on; it counts as used.
    pub fn take(&mut self, of: &[Switch]) -> Option<Switch> {
        let taken = self.draw(of)?;
        self.used.set(taken, true);
        Some(taken)
    }

    /// Makes something by one of those that are on; it counts as used if something comes of it.
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
        let on: Vec<Switch> = of.iter().copied().filter(|s| self.on.has(*s)).collect();
        if on.is_empty() { None } else { Some(*self.dice.pick(&on)) }
    }

    pub fn has(&self, switch: Switch) -> bool {
        self.used.has(switch)
    }

    pub fn new_name(&mut self, first: &str) -> String {
        self.fresh += 1;
        format!("{first}{}", self.fresh)
    }

    /// Makes something elsewhere, with the same locals afterwards.
    pub fn within<T>(&mut self, place: Where, make: impl FnOnce(&mut Generator) -> T) -> T {
        let (before, locals, processes) = (self.place, self.locals.len(), self.processes.len());
        self.place = place;
        let made = make(self);
        self.place = before;
        self.locals.truncate(locals);
        self.processes.truncate(processes);
        made
    }

    /// Makes something with one more local.
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

    /// Do processes know their identifiers?
    pub fn has_ids(&self) -> bool {
        !self.has(Switch::Anonymous)
    }

    /// Are messages addressed by identifiers?
    pub fn by_ids(&self) -> bool {
        self.has(Switch::Peers) || self.has(Switch::AddressableIds)
    }

    /// The type of what `from` names.
    pub fn sender_type(&self) -> Ty {
        if self.by_ids() { Ty::Id } else { Ty::Port }
    }

    pub fn in_rounds(&self) -> bool {
        matches!(self.model, Switch::Rounds | Switch::Radio)
    }
}
