//! A module with its base modules, its layers and its problem, linked into one program of components.

use crate::specification::value::Name;
use crate::specification::walk::{inputs, some_statement};
use std::collections::BTreeMap;
use std::mem::take;
use synod::internals::syntax::ast::{
    Assumption, Block, ClauseKind, Expr, ExprKind, Handler, MessageGuard, Param, Pattern, ProblemUse,
    Property, Stmt, StmtKind, Trigger, TypeExpr, Use,
};
use synod::internals::syntax::parse;

/// A lookup of the text of a file by the name of its module.
pub type Find<'f> = &'f dyn Fn(&str) -> Option<String>;

/// *Layers*, *Problems*: an algorithm (0), its layers below it, and above each of them the problem that it solves. Only the problem of the
/// algorithm itself has clients and handlers; problems of layers contribute outputs.
#[derive(Debug)]
pub struct Program {
    pub components: Vec<Component>,
    /// *Rounds that a synchronizer makes*: the layer of the synchronizer, if any.
    pub synchronizer: Option<usize>,
}

/// One instance of an algorithm or problem.
#[derive(Debug, Default)]
pub struct Component {
    /// The dotted name of the layer; empty for the algorithm itself and its problem.
    pub path: String,
    pub name: Name,
    pub is_problem: bool,
    pub layers: Vec<(Name, usize)>,
    /// The component that receives upcalls.
    pub above: Option<usize>,
    /// The algorithm that solves a problem, or the problem that an algorithm solves.
    pub partner: Option<usize>,
    /// The chosen values of the problem's options.
    pub options: Vec<(Name, Name)>,
    /// The arguments for the parameters of a layer, as expressions of the layer's user.
    pub given: Vec<(Name, &'static Expr)>,
    pub assumes: Vec<&'static Assumption>,
    pub roles: Vec<Name>,
    pub messages: BTreeMap<Name, &'static [Param]>,
    pub enums: Vec<(Name, Vec<Name>)>,
    pub records: BTreeMap<Name, &'static [Param]>,
    pub constants: BTreeMap<Name, (Option<&'static TypeExpr>, &'static Expr)>,
    pub params: Vec<(Name, Option<&'static TypeExpr>, Option<&'static Expr>)>,
    pub variables: Vec<Variable>,
    pub functions: BTreeMap<Name, Function>,
    pub routines: Vec<Routine>,
    pub client: Option<&'static Block>,
    pub states: Vec<State>,
    pub handlers: Vec<Rule<&'static Handler>>,
    pub defers: Vec<Rule<&'static MessageGuard>>,
    pub ignores: Vec<Rule<&'static MessageGuard>>,
    pub properties: Vec<&'static Property>,
}

#[derive(Clone, Debug)]
pub struct Variable {
    pub role: Option<Name>,
    pub name: Name,
    pub ty: Option<&'static TypeExpr>,
    pub init: Option<&'static Expr>,
    pub output: bool,
    pub persistent: bool,
    /// Whether the expression is the initial value of an output, not its definition.
    pub initially: bool,
}

#[derive(Clone, Copy, Debug)]
pub struct Function {
    pub params: &'static [Param],
    pub result: Option<&'static TypeExpr>,
    pub body: &'static Expr,
}

/// A procedure or an operation.
#[derive(Clone, Debug)]
pub struct Routine {
    pub role: Option<Name>,
    pub name: Name,
    pub params: &'static [Param],
    pub body: &'static [Stmt],
    pub operation: bool,
    pub alias: Option<Name>,
}

#[derive(Clone, Debug)]
pub struct State {
    pub role: Option<Name>,
    pub name: Name,
    pub initial: bool,
    pub body: &'static [Stmt],
}

/// A handler, `defer` or `ignore`, with the section that it belongs to.
#[derive(Clone, Copy, Debug)]
pub struct Rule<T> {
    pub role: Option<Name>,
    /// The state in which the rule applies; None for every state.
    pub state: Option<Name>,
    pub what: T,
}

impl Component {
    pub fn assumes(&self, words: &str) -> bool {
        self.assumption(words).is_some()
    }

