//! *Expressions*: names, fields and functions, both predefined and declared.

use crate::specification::eval::{Scope, applied, eval, int, observed};
use crate::specification::network::System;
use crate::specification::types::fit;
use crate::specification::value::{Content, Evaluated, Failure, Value, abort, unspecified};
use std::collections::BTreeSet;
use synod::internals::ids::ProcessId;
use synod::internals::network::{Label, NONE, Port};
use synod::internals::syntax::ast::{Expr, ExprKind};

// ---- Names

/// Return the component of the family that declares this message, if any.
pub fn message_of(name: &str, scope: &Scope<'_>) -> Option<usize> {
    if scope.local(name).is_some() {
        return None;
    }
    scope.family().find(|c| scope.system.component(*c).messages.contains_key(name))
}

pub fn name(name: &'static str, scope: &Scope<'_>) -> Evaluated {
    if let Some(value) = scope.local(name) {
        return value.clone().assigned();
    }
    if let Some(p) = scope.process
        && let Some(value) = variable(p, scope.component, name, scope)
    {
        return value;
    }
    for c in scope.family() {
        let component = scope.system.component(c);
        if component.messages.get(name).is_some_and(|fields| fields.is_empty()) {
            return Ok(Value::Message(Content { component: c, name, fields: Vec::new() }));
        }
        for (_, cases) in &component.enums {
            if let Some(k) = cases.iter().position(|case| *case == name) {
                return Ok(Value::Case(k, name));
            }
        }
        if let Some(value) = scope.system.params[c].get(name) {
            return Ok(value.clone());
        }
        if let Some((ty, value)) = component.constants.get(name) {
            let inner = scope.at(None, c);
            let value = eval(value, &inner)?;
            return ty.map_or(Ok(value.clone()), |ty| fit(value, ty, &inner));
        }
        if let Some(p) = scope.process {
            // *A state: is this process in that state?*
            if component.state(scope.system.role(p, c), name).is_some() {
                return Ok(Value::Bool(scope.configuration.processes[p].parts[c].state == Some(name)));
            }
        }
        if component.roles.contains(&name) {
            return Ok(role(name, c, scope));
        }
    }
    predefined(name, scope)
}

impl Value {
    /// Return the value; abort for *a variable that nothing has been assigned to*.
    fn assigned(self) -> Evaluated {
        if self == Value::Unset { self.needed() } else { Ok(self) }
    }
}

/// Return the value of a variable of a process, or of the definition of an output, if there is one.
pub fn variable(p: usize, component: usize, name: &str, scope: &Scope<'_>) -> Option<Evaluated> {
    // *Those who move at the same time read what was there before.* In pairwise interactions the command itself changes the other process.
    let own = scope.process.is_none_or(|own| own == p) || scope.system.acts_in_pairs();
    let shown = if own { scope.configuration } else { scope.others };
    for c in [component].into_iter().chain(scope.system.component(component).partner) {
        let part = shown.processes.get(p)?.parts.get(c)?;
        if let Some(value) = part.variables.get(name) {
            return Some(value.clone().assigned());
        }
        let outputs = &scope.system.component(c).variables;
        if let Some(output) = outputs.iter().find(|v| v.output && v.name == name) {
            let mut inner = scope.at(Some(p), c);
            inner.configuration = shown;
            return output.init.map(|definition| eval(definition, &inner));
        }
    }
    None
}

/// Return the value of a role's name: *the set of its processes (ids, or the ports that lead to them)*.
fn role(name: &str, component: usize, scope: &Scope<'_>) -> Value {
    let system = scope.system;
    let members = (0..system.n()).filter(|q| system.role(*q, component) == Some(name));
    match scope.process {
        None => Value::set(members.map(Value::Process)),
        Some(_) if system.component(component).addresses_by_id() => {
            Value::set(members.map(|q| Value::Id(system.network.id(ProcessId(q as u32)))))
        }
        Some(p) => {
            let members: Vec<usize> = members.collect();
            let ports = system.network.ports(ProcessId(p as u32)).into_iter().enumerate();
            Value::set(
                ports.filter(|(_, port)| members.contains(&(port.peer.index()))).map(|(k, _)| Value::Port(k)),
            )
        }
    }
}

