//! Two handmade runs, so that files, clocks and drawings are tested without the engine: an election on a ring, and
//! mutual exclusion among three processes.

use smallvec::smallvec;
use std::collections::VecDeque;
use synod::internals::ids::{ChannelId, MessageId, ProcessId};
use synod::internals::semantics::event::Cause;
use synod::internals::trace::step::Choice;
use synod::internals::trace::{Change, End, FORMAT, Header, Message, Trace, TraceEvent};

/// Builder of a trace; channel `from * n + to`.
pub struct Builder {
    trace: Trace,
    depths: Vec<u64>,
    /// Text, sender, receiver and depth of each message.
    messages: Vec<(String, ProcessId, ProcessId, u64)>,
}

impl Builder {
    pub fn new(algorithm: &str, network: &str, ids: &[i64]) -> Builder {
        let header = Header {
            format: FORMAT,
            algorithm: algorithm.into(),
            source: 0x0123_4567_89ab_cdef,
            synod: "0.1.0".into(),
            network: network.into(),
            ids: ids.to_vec(),
            schedule: "random".into(),
            seed: 7,
            ..Header::default()
        };
        Builder {
            trace: Trace { header, events: Vec::new(), end: End::Limit },
            depths: vec![0; ids.len()],
            messages: Vec::new(),
        }
    }

    pub fn header(&mut self) -> &mut Header {
        &mut self.trace.header
    }

    /// Add one event; return the numbers of the messages sent. `seen` holds `name=value` and `!observation`.
    pub fn event(
        &mut self,
        p: ProcessId,
        action: &str,
        received: &[u32],
        sent: &[(&str, u32)],
        seen: &[&str],
    ) -> Vec<u32> {
        let n = self.trace.n() as u32;
        let mut cause = if action == "start" { Cause::Start } else { Cause::Internal };
        for id in received {
            let (_, from, to, depth) = self.messages[*id as usize];
            assert_eq!(to, p, "m{id} goes to {to}");
            self.depths[p.index()] = self.depths[p.index()].max(depth);
            cause = Cause::Deliver { channel: ChannelId(from.0 * n + p.0), position: 0 };
        }
        let depth = self.depths[p.index()];
        let message = |id: u32, of: &(String, ProcessId, ProcessId, u64), peer| Message {
            id: MessageId(id),
            text: of.0.clone(),
            peer,
        };
        let taken = received.iter().map(|id| {
            let m = &self.messages[*id as usize];
            message(*id, m, m.1)
        });
        let taken = taken.collect();
        let first = self.messages.len() as u32;
        self.messages.extend(sent.iter().map(|(text, to)| (text.to_string(), p, ProcessId(*to), depth + 1)));
        let ids: Vec<u32> = (first..self.messages.len() as u32).collect();
        let sent = ids.iter().map(|id| {
            let m = &self.messages[*id as usize];
            message(*id, m, m.2)
        });
        let (observed, changed): (Vec<&str>, Vec<&str>) = seen.iter().partition(|s| s.starts_with('!'));
        self.trace.events.push(TraceEvent {
            index: self.trace.events.len() as u64,
            process: p,
            at: None,
            action: action.into(),
            received: taken,
            arrived: None,
            lost: Vec::new(),
            copied: None,
            with: None,
            sent: sent.collect(),
            changes: changed
                .iter()
                .map(|c| {
                    let (name, value) = c.split_once('=').unwrap();
                    Change::new(name, value)
                })
                .collect(),
            observations: observed.iter().map(|o| o[1..].into()).collect(),
            depth,
            choice: Choice { wait: 0, cause, alternative: 0, choices: smallvec![] },
        });
        ids
    }

    pub fn end(mut self, end: End) -> Trace {
        self.trace.end = end;
        self.trace
    }
}

