//! Deterministic schedulers.

use super::random::Draws;
use super::{Priorities, Random, Schedule, Scheduler, Token};
use crate::ids::ProcessId;
use crate::instance::Instance;
use crate::ir::{Budget, Fault};
use crate::semantics::Chooser;
use crate::semantics::choice::Odds;
use std::collections::VecDeque;

/// In the order in which steps became possible. Choices within commands take the first possibility.
#[derive(Clone, Debug, Default)]
pub struct SendOrder {
    /// Before all other tokens.
    early: VecDeque<Token>,
    queue: VecDeque<Token>,
    draws: Draws,
    /// After all other tokens: timers without a clock expire when no other step remains.
    late: VecDeque<Token>,
}

impl SendOrder {
    /// Create the scheduler. The seed determines only the random draws of programs.
    pub fn new(seed: u64) -> SendOrder {
        SendOrder { draws: Draws::new(seed), ..SendOrder::default() }
    }
}

impl Chooser for SendOrder {
    fn choose(&mut self, _: usize) -> usize {
        0
    }

    fn draw(&mut self, odds: Odds) -> usize {
        self.draws.draw(odds)
    }
}

impl Scheduler for SendOrder {
    const PER_MESSAGE: bool = true;

    #[inline]
    fn push(&mut self, token: Token, _: ProcessId) {
        self.queue.push_back(token);
    }

    fn push_wakeup(&mut self, token: Token, _: ProcessId) {
        self.early.push_back(token);
    }

    fn push_timeout(&mut self, token: Token, _: ProcessId) {
        self.late.push_back(token);
    }

    fn in_order(&mut self) -> Option<&mut VecDeque<Token>> {
        self.early.is_empty().then_some(&mut self.queue)
    }

    /// They are older than all tokens in the queue.
    fn release(&mut self, tokens: &mut Vec<Token>, _: ProcessId) {
        for token in tokens.drain(..).rev() {
            self.queue.push_front(token);
        }
    }

    #[inline]
    fn pop(&mut self) -> Option<Token> {
        if !self.early.is_empty() {
            return self.early.pop_front();
        }
        self.queue.pop_front().or_else(|| self.late.pop_front())
    }
}

/// The newest step first. Choices within commands take the last possibility.
#[derive(Clone, Debug, Default)]
pub struct Adversary {
    stack: Vec<Token>,
    draws: Draws,
}

impl Adversary {
    /// Create the scheduler. The seed determines the random draws of programs, which this adversary does not know.
    pub fn new(seed: u64) -> Adversary {
        Adversary { stack: Vec::new(), draws: Draws::new(seed) }
    }
}

impl Chooser for Adversary {
    fn choose(&mut self, options: usize) -> usize {
        options - 1
    }

    fn draw(&mut self, odds: Odds) -> usize {
        self.draws.draw(odds)
    }
}

impl Scheduler for Adversary {
    const PER_MESSAGE: bool = true;

    #[inline]
    fn push(&mut self, token: Token, _: ProcessId) {
        self.stack.push(token);
    }

    fn release(&mut self, tokens: &mut Vec<Token>, _: ProcessId) {
        self.stack.extend(tokens.drain(..).rev());
    }

    /// Messages take the minimum delay.
    fn delay(&mut self, least: u64, _: u64) -> u64 {
        least
    }

    #[inline]
    fn pop(&mut self) -> Option<Token> {
        self.stack.pop()
    }
}

/// Processes with possible steps in turn, each with its oldest. Choices within commands cycle, too.
#[derive(Clone, Debug)]
pub struct RoundRobin {
    waiting: Vec<VecDeque<Token>>,
    /// Processes with tokens, the next turn in front.
    turns: VecDeque<ProcessId>,
    choices: usize,
    /// A common multiple of the numbers of possibilities so far. Two states whose `choices` differ by a multiple of it choose alike.
    period: usize,
    draws: Draws,
}

impl RoundRobin {
    pub fn new(instance: &Instance, seed: u64) -> RoundRobin {
        RoundRobin {
            waiting: vec![VecDeque::new(); instance.n() as usize],
            turns: VecDeque::new(),
            choices: 0,
            period: 1,
            draws: Draws::new(seed),
        }
    }

    fn seat(&mut self, process: ProcessId) {
        if self.waiting[process.index()].is_empty() {
            self.turns.push_back(process);
        }
    }
}

impl Chooser for RoundRobin {
    fn choose(&mut self, options: usize) -> usize {
        self.choices += 1;
        if !self.period.is_multiple_of(options) {
            self.period = self.period.saturating_mul(options);
        }
        (self.choices - 1) % options
    }

    fn draw(&mut self, odds: Odds) -> usize {
        self.draws.draw(odds)
    }
}

impl Scheduler for RoundRobin {
    const PER_MESSAGE: bool = true;
    const BY_PROCESS: bool = true;

    fn push(&mut self, token: Token, process: ProcessId) {
        self.seat(process);
        self.waiting[process.index()].push_back(token);
    }

    fn release(&mut self, tokens: &mut Vec<Token>, process: ProcessId) {
        if tokens.is_empty() {
            return;
        }
        self.seat(process);
        for token in tokens.drain(..).rev() {
            self.waiting[process.index()].push_front(token);
        }
    }