fn predefined(name: &'static str, scope: &Scope<'_>) -> Evaluated {
    let (system, network) = (scope.system, &scope.system.network);
    let number =
        |k: Option<u32>| k.map_or_else(|| abort(format!("no {name}")), |k| Ok(Value::Int(i64::from(k))));
    let ids = |all: &mut dyn Iterator<Item = usize>| {
        Value::set(all.map(|q| Value::Id(network.id(ProcessId(q as u32)))))
    };
    let all_processes = || 0..system.n();
    match (name, scope.process) {
        ("n", _) => number(Some(network.n())),
        ("diameter", _) => number(network.diameter()),
        ("edges", _) => number(Some(network.edges())),
        ("rows", _) => number(network.rows()),
        ("columns", _) => number(network.columns()),
        ("id", Some(p)) => Ok(Value::Id(network.id(ProcessId(p as u32)))),
        ("others", Some(p)) => Ok(ids(&mut all_processes().filter(|q| *q != p))),
        ("everybody", _) => Ok(ids(&mut all_processes())),
        ("neighbours", Some(p)) => Ok(Value::set(system.neighbours(p).into_iter().map(Value::Port))),
        ("degree", Some(p)) => Ok(Value::Int(i64::from(network.degree(ProcessId(p as u32))))),
        ("children", Some(p)) => Ok(system.children(p)),
        ("initiator", Some(p)) => Ok(Value::Bool(system.settings.initiators[p])),
        ("parent", Some(p)) => Ok(system.direction(p, scope.component, name).unwrap_or(Value::None)),
        ("coin", _) => draw_coin(1, 2, scope),
        ("received", Some(_)) => Ok(received(scope)),
        ("heard", Some(_)) => match scope.heard.and_then(|heard| heard.sound.clone()) {
            Some(sound) => Ok(sound),
            None => Ok(sound("silence")),
        },
        ("silence" | "success" | "collision" | "beep", _) => Ok(sound(name)),
        ("enabled", Some(p)) => fact(p, "enabled", scope).unwrap_or_else(|| unspecified("enabled")),
        ("processes", None) => Ok(Value::set(all_processes().map(Value::Process))),
        // *Initiators are those that have woken by themselves so far (all, where nobody sleeps).*
        ("initiators", None) => {
            let woke = |q: &usize| started_by_itself(*q, scope);
            Ok(Value::set(all_processes().filter(woke).map(Value::Process)))
        }
        ("participants", None) => {
            Ok(Value::set(all_processes().filter(|q| system.participates(*q)).map(Value::Process)))
        }
        (_, Some(p)) => match system.direction(p, scope.component, name) {
            Some(port) => Ok(port),
            None if Label::parse(name).is_some() => abort(format!("there is no port {name}")),
            None => unspecified(format!("the name {name} at a process")),
        },
        _ => unspecified(format!("the name {name}")),
    }
}

/// *How the slot sounded.*
const SOUNDS: [Value; 4] = [
    Value::Case(0, "silence"),
    Value::Case(1, "success"),
    Value::Case(2, "collision"),
    Value::Case(3, "beep"),
];

pub fn sound(name: &str) -> Value {
    let is = |value: &&Value| matches!(value, Value::Case(_, case) if *case == name);
    SOUNDS.iter().find(is).unwrap_or(&SOUNDS[0]).clone()
}

/// *In an algorithm without `message` clauses the set of the values, otherwise the list of the messages.*
fn received(scope: &Scope<'_>) -> Value {
    let heard = scope.heard.map_or(&[][..], |heard| &heard.received);
    if scope.here().messages.is_empty() {
        return Value::set(heard.iter().map(|(_, content)| content.fields[0].clone()));
    }
    Value::List(heard.iter().map(|(_, content)| Value::Message(content.clone())).collect())
}

fn started_by_itself(p: usize, scope: &Scope<'_>) -> bool {
    let asleep = |q: usize| crate::specification::step::may_wake(scope.system, q);
    if (0..scope.system.n()).any(asleep) { scope.configuration.processes[p].woke } else { true }
}

// ---- Fields

/// Return the process and the component whose names an expression such as `p`, `p.Vote` or `Vote` gives access to, if any.
fn owner(of: &'static Expr, scope: &Scope<'_>) -> Option<(usize, usize)> {
    let layer = |component: usize, name: &str| {
        let layers = scope.system.component(component).layers.iter();
        layers.clone().find(|(alias, _)| *alias == name).map(|(_, layer)| *layer)
    };
    match &of.kind {
        ExprKind::Name(name) if scope.local(&name.text).is_none() => {
            Some((scope.process?, layer(scope.component, &name.text)?))
        }
        ExprKind::Field(of, name) => {
            let (p, component) = match owner(of, scope) {
                Some(owner) => owner,
                None => match eval(of, scope).ok()? {
                    Value::Process(p) => (p, 0),
                    _ => return None,
                },
            };
            Some((p, layer(component, &name.text)?))
        }
        _ => None,
    }
}

