//! Deliveries of plain programs ([`crate::instance::PlainCode`]), without recording: the same steps as everywhere,
//! by a loop in which nothing is left to look up. It leaves every case but the usual one to the general way.

use super::accept::sender;
use super::run::no_guard;
use super::send::not_one;
use super::{Eval, MAX_OPS_PER_COMMAND, Machine};
use crate::instance::{Instance, PlainCode, PlainOp, STAY};
use crate::ir::{HALTED, PC};
use crate::network::NONE;
use crate::semantics::abort::Abort;
use crate::semantics::configuration::{Configuration, HeadWord};
use crate::semantics::eval::{arithmetic, overflow};
use crate::semantics::metrics::digits;
use crate::semantics::pool::MAX_UNDER_WAY;
use std::collections::VecDeque;

/// How often it is asked whether to go on, in steps.
const STEPS_BETWEEN_LOOKS: u64 = 4096;

/// What came of a plain delivery.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Plain {
    Taken,
    /// There is no message, or nobody takes it now.
    Not,
}

/// Why deliveries in the order of sending came to an end.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ended {
    /// Nothing is under way.
    Quiet,
    /// So many steps have been taken.
    Limit,
    /// It is the turn of a message that nobody takes now.
    Untaken,
}

/// A message of one word, under way.
#[derive(Clone, Copy, Debug, Default)]
struct Message {
    channel: u32,
    kind: u32,
    id: u32,
    depth: u32,
    word: i64,
}

/// Where messages are taken from and put.
trait Mail {
    /// The message at hand leaves its channel.
    fn take(&mut self);
    fn send(&mut self, channel: u32, kind: u32, depth: u32, word: i64);
}

/// The channels of the configuration, with whoever wants to know what was sent.
struct Channels<'a, F> {
    configuration: &'a mut Configuration,
    channel: u32,
    head: HeadWord,
    sent: F,
}

impl<F: FnMut(u32, bool)> Mail for Channels<'_, F> {
    #[inline(always)]
    fn take(&mut self) {
        self.configuration.remove_word(self.channel, &self.head);
    }

    #[inline(always)]
    fn send(&mut self, channel: u32, kind: u32, depth: u32, word: i64) {
        let was_empty = self.configuration.send_word(channel, kind, depth, word);
        (self.sent)(channel, was_empty);
    }
}

/// All messages in the order of sending: as long as each is taken when it is its turn, that keeps the order of
/// every channel too, and nothing else needs to know the channels.
#[derive(Debug, Default)]
struct Queue {
    /// A power of two.
    ring: Vec<Message>,
    head: usize,
    len: usize,
    next_id: u32,
    /// The first message has been taken in this step.
    taken: bool,
}

impl Queue {
    #[inline(always)]
    fn push(&mut self, message: Message) {
        if self.len == self.ring.len() {
            self.grow();
        }
        let at = (self.head + self.len) & (self.ring.len() - 1);
        self.ring[at] = message;
        self.len += 1;
    }

    #[cold]
    fn grow(&mut self) {
        self.ring.rotate_left(self.head);
        self.head = 0;
        self.ring.resize((2 * self.ring.len()).max(64), Message::default());
    }

    #[inline(always)]
    fn first(&self) -> Option<Message> {
        if self.len == 0 { None } else { self.ring.get(self.head).copied() }
    }
}

impl Mail for Queue {
    #[inline(always)]
    fn take(&mut self) {
        self.head = (self.head + 1) & (self.ring.len() - 1);
        self.len -= 1;
        self.taken = true;
    }

    #[inline(always)]
    fn send(&mut self, channel: u32, kind: u32, depth: u32, word: i64) {
        let id = self.next_id;
        self.next_id = id.wrapping_add(1);
        self.push(Message { channel, kind, id, depth, word });
    }
}

