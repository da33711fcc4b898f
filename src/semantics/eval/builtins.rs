//! Facts about the instance, the current process, other processes, the history and the metrics.

use super::{Env, Eval, NO_PROCESS, World, abort, word as eval_word};
use crate::ids::ProcessId;
use crate::instance::Instance;
use crate::ir::{
    EventFact, Expr, Fact, Metric, NONE_WORD, PortFact, PortLabel, ProcessFact, ScriptFact, Value,
};
use crate::network::{Label, NONE};
use crate::source::Span;
use std::sync::Arc;

pub(super) fn world<'a>(span: Span, env: &Env<'a>) -> Eval<World<'a>> {
    match env.world {
        Some(world) => Ok(world),
        None => abort(span, "this is defined only in a configuration"),
    }
}

fn own(span: Span, env: &Env<'_>) -> Eval<ProcessId> {
    match env.process {
        NO_PROCESS => abort(span, "this is defined only inside a process"),
        p => Ok(p),
    }
}

fn script(fact: &ScriptFact, span: Span, env: &Env<'_>) -> Eval<bool> {
    let environment = world(span, env)?.configuration.environment();
    let Some(position) = &environment.script else { return Ok(false) };
    Ok(match fact {
        ScriptFact::Passes(line) => (position.from..position.at).contains(line),
        ScriptFact::IsComplete => {
            position.pending.is_empty() && env.instance.script.iter().all(|s| s.line(position.at).is_none())
        }
        ScriptFact::Outcome(line, outcome) => {
            position.outcomes.iter().all(|(at, found)| at != line || found == outcome)
        }
    })
}

pub(super) fn word(fact: &Fact, span: Span, env: &mut Env<'_>) -> Eval<i64> {
    let network = &env.instance.network;
    Ok(match fact {
        Fact::Id => network.id(own(span, env)?),
        Fact::Heard => super::neighbourhood::heard(span, env)?,
        Fact::Oracle(number) => i64::from(super::neighbourhood::oracle(*number, span, env)?),
        Fact::Script(fact) => script(fact, span, env)?.into(),
        Fact::N => i64::from(network.n()),
        Fact::Diameter => match network.diameter() {
            Some(diameter) => i64::from(diameter),
            None => return abort(span, "a network that is not connected has no diameter"),
        },
        Fact::Edges => i64::from(network.edges()),
        Fact::Rows | Fact::Columns => {
            let size = if *fact == Fact::Rows { network.rows() } else { network.columns() };
            match size {
                Some(size) => i64::from(size),
                None => {
                    let topology = network.topology();
                    return abort(span, format!("{topology} has no rows and columns"));
                }
            }
        }
        Fact::Degree => i64::from(network.degree(own(span, env)?)),
        Fact::Port(label) => {
            let p = own(span, env)?;
            match network.port_with_label(p, network_label(*label)) {
                Some(port) => i64::from(port),
                // `parent` is an option: the root has none.
                None if *label == PortLabel::Parent => NONE_WORD,
                None => {
                    let label = network_label(*label);
                    return abort(span, format!("{p} has no port {label}"));
                }
            }
        }
        Fact::RingNext | Fact::RingPrev => {
            let p = own(span, env)?;
            let next = *fact == Fact::RingNext;
            if env.instance.program.assumptions.ring_of_ids() {
                let (ProcessId(p), n) = (p, network.n());
                let q = if next { p + 1 } else { p + n - 1 } % n;
                return Ok(network.id(ProcessId(q)));
            }
            let ring = env.instance.virtual_ring.as_ref();
            match ring.and_then(|ring| if next { ring.next(p) } else { ring.prev(p) }) {
                Some(port) => i64::from(port),
                None => return abort(span, format!("{p} is alone on its ring: there is no next process")),
            }
        }
        Fact::TreeParent => {
            let p = own(span, env)?;
            let parent = env.instance.spanning_tree.as_ref().and_then(|tree| tree.parent(p));
            parent.map_or(NONE_WORD, i64::from)
        }
        Fact::HasPort(PortLabel::Next | PortLabel::Prev) if env.instance.virtual_ring.is_some() => {
            let p = own(span, env)?;
            i64::from(env.instance.virtual_ring.as_ref().is_some_and(|ring| ring.next(p).is_some()))
        }
        Fact::HasPort(label) => {
            let p = own(span, env)?;
            i64::from(network.port_with_label(p, network_label(*label)).is_some())
        }
        Fact::IsInitiator => i64::from(env.instance.initiators[own(span, env)?.index()]),
        _ => return abort(span, "this is a set"),
    })
}