pub fn field(of: &'static Expr, name: &'static str, scope: &Scope<'_>) -> Evaluated {
    let missing = || unspecified(format!("the field {name}"));
    if let Some((p, component)) = owner(of, scope) {
        return variable(p, component, name, scope).unwrap_or_else(missing);
    }
    match eval(of, scope)?.needed()? {
        Value::Tuple(parts) => {
            let part = name.parse::<usize>().ok().and_then(|k| parts.into_iter().nth(k.checked_sub(1)?));
            part.map_or_else(missing, Ok)
        }
        Value::Record(_, fields) => {
            let found = fields.into_iter().find(|(field, _)| *field == name);
            found.map_or_else(missing, |(_, value)| Ok(value))
        }
        Value::Message(content) => {
            let fields = scope.system.component(content.component).messages.get(content.name);
            let at = fields.and_then(|fields| fields.iter().position(|field| field.name.text == name));
            at.and_then(|at| content.fields.into_iter().nth(at)).map_or_else(missing, Ok)
        }
        Value::Event(event) => observed(scope)?.event(event, name),
        Value::Process(p) => fact(p, name, scope)
            .or_else(|| found_anywhere(p, name, scope))
            .unwrap_or_else(|| unspecified(format!("{name} of p{p}"))),
        // *Reading neighbours: `prev.x` is the variable `x` of the process at the other end of the port.*
        Value::Port(port) => match scope.process {
            Some(p) => {
                let q = scope.system.peer(p, port)?;
                let mut inner = scope.clone();
                if q == p {
                    inner.others = scope.configuration;
                }
                variable(q, scope.component, name, &inner)
                    .unwrap_or_else(|| unspecified(format!("{name} of a neighbour")))
            }
            None => unspecified(format!("{name} of a port in a property")),
        },
        value => unspecified(format!("the field {name} of {value:?}")),
    }
}

/// Find a variable or state of a layer: `p.elected`, *if nothing else has the name*.
fn found_anywhere(p: usize, name: &'static str, scope: &Scope<'_>) -> Option<Evaluated> {
    let components = 0..scope.system.program.components.len();
    [scope.component].into_iter().chain(components).find_map(|c| variable(p, c, name, scope))
}

/// Return a predefined attribute of a process, in properties and scenarios; None if the name is not one.
fn fact(p: usize, name: &str, scope: &Scope<'_>) -> Option<Evaluated> {
    let system = scope.system;
    let process = scope.configuration.processes.get(p);
    Some(Ok(match name {
        "id" => Value::Id(system.network.id(ProcessId(p as u32))),
        "index" => Value::Int(p as i64),
        "degree" => Value::Int(i64::from(system.network.degree(ProcessId(p as u32)))),
        "initiator" => Value::Bool(started_by_itself(p, scope)),
        "halted" => Value::Bool(process?.parts[0].halted || process?.done),
        "up" => Value::Bool(process?.up),
        "neighbours" => {
            let ports = system.neighbours(p).into_iter();
            return Some(
                ports
                    .map(|k| system.peer(p, k).map(Value::Process))
                    .collect::<Result<_, _>>()
                    .map(Value::Set),
            );
        }
        "enabled" => {
            return Some(
                crate::specification::step::is_enabled(system, scope.configuration, p).map(Value::Bool),
            );
        }
        _ => return None,
    }))
}

/// *`p in relay`, `p in Member`: is `p` in that state, has it that role?* Return None if the right side is no such name.
pub fn is_in_place(
    left: &'static Expr,
    right: &'static Expr,
    scope: &Scope<'_>,
) -> Result<Option<bool>, Failure> {
    let (owner, name) = match &right.kind {
        ExprKind::Name(name) if scope.local(&name.text).is_none() => (None, name.text.as_str()),
        ExprKind::Field(of, name) => match &of.kind {
            ExprKind::Name(layer) => (Some(layer.text.as_str()), name.text.as_str()),
            _ => return Ok(None),
        },
        _ => return Ok(None),
    };
    if scope.process.is_some() {
        return Ok(None);
    }
    let all = &scope.system.program.components;
    let matching = |c: &usize| match owner {
        Some(path) => all[*c].path == path,
        None => scope.family().any(|f| f == *c),
    };
    for c in (0..all.len()).filter(matching) {
        if all[c].states.iter().any(|state| state.name == name) {
            return match eval(left, scope)?.needed()? {
                Value::Process(p) => Ok(Some(scope.configuration.processes[p].parts[c].state == Some(name))),
                value => unspecified(format!("{value:?} in a state")),
            };
        }
    }
    Ok(None)
}