impl Machine {
    /// Delivers the head of a channel. `sent` learns of every message: its channel, and whether that was empty.
    ///
    /// # Errors
    /// When the command aborts.
    #[inline(always)]
    pub fn deliver_plain(
        &mut self,
        instance: &Instance,
        plain: &PlainCode,
        configuration: &mut Configuration,
        channel: u32,
        process: u32,
        sent: impl FnMut(u32, bool),
    ) -> Eval<Plain> {
        let Some(head) = configuration.head_word(channel) else {
            return Ok(Plain::Not);
        };
        let HeadWord { kind, depth, id, word, .. } = head;
        let message = Message { channel, kind, id, depth, word };
        let first = configuration.next_message();
        let selector = self.select_plain(instance, plain, configuration, process, kind);
        let mail = &mut Channels { configuration, channel, head, sent };
        let end = self.execute_plain(instance, plain, process, selector, &message, mail);
        match end {
            Ok(Plain::Taken) => configuration.store_reached(process, self.registers.as_slice(), self.depth),
            Ok(Plain::Not) => {}
            Err(abort) => {
                configuration.undo_words(instance, process, channel, &head, first);
                return Err(self.explain_plain(instance, process, abort));
            }
        }
        end
    }

    /// Takes all messages out of their channels (`order`: the channel of each, by the order of sending), and delivers
    /// them in that order, with whatever is sent. What is left at the end goes back, and `order` says how. Answers how
    /// many steps were taken; `go_on` is asked every few thousand.
    pub fn deliver_in_order(
        &mut self,
        instance: &Instance,
        plain: &PlainCode,
        configuration: &mut Configuration,
        order: &mut VecDeque<u32>,
        max_steps: u64,
        mut go_on: impl FnMut() -> bool,
    ) -> (u64, Eval<Ended>) {
        let mut queue = Queue { next_id: configuration.next_message(), ..Queue::default() };
        for channel in order.drain(..) {
            if let Some(head) = configuration.head_word(channel) {
                let HeadWord { kind, depth, id, word, .. } = head;
                queue.push(Message { channel, kind, id, depth, word });
                configuration.remove_word(channel, &head);
            }
        }
        let mut steps = 0;
        let ended = loop {
            let Some(message) = queue.first() else {
                break Ok(Ended::Quiet);
            };
            let look = steps % STEPS_BETWEEN_LOOKS == STEPS_BETWEEN_LOOKS - 1;
            if steps == max_steps || (look && (queue.len >= MAX_UNDER_WAY as usize || !go_on())) {
                break Ok(Ended::Limit);
            }
            let process = instance.layout.receivers[message.channel as usize];
            let (len, next_id) = (queue.len, queue.next_id);
            queue.taken = false;
            let selector = self.select_plain(instance, plain, configuration, process, message.kind);
            match self.execute_plain(instance, plain, process, selector, &message, &mut queue) {
                Ok(Plain::Taken) => {
                    configuration.store_reached(process, self.registers.as_slice(), self.depth);
                    steps += 1;
                }
                Ok(Plain::Not) => break Ok(Ended::Untaken),
                Err(abort) => {
                    // What it sent goes, and the message it took comes back.
                    queue.next_id = next_id;
                    queue.len = len;
                    if queue.taken {
                        queue.head = queue.head.wrapping_sub(1) & (queue.ring.len() - 1);
                        queue.ring[queue.head] = message;
                    }
                    break Err(self.explain_plain(instance, process, abort));
                }
            }
        };
        configuration.forget_numbers(queue.next_id);
        while let Some(message) = queue.first() {
            queue.take();
            let Message { channel, kind, id, depth, word } = message;
            configuration.put_back_word(channel, kind, id, depth, word);
            order.push_back(channel);
        }
        (steps, ended)
    }

    /// Readies the registers, and finds the code that asks who takes the message.
    #[inline(always)]
    fn select_plain(
        &mut self,
        instance: &Instance,
        plain: &PlainCode,
        configuration: &Configuration,
        process: u32,
        kind: u32,
    ) -> u32 {
        let table = &instance.tables[0];
        let block = configuration.block(process);
        if let Some((own, state)) = block.split_last() {
            self.depth = *own as u32;
            super::copy_words(self.registers.as_mut_slice(), state);
        }
        if let Some(id) = plain.id {
            self.registers[id as usize] = instance.network.id(process);
        }
        table.selector(table.cell_number(kind, block))
    }

