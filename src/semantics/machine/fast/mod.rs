//! Steps of runs that nobody watches, by fast code ([`crate::instance::FastCode`]): the same steps as everywhere.
//! What is not usual is left to the machine, which takes the step again from its beginning.

mod channels;
mod counts;
mod heads;
mod delivery;
mod firsts_at_random;
mod at_random;
mod queue;
mod in_order;

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

/// So many processes do not fit the nearest cache: what some steps need is fetched before them, all together, instead of being
/// waited for one after the other.
const FAR: usize = 1 << 15;

/// Room for messages is made at once for this many, where there are as many channels.
const MOST_RESERVED: u32 = 1 << 22;

/// Numbers that are drawn.
pub trait Lot {
    /// A number below `bound`, each as likely as any other.
    fn below(&mut self, bound: u32) -> u32;

    /// Now and then: what `below` will say next for this bound, one time after the other, until the next forecast; and what it will say
    /// in the time after that, as far as it is known. A guess that is nearly always right.
    fn forecast(&self, bound: u32) -> Forecast<impl Iterator<Item = u32> + Clone>;
}

/// What will be drawn.
#[derive(Clone, Copy, Debug)]
pub struct Forecast<I> {
    pub soon: I,
    pub later: I,
}

/// Jumps backwards that a command may take here. One that goes on longer is for the machine to count.
const MOST_LOOPS: u32 = 10_000;

/// What came of offering a message.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Fast {
    Taken,
    /// The same, and the process is as it was before.
    Passed,
    /// Nobody takes it now.
    Nobody,
    /// Nothing has been done: the machine must take this step.
    Left,
}

/// Where messages of so many words are put.
trait Mail<const K: usize> {
    fn send(&mut self, arrival: u32, kind: u8, words: [i64; K]);
}

/// The instance, with what fast code makes of it.
#[derive(Clone, Copy, Debug)]
struct Setting<'a, W> {
    instance: &'a Instance,
    fast: &'a FastCode,
    wiring: W,
}

/// Puts into the registers what comparisons may want to know besides the variables of a process.
#[inline(always)]
fn tell<const K: usize>(registers: &mut Registers, id: i64, words: [i64; K]) {
    registers[ID] = id;
    registers[MESSAGE..MESSAGE + K].copy_from_slice(&words);
}

impl<W: Wiring> Setting<'_, W> {
    /// Puts into the registers what the code of an entry wants to know besides the message and the id.
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

/// What has become of a plan.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Carried {
    /// Done: the process is where it was, whatever its variables hold.
    Stayed,
    /// Done: it may be in another cell.
    Moved,
    /// Nothing is done: code has to be run.
    Code,
}

/// Follows comparisons to a plan and carries it out. `send` is given the message, if there is one: arrival, kind and words.
#[inline(always)]
fn carry_out<const K: usize, W: Wiring>(
    setting: Setting<'_, W>,
    registers: &Registers,
    mut end: End,
    process: u32,
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

/// Runs fast code from a place to its end. On `Left` and `Nobody` the registers are void, and the mail may hold
/// messages that must go.
#[inline(always)]
fn execute<const K: usize, W: Wiring>(
    setting: Setting<'_, W>,
    registers: &mut Registers,
    start: u32,
    process: u32,
    state: &[i64],
    mail: &mut impl Mail<K>,
) -> Fast {
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
                    return Fast::Left;
                }
                if wait != STAY {
                    set!(0u8, i64::from(wait));
                }
                return Fast::Taken;
            }
            FastOp::Pass { kind, to, ref words } => {
                if !post(setting.wiring, registers, process, to, kind, words, mail) {
                    return Fast::Left;
                }
                return Fast::Passed;
            }
            FastOp::Done => return Fast::Passed,
            FastOp::Finish => return Fast::Taken,
            FastOp::Load { target } => {
                copy_words(registers, state);
                pc = target as usize;
                continue;
            }
            FastOp::Send { kind, to, ref words } => {
                if !post(setting.wiring, registers, process, to, kind, words, mail) {
                    return Fast::Left;
                }
            }
            FastOp::Move { to, from } => set!(to, registers[from as usize]),
            FastOp::Wait { wait } => {
                set!(0u8, i64::from(wait));
                return Fast::Taken;
            }
            FastOp::Arith { op, to, a, b } => {
                match arithmetic(op, registers[a as usize], registers[b as usize]) {
                    Some(word) => set!(to, word),
                    None => return Fast::Left,
                }
            }
            FastOp::Call { f, to, a, b } => match call(f, registers[a as usize], registers[b as usize]) {
                Some(word) => set!(to, word),
                None => return Fast::Left,
            },
            FastOp::Opposite { to, a } => match registers[a as usize] {
                port @ (0 | 1) => set!(to, 1 - port),
                _ => return Fast::Left,
            },
            FastOp::PortFact { fact, to, a } => {
                match port_fact(setting.instance, process, fact, registers[a as usize]) {
                    Some(word) => set!(to, word),
                    None => return Fast::Left,
                }
            }
            FastOp::Jump { target } => {
                pc = target as usize;
                continue;
            }
            FastOp::Loop { target } => {
                if loops == 0 {
                    return Fast::Left;
                }
                loops -= 1;
                pc = target as usize;
                continue;
            }
            FastOp::Halt => {
                set!(0u8, HALTED);
                return Fast::Taken;
            }
            FastOp::Nobody => return Fast::Nobody,
            FastOp::Leave => return Fast::Left,
        }
        pc += 1;
    }
}

const _: () = assert!(PC == 0);

/// Follows tests from a place on: most commands begin with them, and they are not worth a jump through the table of
/// operations.
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

/// Sends a message where it is to go. False: there is no way.
#[inline(always)]
fn post<const K: usize>(
    wiring: impl Wiring,
    registers: &Registers,
    process: u32,
    to: Route,
    kind: u8,
    places: &[u8; MOST_WORDS],
    mail: &mut impl Mail<K>,
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

/// To all ports but one.
#[inline(never)]
fn to_neighbours<const K: usize>(
    wiring: impl Wiring,
    registers: &Registers,
    process: u32,
    except: i64,
    kind: u8,
    places: &[u8; MOST_WORDS],
    mail: &mut impl Mail<K>,
) {
    for port in (0..i64::from(wiring.ports(process))).filter(|port| *port != except) {
        let arrival = wiring.send(process, port, kind);
        if arrival != NONE {
            mail.send(arrival, kind, at(registers, places));
        }
    }
}

/// The words of a message. They are read where they are sent and never lent to a function of its own: then they stay in the
/// processor's registers. Written one by one and read back several at once, as a message lent out is, they cost some fifteen cycles.
#[inline(always)]
fn at<const K: usize>(registers: &Registers, places: &[u8; MOST_WORDS]) -> [i64; K] {
    std::array::from_fn(|i| registers[places[i] as usize])
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