/// *`arrived M`: has any `M` come?*
pub fn has_arrived(message: &'static str, scope: &Scope<'_>) -> Option<bool> {
    let component = message_of(message, scope)?;
    let is = |(_, content): &(Value, Content)| content.component == component && content.name == message;
    Some(scope.heard.is_some_and(|heard| heard.received.iter().any(is)))
}

// ---- Calls

pub fn call(layer: Option<&str>, name: &'static str, args: &'static [Expr], scope: &Scope<'_>) -> Evaluated {
    let values = || args.iter().map(|arg| eval(arg, scope)).collect::<Result<Vec<_>, _>>();
    let component = match layer {
        Some("algorithm") => scope.here().partner,
        Some(layer) => scope.here().layers.iter().find(|(alias, _)| *alias == layer).map(|(_, c)| *c),
        None => Some(scope.component),
    };
    let Some(component) = component else { return unspecified(format!("{layer:?}.{name}")) };
    for c in [component].into_iter().chain(scope.system.component(component).partner) {
        let declared = scope.system.component(c);
        if let Some(function) = declared.functions.get(name) {
            if let Some(p) =
                scope.process.filter(|_| crate::specification::pairs::is_oracle(scope.system, name))
            {
                return crate::specification::pairs::asked(*function, c, p, scope);
            }
            return applied(*function, c, values()?, scope);
        }
        if let Some(params) = declared.messages.get(name) {
            let fields = values()?;
            return message(c, name, params, fields, scope).map(Value::Message);
        }
        if let Some(params) = declared.records.get(name) {
            let mut fields = Vec::new();
            for (param, value) in params.iter().zip(values()?) {
                let value = match &param.ty {
                    Some(ty) => fit(value, ty, &scope.at(scope.process, c))?,
                    None => value,
                };
                fields.push((param.name.text.as_str(), value));
            }
            return Ok(Value::Record(name, fields));
        }
    }
    builtin(name, args, scope)
}

/// Return a message whose fields fit their types.
pub fn message(
    component: usize,
    name: &'static str,
    params: &'static [synod::internals::syntax::ast::Param],
    values: Vec<Value>,
    scope: &Scope<'_>,
) -> Result<Content, Failure> {
    let mut fields = Vec::new();
    for (param, value) in params.iter().zip(values) {
        let inner = scope.at(scope.process, component);
        fields.push(param.ty.as_ref().map_or(Ok(value.clone()), |ty| fit(value, ty, &inner))?);
    }
    Ok(Content { component, name, fields })
}