    #[inline(always)]
    fn execute_plain(
        &mut self,
        instance: &Instance,
        plain: &PlainCode,
        process: u32,
        selector: u32,
        message: &Message,
        mail: &mut impl Mail,
    ) -> Eval<Plain> {
        let table = &instance.tables[0];
        let registers = &mut *self.registers;
        let mut depth = self.depth;
        let mut pc = selector as usize;
        let mut budget = MAX_OPS_PER_COMMAND;
        macro_rules! jump {
            ($target:expr) => {{
                if budget == 0 {
                    return Err(endless(instance));
                }
                budget -= 1;
                pc = $target as usize;
                continue;
            }};
        }
        macro_rules! send {
            ($kind:expr, $a:expr) => {{
                let link = instance.layout.only_out[process as usize];
                if link == NONE {
                    return Err(not_one(instance, process, table.micro.span(pc as u32)));
                }
                let word = registers[$a as usize];
                let longer = depth.saturating_add(1);
                mail.send(link, u32::from($kind), longer, word);
                self.metrics.time = self.metrics.time.max(longer);
                self.metrics.sent[$kind as usize] += 1;
                let (fixed, content) = plain.bits[$kind as usize];
                let bits = fixed + if content { 1 + digits(word) } else { 0 };
                self.metrics.bits[$kind as usize] += u64::from(bits);
            }};
        }
        let code = plain.code.as_slice();
        loop {
            match code[pc] {
                PlainOp::BindCheck { outcomes, to, b, target } => {
                    registers[to as usize] = message.word;
                    if !outcomes.hold(message.word, registers[b as usize]) {
                        jump!(target);
                    }
                    // The check it stands for follows it.
                    pc += 1;
                }
                PlainOp::JumpUnless { outcomes, a, b, target } => {
                    if !outcomes.hold(registers[a as usize], registers[b as usize]) {
                        jump!(target);
                    }
                }
                PlainOp::Take { entry } => {
                    depth = depth.max(message.depth);
                    mail.take();
                    pc = entry as usize;
                    continue;
                }
                PlainOp::SendLast { kind, a, wait } => {
                    send!(kind, a);
                    if wait != STAY {
                        registers[PC as usize] = i64::from(wait);
                    }
                    break;
                }
                PlainOp::Finish => break,
                PlainOp::Send { kind, a } => send!(kind, a),
                PlainOp::Bind { to } => registers[to as usize] = message.word,
                PlainOp::Move { to, from } => registers[to as usize] = registers[from as usize],
                PlainOp::Wait { wait } => {
                    registers[PC as usize] = i64::from(wait);
                    break;
                }
                PlainOp::Jump { target } => jump!(target),
                PlainOp::JumpIfZero { a, target } => {
                    if registers[a as usize] == 0 {
                        jump!(target);
                    }
                }
                PlainOp::Arith { op, to, a, b } => {
                    let (a, b) = (registers[a as usize], registers[b as usize]);
                    match arithmetic(op, a, b) {
                        Some(w) => registers[to as usize] = w,
                        None => return Err(overflow(op, a, b, table.micro.span(pc as u32))),
                    }
                }
                PlainOp::Compare { outcomes, to, a, b } => {
                    let holds = outcomes.hold(registers[a as usize], registers[b as usize]);
                    registers[to as usize] = i64::from(holds);
                }
                PlainOp::Not { to, a } => registers[to as usize] = i64::from(registers[a as usize] == 0),
                PlainOp::BindSender { to } => registers[to as usize] = sender(instance, message.channel),
                PlainOp::Idle => {
                    registers[PC as usize] = 0;
                    break;
                }
                PlainOp::Halt => {
                    registers[PC as usize] = HALTED;
                    break;
                }
                PlainOp::NoGuard => return Err(no_guard(table.micro.span(pc as u32))),
                PlainOp::Nobody => return Ok(Plain::Not),
            }
            pc += 1;
        }
        self.depth = depth;
        Ok(Plain::Taken)
    }

    /// The abort with the variables at that moment.
    #[cold]
    fn explain_plain(&mut self, instance: &Instance, process: u32, abort: Box<Abort>) -> Box<Abort> {
        let words = self.words.len().min(self.registers.len());
        self.words[..words].copy_from_slice(&self.registers[..words]);
        self.explain(instance, process, abort)
    }
}

#[cold]
fn endless(instance: &Instance) -> Box<Abort> {
    let role = &instance.program.roles[0];
    Abort::new(
        role.span,
        format!(
            "endless local loop: a command has taken {MAX_OPS_PER_COMMAND} jumps without reaching a waiting point"
        ),
    )
}
