//! Execution of the operations of a command, from its entry to the next waiting point.

use super::receive::{Offered, sender};
use super::send::{not_one, too_many_under_way};
use super::{Chooser, Configuration, Eval, MAX_OPS_PER_COMMAND, Machine, NO_VALUE, PendingUpcall};
use crate::ids::ProcessId;
use crate::instance::{Instance, LATER, Micro};
use crate::ir::{Branch, Expr, HALTED, HistoryKind, Op, PC, Pattern, Pc, Role, Slot, Value};
use crate::network::NONE;
use crate::semantics::abort::Abort;
use crate::semantics::eval::{self, arithmetic, binders, elements, overflow, value, word};
use crate::semantics::event::Observation;
use crate::semantics::metrics::digits;
use crate::semantics::orders::to_outside_view;
use crate::source::Span;
use smallvec::SmallVec;

/// How register code ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum End {
    Done,
    /// A selector found no candidate for the message.
    Nobody,
}

/// The continuation after an operation.
enum Flow {
    Next,
    Goto(Pc),
    Done,
}

impl Machine {
    pub(super) fn run(
        &mut self,
        instance: &Instance,
        configuration: &mut Configuration,
        process: ProcessId,
        entry: Pc,
        chooser: &mut dyn Chooser,
    ) -> Eval<()> {
        let start = instance.table(process).micro.at[entry as usize];
        self.execute(instance, configuration, process, start, Offered::NOTHING, chooser).map(|_| ())
    }

    /// Run register code from an offset: a command, or a selector for a message and then the command.
    #[inline]
    pub(super) fn execute(
        &mut self,
        instance: &Instance,
        configuration: &mut Configuration,
        process: ProcessId,
        start: u32,
        offered: Offered,
        chooser: &mut dyn Chooser,
    ) -> Eval<End> {
        match self.recording {
            true => self.execute_noting(instance, configuration, process, start, offered, chooser),
            false => self.execute_as::<false>(instance, configuration, process, start, offered, chooser),
        }
    }

    /// The same, recording guards.
    #[inline(never)]
    fn execute_noting(
        &mut self,
        instance: &Instance,
        configuration: &mut Configuration,
        process: ProcessId,
        start: u32,
        offered: Offered,
        chooser: &mut dyn Chooser,
    ) -> Eval<End> {
        self.execute_as::<true>(instance, configuration, process, start, offered, chooser)
    }

