//! Deliveries of plain programs ([`crate::instance::PlainCode`]), without recording: the same steps as everywhere,
//! by a loop in which nothing is left to look up. It leaves every case but the usual one to the general way.

use super::accept::sender;
use super::send::not_one;
use super::{Eval, MAX_OPS_PER_COMMAND, Machine};
use crate::instance::{Instance, PlainCode, PlainOp};
use crate::ir::{HALTED, PC};
use crate::network::NONE;
use crate::semantics::abort::Abort;
use crate::semantics::configuration::Configuration;
use crate::semantics::eval::{arithmetic, overflow};
use crate::semantics::metrics::digits;

/// What came of a plain delivery.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Plain {
    Taken,
    /// There is no message, or nobody takes it now.
    Not,
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
        mut sent: impl FnMut(u32, bool),
    ) -> Eval<Plain> {
        let Some(head) = configuration.head_word(channel) else {
            return Ok(Plain::Not);
        };
        let table = &instance.tables[0];
        let block = configuration.block(process);
        let mut pc = table.selector(table.cell_number(head.kind, block)) as usize;
        let registers = &mut *self.registers;
        let Some((own, state)) = block.split_last() else {
            return Ok(Plain::Not);
        };
        let mut depth = *own as u32;
        super::copy_words(registers, state);
        if let Some(id) = plain.id {
            registers[id as usize] = instance.network.id(process);
        }
        let first = configuration.next_message();
        let mut budget = MAX_OPS_PER_COMMAND;
        macro_rules! jump {
            ($target:expr) => {{
                if budget == 0 {
                    break Err(endless(instance));
                }
                budget -= 1;
                pc = $target as usize;
                continue;
            }};
        }
        let code = plain.code.as_slice();
        let end: Eval<()> = loop {
            match code[pc] {
                PlainOp::Bind { to } => registers[to as usize] = head.word,
                PlainOp::JumpUnless { outcomes, a, b, target } => {
                    if !outcomes.hold(registers[a as usize], registers[b as usize]) {
                        jump!(target);
                    }
                }
                PlainOp::Take { entry } => {
                    depth = depth.max(head.depth);
                    // From here on the slot is free: the next message takes it while it is at hand.
                    configuration.remove_word(channel, &head);
                    pc = entry as usize;
                    continue;
                }
                PlainOp::Send { kind, a } => {
                    let link = instance.layout.only_out[process as usize];
                    if link == NONE {
                        break Err(not_one(instance, process, table.micro.span(pc as u32)));
                    }
                    let word = registers[a as usize];
                    let longer = depth.saturating_add(1);
                    let was_empty = configuration.send_word(link, u32::from(kind), longer, word);
                    sent(link, was_empty);
                    self.metrics.time = self.metrics.time.max(longer);
                    self.metrics.sent[kind as usize] += 1;
                    let (fixed, content) = plain.bits[kind as usize];
                    let bits = fixed + if content { 1 + digits(word) } else { 0 };
                    self.metrics.bits[kind as usize] += u64::from(bits);
                }
                PlainOp::Finish => break Ok(()),
                PlainOp::Move { to, from } => registers[to as usize] = registers[from as usize],
                PlainOp::Wait { wait } => {
                    registers[PC as usize] = i64::from(wait);
                    break Ok(());
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
                        None => break Err(overflow(op, a, b, table.micro.span(pc as u32))),
                    }
                }
                PlainOp::Compare { outcomes, to, a, b } => {
                    let holds = outcomes.hold(registers[a as usize], registers[b as usize]);
                    registers[to as usize] = i64::from(holds);
                }
                PlainOp::Not { to, a } => registers[to as usize] = i64::from(registers[a as usize] == 0),
                PlainOp::BindSender { to } => registers[to as usize] = sender(instance, channel),
                PlainOp::Idle => {
                    registers[PC as usize] = 0;
                    break Ok(());
                }
                PlainOp::Halt => {
                    registers[PC as usize] = HALTED;
                    break Ok(());
                }
                PlainOp::Nobody => return Ok(Plain::Not),
            }
            pc += 1;
        };
        if let Err(abort) = end {
            configuration.undo_words(instance, process, channel, &head, first);
            return Err(self.explain_plain(instance, process, abort));
        }
        configuration.store_reached(process, registers.as_slice(), depth);
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
