//! The call hierarchy of message passing: the clauses that send a message, and the messages that its receipt sends.

use super::Analysis;
use crate::check::names::{Access, DeclId, Kind, Use};
use crate::source::Span;
use std::collections::{BTreeMap, BTreeSet};

/// A message, or a clause that sends or receives messages.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum CallItem {
    Message(DeclId),
    Clause(Span),
}

/// One edge of the hierarchy: the other party, and the places where it occurs.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CallEdge {
    pub party: CallItem,
    pub places: Vec<Span>,
}

impl Analysis {
    /// Return the message, procedure or operation at an offset.
    pub fn party_at(&self, offset: usize) -> Option<CallItem> {
        let decl = self.names.at(0, offset).first()?.decl;
        let found = self.names.decl(decl);
        match found.kind {
            Kind::Message => Some(CallItem::Message(decl)),
            Kind::Procedure | Kind::Operation | Kind::State => Some(CallItem::Clause(found.clause)),
            _ => None,
        }
    }

    /// Return, for a message, the clauses that send it; for a clause, the messages that trigger it.
    pub fn incoming(&self, party: &CallItem) -> Vec<CallEdge> {
        match party {
            CallItem::Message(message) => {
                let sends = |u: &&Use| u.decl == *message && u.access == Access::Send;
                grouped(self.names.uses.iter().filter(sends).map(|u| (CallItem::Clause(u.clause), u.place)))
            }
            CallItem::Clause(clause) => {
                let takes = |u: &&Use| u.clause == *clause && u.access == Access::Take;
                let messages = self.names.uses.iter().filter(takes).filter(|u| self.is_message(u));
                let called = self.calls_of(*clause);
                let taken = messages.map(|u| (CallItem::Message(u.decl), u.place));
                grouped(taken.chain(called.into_iter().map(|u| (CallItem::Clause(u.clause), u.place))))
            }
        }
    }

    /// Return, for a message, the messages that its receipt sends; for a clause, the messages that it sends.
    pub fn outgoing(&self, party: &CallItem) -> Vec<CallEdge> {
        let extents: Vec<Span> = match party {
            CallItem::Message(message) => {
                let takes = |u: &&Use| u.decl == *message && u.access == Access::Take;
                self.names.uses.iter().filter(takes).map(|u| u.extent).collect()
            }
            CallItem::Clause(clause) => vec![*clause],
        };
        let mut sent: Vec<(CallItem, Span)> = Vec::new();
        let mut seen: BTreeSet<Span> = extents.iter().copied().collect();
        let mut open = extents;
        // The sends of called procedures count as sends of their callers.
        while let Some(extent) = open.pop() {
            let inside = |u: &&Use| {
                u.place.file == extent.file && u.place.start >= extent.start && u.place.end <= extent.end
            };
            for used in self.names.uses.iter().filter(inside) {
                let decl = self.names.decl(used.decl);
                match used.access {
                    Access::Send => sent.push((CallItem::Message(used.decl), used.place)),
                    Access::Call if decl.kind == Kind::Procedure && seen.insert(decl.clause) => {
                        open.push(decl.clause);
                    }
                    _ => {}
                }
            }
        }
        grouped(sent.into_iter())
    }

    fn is_message(&self, used: &Use) -> bool {
        self.names.decl(used.decl).kind == Kind::Message
    }

    /// Return the uses that call the procedure or operation of a clause, or enter its state.
    fn calls_of(&self, clause: Span) -> Vec<&Use> {
        let uses = self.names.uses.iter().filter(|u| u.access == Access::Call);
        uses.filter(|u| self.names.decl(u.decl).clause == clause).collect()
    }
}

fn grouped(pairs: impl Iterator<Item = (CallItem, Span)>) -> Vec<CallEdge> {
    let mut groups: BTreeMap<CallItem, Vec<Span>> = BTreeMap::new();
    for (party, place) in pairs {
        groups.entry(party).or_default().push(place);
    }
    let all = groups.into_iter().map(|(party, mut places)| {
        places.sort_unstable();
        places.dedup();
        CallEdge { party, places }
    });
    all.collect()
}