    #[inline(always)]
    #[allow(clippy::too_many_lines, reason = "the hot path: one loop, whose state stays in registers")]
    fn execute_as<const NOTING: bool>(
        &mut self,
        instance: &Instance,
        configuration: &mut Configuration,
        process: ProcessId,
        start: u32,
        offered: Offered,
        chooser: &mut dyn Chooser,
    ) -> Eval<End> {
        let micro = &instance.table(process).micro;
        let code = micro.code.as_slice();
        let mut words = self.frame.words.as_mut_slice();
        let mut pc = start as usize;
        let mut budget = MAX_OPS_PER_COMMAND;
        macro_rules! jump {
            ($target:expr) => {{
                if budget == 0 {
                    return Err(self.endless(instance));
                }
                budget -= 1;
                if NOTING {
                    self.effects.guards.extend(micro.left(pc as u32));
                }
                pc = $target as usize;
                continue;
            }};
        }
        loop {
            if NOTING {
                self.effects.guards.extend(micro.entered(pc as u32));
                if let Some(executed) = &mut self.executed {
                    executed.extend(micro.operation(pc as u32));
                }
            }
            match code[pc] {
                Micro::Bind { to, place } => {
                    words[to as usize] = configuration.pool.word(offered.slot, place);
                }
                Micro::JumpUnless { outcomes, a, b, target } => {
                    if !outcomes.hold(words[a as usize], words[b as usize]) {
                        jump!(target);
                    }
                }
                Micro::Take { position, action, entry } => {
                    self.thread.depth = self.thread.depth.max(offered.depth);
                    self.receipt.position = u32::from(position);
                    self.effects.action = action;
                    if entry == LATER {
                        return Ok(End::Done);
                    }
                    pc = entry as usize;
                    continue;
                }
                Micro::SendWord { kind, a } => {
                    let word = words[a as usize];
                    if self.fast_path {
                        let link = instance.only_out(process);
                        if link == NONE {
                            return Err(not_one(instance, process, micro.span(pc as u32)));
                        }
                        if configuration.pool.is_full() {
                            return Err(too_many_under_way(micro.span(pc as u32)));
                        }
                        let layout = &instance.layout.kinds[kind as usize];
                        let depth = self.thread.depth.saturating_add(1);
                        let id = configuration.number_message();
                        let slot = configuration.pool.take_word(u32::from(kind), id, depth, word);
                        self.outbox.messages.push((instance.layout.channel(link, layout.lane), slot));
                        self.metrics.time = self.metrics.time.max(depth);
                        self.metrics.sent[kind as usize] += 1;
                        self.metrics.bits[kind as usize] += u64::from(layout.fixed_bits + 1 + digits(word));
                    } else {
                        let span = micro.span(pc as u32);
                        self.send_word(
                            instance,
                            configuration,
                            process,
                            (u32::from(kind), word),
                            span,
                            chooser,
                        )?;
                        words = self.frame.words.as_mut_slice();
                    }
                }
                Micro::Move { to, from } => words[to as usize] = words[from as usize],
                Micro::Finish => return Ok(End::Done),
                Micro::Wait { wait } => {
                    words[PC as usize] = i64::from(wait);
                    return Ok(End::Done);
                }
                Micro::Jump { target } => jump!(target),
                Micro::JumpIfZero { a, target } => {
                    if words[a as usize] == 0 {
                        jump!(target);
                    }
                }
                Micro::Arith { op, to, a, b } => {
                    let (a, b) = (words[a as usize], words[b as usize]);
                    words[to as usize] = match arithmetic(op, a, b) {
                        Some(w) => w,
                        None => return Err(overflow(op, a, b, micro.span(pc as u32))),
                    };
                }
                Micro::Compare { outcomes, to, a, b } => {
                    words[to as usize] = i64::from(outcomes.hold(words[a as usize], words[b as usize]));
                }
                Micro::Not { to, a } => words[to as usize] = i64::from(words[a as usize] == 0),
                Micro::BindSender { to } => words[to as usize] = sender(instance, offered.channel),
                Micro::Idle => {
                    words[PC as usize] = 0;
                    self.thread.calls.clear();
                    return Ok(End::Done);
                }
                Micro::Halt => {
                    words[PC as usize] = HALTED;
                    self.thread.calls.clear();
                    return Ok(End::Done);
                }
                Micro::NoGuard => return Err(no_guard(micro.span(pc as u32))),
                Micro::Nobody => return Ok(End::Nobody),
                Micro::Slow { pc: op } => {
                    let flow = self.operation(instance, configuration, process, op, chooser)?;
                    words = self.frame.words.as_mut_slice();
                    match flow {
                        Flow::Next => {
                            if budget == 0 {
                                return Err(self.endless(instance));
                            }
                            budget -= 1;
                        }
                        Flow::Goto(target) => jump!(micro.at[target as usize]),
                        Flow::Done => return Ok(End::Done),
                    }
                }
            }
            pc += 1;
        }
    }

