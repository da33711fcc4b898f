//! Scopes: the names visible at each place.

use super::{DeclId, Kind};
use std::collections::BTreeMap;

pub type Table = BTreeMap<String, DeclId>;

/// A namespace: equal names in different ones do not clash.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Space {
    /// Variables, messages, constants, roles, …
    Values,
    Types,
    States,
    /// Procedures and operations.
    Routines,
}

impl Space {
    pub fn of(kind: Kind) -> Space {
        match kind {
            Kind::Enum => Space::Types,
            Kind::State => Space::States,
            Kind::Procedure | Kind::Operation => Space::Routines,
            _ => Space::Values,
        }
    }
}

/// Declarations by namespace and name.
#[derive(Clone, Debug, Default)]
pub struct Tables([Table; 4]);

impl Tables {
    pub fn get(&self, space: Space, name: &str) -> Option<DeclId> {
        self.0[space as usize].get(name).copied()
    }

    /// Add a declaration, unless there is one of this name.
    pub fn add(&mut self, space: Space, name: &str, id: DeclId) {
        self.0[space as usize].entry(name.into()).or_insert(id);
    }
}

/// The names of one algorithm or problem: those of a variant, and those of its base that it does not replace.
#[derive(Clone, Debug, Default)]
pub struct Scope {
    /// Names common to all roles: those declared before the first `process`, and those outside any role.
    pub common: Tables,
    pub roles: Vec<(String, Tables)>,
    pub layers: Table,
    pub timers: Table,
    pub properties: Table,
    pub operations: Table,
    /// Fields of records; several may have the same name.
    pub record_fields: BTreeMap<String, Vec<DeclId>>,
    pub upcalls: Table,
}

impl Scope {
    pub fn role(&self, name: &str) -> Option<&Tables> {
        self.roles.iter().find(|(n, _)| n == name).map(|(_, table)| table)
    }

    /// Return the tables of all roles together, and of each.
    pub fn tables(&self) -> impl Iterator<Item = &Tables> {
        std::iter::once(&self.common).chain(self.roles.iter().map(|(_, table)| table))
    }

    /// Return the table for declarations in a role, or outside any role.
    pub fn table(&mut self, role: Option<&str>) -> &mut Tables {
        let Some(role) = role else { return &mut self.common };
        let known = self.roles.iter().position(|(n, _)| n == role);
        let index = known.unwrap_or_else(|| {
            self.roles.push((role.into(), Tables::default()));
            self.roles.len() - 1
        });
        &mut self.roles[index].1
    }
}