    pub fn assumption(&self, words: &str) -> Option<&'static Assumption> {
        let words_of = |a: &Assumption| a.words.iter().map(|w| w.text.as_str()).collect::<Vec<_>>().join(" ");
        self.assumes.iter().find(|a| words_of(a) == words).copied()
    }

    /// *The sender is an id where processes are addressed by ids (`knows peers`, `addressable ids`), else a port.*
    pub fn addresses_by_id(&self) -> bool {
        self.assumes("knows peers") || self.assumes("addressable ids")
    }

    pub fn variable(&self, role: Option<Name>, name: &str) -> Option<&Variable> {
        self.variables.iter().find(|v| v.name == name && fits(v.role, role))
    }

    pub fn routine(&self, role: Option<Name>, name: &str) -> Option<&Routine> {
        self.routines.iter().find(|r| r.name == name && fits(r.role, role))
    }

    pub fn states_of(&self, role: Option<Name>) -> impl Iterator<Item = &State> {
        self.states.iter().filter(move |s| fits(s.role, role))
    }

    pub fn state(&self, role: Option<Name>, name: &str) -> Option<&State> {
        self.states_of(role).find(|s| s.name == name)
    }

    /// Return the initial state: *the first, or the one marked `initial`*.
    pub fn initial_state(&self, role: Option<Name>) -> Option<&State> {
        self.states_of(role).find(|s| s.initial).or_else(|| self.states_of(role).next())
    }

    /// *Of an algorithm and its layers one may have states with a body, which the thread runs.*
    pub fn has_thread(&self, role: Option<Name>) -> bool {
        self.states_of(role).any(|s| !s.body.is_empty())
    }
}

/// Test whether a declaration belongs to a role: *what stands before the first `process` belongs to all.*
pub fn fits(declared: Option<Name>, role: Option<Name>) -> bool {
    declared.is_none() || declared == role
}

impl Program {
    /// Link the program that a text begins, or return the error.
    pub fn link(text: &str, find: Find<'_>) -> Result<Program, String> {
        let mut program = Program { components: Vec::new(), synchronizer: None };
        program.algorithm(text, find, String::new())?;
        // A synchronizer `X` *stands below the algorithm as a layer.*
        let words = |a: &&'static Assumption| match a.words.as_slice() {
            [synchronous, by, name] if synchronous.text == "synchronous" && by.text == "by" => {
                Some(name.text.as_str())
            }
            _ => None,
        };
        if let Some(name) = program.components[0].assumes.iter().find_map(words) {
            let text = find(name).ok_or(format!("no algorithm {name}"))?;
            let layer = program.algorithm(&text, find, name.to_string())?;
            program.components[layer].above = Some(0);
            program.components[0].layers.push((name, layer));
            program.synchronizer = Some(layer);
        }
        Ok(program)
    }

    fn algorithm(&mut self, text: &str, find: Find<'_>, path: String) -> Result<usize, String> {
        let here = self.components.len();
        let mut component = Component { path: path.clone(), ..Component::default() };
        let (solves, uses) = component.read(text, find)?;
        self.components.push(component);
        if let Some(problem) = solves {
            self.problem(problem, find, here)?;
        }
        for used in uses {
            let alias = used.alias.as_ref().unwrap_or(&used.algorithm).text.as_str();
            let text = find(&used.algorithm.text).ok_or(format!("no algorithm {}", used.algorithm.text))?;
            let path = if path.is_empty() { alias.to_string() } else { format!("{path}.{alias}") };
            let layer = self.algorithm(&text, find, path)?;
            self.components[layer].above = Some(here);
            self.components[layer].given = used.args.iter().map(|(n, e)| (n.text.as_str(), e)).collect();
            self.components[here].layers.push((alias, layer));
        }
        Ok(here)
    }

    fn problem(&mut self, used: &'static ProblemUse, find: Find<'_>, solved_by: usize) -> Result<(), String> {
        let text = find(&used.name.text).ok_or(format!("no problem {}", used.name.text))?;
        let here = self.components.len();
        let mut problem = Component { is_problem: true, ..Component::default() };
        problem.path = self.components[solved_by].path.clone();
        problem.read(&text, find)?;
        problem.partner = Some(solved_by);
        for (option, choice) in &used.args {
            if let Some(chosen) = problem.options.iter_mut().find(|(o, _)| *o == option.text) {
                chosen.1 = &choice.text;
            }
        }
        if solved_by != 0 {
            // *Of the problem that a layer solves it has the outputs, with their types and definitions, and nothing else: there is no
            // client.*
            problem.variables.retain(|v| v.output);
            (problem.client, problem.routines) = (None, Vec::new());
            problem.handlers.clear();
            problem.properties.clear();
        } else {
            self.components[0].above = Some(here);
        }
        // *`output x : T` becomes a variable of the algorithm, which need not declare it. `output x : T := e` is a definition, used
        // unless the algorithm assigns `x`; `output x : T initially e` begins with `e`.*
        let algorithm = &mut self.components[solved_by];
        let mut outputs = Vec::new();
        for output in problem.variables.clone().into_iter().filter(|v| v.output) {
            let declared = algorithm.variables.iter().any(|v| v.name == output.name);
            let assigned = algorithm.assigns(output.name);
            if declared || output.init.is_none() || output.initially || assigned {
                problem.variables.retain(|v| v.name != output.name);
                if !declared {
                    let init = output.init.filter(|_| output.initially);
                    outputs.push(Variable { output: false, init, ..output });
                }
            }
        }
        // Initial values of the algorithm's variables may read outputs.
        algorithm.variables.splice(0..0, outputs);
        algorithm.partner = Some(here);
        self.components.push(problem);
        Ok(())
    }
}