    /// Execute one operation of the role's code.
    fn operation(
        &mut self,
        instance: &Instance,
        configuration: &mut Configuration,
        process: ProcessId,
        pc: Pc,
        chooser: &mut dyn Chooser,
    ) -> Eval<Flow> {
        let role = &instance.program.roles[instance.role_of(process)];
        match &role.code[pc as usize] {
            Op::Send(send) => self.send(instance, configuration, process, send, chooser)?,
            Op::Finish => return Ok(Flow::Done),
            Op::Wait(wait) => {
                self.special.arrived = true;
                self.frame.words[PC as usize] = i64::from(*wait);
                return Ok(Flow::Done);
            }
            Op::Set(slot, e) => self.set(instance, process, *slot, e, chooser)?,
            Op::Assign(place, e) => self.assign(instance, process, place, e, chooser)?,
            Op::Remove(place, e) => self.remove(instance, process, place, e, chooser)?,
            Op::Jump(target) => return Ok(Flow::Goto(*target)),
            Op::Unless(condition, target) => {
                if word(condition, &mut self.command_env(instance, process, chooser))? == 0 {
                    return Ok(Flow::Goto(*target));
                }
            }
            Op::Branch(branches) => return self.branch(instance, process, branches, chooser),
            Op::NoGuard(span) => return Err(no_guard(*span)),
            Op::Become { component, state, thread } => {
                self.special.entered.push(*component);
                let component = &role.components[*component as usize];
                self.frame.words[component.state_slot as usize] = i64::from(*state);
                if *thread {
                    return Ok(self.begin_body(component.states[*state as usize].body));
                }
            }
            Op::Halt => return Ok(self.end_thread(HALTED)),
            Op::Gosub(target) => {
                self.thread.calls.push(pc + 1);
                return Ok(Flow::Goto(*target));
            }
            Op::Return => {
                return Ok(self.thread.calls.pop().map_or(Flow::Done, |back| Flow::Goto(back as Pc)));
            }
            Op::Call { entry, return_slot } => {
                self.frame.words[*return_slot as usize] = i64::from(pc) + 1;
                return Ok(Flow::Goto(*entry));
            }
            Op::ReturnFrom { return_slot } => {
                let back = std::mem::take(&mut self.frame.words[*return_slot as usize]);
                if back != 0 {
                    return Ok(Flow::Goto(back as Pc));
                }
                self.frame.words[PC as usize] = 0;
                return Ok(Flow::Done);
            }
            Op::ForStart(slot, e) => {
                let set = value(e, &mut self.command_env(instance, process, chooser))?;
                self.frame.values[*slot as usize] = match set {
                    list @ Value::List(_) => list,
                    other => Value::list(elements(&other).cloned()),
                };
            }
            Op::ForNext(slot, pattern, end) => return Ok(self.next_element(*slot, pattern, pc, *end)),
            Op::Choose(slot, e) => self.choose_from_set(instance, process, *slot, e, chooser)?,
            Op::SetArbitrary(slot, domain) => {
                self.begin_anywhere(instance, process, *slot, domain, chooser)?;
            }
            Op::Upcall { from, name, args } => {
                let env = &mut self.command_env(instance, process, chooser);
                let span = args.first().map_or(Span::default(), |a| a.span);
                let args = args.iter().map(|a| value(a, env)).collect::<Eval<_>>()?;
                self.thread.upcalls.push_back(PendingUpcall { from: *from, name: name.clone(), args, span });
            }
            Op::Observe { what, of, value } => {
                if *what == HistoryKind::Returns {
                    self.metrics.returns[*of as usize] += 1;
                }
                if self.recording {
                    let env = &mut self.command_env(instance, process, chooser);
                    let value = value.as_ref().map(|v| eval::value(v, env)).transpose()?;
                    self.effects.observations.push(Observation { what: *what, of: *of, value });
                }
            }
            Op::Clear(slots) => self.clear(role, slots),
            Op::Transmit(send) => self.transmit(instance, configuration, process, send, chooser)?,
            Op::Listen(span) => self.listen(configuration, process, *span)?,
            Op::EndRound => self.metrics.end_rounds(process, 1),
            Op::SetTimer(timer, after) => {
                let after = self.duration(instance, process, after)?;
                self.special.timers.push((*timer, Some(after)));
            }
            Op::CancelTimer(timer) => self.special.timers.push((*timer, None)),
            Op::OnRestart(target) if self.special.restarting => return Ok(Flow::Goto(*target)),
            Op::OnRestart(_) => {}
            Op::Given(commands) => {
                self.take_given(instance, process);
                if let Some(commands) = commands {
                    return Ok(Flow::Goto(*commands));
                }
                self.special.arrived = true;
                self.frame.words[PC as usize] = 0;
                return Ok(Flow::Done);
            }
        }
        Ok(Flow::Next)
    }

    /// Leave the current body for that of a state, if it has one.
    fn begin_body(&mut self, body: Option<Pc>) -> Flow {
        match body {
            Some(body) => {
                self.thread.calls.clear();
                Flow::Goto(body)
            }
            None => self.end_thread(0),
        }
    }

