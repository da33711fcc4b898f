//! Steps of unobserved runs by fast code ([`crate::instance::FastCode`]), with the same effects as the machine's. Steps that fast
//! code does not support are undone, and executed by the machine from their beginning.

mod channels;
mod counts;
mod heads;
mod delivery;
mod firsts_at_random;
mod at_random;
mod queue;
mod in_order;

use crate::ids::ProcessId;
use crate::instance::{
    End, Entry, FastCode, FastOp, ID, Instance, MESSAGE, MOST_WORDS, NO_MESSAGE, Registers, Route, SENDER,
    STAY, Step, Wiring,
};
use crate::ir::{Builtin, HALTED, PC, PortFact};
use crate::network::NONE;
use crate::semantics::eval::{arithmetic, power};
use crate::semantics::machine::copy_words;
use crate::semantics::metrics::log2_ceil;
use counts::{Counts, bits};
pub use delivery::Ended;

/// Number of processes beyond which they do not fit the nearest cache: the data of several steps are then prefetched together,
/// instead of being waited for one after the other.
const PREFETCH_THRESHOLD: usize = 1 << 15;

/// Maximum number of messages for which memory is reserved at once, if there are as many channels.
const MAX_RESERVED_MESSAGES: u32 = 1 << 22;

/// A source of random numbers.
pub trait RandomSource {
    /// Return a number below `bound`, uniformly distributed.
    fn below(&mut self, bound: u32) -> u32;

    /// Predict, occasionally, the next results of `below` for this bound, in two parts: those until the next forecast, and known
    /// later ones. Predictions are nearly always correct.
    fn forecast(&self, bound: u32) -> Forecast<impl Iterator<Item = u32> + Clone>;
}

/// Predicted results of [`Lot::below`].
#[derive(Clone, Copy, Debug)]
pub struct Forecast<I> {
    pub soon: I,
    pub later: I,
}

/// Maximum number of backward jumps of a command. A command with more is left to the machine, which counts its operations.
const MOST_LOOPS: u32 = 10_000;

/// The result of offering a message.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FastResult {
    Taken,
    /// The message was taken, and the process is unchanged.
    Passed,
    /// No alternative accepts it now.
    Nobody,
    /// No effect: the machine must execute this step.
    Left,
}

/// Receives the messages, of K words, that code sends.
trait Outgoing<const K: usize> {
    fn send(&mut self, arrival: u32, kind: u8, words: [i64; K]);
}

/// An instance with its fast code and wiring.
#[derive(Clone, Copy, Debug)]
struct Setting<'a, W> {
    instance: &'a Instance,
    fast: &'a FastCode,
    wiring: W,
}

/// Set the registers that comparisons may read in addition to the variables of the process.
#[inline(always)]
fn tell<const K: usize>(registers: &mut Registers, id: i64, words: [i64; K]) {
    registers[ID] = id;
    registers[MESSAGE..MESSAGE + K].copy_from_slice(&words);
}

impl<W: Wiring> Setting<'_, W> {
    /// Set the registers that the code of an entry reads in addition to the message and the id.
    #[inline(always)]
    fn fetch(&self, registers: &mut Registers, entry: &Entry, state: &[i64], arrival: u32) {
        if entry.loads {
            copy_words(registers, state);
        }
        if entry.reads_sender {
            registers[SENDER] = self.wiring.sender(arrival);
        }
    }
}

/// The result of executing a plan.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Carried {
    /// Done: the process is in the same cell, but its variables may have changed.
    Stayed,
    /// Done: the process may be in another cell.
    Moved,
    /// No effect: code has to be run.
    Code,
}

/// Follow comparisons to a plan and execute it. `send` receives the message, if any: arrival, kind and words.
#[inline(always)]
fn carry_out<const K: usize, W: Wiring>(
    setting: Setting<'_, W>,
    registers: &Registers,
    mut end: End,
    process: ProcessId,
    state: &mut [i64],
    send: impl FnOnce(u32, u8, [i64; K]),
) -> Carried {
    macro_rules! word {
        ($of:expr) => {
            state.get($of as usize).copied().unwrap_or(registers[$of as usize])
        };
    }
    let plan = loop {
        match end.step(&setting.fast.plans) {
            Some(Step::Compare { a, b, ends }) => {
                let (a, b) = (word!(*a), word!(*b));
                end = ends[usize::from(a >= b) + usize::from(a > b)];
            }
            Some(Step::Plan(plan)) => break plan,
            None => return if end == End::DROP { Carried::Stayed } else { Carried::Code },
        }
    };
    if plan.kind != NO_MESSAGE {
        let words = std::array::from_fn(|i| word!(plan.words[i]));
        send(setting.wiring.onward(process, plan.kind), plan.kind, words);
    }
    for (to, from) in plan.stores() {
        state[*to as usize] = word!(*from);
    }
    if plan.wait != i64::from(STAY) {
        state[PC as usize] = plan.wait;
    }
    if plan.moves { Carried::Moved } else { Carried::Stayed }
}