type Header = (Option<&'static ProblemUse>, &'static [Use]);

impl Component {
    /// *Clauses*, *Variants*: read the declarations of a text, which replace those of its base.
    fn read(&mut self, text: &str, find: Find<'_>) -> Result<Header, String> {
        let (module, findings) = parse(0, text);
        if let Some(finding) = findings.first() {
            return Err(finding.message());
        }
        // Programs live as long as the test process.
        let clauses: &'static [synod::internals::syntax::ast::Clause] =
            Box::leak(Box::new(module)).clauses.as_slice();
        if !self.is_problem && clauses.iter().any(|clause| matches!(clause.kind, ClauseKind::Problem { .. }))
        {
            return Err("a problem without an algorithm".into());
        }
        let mut header: Header = (None, &[]);
        let kinds = || clauses.iter().map(|clause| &clause.kind);
        for kind in kinds() {
            if let ClauseKind::Algorithm { variant_of: Some(base), .. } = kind {
                header = self.read(&find(&base.text).ok_or(format!("no algorithm {}", base.text))?, find)?;
            }
        }
        if kinds().any(|kind| matches!(kind, ClauseKind::Assumes(_))) {
            self.assumes.clear();
        }
        // Replacement: *a handler by one for the same message in the same state (or `always`)*.
        let inherited = (take(&mut self.handlers), take(&mut self.defers), take(&mut self.ignores));
        let mut section = Section::default();
        for kind in kinds() {
            self.clause(kind, &mut section, &mut header);
        }
        inherit(inherited.0, &mut self.handlers, same_trigger);
        inherit(inherited.1, &mut self.defers, |a, b| head(&a.pattern) == head(&b.pattern));
        inherit(inherited.2, &mut self.ignores, |a, b| head(&a.pattern) == head(&b.pattern));
        Ok(header)
    }