fn builtin(name: &'static str, args: &'static [Expr], scope: &Scope<'_>) -> Evaluated {
    let (system, network) = (scope.system, &scope.system.network);
    // *`has(north)`: is there such a port?*
    if let ("has", [arg]) = (name, args) {
        return match eval(arg, scope) {
            Ok(value) => Ok(Value::Bool(value != Value::None)),
            Err(Failure::Abort(_)) => Ok(Value::Bool(false)),
            Err(failure) => Err(failure),
        };
    }
    // *Labels belong to every process*: `neighbour(p, next)`.
    if let ("neighbour" | "weight" | "far_end", [p, port]) = (name, args)
        && let Value::Process(p) = eval(p, scope)?
    {
        let mut there = scope.at(Some(p), scope.component);
        there.locals.clone_from(&scope.locals);
        let is_label = matches!(&port.kind, ExprKind::Name(n) if scope.local(&n.text).is_none() && Label::parse(&n.text).is_some());
        let port = if is_label { eval(port, &there)? } else { eval(port, scope)? };
        let Value::Port(port) = port.needed()? else {
            return unspecified("`neighbour` of a value that is no port");
        };
        let peer = system.peer(p, port)?;
        return Ok(match name {
            "weight" => Value::Int(network.weight(ProcessId(p as u32), port as u32)),
            "far_end" => Value::Port(far_end(system, p, port)),
            _ => Value::Process(peer),
        });
    }
    let values = args.iter().map(|arg| eval(arg, scope)).collect::<Result<Vec<_>, _>>()?;
    let extremum = |elements: Vec<Value>, greatest: bool| {
        let best = if greatest { elements.into_iter().max() } else { elements.into_iter().min() };
        best.map_or_else(|| abort(format!("the {name} of nothing")), Ok)
    };
    let element = |value: Option<Value>| value.map_or_else(|| abort(format!("the {name} of nothing")), Ok);
    let port = |label: Result<Label, Failure>| match scope.process {
        Some(p) => system.labelled(p, label?).map_or_else(|| abort("there is no such port"), Ok),
        None => unspecified("a port of no process"),
    };
    let here = || scope.process.map_or_else(|| unspecified(format!("{name} of no process")), Ok);
    match (name, values.as_slice()) {
        ("max", [all]) => extremum(all.clone().elements()?, true),
        ("min", [all]) => extremum(all.clone().elements()?, false),
        ("max" | "min", all) => {
            let all = all.iter().map(|v| v.clone().needed()).collect::<Result<_, _>>()?;
            extremum(all, name == "max")
        }
        ("abs", [x]) => int(i128::from(x.clone().number()?).abs()),
        ("pow", [b, e]) => power(b.clone().number()?, e.clone().number()?),
        ("log2_floor" | "log2_ceil", [x]) => {
            let x = x.clone().number()?;
            if x <= 0 {
                return abort("the logarithm of a number that is not positive");
            }
            let floor = i64::from(x.ilog2());
            let is_power = x.count_ones() == 1;
            Ok(Value::Int(if name == "log2_floor" || is_power { floor } else { floor + 1 }))
        }
        ("size", [all]) => Ok(Value::Int(all.clone().elements()?.len() as i64)),
        ("sum", [all]) => {
            let mut total = 0i128;
            for k in all.clone().elements()? {
                total += i128::from(k.number()?);
            }
            int(total)
        }
        ("head", [list]) => element(list.clone().elements()?.into_iter().next()),
        ("last", [list]) => element(list.clone().elements()?.into_iter().next_back()),
        ("tail", [list]) => match list.clone().elements()? {
            list if list.is_empty() => abort("the tail of nothing"),
            list => Ok(Value::List(list.into_iter().skip(1).collect())),
        },
        ("keys", [map]) => Ok(Value::set(map.clone().elements()?)),
        ("values", [map]) => match map.clone().needed()? {
            Value::Map(map) => Ok(Value::List(map.into_values().collect())),
            empty if empty.is_empty_braces() => Ok(Value::List(Vec::new())),
            value => unspecified(format!("the values of {value:?}")),
        },
        ("sort", [all]) => {
            let mut all = all.clone().elements()?;
            all.sort();
            Ok(Value::List(all))
        }
        ("list", [all]) => Ok(Value::List(all.clone().elements()?)),
        ("set", [all]) => Ok(Value::set(all.clone().elements()?)),
        ("first" | "second", [pair]) => match pair.clone().needed()? {
            Value::Tuple(parts) => element(parts.into_iter().nth(usize::from(name == "second"))),
            value => unspecified(format!("the {name} of {value:?}")),
        },
        ("ids", [all]) => {
            let id = |p: Value| match p {
                Value::Process(p) => Ok(Value::Id(network.id(ProcessId(p as u32)))),
                value => unspecified(format!("the id of {value:?}")),
            };
            Ok(Value::Set(all.clone().elements()?.into_iter().map(id).collect::<Result<BTreeSet<_>, _>>()?))
        }
        ("int", [Value::Id(id)]) => Ok(Value::Int(*id)),
        ("int", [Value::Int(id)]) => Ok(Value::Int(*id)),
        ("identifier", [k]) => Ok(Value::Id(k.clone().number()?)),
        ("opposite", [Value::Port(k)]) => {
            system.opposite(here()?, *k).map_or_else(|| abort("there is no opposite port"), Ok)
        }
        ("neighbour", [Value::Port(k)]) => {
            Ok(Value::Id(network.id(ProcessId(system.peer(here()?, *k)? as u32))))
        }
        ("weight", [Value::Port(k)]) => {
            let p = here()?;
            system.peer(p, *k)?;
            Ok(Value::Int(network.weight(ProcessId(p as u32), *k as u32)))
        }
        ("far_end", [Value::Port(k)]) => {
            system.peer(here()?, *k)?;
            Ok(Value::Port(far_end(system, here()?, *k)))
        }
        ("opposite" | "neighbour" | "weight" | "far_end" | "int", [Value::None, ..]) => {
            abort("none where a value is needed")
        }
        ("connects", [pairs]) => connects(pairs.clone().elements()?, system.n()),
        ("port", [Value::Process(p), Value::Process(q)]) => {
            let port =
                network.ports(ProcessId(*p as u32)).into_iter().position(|port| port.peer.index() == *q);
            port.map_or_else(|| abort("there is no such port"), |port| Ok(Value::Port(port)))
        }
        ("port", [k]) => {
            let degree = network.degree(ProcessId(here()? as u32)) as usize;
            let k = usize::try_from(k.clone().number()?).ok().filter(|k| *k < degree);
            k.map_or_else(|| abort("there is no such port"), |k| Ok(Value::Port(k)))
        }
        ("dimension", [k]) => {
            let k = u8::try_from(k.clone().number()?).or_else(|_| abort("there is no such port"));
            port(k.map(Label::Dimension))
        }
        ("chord", [k]) => {
            let k = u16::try_from(k.clone().number()?).or_else(|_| abort("there is no such port"));
            port(k.map(Label::Chord))
        }
        ("coin", [a, b]) => draw_coin(a.clone().number()?, b.clone().number()?, scope),
        ("random", [all]) => {
            let all = all.clone().elements()?;
            if all.is_empty() {
                return abort("nothing to draw from");
            }
            Ok(all[draw(all.len(), scope)?].clone())
        }
        ("multicast_before", [a, b]) => observed(scope)?.multicast_before(a, b),
        _ => unspecified(format!("the function {name} of {values:?}")),
    }
}