/// Dolev, Klawe and Rodeh on a ring; a fixed multiplier chooses the deliveries.
pub fn election(ids: &[i64], seed: u64) -> Trace {
    let n = ids.len();
    let mut b = Builder::new("dolev_klawe_rodeh", &format!("ring({n})"), ids);
    b.header().initial = ids
        .iter()
        .map(|id| {
            ["state=active".to_string(), format!("d={id}"), "elected=none".into()]
                .iter()
                .map(|c| {
                    let (name, value) = c.split_once('=').unwrap();
                    Change::new(name, value)
                })
                .collect()
        })
        .collect();
    let next = |p: usize| ((p + 1) % n) as u32;
    let (mut d, mut e) = (ids.to_vec(), vec![None; n]);
    let (mut relay, mut halted) = (vec![false; n], vec![false; n]);
    let mut into: Vec<VecDeque<(u32, i64)>> = vec![VecDeque::new(); n];
    for p in 0..n {
        let m = b.event(ProcessId(p as u32), "start", &[], &[(&format!("({})", d[p]), next(p))], &[]);
        into[next(p) as usize].push_back((m[0], d[p]));
    }
    let mut random = seed;
    loop {
        let ready: Vec<usize> = (0..n).filter(|p| !into[*p].is_empty() && !halted[*p]).collect();
        if ready.is_empty() {
            return b.end(End::Quiescent);
        }
        random = random.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        let p = ready[(random >> 33) as usize % ready.len()];
        let (m, value) = into[p].pop_front().unwrap();
        let mut send = |b: &mut Builder, action: &str, value: i64, seen: &[&str]| {
            let sent = b.event(ProcessId(p as u32), action, &[m], &[(&format!("({value})"), next(p))], seen);
            into[next(p) as usize].push_back((sent[0], value));
        };
        match e[p] {
            _ if relay[p] => {
                d[p] = value;
                send(&mut b, "relay: receive d", value, &[&format!("d={value}")]);
            }
            None if value == d[p] => {
                halted[p] = true;
                b.event(
                    ProcessId(p as u32),
                    "active: receive e",
                    &[m],
                    &[],
                    &["halted=true", &format!("elected={value}")],
                );
            }
            None => {
                e[p] = Some(value);
                send(&mut b, "active: receive e", value, &[&format!("e={value}")]);
            }
            Some(mine) if mine > d[p] && mine > value => {
                (d[p], e[p]) = (mine, None);
                send(&mut b, "active: receive f", mine, &[&format!("d={mine}"), &format!("f={value}")]);
            }
            Some(_) => {
                relay[p] = true;
                b.event(
                    ProcessId(p as u32),
                    "active: receive f",
                    &[m],
                    &[],
                    &["state=relay", &format!("f={value}")],
                );
            }
        }
    }
}

/// Ricart and Agrawala: p0 and p1 request at the same time, p2 only replies; p1's request reaches p2 first.
pub fn mutual_exclusion() -> Trace {
    let mut b = Builder::new("ricart_agrawala", "complete(3)", &[1, 2, 3]);
    b.header().params = vec![Change::new("entries", "1")];
    b.header().initiators = Some(vec![ProcessId(0), ProcessId(1)]);
    b.header().initial = vec![vec![Change::new("state", "released"), Change::new("clock", "0")]; 3];
    let ask = ["Request(1)"; 2];
    let r0 = b.event(
        ProcessId(0),
        "enter",
        &[],
        &[(ask[0], 1), (ask[1], 2)],
        &["state=wanted", "clock=1", "stamp=1", "!call enter"],
    );
    let r1 = b.event(
        ProcessId(1),
        "enter",
        &[],
        &[(ask[0], 0), (ask[1], 2)],
        &["state=wanted", "clock=1", "stamp=1", "!call enter"],
    );
    let a2 = b.event(ProcessId(2), "on Request", &[r1[1]], &[("Reply(2)", 1)], &["clock=2"]);
    b.event(ProcessId(0), "on Request", &[r1[0]], &[], &["clock=2", "deferred={2}"]);
    let b2 = b.event(ProcessId(2), "on Request", &[r0[1]], &[("Reply(3)", 0)], &["clock=3"]);
    let a1 = b.event(ProcessId(1), "on Request", &[r0[0]], &[("Reply(2)", 0)], &["clock=2"]);
    b.event(ProcessId(0), "on Reply", &[a1[0]], &[], &["clock=3", "replies=1"]);
    b.event(ProcessId(1), "on Reply", &[a2[0]], &[], &["clock=3", "replies=1"]);
    b.event(ProcessId(0), "on Reply", &[b2[0]], &[], &["clock=4", "replies=2"]);
    b.event(ProcessId(0), "await replies = n - 1", &[], &[], &["state=held", "!return enter"]);
    let last = b.event(
        ProcessId(0),
        "exit",
        &[],
        &[("Reply(4)", 1)],
        &["state=released", "deferred={}", "!call exit", "!return exit"],
    );
    b.event(ProcessId(1), "on Reply", &[last[0]], &[], &["clock=5", "replies=2"]);
    b.event(ProcessId(1), "await replies = n - 1", &[], &[], &["state=held", "!return enter"]);
    // p2 requests while p1 is in its critical section, so that the drawing shows an occupied one.
    let r2 = b.event(
        ProcessId(2),
        "enter",
        &[],
        &[("Request(4)", 0), ("Request(4)", 1)],
        &["state=wanted", "clock=4", "stamp=4", "!call enter"],
    );
    b.event(ProcessId(0), "on Request", &[r2[0]], &[("Reply(6)", 2)], &["clock=6"]);
    b.event(ProcessId(1), "exit", &[], &[], &["state=released", "!call exit", "!return exit"]);
    b.end(End::Limit)
}