    fn clause(&mut self, kind: &'static ClauseKind, section: &mut Section, header: &mut Header) {
        let role = section.role;
        // Sections: *any other clause ends that section, and handlers after it hold in every state*.
        if !matches!(kind, ClauseKind::Handler(_) | ClauseKind::Defer(_) | ClauseKind::Ignore(_)) {
            section.states.clear();
        }
        match kind {
            ClauseKind::Algorithm { name, solves, .. } => {
                self.name = &name.text;
                if solves.is_some() {
                    header.0 = solves.as_ref();
                }
            }
            ClauseKind::Problem { name, params } => {
                self.name = &name.text;
                let first = |p: &'static synod::internals::syntax::ast::ProblemParam| {
                    let default = p.default.as_ref().or(p.options.first());
                    (p.name.text.as_str(), default.map_or("", |d| d.text.as_str()))
                };
                self.options = params.iter().map(first).collect();
            }
            ClauseKind::Assumes(all) => self.assumes.extend(all),
            ClauseKind::Uses(all) => header.1 = all,
            ClauseKind::Message(all) => {
                self.messages.extend(all.iter().map(|m| (m.name.text.as_str(), m.fields.as_slice())));
            }
            ClauseKind::Enum { name, cases } => {
                self.enums.retain(|(n, _)| *n != name.text);
                self.enums.push((&name.text, cases.iter().map(|c| c.text.as_str()).collect()));
            }
            ClauseKind::Record { name, fields } => {
                self.records.insert(&name.text, fields);
            }
            ClauseKind::Const { name, ty, value } => {
                self.constants.insert(&name.text, (ty.as_ref(), value));
            }
            ClauseKind::Param { name, ty, default } => {
                let param = (name.text.as_str(), ty.as_ref(), default.as_ref());
                put(&mut self.params, param, |p| p.0 == param.0);
            }
            ClauseKind::Var { output, persistent, initially, names, ty, init } => {
                for name in names {
                    let (ty, init) = (ty.as_ref(), init.as_ref());
                    let name = name.text.as_str();
                    let (output, persistent, initially) = (*output, *persistent, *initially);
                    let variable = Variable { role, name, ty, init, output, persistent, initially };
                    put(&mut self.variables, variable, |v| v.name == name && v.role == role);
                }
            }
            ClauseKind::Function { name, params, result, body } => {
                self.functions.insert(&name.text, Function { params, result: result.as_ref(), body });
            }
            ClauseKind::Procedure { name, params, body } => {
                self.put_routine(Routine {
                    role,
                    name: &name.text,
                    params,
                    body,
                    operation: false,
                    alias: None,
                });
            }
            ClauseKind::Operation { name, params, alias, body } => {
                let alias = alias.as_ref().map(|a| a.text.as_str());
                self.put_routine(Routine { role, name: &name.text, params, body, operation: true, alias });
            }
            ClauseKind::Client { body } => self.client = Some(body),
            ClauseKind::Role { name } => {
                section.role = Some(&name.text);
                put(&mut self.roles, name.text.as_str(), |r| *r == name.text);
            }
            ClauseKind::State { initial, names, body } => {
                section.states = names.iter().map(|n| n.text.as_str()).collect();
                for name in section.states.iter().copied() {
                    let state = State { role, name, initial: *initial, body };
                    match self.states.iter_mut().find(|s| s.name == name && s.role == role) {
                        Some(known) if body.is_empty() => known.initial |= *initial,
                        Some(known) => {
                            *known = State { initial: *initial || known.initial, ..state };
                        }
                        None => self.states.push(state),
                    }
                }
            }
            ClauseKind::Handler(handler) => self.handlers.extend(section.rules(handler)),
            ClauseKind::Defer(all) => {
                for guard in all {
                    self.defers.extend(section.rules(guard));
                }
            }
            ClauseKind::Ignore(all) => {
                for guard in all {
                    // *`ignore timeout(t)`: the expiry of the timer has no effect.*
                    if matches!(&guard.pattern, Pattern::Message(name, ..) if name.text == "timeout") {
                        let (trigger, span) = (Trigger::On(guard.clone()), guard.span);
                        let handler = Box::leak(Box::new(Handler { trigger, body: Vec::new(), span }));
                        self.handlers.extend(section.rules(&*handler));
                    } else {
                        self.ignores.extend(section.rules(guard));
                    }
                }
            }
            ClauseKind::Property(property) => {
                put(&mut self.properties, property, |p| p.name.text == property.name.text);
            }
            ClauseKind::Always
            | ClauseKind::View(_)
            | ClauseKind::Stamps { .. }
            | ClauseKind::Scenario(_) => {}
        }
    }

    fn put_routine(&mut self, routine: Routine) {
        let (name, role) = (routine.name, routine.role);
        put(&mut self.routines, routine, |r| r.name == name && r.role == role);
    }

    /// Test whether some command of the component assigns this name.
    fn assigns(&self, name: &str) -> bool {
        let bodies = self.states.iter().map(|s| s.body).chain(self.routines.iter().map(|r| r.body));
        let bodies = bodies.chain(self.handlers.iter().map(|h| h.what.body.as_slice()));
        bodies.into_iter().any(|body| some_statement(body, &|stmt| assigns(stmt, name)))
    }
}

