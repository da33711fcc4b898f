//! Steps of runs that nobody watches, by fast code ([`crate::instance::FastCode`]): the same steps as everywhere.
//! What is not usual is left to the machine, which takes the step again from its beginning.

mod channels;
mod in_order;

use super::Metrics;
use crate::instance::{Bits, FastCode, FastKind, FastOp, Instance, Registers, Route, STAY};
use crate::ir::{Builtin, HALTED, NONE_WORD, PC, PortFact};
use crate::network::NONE;
use crate::semantics::eval::{arithmetic, power};
use crate::semantics::metrics::{digits, log2_ceil};

pub use in_order::Ended;

/// Jumps backwards that a command may take here. One that goes on longer is for the machine to count.
const MOST_LOOPS: u32 = 10_000;

/// What came of offering a message.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Fast {
    Taken,
    /// Nobody takes it now.
    Nobody,
    /// Nothing has been done: the machine must take this step.
    Left,
}

/// Where messages are put.
trait Mail<const K: usize> {
    fn send(&mut self, link: u32, kind: u8, words: [i64; K]);
}

/// How a command ended, and which words it may have changed: a bit for each register, modulo 64.
struct Done {
    end: Fast,
    changed: u64,
}

/// Runs fast code from a place to its end. On `Left` and `Nobody` the registers are void, and the mail may hold
/// messages that must go.
#[inline(always)]
fn execute<const K: usize>(
    instance: &Instance,
    fast: &FastCode,
    registers: &mut Registers,
    start: u32,
    process: u32,
    mail: &mut impl Mail<K>,
) -> Done {
    let code = fast.code.as_slice();
    let mut pc = start as usize;
    let mut changed = 0u64;
    let mut loops = MOST_LOOPS;
    macro_rules! set {
        ($to:expr, $word:expr) => {{
            registers[$to as usize] = $word;
            changed |= 1u64.wrapping_shl(u32::from($to));
        }};
    }
    macro_rules! end {
        ($end:expr) => {
            return Done { end: $end, changed }
        };
    }
    loop {
        match code[pc] {
            FastOp::Test { a, b, less, equal, greater } => {
                let (a, b) = (registers[a as usize], registers[b as usize]);
                pc = if a < b {
                    less
                } else if a == b {
                    equal
                } else {
                    greater
                } as usize;
                continue;
            }
            FastOp::SendEnd { kind, to, words, wait } => {
                let words = std::array::from_fn(|i| registers[words[i] as usize]);
                if !post(instance, fast, registers, process, to, kind, words, mail) {
                    end!(Fast::Left);
                }
                if wait != STAY {
                    set!(0u8, i64::from(wait));
                }
                end!(Fast::Taken);
            }
            FastOp::Finish => end!(Fast::Taken),
            FastOp::Send { kind, to, words } => {
                let words = std::array::from_fn(|i| registers[words[i] as usize]);
                if !post(instance, fast, registers, process, to, kind, words, mail) {
                    end!(Fast::Left);
                }
            }
            FastOp::Move { to, from } => set!(to, registers[from as usize]),
            FastOp::Wait { wait } => {
                set!(0u8, i64::from(wait));
                end!(Fast::Taken);
            }
            FastOp::Arith { op, to, a, b } => {
                match arithmetic(op, registers[a as usize], registers[b as usize]) {
                    Some(word) => set!(to, word),
                    None => end!(Fast::Left),
                }
            }
            FastOp::Call { f, to, a, b } => match call(f, registers[a as usize], registers[b as usize]) {
                Some(word) => set!(to, word),
                None => end!(Fast::Left),
            },
            FastOp::Opposite { to, a } => match registers[a as usize] {
                port @ (0 | 1) => set!(to, 1 - port),
                _ => end!(Fast::Left),
            },
            FastOp::PortFact { fact, to, a } => {
                match port_fact(instance, process, fact, registers[a as usize]) {
                    Some(word) => set!(to, word),
                    None => end!(Fast::Left),
                }
            }
            FastOp::Jump { target } => {
                pc = target as usize;
                continue;
            }
            FastOp::Loop { target } => {
                if loops == 0 {
                    end!(Fast::Left);
                }
                loops -= 1;
                pc = target as usize;
                continue;
            }
            FastOp::Halt => {
                set!(0u8, HALTED);
                end!(Fast::Taken);
            }
            FastOp::Nobody => end!(Fast::Nobody),
            FastOp::Leave => end!(Fast::Left),
        }
        pc += 1;
    }
}

const _: () = assert!(PC == 0);