fn power(base: i64, exponent: i64) -> Evaluated {
    if exponent < 0 {
        return abort("a negative exponent");
    }
    let mut result = 1i64;
    for _ in 0..exponent {
        if base == 0 || base == 1 {
            return Ok(Value::Int(base));
        }
        if base == -1 {
            return Ok(Value::Int(if exponent % 2 == 0 { 1 } else { -1 }));
        }
        result = int(i128::from(result) * i128::from(base))?.number()?;
    }
    Ok(Value::Int(result))
}

/// *`connects(E)`: do these pairs of processes, taken as links, join all processes?*
fn connects(pairs: Vec<Value>, n: usize) -> Evaluated {
    let mut joined = BTreeSet::from([0]);
    for _ in 0..n {
        for pair in &pairs {
            let Value::Tuple(ends) = pair else { return unspecified("a link that is no pair") };
            let [Value::Process(a), Value::Process(b)] = ends.as_slice() else {
                return unspecified("a link whose ends are no processes");
            };
            if joined.contains(a) || joined.contains(b) {
                joined.extend([*a, *b]);
            }
        }
    }
    Ok(Value::Bool(joined.len() == n))
}

// ---- Randomness

/// *Probabilities are exact fractions; one below 0 or above 1 aborts, and 0 and 1 are no choice at all.*
fn draw_coin(a: i64, b: i64, scope: &Scope<'_>) -> Evaluated {
    if b == 0 {
        return abort("division by zero");
    }
    let (a, b) = if b < 0 { (-i128::from(a), -i128::from(b)) } else { (i128::from(a), i128::from(b)) };
    if a < 0 || a > b {
        return abort("a probability below 0 or above 1");
    }
    Ok(Value::Bool(if a == 0 || a == b { a == b } else { draw(2, scope)? == 0 }))
}

fn draw(options: usize, scope: &Scope<'_>) -> Result<usize, Failure> {
    match scope.choices {
        Some(choices) => Ok(choices.borrow_mut().choose(options, true)),
        None => unspecified("a draw outside a command"),
    }
}

/// *The port by which the process at the other end of `p` sees the link*: the one whose link leads back through this port.
fn far_end(system: &System, p: usize, port: usize) -> usize {
    let network = &system.network;
    let here = network.ports(ProcessId(p as u32))[port];
    let is_back = |there: &Port| {
        (here.out != NONE && there.incoming == here.out)
            || (here.incoming != NONE && there.out == here.incoming)
    };
    network.ports(here.peer).iter().position(is_back).expect("every link has two ends")
}