/// Run fast code from an offset to its end. On `Left` and `Nobody`, the registers are invalid, and sent messages must be
/// discarded.
#[inline(always)]
fn execute<const K: usize, W: Wiring>(
    setting: Setting<'_, W>,
    registers: &mut Registers,
    start: u32,
    process: ProcessId,
    state: &[i64],
    mail: &mut impl Outgoing<K>,
) -> FastResult {
    let mut pc = start as usize;
    let code = setting.fast.code.as_slice();
    let mut loops = MOST_LOOPS;
    macro_rules! set {
        ($to:expr, $word:expr) => {
            registers[$to as usize] = $word
        };
    }
    loop {
        pc = decide(code, registers, pc);
        match code[pc] {
            FastOp::Test { .. } => continue,
            FastOp::SendEnd { kind, to, ref words, wait } => {
                if !post(setting.wiring, registers, process, to, kind, words, mail) {
                    return FastResult::Left;
                }
                if wait != STAY {
                    set!(0u8, i64::from(wait));
                }
                return FastResult::Taken;
            }
            FastOp::Pass { kind, to, ref words } => {
                if !post(setting.wiring, registers, process, to, kind, words, mail) {
                    return FastResult::Left;
                }
                return FastResult::Passed;
            }
            FastOp::Done => return FastResult::Passed,
            FastOp::Finish => return FastResult::Taken,
            FastOp::Load { target } => {
                copy_words(registers, state);
                pc = target as usize;
                continue;
            }
            FastOp::Send { kind, to, ref words } => {
                if !post(setting.wiring, registers, process, to, kind, words, mail) {
                    return FastResult::Left;
                }
            }
            FastOp::Move { to, from } => set!(to, registers[from as usize]),
            FastOp::Wait { wait } => {
                set!(0u8, i64::from(wait));
                return FastResult::Taken;
            }
            FastOp::Arith { op, to, a, b } => {
                match arithmetic(op, registers[a as usize], registers[b as usize]) {
                    Some(word) => set!(to, word),
                    None => return FastResult::Left,
                }
            }
            FastOp::Call { f, to, a, b } => match call(f, registers[a as usize], registers[b as usize]) {
                Some(word) => set!(to, word),
                None => return FastResult::Left,
            },
            FastOp::Opposite { to, a } => match registers[a as usize] {
                port @ (0 | 1) => set!(to, 1 - port),
                _ => return FastResult::Left,
            },
            FastOp::PortFact { fact, to, a } => {
                match port_fact(setting.instance, process, fact, registers[a as usize]) {
                    Some(word) => set!(to, word),
                    None => return FastResult::Left,
                }
            }
            FastOp::Jump { target } => {
                pc = target as usize;
                continue;
            }
            FastOp::Loop { target } => {
                if loops == 0 {
                    return FastResult::Left;
                }
                loops -= 1;
                pc = target as usize;
                continue;
            }
            FastOp::Halt => {
                set!(0u8, HALTED);
                return FastResult::Taken;
            }
            FastOp::Nobody => return FastResult::Nobody,
            FastOp::Leave => return FastResult::Left,
        }
        pc += 1;
    }
}

const _: () = assert!(PC == 0);

/// Follow tests from an offset: most commands begin with tests, and direct evaluation avoids the dispatch of operations.
#[inline(always)]
fn decide(code: &[FastOp], registers: &Registers, mut pc: usize) -> usize {
    while let FastOp::Test { a, b, less, equal, greater } = &code[pc] {
        let (a, b) = (registers[*a as usize], registers[*b as usize]);
        pc = *if a < b {
            less
        } else if a == b {
            equal
        } else {
            greater
        } as usize;
    }
    pc
}

/// Send a message to its destination. False: there is no link.
#[inline(always)]
fn post<const K: usize>(
    wiring: impl Wiring,
    registers: &Registers,
    process: ProcessId,
    to: Route,
    kind: u8,
    places: &[u8; MOST_WORDS],
    mail: &mut impl Outgoing<K>,
) -> bool {
    let arrival = match to {
        Route::Only => wiring.send_only(process, kind),
        Route::Port(port) => wiring.send(process, registers[port as usize], kind),
        Route::Neighbours => {
            to_neighbours(wiring, registers, process, -1, kind, places, mail);
            return true;
        }
        Route::NeighboursExcept(except) => {
            to_neighbours(wiring, registers, process, registers[except as usize], kind, places, mail);
            return true;
        }
    };
    if arrival != NONE {
        mail.send(arrival, kind, at(registers, places));
    }
    arrival != NONE
}

/// Send a message to all ports except one.
#[inline(never)]
fn to_neighbours<const K: usize>(
    wiring: impl Wiring,
    registers: &Registers,
    process: ProcessId,
    except: i64,
    kind: u8,
    places: &[u8; MOST_WORDS],
    mail: &mut impl Outgoing<K>,
) {
    for port in (0..i64::from(wiring.ports(process))).filter(|port| *port != except) {
        let arrival = wiring.send(process, port, kind);
        if arrival != NONE {
            mail.send(arrival, kind, at(registers, places));
        }
    }
}

/// Return the words of a message. They are read where they are sent, and never passed by reference, so that they remain in
/// processor registers. Otherwise they are written one by one and read back several at once, which costs some fifteen cycles.
#[inline(always)]
fn at<const K: usize>(registers: &Registers, places: &[u8; MOST_WORDS]) -> [i64; K] {
    std::array::from_fn(|i| registers[places[i] as usize])
}

/// Evaluate a function of numbers. `None`: it has no value here.
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
fn port_fact(instance: &Instance, process: ProcessId, fact: PortFact, port: i64) -> Option<i64> {
    let network = &instance.network;
    let port = u32::try_from(port).ok().filter(|port| *port < network.degree(process))?;
    match fact {
        PortFact::Opposite => network.opposite(process, port).map(i64::from),
        PortFact::Neighbour => Some(network.id(network.ports(process)[port as usize].peer)),
        PortFact::Numbered => Some(i64::from(port)),
        PortFact::Weight | PortFact::FarEnd | PortFact::Dimension | PortFact::Chord => None,
    }
}
