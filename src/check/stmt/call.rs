//! Calls of procedures, operations and layers.

use super::super::{Checker, prose};
use super::*;
use crate::check::context::Upcall;
use crate::check::context::*;
use crate::diagnostic::{Behaviour, Fix, Hint, Label, Naming, Noun, Typing};

impl Checker<'_> {
    pub(in crate::check) fn call_stmt(
        &mut self,
        layer: Option<&ast::Name>,
        name: &ast::Name,
        args: &[ast::Expr],
        span: Span,
        tail: bool,
    ) -> Flow {
        let comp = match layer {
            None => self.cx.comp,
            Some(l) => match self.layer_by_alias(&l.text) {
                Some(layer) => layer,
                None => {
                    let known: Vec<String> =
                        self.comps[self.cx.comp].layers.iter().map(|(n, _)| n.clone()).collect();
                    let hint = match self.variable(&l.text) {
                        // `l.append(x)`, as in other languages.
                        Some(_) => prose::foreign_equivalent(&name.text).map_or(Hint::NoMethods, Hint::Word),
                        None => Hint::NameLayer,
                    };
                    let d = Naming::Unknown(Noun::Layer, l.text.clone()).at(l.span);
                    self.error(d.nearest(&l.text, &known, hint));
                    return Flow::NO_WAIT;
                }
            },
        };
        // In a problem file checked on its own the algorithm is unknown. Its operation may wait where waiting is allowed.
        if self.units[0].is_problem && layer.is_some_and(|l| l.text == "algorithm") {
            for a in args {
                self.expr(a, None);
            }
            return match self.cx.mode {
                Mode::Thread | Mode::Operation => Flow::WAITS,
                _ => Flow::NO_WAIT,
            };
        }
        let Some(routine) = self.cx.comps[comp].routines.get(&name.text).cloned() else {
            // The call is in a branch that the options of the problem exclude.
            let of_algorithm =
                layer.is_some_and(|l| l.text == "algorithm") && self.comps[self.cx.comp].is_problem;
            if of_algorithm && self.operations_required().iter().all(|asked| asked.text != name.text) {
                args.iter().for_each(|a| self.elaborate_for_errors(a));
                return Flow::NO_WAIT;
            }
            return self.upcall(layer, name, args, span, comp);
        };
        let required = routine.params.iter().filter(|(_, d)| d.is_none()).count();
        let by_problem = self.current_problem().filter(|_| layer.is_some());
        if args.len() > routine.params.len() || args.len() < required {
            self.error(if let Some(problem) = &by_problem {
                Typing::ProblemCalls(
                    problem.clone(),
                    name.text.clone(),
                    args.len(),
                    required,
                    routine.params.len(),
                )
                .at(routine.span)
                .related(span, Label::Called)
                .hint(match args.len() < required {
                    true => Hint::OmitParameter,
                    false => Hint::DeclareParameter,
                })
            } else {
                Typing::Arguments(name.text.clone(), routine.params.len(), args.len())
                    .at(span)
                    .related(routine.span, Label::Declared)
            });
            return Flow::NO_WAIT;
        }
        for (i, (param, default)) in routine.params.iter().enumerate() {
            let ty = self.cx.locals[*param as usize].ty.clone();
            let value = match (args.get(i), default) {
                (Some(a), _) => match &by_problem {
                    Some(problem) => self.check_problem_arguments(problem, a, name, *param),
                    None => self.expr_as(a, &ty, "this argument"),
                },
                (None, Some(d)) => self.default_argument(comp, d, &ty),
                (None, None) => unreachable!("the number of arguments has been checked"),
            };
            self.emit(Op::Set(slot(*param), value));
        }
        match routine.return_local {
            None => {
                if routine.becomes {
                    self.must_be_last(span, tail, &name.text);
                    self.cx.becomes = true;
                }
                self.emit(Op::Gosub(routine.pc));
                if routine.becomes && self.cx.mode == Mode::Handler {
                    self.emit(Op::Finish);
                }
                // A procedure that waits has been reported, and so has one that does not return and is not last.
                match routine {
                    Routine { returns: false, .. } if tail => Flow::ENDS,
                    Routine { waits: true, .. } => Flow::WAITS,
                    _ => Flow::NO_WAIT,
                }
            }
            Some(return_local) => {
                if routine.waits {
                    if !self.may_wait(span, &name.text) {
                        return Flow::WAITS;
                    }
                    self.cx.wait_count += 1;
                }
                self.emit(Op::Call { entry: routine.pc, return_slot: return_local });
                if routine.waits { Flow::WAITS } else { Flow::NO_WAIT }
            }
        }
    }

    /// Return whether the current process has operations that are called from above.
    fn has_operations(&self) -> bool {
        let role = self.cx.role.unwrap_or_default();
        self.sections(self.cx.comp, role).iter().any(|section| !section.operations.is_empty())
    }

    /// Elaborate a call that is not a routine of the component: an upcall to the component above.
    pub(in crate::check) fn upcall(
        &mut self,
        layer: Option<&ast::Name>,
        name: &ast::Name,
        args: &[ast::Expr],
        span: Span,
        comp: usize,
    ) -> Flow {
        let upper = self.comps[self.cx.comp].upper;
        let takes = upper.is_some_and(|u| self.handles_upcall(u, self.cx.comp, &name.text));
        if layer.is_none() && !takes && self.upcall_not_taken(name) {
            args.iter().for_each(|a| self.elaborate_for_errors(a));
            return Flow::NO_WAIT;
        }
        if layer.is_some() || !takes {
            args.iter().for_each(|a| self.elaborate_for_errors(a));
            let known: Vec<String> = self.cx.comps[comp].routines.keys().cloned().collect();
            let text = name.text.clone();
            let finding = match layer {
                Some(l) => Naming::NotInLayer(l.text.clone(), Noun::Operation, text.clone()),
                None => Naming::Unknown(Noun::ProcedureOrOperation, text.clone()),
            };
            let d = finding.at(name.span);
            let transmits = self.has_assumption("radio");
            let d = match prose::nearest(&name.text, &known) {
                Some(k) => d.suggest(k),
                None if transmits && (text == "beep" || self.message_named(&text).is_some()) => {
                    let fix = Fix::replace(Span { end: name.span.start, ..name.span }, "transmit ");
                    d.hint(Hint::TransmitMessage(text)).fix(fix)
                }
                None if self.message_named(&name.text).is_some() => d
                    .hint(Hint::SendMessage(text))
                    .fix(Fix::replace(Span { end: name.span.start, ..name.span }, "send ")),
                None if matches!(self.lookup(&name.text), Some((Def::Function(_), _))) => {
                    d.hint(Hint::IsFunction(text))
                }
                None if layer.is_some() && !known.is_empty() => d.hint(Hint::Are("its operations", known)),
                None => match prose::foreign_equivalent(&name.text) {
                    Some(hint) => d.hint(Hint::Word(hint)),
                    // A layer on its own.
                    None if upper.is_none() && self.has_operations() => d.hint(Hint::UpcallNeedsHandler),
                    None => d,
                },
            };
            self.error(d);
            return Flow::NO_WAIT;
        }
        let args: Vec<ir::Expr> = args.iter().map(|a| self.expr(a, None)).collect();
        // The arguments determine the types of names in the handlers above.
        let key = (self.cx.comp, name.text.clone());
        let mut types: Vec<Type> = args.iter().map(|a| a.ty.clone()).collect();
        let values = args.iter().map(|a| (a.span, a.ty.clone())).collect();
        self.upcall_sites.entry(key.clone()).or_default().push(Upcall { span, values });
        if let Some(wanted) = self.wanted_by_the_problem(name, args.len(), span) {
            // Missing arguments have any type, so that the problem reports nothing more about them.
            while types.len() < wanted {
                types.push(self.infer.fresh());
            }
        }
        match self.upcall_args.get(&key).cloned() {
            None => {
                self.upcall_args.insert(key, types);
            }
            Some(known) => {
                // If one call passes a payload and another a number, the handlers receive a payload.
                let mut common = Vec::new();
                for (k, t) in known.iter().zip(&types) {
                    let payload = |this: &Self, t: &Type| matches!(this.infer.head(t), Type::Value);
                    if payload(self, k) || payload(self, t) {
                        common.push(Type::Value);
                    } else if self.infer.unify(k, t) {
                        common.push(k.clone());
                    }
                }
                if common.len() == known.len() && known.len() == types.len() {
                    self.upcall_args.insert(key, common);
                } else {
                    let told = |types: &[Type]| types.iter().map(|t| self.type_words(t)).collect();
                    let (now, before) = (told(&types), told(&known));
                    self.error(Typing::UpcallDiffers(name.text.clone(), now, before).at(span));
                }
            }
        }
        let from = self.cx.comp as u16;
        self.emit(Op::Upcall { from, name: name.text.clone(), args });
        Flow::NO_WAIT
    }

    /// Return the number of arguments that the problem's handler of an upcall needs, if the call passes fewer: this is reported
    /// at the call. A handler may take fewer than the call passes.
    fn wanted_by_the_problem(&mut self, name: &ast::Name, given: usize, span: Span) -> Option<usize> {
        let problem = self.comps[self.cx.comp].upper.filter(|upper| self.comps[*upper].is_problem)?;
        let taken = self.upcall_handlers(problem, self.cx.comp, &name.text);
        let counts: Vec<usize> =
            taken.iter().filter_map(|pattern| pattern.named()).map(|(_, values)| values.len()).collect();
        if counts.iter().any(|count| *count <= given) {
            return None;
        }
        let (place, wanted) = (taken.first()?.span(), *counts.first()?);
        let problem = self.units[self.comps[problem].unit].name.text.clone();
        let written = self.sources.slice(place).to_string();
        self.error(
            Typing::ProblemNeeds(problem, wanted, name.text.clone(), given)
                .at(span)
                .related(place, Label::Handled)
                .hint(Hint::PassedType(written)),
        );
        Some(wanted)
    }

    /// Report an upcall of a layer that its user does not handle, where the layer is used.
    fn upcall_not_taken(&mut self, name: &ast::Name) -> bool {
        let comp = self.cx.comp;
        let Some(user) = self.comps[comp].upper.filter(|_| comp != 0 && !self.comps[comp].is_problem) else {
            return false;
        };
        let Some((alias, _)) = self.comps[user].layers.iter().find(|(_, c)| *c == comp).cloned() else {
            return false;
        };
        let uses = &self.units[self.comps[user].unit].uses;
        let place = uses.iter().find(|u| u.name().text == alias);
        let place = place.map_or(name.span, |u| u.algorithm.span);
        self.error(
            Behaviour::UpcallNotHandled(name.text.clone(), alias.clone())
                .at(place)
                .related(name.span, Label::Upcall)
                .fix(self.fix_add_section(
                    format!("Add a handler for `{alias}.{}`", name.text),
                    place,
                    &format!("always\n  on {alias}.{} -> skip", name.text),
                )),
        );
        true
    }
}