pub(super) fn value(fact: &Fact, span: Span, env: &mut Env<'_>) -> Eval<Value> {
    let instance = env.instance;
    let network = &instance.network;
    Ok(match fact {
        Fact::Peers => {
            let own = Value::Id(network.id(own(span, env)?));
            let mut all = everybody(instance);
            if let Value::Set(ids) = &mut all {
                Arc::make_mut(ids).remove(&own);
            }
            all
        }
        Fact::Everybody => everybody(instance),
        Fact::Neighbours => {
            let ports = (0i64..).zip(network.ports(own(span, env)?));
            Value::set(ports.filter(|(_, p)| p.out != NONE).map(|(k, _)| Value::Port(k)))
        }
        Fact::TreeChildren => {
            let p = own(span, env)?;
            match &env.instance.spanning_tree {
                Some(tree) => Value::set(tree.children(p).iter().map(|k| Value::Port(i64::from(*k)))),
                None => {
                    let down = |(_, port): &(i64, crate::network::Port)| port.label != Some(Label::Parent);
                    let ports = (0i64..).zip(network.ports(p));
                    Value::set(ports.filter(down).map(|(k, _)| Value::Port(k)))
                }
            }
        }
        Fact::Role(role) => {
            if instance.program.assumptions.identifies_by_id() {
                let ids = || Value::set(members(instance, *role).map(|p| Value::Id(network.id(p))));
                instance.sets.by_role[usize::from(*role)][1].get_or_init(ids).clone()
            } else {
                let ports = (0i64..).zip(network.ports(own(span, env)?));
                let leads = |(_, p): &(i64, crate::network::Port)| instance.roles[p.peer.index()] == *role;
                Value::set(ports.filter(leads).map(|(k, _)| Value::Port(k)))
            }
        }
        Fact::Processes => {
            let all = || Value::set(instance.processes().map(process_value));
            instance.sets.processes.get_or_init(all).clone()
        }
        Fact::Participants => {
            let offers = |p: &ProcessId| {
                let role = &instance.program.roles[instance.role_of(*p)];
                role.operations.iter().any(Option::is_some)
            };
            let all = || Value::set(instance.processes().filter(offers).map(process_value));
            instance.sets.participants.get_or_init(all).clone()
        }
        Fact::RoleProcesses(role) => {
            let all = || Value::set(members(instance, *role).map(process_value));
            instance.sets.by_role[usize::from(*role)][0].get_or_init(all).clone()
        }
        Fact::Initiators => {
            Value::set(instance.processes().filter(|p| started_by_itself(*p, env)).map(process_value))
        }
        _ => return abort(span, "this is not a set"),
    })
}

/// Return whether the process started the computation: it woke up spontaneously in this run, or has no `on wakeup`.
fn started_by_itself(p: ProcessId, env: &Env<'_>) -> bool {
    if !env.instance.program.roles[env.instance.role_of(p)].has_wakeup {
        return true;
    }
    match env.world {
        Some(world) => world.configuration.has_woken(p),
        None => env.instance.initiators[p.index()],
    }
}

fn process_value(p: ProcessId) -> Value {
    Value::Process(i64::from(p.0))
}

fn members(instance: &Instance, role: u16) -> impl Iterator<Item = ProcessId> + '_ {
    instance.processes().filter(move |p| instance.roles[p.index()] == role)
}

fn everybody(instance: &Instance) -> Value {
    let ids = || Value::set(instance.network.ids().iter().map(|id| Value::Id(*id)));
    instance.sets.ids.get_or_init(ids).clone()
}