    /// Leave the process without a command to continue: idle (0) or halted.
    fn end_thread(&mut self, pc: i64) -> Flow {
        self.frame.words[PC as usize] = pc;
        self.thread.calls.clear();
        Flow::Done
    }

    /// Choose among the branches whose guards hold.
    fn branch(
        &mut self,
        instance: &Instance,
        process: ProcessId,
        branches: &[Branch],
        chooser: &mut dyn Chooser,
    ) -> Eval<Flow> {
        let mut open: SmallVec<[Pc; 4]> = SmallVec::new();
        for branch in branches {
            if branch.after_earlier && !open.is_empty() {
                continue;
            }
            if word(&branch.guard, &mut self.command_env(instance, process, chooser))? != 0 {
                open.push(branch.target);
            }
        }
        if open.is_empty() {
            return Ok(Flow::Next);
        }
        Ok(Flow::Goto(open[self.choose(process, chooser, open.len(), NO_VALUE)]))
    }

    /// Bind the next element of a loop over a list, at `pc`; elements that do not match the pattern are skipped.
    fn next_element(&mut self, slot: u16, pattern: &Pattern, pc: Pc, end: Pc) -> Flow {
        let next = match &mut self.frame.values[slot as usize] {
            Value::List(items) => std::sync::Arc::make_mut(items).pop_front(),
            _ => None,
        };
        match next {
            Some(element) => {
                match binders::bind(pattern, &element, &mut self.frame.words, &mut self.frame.values) {
                    true => Flow::Next,
                    false => Flow::Goto(pc),
                }
            }
            None => {
                self.frame.values[slot as usize] = Value::None;
                Flow::Goto(end)
            }
        }
    }

    fn choose_from_set(
        &mut self,
        instance: &Instance,
        process: ProcessId,
        slot: Slot,
        set: &Expr,
        chooser: &mut dyn Chooser,
    ) -> Eval<()> {
        let span = set.span;
        let set = value(set, &mut self.command_env(instance, process, chooser))?;
        let all: Vec<&Value> = elements(&set).collect();
        if all.is_empty() {
            return Err(Abort::new(span, "the set to choose from is empty"));
        }
        let of = |i: usize| Some(to_outside_view(instance, process, all[i]));
        let chosen = all[self.choose(process, chooser, all.len(), &of)];
        match slot {
            Slot::Word(slot) => self.frame.words[slot as usize] = chosen.word(),
            Slot::Value(slot) => self.frame.values[slot as usize] = chosen.clone(),
        }
        Ok(())
    }

    /// Reset slots of a role to their contents before the process started.
    pub(super) fn clear(&mut self, role: &Role, slots: &[Slot]) {
        for slot in slots {
            match slot {
                Slot::Word(slot) => {
                    let initial = role.initial_words.get(*slot as usize);
                    self.frame.words[*slot as usize] = initial.copied().unwrap_or(0);
                }
                Slot::Value(slot) => {
                    let initial = role.initial_values.get(*slot as usize);
                    self.frame.values[*slot as usize] = initial.cloned().unwrap_or(Value::None);
                }
            }
        }
    }

    /// Apply the initial values that the instance gives to variables of a process; not at a restart after a crash.
    fn take_given(&mut self, instance: &Instance, process: ProcessId) {
        if self.special.restarting {
            return;
        }
        for (_, slot, value) in instance.initially.iter().filter(|(p, ..)| *p == process) {
            match *slot {
                Slot::Word(s) => self.frame.words[s as usize] = value.word(),
                Slot::Value(s) => self.frame.values[s as usize] = value.clone(),
            }
        }
    }

    #[cold]
    fn endless(&self, instance: &Instance) -> Box<Abort> {
        let action = &instance.program.actions[self.effects.action as usize];
        endless(action.span, &action.to_string())
    }
}

#[cold]
fn endless(span: Span, action: &str) -> Box<Abort> {
    Abort::new(
        span,
        format!(
            "infinite local loop: «{action}» executed {MAX_OPS_PER_COMMAND} operations without reaching a waiting point"
        ),
    )
}

#[cold]
pub(super) fn no_guard(span: Span) -> Box<Abort> {
    Abort::new(span, "no guard of this `if` holds")
}
