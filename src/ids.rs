//! Numbers of things, each kind a type of its own, so that one cannot be taken for another.

use serde::{Deserialize, Serialize};
use std::fmt;

macro_rules! number_type {
    ($(#[$doc:meta])* $name:ident, $letter:literal) => {
        $(#[$doc])*
        #[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default, Serialize, Deserialize)]
        #[serde(transparent)]
        pub struct $name(pub u32);

        impl $name {
            /// Return the number as an index into a list.
            #[inline(always)]
            pub const fn index(self) -> usize {
                self.0 as usize
            }
        }

        // In schemas it is a plain number, without a definition of its own.
        #[cfg(feature = "schemas")]
        impl schemars::JsonSchema for $name {
            fn inline_schema() -> bool {
                true
            }

            fn schema_name() -> std::borrow::Cow<'static, str> {
                u32::schema_name()
            }

            fn json_schema(generator: &mut schemars::SchemaGenerator) -> schemars::Schema {
                u32::json_schema(generator)
            }
        }

        impl From<u32> for $name {
            fn from(number: u32) -> $name {
                $name(number)
            }
        }

        impl fmt::Debug for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                write!(f, concat!($letter, "{}"), self.0)
            }
        }
    };
}

number_type! {
    /// A process, by its position in the network, from 0. Its id, which the algorithm sees, is another number.
    ProcessId, "p"
}

number_type! {
    /// A message of a run, in the order of sending, from 0.
    MessageId, "m"
}

impl From<MessageId> for u64 {
    fn from(message: MessageId) -> u64 {
        message.0.into()
    }
}

impl fmt::Display for MessageId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "m{}", self.0)
    }
}

impl MessageId {
    /// Return the number of the message sent so many messages later. Numbers wrap around.
    pub const fn plus(self, later: u32) -> MessageId {
        MessageId(self.0.wrapping_add(later))
    }

    /// Return the number of the message sent so many messages earlier.
    pub const fn minus(self, earlier: u32) -> MessageId {
        MessageId(self.0.wrapping_sub(earlier))
    }
}

number_type! {
    /// A configuration of the explored state space, by the order in which it was found or, with several threads, by its place in a shard.
    StateId, "s"
}

number_type! {
    /// A channel: a lane of a link. Its number is that of the link times the number of lanes, plus that of the lane.
    ChannelId, "c"
}

impl fmt::Display for ProcessId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Debug::fmt(self, f)
    }
}