fn network_label(label: PortLabel) -> Label {
    match label {
        PortLabel::Next => Label::Next,
        PortLabel::Prev => Label::Prev,
        PortLabel::Left => Label::Left,
        PortLabel::Right => Label::Right,
        PortLabel::North => Label::North,
        PortLabel::East => Label::East,
        PortLabel::South => Label::South,
        PortLabel::West => Label::West,
        PortLabel::Parent => Label::Parent,
    }
}

pub(super) fn port(fact: PortFact, of: &Expr, span: Span, env: &mut Env<'_>) -> Eval<i64> {
    let w = eval_word(of, env)?;
    let p = own(span, env)?;
    let network = &env.instance.network;
    let degree = network.degree(p);
    let labelled = match fact {
        PortFact::Dimension => Some((u8::try_from(w).ok().map(Label::Dimension), "port of dimension")),
        PortFact::Chord => Some((u16::try_from(w).ok().map(Label::Chord), "chord")),
        _ => None,
    };
    if let Some((label, what)) = labelled {
        return match label.and_then(|label| network.port_with_label(p, label)) {
            Some(port) => Ok(i64::from(port)),
            None => abort(span, format!("{p} has no {what} {w}")),
        };
    }
    // An id denotes the port that leads to the process.
    let port = match of.ty {
        crate::ir::Type::Id => network.process_with_id(w).and_then(|q| network.port_to(p, q)),
        _ => u32::try_from(w).ok().filter(|port| *port < degree),
    };
    let Some(port) = port else {
        return abort(span, format!("{p} has no port {w}: it has {degree}, numbered from 0"));
    };
    match fact {
        PortFact::Opposite if let Some(ring) = &env.instance.virtual_ring => {
            match ring.outgoing_port(p, port) {
                Some(port) => Ok(i64::from(port)),
                None => abort(span, format!("the virtual ring does not enter {p} at port {port}")),
            }
        }
        PortFact::Opposite => match network.opposite(p, port) {
            Some(port) => Ok(i64::from(port)),
            None => abort(span, format!("port {port} of {p} has no opposite port")),
        },
        PortFact::Neighbour => Ok(network.id(network.ports(p)[port as usize].peer)),
        PortFact::Weight => Ok(network.weight(p, port)),
        PortFact::FarEnd => Ok(i64::from(network.far_end(p, port))),
        PortFact::Numbered | PortFact::Dimension | PortFact::Chord => Ok(i64::from(port)),
    }
}

/// Evaluate a port of this process: labels refer to its own ports.
fn at(p: ProcessId, port: &Expr, env: &mut Env<'_>) -> Eval<i64> {
    let outside = std::mem::replace(&mut env.process, p);
    let port = eval_word(port, env);
    env.process = outside;
    port
}

/// Return the process at the other end of a port.
pub(super) fn across(process_at: &Expr, port: &Expr, env: &mut Env<'_>) -> Eval<i64> {
    let (p, _) = process(process_at, env)?;
    let w = at(p, port, env)?;
    let ports = env.instance.network.ports(p);
    match usize::try_from(w).ok().and_then(|w| ports.get(w)) {
        Some(port) => Ok(i64::from(port.peer.0)),
        None => abort(port.span, format!("{p} has no port {w}: it has {}, numbered from 0", ports.len())),
    }
}

/// Return the weight of the edge at a port of a process.
pub(super) fn weight_at(process_at: &Expr, port: &Expr, env: &mut Env<'_>) -> Eval<i64> {
    across(process_at, port, env)?;
    let (p, _) = process(process_at, env)?;
    let w = at(p, port, env)?;
    Ok(env.instance.network.weight(p, w as u32))
}

/// Return the port by which the neighbour at a port of a process sees their link.
pub(super) fn far_end(process_at: &Expr, port: &Expr, env: &mut Env<'_>) -> Eval<i64> {
    across(process_at, port, env)?;
    let (p, _) = process(process_at, env)?;
    let w = at(p, port, env)?;
    Ok(i64::from(env.instance.network.far_end(p, w as u32)))
}

