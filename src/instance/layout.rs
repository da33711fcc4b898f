//! Memory layout of a configuration: sizes and offsets.

use crate::ids::{ChannelId, ProcessId};
use crate::ir::{Program, Type};
use crate::network::Network;

/// Maximum number of channels of an instance: their heads alone take 256 MB.
pub const MAX_CHANNELS: u64 = 64_000_000;

/// Sizes and offsets. Every process has as many slots as the largest role: one multiplication finds them, and only instances with
/// few processes have several roles.
#[derive(Clone, Debug)]
pub struct Layout {
    /// Number of words of a process's state that belong to the program.
    pub words: usize,
    /// Distance between the words of two processes: one more than `words`, for use by [`crate::semantics::configuration`].
    pub word_stride: usize,
    pub values: usize,
    pub frame_words: usize,
    pub frame_values: usize,
    /// Number of words and values of the largest message.
    pub message_words: usize,
    pub message_values: usize,
    pub lanes: u32,
    pub channels: u32,
    /// By lane: whether its channels are FIFO.
    pub fifo: Vec<bool>,
    /// Whether all channels are FIFO.
    pub all_fifo: bool,
    /// Whether messages are delivered in rounds, in the order of their channel.
    in_rounds: bool,
    /// By process: see [`Instance::only_out`](super::Instance::only_out). Empty if no command needs it, or the network stores no
    /// list of links.
    pub only_out: Vec<u32>,
    /// By stored link: its receiver. This takes a quarter of the memory of the links themselves, and every step reads it. Empty
    /// if the network stores no list of links.
    pub receivers: Vec<ProcessId>,
    /// Whether senders and receivers are identified by ids, not by ports.
    pub by_id: bool,
    /// Whether a process can send to itself.
    pub self_links: bool,
    /// By message kind: its size and the rules for counting its bits.
    pub kinds: Vec<KindLayout>,
}

#[derive(Clone, Debug)]
pub struct KindLayout {
    pub lane: u32,
    pub words: usize,
    pub values: usize,
    /// Bits of the tag and of the fields of constant size.
    pub fixed_bits: u32,
    /// Whether the message is one word, and all its bits depend on the value.
    pub single: bool,
    /// Words whose number of bits depends on the value, and the bits in addition to the digits.
    pub number_words: Vec<(u16, Number)>,
    /// Value places of optional Ints, which fit no word.
    pub optional_ints: Vec<u16>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Number {
    Plain,
    /// `none` takes one bit; any other value one bit more than a plain number.
    Optional,
}

impl Layout {
    pub(super) fn new(program: &Program, network: &Network, wrong: &mut Vec<String>) -> Layout {
        let most =
            |f: &dyn Fn(&crate::ir::Role) -> u16| program.roles.iter().map(f).max().unwrap_or(0) as usize;
        let words = most(&|r| r.words).max(1);
        let lanes = program.lanes.len().max(1) as u32;
        let channels = u64::from(network.link_bound()) * u64::from(lanes);
        if channels > MAX_CHANNELS {
            wrong.push(format!(
                "{} has {channels} channels for this algorithm; the maximum is {MAX_CHANNELS}",
                network.topology()
            ));
        }
        let fifo: Vec<bool> = program.lanes.iter().map(|lane| lane.fifo).collect();
        let in_rounds = program.assumptions.rounds();
        Layout {
            words,
            word_stride: words + 1,
            values: most(&|r| r.values),
            frame_words: most(&|r| r.frame_words).max(words),
            frame_values: most(&|r| r.frame_values).max(most(&|r| r.values)),
            message_words: program.kinds.iter().map(|k| k.words).max().unwrap_or(0) as usize,
            message_values: program.kinds.iter().map(|k| k.values).max().unwrap_or(0) as usize,
            lanes,
            channels: channels.min(MAX_CHANNELS) as u32,
            all_fifo: in_rounds || fifo.iter().all(|f| *f),
            fifo,
            in_rounds,
            only_out: only_outgoing(program, network),
            receivers: if network.is_listed() {
                network.links().map(|link| link.to).collect()
            } else {
                Vec::new()
            },
            by_id: program.assumptions.identifies_by_id(),
            self_links: network.links().any(|link| link.from == link.to),
            kinds: kind_layouts(program),
        }
    }

