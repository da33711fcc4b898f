//! The random scheduler, and a stable stream of random numbers.

use super::fault_schedule::FaultSchedule;
use super::rng::{DRAWS, RunRng};
use super::{Scheduler, Token};
use crate::ids::ProcessId;
use crate::ir::{Budget, Fault};
use crate::semantics::Chooser;
use crate::semantics::choice::Odds;

/// Maximum delay of a leisure step, as a multiple of the maximum message delay.
const LONGEST_PAUSE: u64 = 10;

/// The random numbers of programs, under every schedule: the seed's numbers, in exact integer arithmetic.
#[derive(Clone, Debug, Default)]
pub(super) struct Draws {
    seed: u64,
    /// Created on first use: the generator's buffer is large.
    dice: Option<Box<RunRng>>,
    /// Number of draws.
    pub drawn: u64,
}

impl Draws {
    pub fn new(seed: u64) -> Draws {
        Draws { seed, dice: None, drawn: 0 }
    }

    pub fn draw(&mut self, odds: Odds) -> usize {
        self.drawn += 1;
        let dice = self.dice.get_or_insert_with(|| Box::new(RunRng::for_purpose(self.seed, DRAWS)));
        match odds {
            Odds::Coin { numerator, denominator } => usize::from(dice.below_wide(denominator) < numerator),
            Odds::Uniform(outcomes) => dice.below(outcomes) as usize,
        }
    }
}

/// A candidate chosen uniformly at random.
#[derive(Clone, Debug)]
pub struct Random {
    candidates: Vec<Token>,
    dice: RunRng,
    /// Number of choices among several possibilities.
    choices: u64,
    draws: Draws,
    /// Present if faults may occur.
    plan: Option<Box<FaultSchedule>>,
}

impl Random {
    pub fn new(seed: u64) -> Random {
        Random {
            candidates: Vec::new(),
            dice: RunRng::new(seed),
            choices: 0,
            draws: Draws::new(seed),
            plan: None,
        }
    }

    #[inline]
    fn below(&mut self, possibilities: u32) -> u32 {
        self.choices += u64::from(possibilities > 1);
        self.dice.below(possibilities)
    }

    /// See [`super::AnyScheduler::is_in_state_of`]. A cycle in which nothing is chosen repeats for any state of the
    /// dice.
    pub(super) fn is_in_state_of(&self, earlier: &Random) -> bool {
        self.choices == earlier.choices
            && self.draws.drawn == earlier.draws.drawn
            && self.candidates == earlier.candidates
            && self.plan.is_none()
    }
}

impl Chooser for Random {
    fn choose(&mut self, options: usize) -> usize {
        self.below(options as u32) as usize
    }

    fn draw(&mut self, odds: Odds) -> usize {
        self.draws.draw(odds)
    }

    fn crashes_here(&mut self, _: usize) -> bool {
        self.plan.as_mut().is_some_and(|plan| plan.crashes())
    }
}

impl Scheduler for Random {
    const PER_MESSAGE: bool = false;

    #[inline]
    fn push(&mut self, token: Token, _: ProcessId) {
        self.candidates.push(token);
    }

    fn release(&mut self, tokens: &mut Vec<Token>, _: ProcessId) {
        self.candidates.append(tokens);
    }

    #[inline]
    fn pop(&mut self) -> Option<Token> {
        if self.candidates.is_empty() {
            return None;
        }
        let chosen = self.below(self.candidates.len() as u32);
        Some(self.candidates.swap_remove(chosen as usize))
    }

    fn at_random(&mut self) -> Option<(&mut Vec<Token>, &mut RunRng)> {
        // The caller may choose with the dice.
        self.choices += 1;
        Some((&mut self.candidates, &mut self.dice))
    }

    fn first_position(&mut self, messages: usize) -> usize {
        self.below(messages as u32) as usize
    }

    fn delay(&mut self, least: u64, most: u64) -> u64 {
        let choices = u32::try_from(most - least).unwrap_or(u32::MAX - 1) + 1;
        least + u64::from(self.below(choices))
    }

    /// Soon, or long after other steps.
    fn leisure_delay(&mut self, delay: u64) -> u64 {
        self.delay(0, delay.saturating_mul(LONGEST_PAUSE))
    }

    fn set_fault_budget(&mut self, budget: &Budget) {
        if !budget.is_empty() {
            self.plan = Some(Box::new(FaultSchedule::new(budget, &mut self.dice)));
        }
    }

    fn next_fault(&mut self) -> Option<Fault> {
        self.plan.as_mut()?.strikes()
    }

    fn postpone_fault(&mut self, fault: Fault) {
        if let Some(plan) = &mut self.plan {
            plan.again(fault);
        }
    }

    fn fault_when_quiescent(&mut self) -> Option<Fault> {
        self.plan.as_mut()?.at_rest()
    }
}
