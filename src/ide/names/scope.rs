//! Scopes: the names visible at each place.

use super::DeclId;
use std::collections::BTreeMap;

pub type Table = BTreeMap<String, DeclId>;

/// The names of one file.
#[derive(Clone, Debug, Default)]
pub struct Scope {
    pub is_problem: bool,
    /// The algorithm or problem itself.
    pub header: Option<DeclId>,
    /// Names common to all roles: those declared before the first `process`, and those outside any role.
    pub common: Table,
    pub roles: Vec<(String, Table)>,
    pub layers: Table,
    pub timers: Table,
    pub properties: Table,
    pub operations: Table,
    /// Fields of records; several may have the same name.
    pub record_fields: BTreeMap<String, Vec<DeclId>>,
    pub upcalls: Table,
}

impl Scope {
    pub fn role(&self, name: &str) -> Option<&Table> {
        self.roles.iter().find(|(n, _)| n == name).map(|(_, table)| table)
    }

    /// Return the table for declarations in a role, or outside any role.
    pub fn table(&mut self, role: Option<&str>) -> &mut Table {
        let Some(role) = role else { return &mut self.common };
        let known = self.roles.iter().position(|(n, _)| n == role);
        let index = known.unwrap_or_else(|| {
            self.roles.push((role.into(), Table::new()));
            self.roles.len() - 1
        });
        &mut self.roles[index].1
    }
}
