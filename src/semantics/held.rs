//! Messages held back by a scenario. Notes of the application bypass the network and are never held.

use super::pool::MessageRef;
use crate::ids::{ChannelId, MessageId};
use crate::instance::Instance;

pub use crate::instance::Hold;

/// The messages held now. A held message blocks a FIFO channel, like a slow one.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Held {
    pub holds: Vec<Hold>,
    /// Numbers of messages that are delivered nevertheless: those that a `receive … from each` was still waiting for.
    pub let_through: Vec<MessageId>,
}

impl Held {
    #[inline]
    pub fn is_empty(&self) -> bool {
        self.holds.is_empty()
    }

    /// Return whether this message of this channel is held.
    pub fn holds(&self, instance: &Instance, channel: ChannelId, message: &MessageRef<'_>) -> bool {
        if self.let_through.contains(&message.id) {
            return false;
        }
        let (from, to) = (instance.sender(channel), instance.receiver(channel));
        self.holds.iter().any(|hold| hold.holds(from, to, message.kind))
    }
}
