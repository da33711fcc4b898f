//! The operations of a command, from its entry to the next waiting point.

use super::{Chooser, Configuration, Eval, MAX_OPS_PER_COMMAND, Machine, PendingUpcall};
use crate::instance::Instance;
use crate::ir::{HALTED, Op, PC, Pc, Slot, Value};
use crate::semantics::abort::Abort;
use crate::semantics::eval::{self, binders, elements, value, word};
use crate::semantics::event::Observation;
use crate::source::Span;
use crate::syntax::ast::HistoryKind;
use smallvec::SmallVec;

impl Machine {
    pub(super) fn run(
        &mut self,
        instance: &Instance,
        configuration: &mut Configuration,
        process: u32,
        entry: Pc,
        chooser: &mut dyn Chooser,
    ) -> Eval<()> {
        let role = &instance.program.roles[instance.role_of(process)];
        let mut pc = entry as usize;
        let mut budget = MAX_OPS_PER_COMMAND;
        loop {
            if budget == 0 {
                let action = &instance.program.actions[self.effects.action as usize];
                return Err(endless(action.span, &action.name));
            }
            budget -= 1;
            match &role.code[pc] {
                Op::Send(send) => self.send(instance, configuration, process, send)?,
                Op::Finish => return Ok(()),
                Op::Wait(wait) => {
                    self.words[PC as usize] = i64::from(*wait);
                    return Ok(());
                }
                Op::Set(slot, e) => self.set(instance, process, *slot, e)?,
                Op::Assign(place, e) => self.assign(instance, process, place, e)?,
                Op::Remove(place, e) => self.remove(instance, process, place, e)?,
                Op::Jump(target) => {
                    pc = *target as usize;
                    continue;
                }
                Op::Unless(condition, target) => {
                    if word(condition, &mut self.env(instance, process))? == 0 {
                        pc = *target as usize;
                        continue;
                    }
                }
                Op::Branch(branches) => {
                    let mut open: SmallVec<[Pc; 4]> = SmallVec::new();
                    for branch in branches {
                        if branch.after_earlier && !open.is_empty() {
                            continue;
                        }
                        if word(&branch.guard, &mut self.env(instance, process))? != 0 {
                            open.push(branch.target);
                        }
                    }
                    if !open.is_empty() {
                        pc = open[self.choose(chooser, open.len())] as usize;
                        continue;
                    }
                }
                Op::NoGuard(span) => {
                    return Err(Abort::new(*span, "no guard of this `if` holds"));
                }
                Op::Become { component, state, thread } => {
                    let component = &role.components[*component as usize];
                    self.words[component.state_slot as usize] = i64::from(*state);
                    if *thread {
                        self.calls.clear();
                        match component.states[*state as usize].body {
                            Some(body) => {
                                pc = body as usize;
                                continue;
                            }
                            None => {
                                self.words[PC as usize] = 0;
                                return Ok(());
                            }
                        }
                    }
                }
                Op::Halt => {
                    self.words[PC as usize] = HALTED;
                    self.calls.clear();
                    return Ok(());
                }
                Op::Gosub(target) => {
                    self.calls.push(pc as Pc + 1);
                    pc = *target as usize;
                    continue;
                }
                Op::Return => match self.calls.pop() {
                    Some(back) => {
                        pc = back as usize;
                        continue;
                    }
                    None => return Ok(()),
                },
                Op::Call { entry, return_slot } => {
                    self.words[*return_slot as usize] = pc as i64 + 1;
                    pc = *entry as usize;
                    continue;
                }
                Op::ReturnFrom { return_slot } => {
                    let back = std::mem::take(&mut self.words[*return_slot as usize]);
                    if back == 0 {
                        self.words[PC as usize] = 0;
                        return Ok(());
                    }
                    pc = back as usize;
                    continue;
                }
                Op::ForStart(slot, e) => {
                    let set = value(e, &mut self.env(instance, process))?;
                    self.values[*slot as usize] = match set {
                        list @ Value::List(_) => list,
                        other => Value::list(elements(&other).cloned()),
                    };
                }
                Op::ForNext(slot, pattern, end) => {
                    let next = match &mut self.values[*slot as usize] {
                        Value::List(items) => std::sync::Arc::make_mut(items).pop_front(),
                        _ => None,
                    };
                    match next {
                        Some(element) => {
                            let bound = binders::bind(pattern, &element, &mut self.words, &mut self.values);
                            if !bound {
                                continue;
                            }
                        }
                        None => {
                            self.values[*slot as usize] = Value::None;
                            pc = *end as usize;
                            continue;
                        }
                    }
                }
                Op::Choose(slot, e) => {
                    let set = value(e, &mut self.env(instance, process))?;
                    let all: Vec<&Value> = elements(&set).collect();
                    if all.is_empty() {
                        return Err(Abort::new(e.span, "there is nothing to choose from"));
                    }
                    let chosen = all[self.choose(chooser, all.len())];
                    match slot {
                        Slot::Word(slot) => self.words[*slot as usize] = chosen.word(),
                        Slot::Value(slot) => self.values[*slot as usize] = chosen.clone(),
                    }
                }
                Op::Upcall { from, name, args } => {
                    let env = &mut self.env(instance, process);
                    let span = args.first().map_or(Span::default(), |a| a.span);
                    let args = args.iter().map(|a| value(a, env)).collect::<Eval<_>>()?;
                    self.upcalls.push_back(PendingUpcall { from: *from, name: name.clone(), args, span });
                }
                Op::Observe { what, of, value } => {
                    if *what == HistoryKind::Returns {
                        self.metrics.returns[*of as usize] += 1;
                    }
                    if self.recording {
                        let env = &mut self.env(instance, process);
                        let value = value.as_ref().map(|v| eval::value(v, env)).transpose()?;
                        self.effects.observations.push(Observation { what: *what, of: *of, value });
                    }
                }
                Op::Clear(slots) => {
                    for slot in slots {
                        match slot {
                            Slot::Word(slot) => {
                                let initial = role.initial_words.get(*slot as usize);
                                self.words[*slot as usize] = initial.copied().unwrap_or(0);
                            }
                            Slot::Value(slot) => {
                                let initial = role.initial_values.get(*slot as usize);
                                self.values[*slot as usize] = initial.cloned().unwrap_or(Value::None);
                            }
                        }
                    }
                }
                Op::Round | Op::Transmit(_) | Op::Listen => {
                    return Err(unsupported("synchronous rounds"));
                }
                Op::SetTimer(..) | Op::CancelTimer(_) => return Err(unsupported("timers")),
            }
            pc += 1;
        }
    }
}

#[cold]
fn endless(span: Span, action: &str) -> Box<Abort> {
    Abort::new(
        span,
        format!(
            "endless local loop: «{action}» has taken {MAX_OPS_PER_COMMAND} operations without reaching a waiting point"
        ),
    )
}

#[cold]
fn unsupported(what: &str) -> Box<Abort> {
    Abort::new(Span::default(), format!("this version does not run {what} yet"))
}