/// Return whether these pairs of processes, as edges, connect all processes.
pub(super) fn connects(edges: &Value, env: &Env<'_>) -> bool {
    let ends = |edge: &Value| match edge {
        Value::Tuple(ends) => Some((ProcessId(ends[0].word() as u32), ProcessId(ends[1].word() as u32))),
        _ => None,
    };
    env.instance.network.is_connected_by(super::collections::elements_of(edges).filter_map(ends))
}

/// Return the port of the first process that leads to the second; of several, the first.
pub(super) fn port_to(from: &Expr, to: &Expr, span: Span, env: &mut Env<'_>) -> Eval<i64> {
    let (p, _) = process(from, env)?;
    let (q, _) = process(to, env)?;
    match env.instance.network.port_to(p, q) {
        Some(port) => Ok(i64::from(port)),
        None => abort(span, format!("no port of {p} leads to {q}")),
    }
}

/// Evaluate a process, and return it with its role.
pub fn process(e: &Expr, env: &mut Env<'_>) -> Eval<(ProcessId, usize)> {
    let w = eval_word(e, env)?;
    let n = env.instance.n();
    match u32::try_from(w) {
        Ok(p) if p < n => Ok((ProcessId(p), env.instance.role_of(ProcessId(p)))),
        _ => abort(e.span, format!("there is no process p{w}: n = {n}")),
    }
}

pub(super) fn of_process(fact: ProcessFact, of: &Expr, span: Span, env: &mut Env<'_>) -> Eval<i64> {
    let (p, _) = process(of, env)?;
    Ok(match fact {
        ProcessFact::Id => env.instance.network.id(p),
        ProcessFact::Index => i64::from(p.0),
        ProcessFact::Degree => i64::from(env.instance.network.degree(p)),
        ProcessFact::Neighbours => return abort(span, "the neighbours of a process are not a number"),
        ProcessFact::Halted => {
            let configuration = world(span, env)?.configuration;
            // Under a synchronizer, a halted process is idle, and takes part in the rounds of others.
            let by_layer = env.instance.program.roles[env.instance.role_of(p)].received_slot.is_some();
            i64::from(configuration.halted(p) || by_layer && configuration.pc(p) == 0)
        }
        ProcessFact::Up => i64::from(!world(span, env)?.configuration.crashed(p)),
        ProcessFact::IsInitiator => i64::from(started_by_itself(p, env)),
        ProcessFact::Enabled => i64::from(world(span, env)?.configuration.enabled(p)),
    })
}

/// Return the processes to which a process can send directly.
pub(super) fn neighbours_of(of: &Expr, env: &mut Env<'_>) -> Eval<Value> {
    let (p, _) = process(of, env)?;
    let out = env.instance.network.ports(p).into_iter().filter(|port| port.out != NONE);
    Ok(Value::set(out.map(|port| process_value(port.peer))))
}

pub(super) fn of_event(fact: EventFact, of: &Expr, span: Span, env: &mut Env<'_>) -> Eval<Value> {
    let event = eval_word(of, env)?;
    let Some(entry) = world(span, env)?.history.get(event) else {
        return abort(span, format!("there is no event {event}"));
    };
    Ok(match fact {
        EventFact::Process => process_value(entry.process),
        EventFact::Nth => Value::Int(i64::from(entry.nth)),
        EventFact::Value => entry.value.clone().unwrap_or(Value::None),
    })
}

pub(super) fn metric(
    metric: Metric,
    of: Option<&[u32]>,
    per: Option<u16>,
    span: Span,
    env: &mut Env<'_>,
) -> Eval<i64> {
    let metrics = world(span, env)?.metrics;
    let total = match metric {
        Metric::Messages => metrics.messages_of(of),
        Metric::MessagesToSelf => metrics.messages_to_self_of(of),
        Metric::Bits => metrics.bits_of(of),
        Metric::Time => u64::from(metrics.time),
        Metric::Rounds if !env.instance.model.has_rounds() => return abort(span, "this run has no rounds"),
        Metric::Rounds => metrics.rounds,
    };
    let total = i64::try_from(total).unwrap_or(i64::MAX);
    match per.map(|operation| metrics.returns[operation as usize]) {
        None => Ok(total),
        Some(0) => abort(span, "no operation of this kind has been completed"),
        Some(count) => Ok(total / count as i64),
    }
}