    fn pop(&mut self) -> Option<Token> {
        let process = self.turns.pop_front()?;
        let waiting = &mut self.waiting[process.index()];
        let token = waiting.pop_front();
        if !waiting.is_empty() {
            self.turns.push_back(process);
        }
        token
    }
}

/// A scheduler selected at run time: for sessions and scenarios, where speed does not matter.
#[derive(Clone, Debug)]
#[allow(clippy::large_enum_variant, reason = "a simulation contains only one")]
pub enum AnyScheduler {
    SendOrder(SendOrder),
    /// Boxed: the generator's buffer is large.
    Random(Box<Random>),
    RoundRobin(RoundRobin),
    Adversary(Adversary),
    Priorities(Priorities),
}

impl AnyScheduler {
    pub fn new(instance: &Instance, schedule: Schedule, seed: u64) -> AnyScheduler {
        match schedule {
            Schedule::Fifo => AnyScheduler::SendOrder(SendOrder::new(seed)),
            Schedule::Random => AnyScheduler::Random(Box::new(Random::new(seed))),
            Schedule::RoundRobin => AnyScheduler::RoundRobin(RoundRobin::new(instance, seed)),
            Schedule::Adversary => AnyScheduler::Adversary(Adversary::new(seed)),
            Schedule::Priorities => AnyScheduler::Priorities(Priorities::new(seed)),
        }
    }
}

impl AnyScheduler {
    /// Whether the run goes on as it did from an earlier state of its scheduler, if its configuration is the same and nothing is
    /// drawn from the seed. False if something was drawn meanwhile.
    pub(super) fn is_in_state_of(&self, earlier: &AnyScheduler) -> bool {
        match (self, earlier) {
            (AnyScheduler::SendOrder(now), AnyScheduler::SendOrder(then)) => {
                now.draws.drawn == then.draws.drawn
                    && now.queue == then.queue
                    && now.early == then.early
                    && now.late == then.late
            }
            (AnyScheduler::RoundRobin(now), AnyScheduler::RoundRobin(then)) => {
                now.draws.drawn == then.draws.drawn
                    && (now.choices - then.choices).is_multiple_of(now.period)
                    && now.turns == then.turns
                    && now.waiting == then.waiting
            }
            (AnyScheduler::Adversary(now), AnyScheduler::Adversary(then)) => {
                now.draws.drawn == then.draws.drawn && now.stack == then.stack
            }
            (AnyScheduler::Priorities(now), AnyScheduler::Priorities(then)) => now.is_in_state_of(then),
            (AnyScheduler::Random(now), AnyScheduler::Random(then)) => now.is_in_state_of(then),
            _ => false,
        }
    }
}

macro_rules! each_scheduler {
    ($self:expr, $s:ident => $e:expr) => {
        match $self {
            AnyScheduler::SendOrder($s) => $e,
            AnyScheduler::Random($s) => $e,
            AnyScheduler::RoundRobin($s) => $e,
            AnyScheduler::Adversary($s) => $e,
            AnyScheduler::Priorities($s) => $e,
        }
    };
}

impl Chooser for AnyScheduler {
    fn choose(&mut self, options: usize) -> usize {
        each_scheduler!(self, s => s.choose(options))
    }

    fn draw(&mut self, odds: Odds) -> usize {
        each_scheduler!(self, s => s.draw(odds))
    }

    fn crashes_here(&mut self, sent: usize) -> bool {
        each_scheduler!(self, s => s.crashes_here(sent))
    }
}

impl Scheduler for AnyScheduler {
    const PER_MESSAGE: bool = true;
    const BY_PROCESS: bool = true;

    fn per_message(&self) -> bool {
        !matches!(self, AnyScheduler::Random(_) | AnyScheduler::Priorities(_))
    }

    fn push(&mut self, token: Token, process: ProcessId) {
        each_scheduler!(self, s => s.push(token, process));
    }
    fn push_wakeup(&mut self, token: Token, process: ProcessId) {
        each_scheduler!(self, s => s.push_wakeup(token, process));
    }
    fn release(&mut self, tokens: &mut Vec<Token>, process: ProcessId) {
        each_scheduler!(self, s => s.release(tokens, process));
    }
    fn pop(&mut self) -> Option<Token> {
        each_scheduler!(self, s => s.pop())
    }
    fn first_position(&mut self, messages: usize) -> usize {
        each_scheduler!(self, s => s.first_position(messages))
    }
    fn push_timeout(&mut self, token: Token, process: ProcessId) {
        each_scheduler!(self, s => s.push_timeout(token, process));
    }
    fn delay(&mut self, least: u64, most: u64) -> u64 {
        each_scheduler!(self, s => s.delay(least, most))
    }
    fn leisure_delay(&mut self, delay: u64) -> u64 {
        each_scheduler!(self, s => s.leisure_delay(delay))
    }
    fn set_fault_budget(&mut self, budget: &Budget) {
        each_scheduler!(self, s => s.set_fault_budget(budget));
    }
    fn next_fault(&mut self) -> Option<Fault> {
        each_scheduler!(self, s => s.next_fault())
    }
    fn postpone_fault(&mut self, fault: Fault) {
        each_scheduler!(self, s => s.postpone_fault(fault));
    }
    fn fault_when_quiescent(&mut self) -> Option<Fault> {
        each_scheduler!(self, s => s.fault_when_quiescent())
    }
}