/// Sends a message where it is to go. False: there is no way.
#[inline(always)]
#[allow(clippy::too_many_arguments)]
fn post<const K: usize>(
    instance: &Instance,
    fast: &FastCode,
    registers: &Registers,
    process: u32,
    to: Route,
    kind: u8,
    words: [i64; K],
    mail: &mut impl Mail<K>,
) -> bool {
    let ports = || instance.network.ports(process);
    match to {
        Route::Only => {
            let link = fast.only_link(instance, process);
            if link == NONE {
                return false;
            }
            mail.send(link, kind, words);
        }
        Route::Port(port) => {
            let link = fast.link(instance, process, registers[port as usize]);
            if link == NONE {
                return false;
            }
            mail.send(link, kind, words);
        }
        Route::Neighbours => {
            for port in ports().iter().filter(|port| port.out != NONE) {
                mail.send(port.out, kind, words);
            }
        }
        Route::NeighboursExcept(except) => {
            let except = registers[except as usize];
            for (k, port) in (0i64..).zip(ports()) {
                if port.out != NONE && k != except {
                    mail.send(port.out, kind, words);
                }
            }
        }
    }
    true
}

/// A function of numbers. None: it has no value here.
#[inline]
fn call(f: Builtin, a: i64, b: i64) -> Option<i64> {
    match f {
        Builtin::Max => Some(a.max(b)),
        Builtin::Min => Some(a.min(b)),
        Builtin::Abs => a.checked_abs(),
        Builtin::Log2Floor => (a >= 1).then(|| i64::from(a.ilog2())),
        Builtin::Log2Ceil => (a >= 1).then(|| i64::from(log2_ceil(a as u64))),
        Builtin::Pow if a == 2 && (0..63).contains(&b) => Some(1 << b),
        Builtin::Pow => power(a, b),
        _ => None,
    }
}

#[inline]
fn port_fact(instance: &Instance, process: u32, fact: PortFact, port: i64) -> Option<i64> {
    let network = &instance.network;
    let port = u32::try_from(port).ok().filter(|port| *port < network.degree(process))?;
    match fact {
        PortFact::Opposite => network.opposite(process, port).map(i64::from),
        PortFact::Neighbour => Some(network.id(network.ports(process)[port as usize].peer)),
        PortFact::Numbered => Some(i64::from(port)),
        PortFact::Weight | PortFact::Dimension | PortFact::Chord => None,
    }
}

/// Bits of a message: see [`Metrics`].
#[inline(always)]
fn bits<const K: usize>(kind: &FastKind, words: &[i64; K]) -> u64 {
    let mut bits = kind.fixed_bits;
    for (word, count) in words.iter().zip(&kind.bits) {
        bits += match count {
            Bits::Fixed => 0,
            Bits::Number => 1 + digits(*word),
            Bits::Optional if *word == NONE_WORD => 1,
            Bits::Optional => 2 + digits(*word),
        };
    }
    u64::from(bits)
}

/// What messages of one kind have cost.
#[derive(Clone, Copy, Debug, Default)]
struct Count {
    sent: u64,
    to_self: u64,
    bits: u64,
}

/// Counts apart from the metrics, so that what belongs together lies together.
#[derive(Debug)]
struct Counts {
    kinds: Vec<Count>,
    time: u32,
    self_links: bool,
}

impl Counts {
    fn new(instance: &Instance) -> Counts {
        Counts {
            kinds: vec![Count::default(); instance.program.kinds.len()],
            time: 0,
            self_links: instance.layout.self_links,
        }
    }

    #[inline(always)]
    fn add<const K: usize>(
        &mut self,
        instance: &Instance,
        fast: &FastCode,
        link: u32,
        kind: u8,
        words: &[i64; K],
    ) {
        let count = &mut self.kinds[kind as usize];
        if self.self_links && instance.is_self_link(link) {
            count.to_self += 1;
        } else {
            count.sent += 1;
            count.bits += bits(&fast.kinds[kind as usize], words);
        }
    }

    /// The opposite: the message has not been sent after all.
    #[cold]
    fn subtract<const K: usize>(
        &mut self,
        instance: &Instance,
        fast: &FastCode,
        link: u32,
        kind: u8,
        words: &[i64; K],
    ) {
        let count = &mut self.kinds[kind as usize];
        if instance.is_self_link(link) {
            count.to_self -= 1;
        } else {
            count.sent -= 1;
            count.bits -= bits(&fast.kinds[kind as usize], words);
        }
    }

    /// Adds all to the metrics.
    fn report(&mut self, metrics: &mut Metrics) {
        for (kind, count) in self.kinds.iter_mut().enumerate() {
            let count = std::mem::take(count);
            metrics.sent[kind] += count.sent;
            metrics.to_self[kind] += count.to_self;
            metrics.bits[kind] += count.bits;
        }
        metrics.time = metrics.time.max(self.time);
    }
}

/// Words that have changed go back to their process.
#[inline(always)]
fn store(state: &mut [i64], registers: &Registers, mut changed: u64) {
    while changed != 0 {
        let slot = changed.trailing_zeros() as usize;
        // Bits of temporaries are among them.
        if let Some(word) = state.get_mut(slot) {
            *word = registers[slot];
        }
        changed &= changed - 1;
    }
}
