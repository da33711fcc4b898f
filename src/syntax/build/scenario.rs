//! Scenarios, line by line.

use pest::iterators::Pair;

use super::expr::unescaped;
use super::pattern::two;
use super::{Builder, Built, has, parts};
use crate::syntax::ast::{Expr, ExprKind, Name, Scenario, ScenarioLine, ScenarioLineKind, Topology};
use crate::syntax::rule::Rule;

impl Builder {
    pub(super) fn scenario(&mut self, pair: Pair<'_, Rule>) -> Built<Scenario> {
        let mut all = parts(pair).into_iter();
        let name = self.name(&all.next().expect("a scenario has a name"));
        let mut scenario = Scenario { name, on: None, with: Vec::new(), lines: Vec::new() };
        for part in all {
            match part.as_rule() {
                Rule::topology => scenario.on = Some(self.topology(part)?),
                Rule::settings => {
                    scenario.with =
                        parts(part).into_iter().map(|setting| self.setting(setting)).collect::<Built<_>>()?;
                }
                _ => scenario.lines.push(self.line(part)?),
            }
        }
        Ok(scenario)
    }

    fn topology(&mut self, pair: Pair<'_, Rule>) -> Built<Topology> {
        let span = self.span(&pair);
        if let Some(text) = pair.clone().into_inner().find(|inner| inner.as_rule() == Rule::text) {
            return Ok(Topology { text: unescaped(text.as_str(), span)?, is_file: true, span });
        }
        // The parser of the arguments does not handle comments, tabs and line breaks.
        let lines = pair.as_str().lines().map(|line| line.split("//").next().unwrap_or(""));
        let words: Vec<&str> = lines.flat_map(str::split_whitespace).collect();
        Ok(Topology { text: words.join(" "), is_file: false, span })
    }

    fn setting(&mut self, pair: Pair<'_, Rule>) -> Built<(Name, Option<Expr>)> {
        let mut all = parts(pair).into_iter();
        let key = self.name(&all.next().expect("a setting has a key"));
        let value = all.next().map(|value| match value.clone().into_inner().next() {
            Some(word) if word.as_rule() == Rule::round_robin => {
                let span = self.span(&word);
                self.make(ExprKind::Name(Name { text: "round_robin".into(), span }), span)
            }
            _ => self.guarded(value),
        });
        let value = value.transpose()?;
        Ok((key, value))
    }

    fn line(&mut self, pair: Pair<'_, Rule>) -> Built<ScenarioLine> {
        let span = self.span(&pair);
        let kind = self.line_kind(super::first(pair))?;
        Ok(ScenarioLine { kind, span })
    }

