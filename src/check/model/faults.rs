//! Assumptions about time and faults, and the constructs that need them.

use crate::check::Checker;
use crate::diagnostic::{Hint, Modelling, Naming, Need, Typing};
use crate::ids::ProcessId;
use crate::ir::{self, Delay, Detector, Input, Pattern, ScenarioLine as L, SizeRule, Type};
use crate::syntax::ast::{self, BinaryOp, ExprKind, ScenarioLineKind as A};

impl Checker<'_> {
    /// Process an assumption about time or faults. Return false if it is not one.
    pub(in crate::check) fn model_assumption(&mut self, a: &ast::Assumption, text: &str) -> bool {
        match text {
            "crashes" => {
                let bound = self.assumed_bound(a, "crashes <= 1", &[BinaryOp::LessEqual]);
                let s = &mut self.assumptions;
                s.crashes = true;
                s.max_crashes = bound.map(|(_, e)| e);
            }
            "delay" => {
                self.delay(a);
                return true;
            }
            _ if a.bound.is_some() => return self.size_bound(a, text),
            "detector" | "perfect detector" => self.detector(a, Detector::Perfect),
            "eventually perfect detector" => self.detector(a, Detector::EventuallyPerfect),
            _ => return false,
        }
        self.assumptions.models.push((text.to_string(), a.span));
        true
    }

    fn detector(&mut self, a: &ast::Assumption, kind: Detector) {
        if self.assumptions.detector.is_some_and(|other| other != kind) {
            self.error(Modelling::SecondDetector.at(a.span));
        }
        self.assumptions.detector = Some(kind);
    }

    fn delay(&mut self, a: &ast::Assumption) {
        self.assumptions.models.push(("delay".into(), a.span));
        if let Some(delay) = self.delay_bounds(a) {
            self.assumptions.delay = Some(delay);
        }
    }

    /// `delay <= e`, `delay = e`, `delay in lo..hi`.
    pub(in crate::check) fn delay_bounds(&mut self, a: &ast::Assumption) -> Option<Delay> {
        let bounds = match &a.bound {
            Some((BinaryOp::LessEqual, most)) => Some((None, most)),
            Some((BinaryOp::Equal, e)) => Some((Some(e), e)),
            Some((BinaryOp::In, e)) => match &e.kind {
                ExprKind::Binary(BinaryOp::Range, least, most) => Some((Some(&**least), &**most)),
                _ => None,
            },
            _ => None,
        };
        let Some((least, most)) = bounds else {
            self.error(Modelling::DelayWithoutBound.at(a.span));
            return None;
        };
        let least = least.map(|e| self.instance_expr(e, "the bound of a delay"));
        let most = self.instance_expr(most, "the bound of a delay");
        Some(Delay { min: least, max: most })
    }

    /// `n >= 2`, `rows >= 3`, `n > 2 * f`, `n = 1 or n >= 3`: a bound on the size of the network. Return false if it is not one.
    fn size_bound(&mut self, a: &ast::Assumption, text: &str) -> bool {
        let Some(size) = ir::Size::of(text) else { return false };
        let Some((op, e)) = &a.bound else { return false };
        let words = self.assumptions.written.last().map_or_else(String::new, |(words, _)| words.clone());
        if let Some(rule) = self.size_rule(Some((size, *op)), e) {
            self.assumptions.sizes.push(ir::SizeBound { rule, words });
        }
        true
    }

    /// Return the rule after the first comparison sign, given the size before it, or a comparison with its own size, or another
    /// condition.
    pub(in crate::check) fn size_rule(
        &mut self,
        before: Option<(ir::Size, BinaryOp)>,
        e: &ast::Expr,
    ) -> Option<SizeRule> {
        match (&e.kind, before) {
            (ExprKind::Binary(op @ (BinaryOp::And | BinaryOp::Or), a, b), _) => {
                // Check both sides, so that all errors are reported.
                let (a, b) = (self.size_rule(before, a), self.size_rule(None, b));
                let (a, b) = (Box::new(a?), Box::new(b?));
                Some(if *op == BinaryOp::And { SizeRule::Both(a, b) } else { SizeRule::Either(a, b) })
            }
            (_, Some((size, op))) => self.size_compared(size, op, e),
            (ExprKind::Binary(op, size, limit), None)
                if size_named(size).is_some() && (*op == BinaryOp::In || comparison_of(*op).is_some()) =>
            {
                self.size_compared(size_named(size)?, *op, limit)
            }
            _ => Some(SizeRule::Condition(self.assumed_expr(e, &Type::Bool, "a condition on the network"))),
        }
    }

    fn size_compared(&mut self, size: ir::Size, op: BinaryOp, e: &ast::Expr) -> Option<SizeRule> {
        if let Some(compare) = comparison_of(op) {
            return Some(self.size_limit(size, compare, e));
        }
        if let ExprKind::Binary(BinaryOp::Range, least, most) = &e.kind {
            let least = self.size_limit(size, ir::Compare::GreaterEqual, least);
            let most = self.size_limit(size, ir::Compare::LessEqual, most);
            return Some(SizeRule::Both(Box::new(least), Box::new(most)));
        }
        let set = self.assumed_expr(e, &Type::Set(Type::Int.into()), "the sizes of an assumption");
        Some(SizeRule::Condition(size.in_set(set)))
    }

    fn size_limit(&mut self, size: ir::Size, compare: ir::Compare, e: &ast::Expr) -> SizeRule {
        SizeRule::Compare { size, compare, limit: self.instance_expr(e, "the bound of an assumption") }
    }

    pub(in crate::check) fn assumed_bound(
        &mut self,
        a: &ast::Assumption,
        form: &'static str,
        allowed: &[BinaryOp],
    ) -> Option<(BinaryOp, ir::Expr)> {
        let (op, e) = a.bound.as_ref()?;
        if !allowed.contains(op) {
            self.error(Modelling::FormOfBound(form).at(e.span));
            return None;
        }
        Some((*op, self.instance_expr(e, "the bound of an assumption")))
    }

    /// Elaborate a number that is known when an instance is built: it may mention parameters and facts of the network.
    fn instance_expr(&mut self, e: &ast::Expr, purpose: &'static str) -> ir::Expr {
        self.assumed_expr(e, &Type::Int, purpose)
    }

    fn assumed_expr(&mut self, e: &ast::Expr, ty: &Type, purpose: &'static str) -> ir::Expr {
        self.observe(self.assuming_component);
        let elaborated = self.expr_as(e, ty, purpose);
        if let Some(place) = elaborated.part_of_run() {
            self.error(Modelling::ChangesInRun(purpose).at(place));
        }
        elaborated
    }

    /// Check the number of arguments of `on suspect(p)`, `on timeout(t)`.
    pub(in crate::check) fn environment_args(
        &mut self,
        event: &ast::Name,
        args: &[ast::Pattern],
        wanted: usize,
    ) {
        if args.len() != wanted {
            let d = Typing::EventArguments(event.text.clone(), wanted, args.len()).at(event.span);
            self.error(match event.text.as_str() {
                "timeout" => d.hint(Hint::NameTimer),
                "interaction" => d.hint(Hint::NameResponder),
                "suspect" | "trust" => d.hint(Hint::NameProcess(event.text.clone())),
                _ => d,
            });
        }
    }

    /// `on suspect(p)`, `on trust(p)`: p is an id if processes are addressed by ids, otherwise a port.
    pub(in crate::check) fn detected(&mut self, event: &ast::Name, args: &[ast::Pattern]) -> Input {
        let ty = if self.assumptions.identifies_by_id() { Type::Id } else { Type::Port };
        self.check_distinct_bindings(args);
        let process = match args.first() {
            Some(p) => self.binding_pattern(p, &ty),
            None => Pattern::Wildcard,
        };
        Input::Detected { trusted: event.text == "trust", process }
    }

    /// `on timeout(t)`: the timer is named, not bound.
    pub(in crate::check) fn timer_handled(&mut self, event: &ast::Name, args: &[ast::Pattern]) -> Input {
        match args.first() {
            Some(ast::Pattern::Name(name)) => {
                let name = name.clone();
                Input::Timer(self.timer(&name))
            }
            Some(_) => {
                self.error(Naming::TimeoutNeedsTimer.at(event.span));
                Input::Timer(0)
            }
            None => Input::Timer(0),
        }
    }

    /// Return the number of a named timer of the current role.
    pub(in crate::check) fn timer(&mut self, name: &ast::Name) -> u16 {
        let key = (self.cx.comp, name.text.clone());
        if let Some(i) = self.cx.timers.iter().position(|t| *t == key) {
            return i as u16;
        }
        self.cx.timers.push(key);
        self.cx.timers.len() as u16 - 1
    }

    /// Elaborate the scenario lines about time and faults, whose assumptions are required.
    pub(in crate::check) fn environment_line(&mut self, line: &ast::ScenarioLine) -> Option<L> {
        self.cx.comp = 0;
        let need = match &line.kind {
            A::Crash { .. } => Need::CrashLine,
            A::Restart(_) => Need::RestartLine,
            A::Mislead(_) => Need::MisleadLine,
            A::Suspect { .. } => Need::Detector,
            A::Lose { .. } => Need::LoseLine,
            A::Duplicate { .. } => Need::DuplicateLine,
            A::Cut { .. } => Need::CutLine,
            _ => Need::TimeLine,
        };
        self.require(need, line.span);
        Some(match &line.kind {
            A::Crash { process, before_send } => L::Crash {
                process: self.process(process)?,
                before: match before_send {
                    Some((message, to)) => {
                        let to = to.iter().map(|to| self.process(to)).collect::<Option<Vec<ProcessId>>>()?;
                        Some((self.kinds(message)?, to))
                    }
                    None => None,
                },
            },
            A::Restart(process) => L::Restart(self.process(process)?),
            A::Mislead(process) => L::Mislead(self.process(process)?),
            A::Suspect { process, at, trusted } => {
                L::Suspect { process: self.process(process)?, at: self.process(at)?, trusted: *trusted }
            }
            A::Lose { from, to, message } => {
                L::Lose { from: self.process(from)?, to: self.process(to)?, kinds: self.kinds(message)? }
            }
            A::Duplicate { from, to, message } => {
                L::Duplicate { from: self.process(from)?, to: self.process(to)?, kinds: self.kinds(message)? }
            }
            A::Cut { from, to } => L::Cut { from: self.process(from)?, to: self.process(to)? },
            A::Delay { from, to, message, delay } => L::Delay {
                from: self.process(from)?,
                to: self.process(to)?,
                kinds: self.kinds(message)?,
                delay: self.global(delay, &Type::Int, "a delay"),
            },
            A::At(e) => L::AdvanceTo(self.global(e, &Type::Int, "an instant")),
            _ => return None,
        })
    }
}

/// Return the comparison that an operator denotes, if it is one.
pub fn comparison_of(op: BinaryOp) -> Option<ir::Compare> {
    Some(match op {
        BinaryOp::Equal => ir::Compare::Equal,
        BinaryOp::NotEqual => ir::Compare::NotEqual,
        BinaryOp::Less => ir::Compare::Less,
        BinaryOp::LessEqual => ir::Compare::LessEqual,
        BinaryOp::Greater => ir::Compare::Greater,
        BinaryOp::GreaterEqual => ir::Compare::GreaterEqual,
        _ => return None,
    })
}

/// Return the size that an expression names.
fn size_named(e: &ast::Expr) -> Option<ir::Size> {
    match &e.kind {
        ExprKind::Name(name) => ir::Size::of(&name.text),
        _ => None,
    }
}
