//! Ports and labels, which a process sees of the network, and links, which carry its messages.

use crate::ids::ProcessId;
use std::fmt;

/// Marks an absent link or port where a number is expected.
pub const NONE: u32 = u32::MAX;
/// The port of a link that has none: a self link, or a link reached by address.
pub const NO_PORT: u32 = u32::MAX;

/// A process's name for one of its ports. The order of labels is the order of ports in oriented networks.
///
/// It takes four bytes, so that a port takes sixteen: see the size assertion below.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Label {
    /// Downstream on a unidirectional ring: the only port that sends.
    Next,
    /// Upstream on a unidirectional ring: a port that only receives.
    Prev,
    Left,
    Right,
    North,
    East,
    South,
    West,
    /// Hypercube: leads to the process whose index differs in this bit.
    Dimension(u8),
    /// Complete network: leads to the process this many positions further, modulo n.
    Chord(u16),
    /// Rooted tree: leads towards the root.
    Parent,
}

impl Label {
    /// Return the label at the other end of the same edge, in a network of `n` processes.
    pub fn mirrored(self, n: u32) -> Option<Label> {
        Some(match self {
            Label::Next => Label::Prev,
            Label::Prev => Label::Next,
            Label::Left => Label::Right,
            Label::Right => Label::Left,
            Label::North => Label::South,
            Label::South => Label::North,
            Label::East => Label::West,
            Label::West => Label::East,
            Label::Dimension(k) => Label::Dimension(k),
            Label::Chord(k) => Label::Chord(u16::try_from(n.checked_sub(u32::from(k))?).ok()?),
            Label::Parent => return None,
        })
    }

    /// Parse a label that is a word of the language, such as `north` in `send m to north`.
    pub fn parse(word: &str) -> Option<Label> {
        Some(match word {
            "next" => Label::Next,
            "prev" => Label::Prev,
            "left" => Label::Left,
            "right" => Label::Right,
            "north" => Label::North,
            "east" => Label::East,
            "south" => Label::South,
            "west" => Label::West,
            "parent" => Label::Parent,
            _ => return None,
        })
    }
}

impl fmt::Display for Label {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Label::Next => "next",
            Label::Prev => "prev",
            Label::Left => "left",
            Label::Right => "right",
            Label::North => "north",
            Label::East => "east",
            Label::South => "south",
            Label::West => "west",
            Label::Parent => "parent",
            Label::Dimension(k) => return write!(f, "dimension {k}"),
            Label::Chord(k) => return write!(f, "chord {k}"),
        })
    }
}

/// One port of a process. The weight of its edge is [`Network::weight`](super::Network::weight).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Port {
    pub label: Option<Label>,
    /// The process at the other end (the process itself, for a self loop).
    pub peer: ProcessId,
    /// The outgoing link, or [`NONE`].
    pub out: u32,
    /// The incoming link, or [`NONE`].
    pub incoming: u32,
}

/// A directed link: one channel. Ports are numbered within their process, from 0.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Link {
    pub from: ProcessId,
    pub to: ProcessId,
    /// The sender's port; [`NO_PORT`] for self links and addressed links.
    pub from_port: u32,
    /// The receiver's port; [`NO_PORT`] for self links and addressed links.
    pub to_port: u32,
}

// On a listed unidirectional ring a process takes 60 bytes: two ports, a link, an offset and an id.
const _: () = assert!(size_of::<Port>() == 16 && size_of::<Link>() == 16);