    fn line_kind(&mut self, pair: Pair<'_, Rule>) -> Built<ScenarioLineKind> {
        let rule = pair.as_rule();
        let stars = has(&pair, Rule::link_end);
        let trusted = has(&pair, Rule::k_trust);
        let mut all = parts(pair).into_iter();
        let mut names = || -> Option<Name> { all.next().map(|part| self.name(&part)) };
        Ok(match rule {
            Rule::note => {
                let (from, to, label) = (must(names()), must(names()), must(names()));
                ScenarioLineKind::Note { from, to, label }
            }
            Rule::hold => {
                debug_assert!(stars);
                let end = |name: Name| (name.text != "*").then_some(name);
                let (from, to) = (end(must(names())), end(must(names())));
                ScenarioLineKind::Hold { from, to, message: names() }
            }
            Rule::release => {
                let link = all.next().map(|link| {
                    let [from, to] = two(parts(link));
                    (self.name(&from), self.name(&to))
                });
                ScenarioLineKind::Release { link }
            }
            Rule::delivery | Rule::loss | Rule::duplication => {
                let mut delivered = parts(must(all.next())).into_iter();
                let [from, to] = two(parts(must(delivered.next())));
                let (from, to) = (self.name(&from), self.name(&to));
                let message = delivered.next().map(|message| self.name(&message));
                match rule {
                    Rule::loss => ScenarioLineKind::Lose { from, to, message },
                    Rule::duplication => ScenarioLineKind::Duplicate { from, to, message },
                    _ => ScenarioLineKind::Deliver { from, to, message },
                }
            }
            Rule::cut => {
                let [from, to] = two(parts(must(all.next())));
                ScenarioLineKind::Cut { from: self.name(&from), to: self.name(&to) }
            }
            Rule::slow => {
                let [from, to] = two(parts(must(all.next())));
                let (from, to) = (self.name(&from), self.name(&to));
                let next = must(all.next());
                let (message, delay) = match next.as_rule() {
                    Rule::name => (Some(self.name(&next)), must(all.next())),
                    _ => (None, next),
                };
                ScenarioLineKind::Delay { from, to, message, delay: self.expr(delay)? }
            }
            Rule::suspicion => {
                let (process, at) = (must(names()), must(names()));
                ScenarioLineKind::Suspect { process, at, trusted }
            }
            Rule::wake => ScenarioLineKind::Wake(self.names(all.collect())),
            Rule::restart => ScenarioLineKind::Restart(must(names())),
            Rule::lie => ScenarioLineKind::Mislead(must(names())),
            Rule::crash => {
                let process = must(names());
                let point = all.next();
                let before_send = point.map(|point| self.crash_point(point));
                ScenarioLineKind::Crash { process, before_send }
            }
            Rule::act => {
                let process = must(names());
                let call = self.operand(must(all.next()))?;
                let (operation, args) = match call.kind {
                    ExprKind::Call { name, args, .. } => (name, args),
                    ExprKind::Name(name) => (name, Vec::new()),
                    other => unreachable!("{other:?} is not a call"),
                };
                ScenarioLineKind::Act { process, operation, args }
            }
            Rule::initially => {
                let (target, value) = (must(all.next()), must(all.next()));
                ScenarioLineKind::Initially { target: self.operand(target)?, value: self.expr(value)? }
            }
            Rule::pick => {
                let what = must(all.next());
                if what.as_rule() == Rule::pick_number {
                    let number = self.primary(parts(what).remove(0))?;
                    ScenarioLineKind::ChooseOption {
                        process: must(all.next().map(|p| self.name(&p))),
                        number,
                    }
                } else {
                    let value = self.expr(what)?;
                    ScenarioLineKind::Choose { process: must(all.next().map(|p| self.name(&p))), value }
                }
            }
            Rule::step => ScenarioLineKind::Step(self.names(all.collect())),
            Rule::expiry => ScenarioLineKind::Expire(must(names())),
            Rule::cycle => ScenarioLineKind::Cycle,
            Rule::at => ScenarioLineKind::At(self.expr(must(all.next()))?),
            Rule::expectation => self.expectation(must(all.next()))?,
            other => unreachable!("{other:?} is not a line of a scenario"),
        })
    }

    /// Return the message before whose sending a process crashes, and the receivers before whose copies it does.
    fn crash_point(&self, point: Pair<'_, Rule>) -> (Option<Name>, Vec<Name>) {
        let (mut message, mut to) = (None, Vec::new());
        for part in parts(point) {
            match part.as_rule() {
                Rule::name => message = Some(self.name(&part)),
                Rule::crash_receivers => to = self.names(parts(part)),
                _ => {}
            }
        }
        (message, to)
    }

    fn expectation(&mut self, pair: Pair<'_, Rule>) -> Built<ScenarioLineKind> {
        Ok(match pair.as_rule() {
            Rule::expected_outcome => ScenarioLineKind::ExpectOutcome(self.name(&parts(pair).remove(0))),
            Rule::expected_verdict => {
                let violated = has(&pair, Rule::k_violated);
                ScenarioLineKind::ExpectVerdict { property: self.name(&parts(pair).remove(0)), violated }
            }
            Rule::expected_again => ScenarioLineKind::ExpectAgain,
            _ => ScenarioLineKind::Expect(self.expr(pair)?),
        })
    }
}

/// Return a part that the grammar requires.
fn must<T>(part: Option<T>) -> T {
    part.expect("the grammar demands this part")
}