/// The section that a handler belongs to.
#[derive(Default)]
struct Section {
    role: Option<Name>,
    states: Vec<Name>,
}

impl Section {
    fn rules<T: Copy>(&self, what: T) -> Vec<Rule<T>> {
        if self.states.is_empty() {
            return vec![Rule { role: self.role, state: None, what }];
        }
        self.states.iter().map(|s| Rule { role: self.role, state: Some(s), what }).collect()
    }
}

impl<T> Rule<T> {
    fn place(&self) -> (Option<Name>, Option<Name>) {
        (self.role, self.state)
    }
}

fn inherit<T: Copy>(mut inherited: Vec<Rule<T>>, own: &mut Vec<Rule<T>>, same: impl Fn(T, T) -> bool) {
    inherited.retain(|old| !own.iter().any(|new| new.place() == old.place() && same(new.what, old.what)));
    own.splice(0..0, inherited);
}

/// Replace the element that is the same, or append the new one.
fn put<T>(all: &mut Vec<T>, new: T, same: impl Fn(&T) -> bool) {
    match all.iter_mut().find(|known| same(known)) {
        Some(known) => *known = new,
        None => all.push(new),
    }
}

fn same_trigger(a: &Handler, b: &Handler) -> bool {
    match (&a.trigger, &b.trigger) {
        (Trigger::On(a), Trigger::On(b)) => {
            let layer = |g: &MessageGuard| g.layer.as_ref().map(|l| l.text.clone());
            layer(a) == layer(b) && head(&a.pattern) == head(&b.pattern)
        }
        _ => false,
    }
}

/// Return the name of the message that a pattern matches, if any.
pub fn head(pattern: &Pattern) -> Option<&str> {
    match pattern {
        Pattern::Name(name) | Pattern::Message(name, ..) => Some(&name.text),
        _ => None,
    }
}

fn assigns(stmt: &Stmt, name: &str) -> bool {
    fn root(place: &Expr) -> Option<&str> {
        match &place.kind {
            ExprKind::Name(n) => Some(&n.text),
            ExprKind::Index(of, _) | ExprKind::Field(of, _) => root(of),
            _ => None,
        }
    }
    fn pattern(p: &Pattern, name: &str) -> bool {
        match p {
            Pattern::Name(n) => n.text == name,
            Pattern::Wildcard(_) | Pattern::Literal(_) => false,
            Pattern::Message(_, parts, _) | Pattern::Tuple(parts, _) => {
                parts.iter().any(|p| pattern(p, name))
            }
            Pattern::Place(place) => root(place) == Some(name),
        }
    }
    inputs(stmt).into_iter().any(|receive| pattern(&receive.pattern, name))
        || match &stmt.kind {
            StmtKind::Assign { targets, .. } => {
                targets.iter().flat_map(Expr::places).any(|t| root(t) == Some(name))
            }
            StmtKind::Remove { from, .. } => root(from) == Some(name),
            StmtKind::Choose { name: chosen, .. } => chosen.text == name,
            _ => false,
        }
}