    #[inline]
    pub fn link_of(&self, channel: ChannelId) -> u32 {
        // A division costs as much as half a guard, and most programs have one lane.
        if self.lanes == 1 { channel.0 } else { channel.0 / self.lanes }
    }

    #[inline]
    pub fn lane_of(&self, channel: ChannelId) -> u32 {
        if self.lanes == 1 { 0 } else { channel.0 % self.lanes }
    }

    #[inline]
    pub fn channel(&self, link: u32, lane: u32) -> ChannelId {
        ChannelId(link * self.lanes + lane)
    }

    /// Return whether the schedule can insert a message before the end of its channel. This holds in unordered rounds: all
    /// messages of a round are received at once, and `received` lists them in the order of the channel.
    #[inline]
    pub fn reorders_rounds(&self, channel: ChannelId) -> bool {
        self.in_rounds && !self.fifo[self.lane_of(channel) as usize]
    }

    /// Return whether messages are received in the order of the channel. In rounds they always are: see
    /// [`reorders_rounds`](Layout::reorders_rounds).
    #[inline]
    pub fn keeps_order(&self, channel: ChannelId) -> bool {
        self.all_fifo || self.fifo[self.lane_of(channel) as usize]
    }
}

fn only_outgoing(program: &Program, network: &Network) -> Vec<u32> {
    use crate::ir::{Destination, Op};
    let needed = program
        .roles
        .iter()
        .flat_map(|r| &r.code)
        .any(|op| matches!(op, Op::Send(send) if matches!(send.to, Destination::Only)));
    if !needed || !network.is_listed() {
        return Vec::new();
    }
    network.processes().map(|p| network.only_out(p)).collect()
}

fn kind_layouts(program: &Program) -> Vec<KindLayout> {
    let tag = log2_ceil(program.kinds.len() as u64);
    let layout = |kind: &crate::ir::MessageKind| {
        let mut fixed_bits = tag;
        let mut number_words = Vec::new();
        let mut optional_ints = Vec::new();
        for field in &kind.fields {
            let place = match field.place {
                crate::ir::Slot::Word(place) => place,
                crate::ir::Slot::Value(place) => {
                    let is_int = matches!(&field.ty, Type::Option(inner) if **inner == Type::Int);
                    optional_ints.extend(is_int.then_some(place));
                    continue;
                }
            };
            match &field.ty {
                Type::Bool => fixed_bits += 1,
                Type::Enum(of) => fixed_bits += cases_bits(program, *of),
                Type::Option(inner) => match &**inner {
                    Type::Bool => fixed_bits += 2,
                    Type::Enum(of) => fixed_bits += 1 + cases_bits(program, *of),
                    _ => number_words.push((place, Number::Optional)),
                },
                _ => number_words.push((place, Number::Plain)),
            }
        }
        KindLayout {
            lane: u32::from(kind.lane),
            words: kind.words as usize,
            values: kind.values as usize,
            fixed_bits,
            single: kind.words == 1 && kind.values == 0 && number_words == [(0, Number::Plain)],
            number_words,
            optional_ints,
        }
    };
    program.kinds.iter().map(layout).collect()
}

fn cases_bits(program: &Program, of: u32) -> u32 {
    log2_ceil(program.enums[of as usize].cases.len() as u64)
}

/// Return ⌈log₂ x⌉, 0 for x ≤ 1.
fn log2_ceil(x: u64) -> u32 {
    if x <= 1 { 0 } else { 64 - (x - 1).leading_zeros() }
}
