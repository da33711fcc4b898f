//! The simplest expressions of each type: variables, literals, predefined names.

use super::{Generator, Role, Where};
use crate::random::switches::Switch;
use crate::random::tree::{Tree, Ty};

/// Integers near the limits, in concrete syntax.
const NEAR_LIMIT: [&str; 5] = [
    "9223372036854775807",
    "9223372036854775806",
    "(-9223372036854775807 - 1)",
    "4611686018427387904",
    "(-9223372036854775807)",
];

impl Generator {
    pub fn leaf(&mut self, ty: &Ty) -> Tree {
        let named = self.names(ty);
        if !named.is_empty() && self.dice.chance(65) {
            let name = self.dice.pick(&named).clone();
            return Tree::expr(ty.clone(), name, vec![]);
        }
        self.literal(ty)
    }

    /// Return all names of this type in scope.
    fn names(&mut self, ty: &Ty) -> Vec<String> {
        let mut names: Vec<String> =
            self.locals.iter().filter(|(_, t)| t == ty).map(|(name, _)| name.clone()).collect();
        if !matches!(self.place, Where::Initial | Where::Constant) {
            let reads = |role: Role, left_out: bool| match role {
                Role::Plain | Role::Fuel => true,
                Role::LeftOut => left_out,
                Role::Shifted => false,
            };
            let vars: Vec<String> = self
                .vars
                .iter()
                .filter(|v| v.ty == *ty && reads(v.role, self.reads_left_out))
                .map(|v| v.name.clone())
                .collect();
            match self.place {
                Where::Property => {
                    for process in &self.processes {
                        names.extend(vars.iter().map(|v| format!("{process}.{v}")));
                    }
                }
                _ => {
                    for port in self.ports_to_read() {
                        names.extend(vars.iter().map(|v| format!("{port}.{v}")));
                    }
                    names.extend(vars);
                }
            }
        }
        names.extend(self.predefined(ty));
        names
    }

    /// Return the ports through which expressions read variables of another process here.
    pub fn ports_to_read(&self) -> Vec<String> {
        use Switch::*;
        match self.model {
            ReadsNeighbours => {
                let mut ports: Vec<String> = self
                    .locals
                    .iter()
                    .filter(|(_, t)| *t == Ty::Port)
                    .map(|(name, _)| name.clone())
                    .collect();
                match self.shape {
                    UnidirectionalRing => ports.push("prev".into()),
                    BidirectionalRing => ports.extend(["left".into(), "right".into()]),
                    _ => {}
                }
                ports
            }
            Pairs if self.locals.iter().any(|(name, _)| name == "v") => vec!["v".into()],
            _ => vec![],
        }
    }

    fn predefined(&mut self, ty: &Ty) -> Vec<String> {
        use Switch::*;
        let in_process = matches!(self.place, Where::Command | Where::Guard | Where::Initial);
        let mut names = vec![];
        let mut add = |text: &str| names.push(text.to_string());
        match ty {
            Ty::Int => {
                if self.has(Param) {
                    add("k0");
                }
                if self.has(Const) {
                    add("c0");
                }
                if self.has(KnowsN) && self.place != Where::Constant || self.place == Where::Property {
                    add("n");
                }
                if in_process {
                    add("degree");
                    if self.has(IntegerIds) {
                        add("int(id)");
                    }
                }
            }
            Ty::Bool if in_process && self.model == Messages => add("initiator"),
            Ty::Id if in_process && self.has_ids() => {
                add("id");
                if self.has(Peers) {
                    add("max(everybody)");
                    add("min(everybody)");
                }
            }
            Ty::Set(of) if in_process => {
                match **of {
                    Ty::Port => add("neighbours"),
                    Ty::Id if self.has(Peers) => {
                        add("everybody");
                        add("others");
                    }
                    _ => {}
                }
                if **of == self.sender_type() && self.has(Roles) && self.use_it(RoleBinder, 50) {
                    names.extend(["Source".into(), "Other".into()]);
                }
            }
            Ty::Set(of) if **of == Ty::Process && self.place == Where::Property => {
                add("processes");
                if self.has(Roles) && self.use_it(RoleBinder, 70) {
                    names.extend(["Source".into(), "Other".into()]);
                }
                let processes = self.processes.clone();
                for process in processes {
                    names.push(format!("{process}.neighbours"));
                }
            }
            _ => {}
        }
        names
    }

    /// Return a value that depends on nothing, or nearly so.
    pub fn literal(&mut self, ty: &Ty) -> Tree {
        let text = match ty {
            Ty::Int if self.use_it(Switch::NearLimit, if self.fails { 5 } else { 0 }) => {
                (*self.dice.pick(&NEAR_LIMIT)).to_string()
            }
            Ty::Int => self.dice.below(4).to_string(),
            Ty::Bool => ["true", "false"][self.dice.below(2)].into(),
            Ty::Colour => ["red", "green"][self.dice.below(2)].into(),
            Ty::Id => match self.place {
                Where::Property => "max(ids(processes))".into(),
                _ => "id".into(),
            },
            Ty::Port => self.port(),
            Ty::Process => "p".into(),
            Ty::Pair | Ty::Entry => {
                let form = if *ty == Ty::Pair { "(#, #)" } else { "Entry(#, #)" };
                let parts = vec![self.literal(&Ty::Int), self.literal(&Ty::Bool)];
                return Tree::expr(ty.clone(), form, parts);
            }
            Ty::Optional(of) if **of == Ty::Port && self.alike => "none".into(),
            Ty::Optional(of) => {
                let value = self.literal(of);
                let form = if self.dice.chance(50) {
                    "(if true then # else none)"
                } else {
                    "(if false then # else none)"
                };
                return Tree::expr(ty.clone(), form, vec![value]);
            }
            Ty::Set(of) if **of == Ty::Process => "processes".into(),
            Ty::Set(of) if **of == Ty::Port && self.alike => "neighbours".into(),
            Ty::Set(of) | Ty::List(of) => {
                let elements = (0..1 + self.dice.below(2)).map(|_| self.literal(of)).collect();
                let form = if matches!(ty, Ty::Set(_)) { "{#}" } else { "[#]" };
                return Tree::expr(ty.clone(), form, vec![Tree::commas(elements, 1)]);
            }
            Ty::Map(key, value) => {
                let parts = vec![self.literal(key), self.literal(value)];
                return Tree::expr(ty.clone(), "{#: #}", parts);
            }
        };
        Tree::expr(ty.clone(), text, vec![])
    }

    fn port(&mut self) -> String {
        use Switch::*;
        let local = self.locals.iter().rev().find(|(_, ty)| *ty == Ty::Port).map(|(name, _)| name.clone());
        match (local, self.shape) {
            (Some(local), _) if self.dice.chance(80) => local,
            (_, UnidirectionalRing) => ["next", "prev"][self.dice.below(2)].into(),
            (_, BidirectionalRing) => ["left", "right"][self.dice.below(2)].into(),
            _ => "port(0)".into(),
        }
    }
}
