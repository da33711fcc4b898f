//! Programs built by hand, as lowering would build them.

use std::sync::Arc;
use synod::internals::instance::{Instance, Settings};
use synod::internals::ir::*;
use synod::internals::network::{Direction, Network, NetworkOptions, Spec, build};
use synod::internals::semantics::eval::GlobalEvaluator;
use synod::internals::source::Span;

pub fn e(kind: ExprKind, ty: Type) -> Expr {
    Expr { kind, ty, span: Span::default() }
}

pub fn int(w: i64) -> Expr {
    e(ExprKind::Word(w), Type::Int)
}

pub fn slot(slot: u16, ty: Type) -> Expr {
    e(ExprKind::Slot(Slot::Word(slot)), ty)
}

pub fn id() -> Expr {
    e(ExprKind::Fact(Fact::Id), Type::Id)
}

pub fn compare(op: Compare, x: Expr, y: Expr) -> Expr {
    e(ExprKind::Compare(op, Box::new(x), Box::new(y)), Type::Bool)
}

pub fn and(x: Expr, y: Expr) -> Expr {
    e(ExprKind::And(Box::new(x), Box::new(y)), Type::Bool)
}

pub fn add(x: Expr, y: Expr) -> Expr {
    e(ExprKind::Arith(Arith::Add, Box::new(x), Box::new(y)), Type::Int)
}

pub fn set(slot: u16, value: Expr) -> Op {
    Op::Set(Slot::Word(slot), value)
}

pub fn send(kind: u32, fields: Vec<Expr>, to: Destination) -> Op {
    Op::Send(Box::new(Send { kind, fields, to, span: Span::default() }))
}

/// Build `receive Kind(slot, …) when guard`.
pub fn receive(kind: u32, slots: &[u16], guard: Option<Expr>, entry: Pc) -> Alternative {
    Alternative {
        input: Input::Message {
            kind,
            fields: slots.iter().map(|s| Pattern::Slot(Slot::Word(*s))).collect(),
            from: Sender::Any,
        },
        guard,
        after_earlier: false,
        entry,
        action: 0,
    }
}

pub fn when(guard: Expr, entry: Pc) -> Alternative {
    Alternative {
        input: Input::Condition { some: None },
        guard: Some(guard),
        after_earlier: false,
        entry,
        action: 0,
    }
}

pub fn input(input: Input, entry: Pc) -> Alternative {
    Alternative { input, guard: None, after_earlier: false, entry, action: 0 }
}

pub fn wait(text: &str, alternatives: Vec<Alternative>) -> Wait {
    Wait {
        alternatives,
        span: Span::default(),
        text: text.into(),
        layer: String::new(),
        depends_on_received: false,
    }
}

pub fn state(name: &str, body: Option<Pc>, handlers: Handlers) -> State {
    State { name: name.into(), body, handlers, span: Span::default() }
}

pub fn handlers(alternatives: Vec<Alternative>) -> Handlers {
    Handlers { alternatives, ..Handlers::default() }
}

/// Build a message kind whose fields are all words.
pub fn kind(name: &str, types: &[Type]) -> MessageKind {
    let fields = (0u16..).zip(types).map(|(i, ty)| Field {
        name: format!("f{i}"),
        ty: ty.clone(),
        place: Slot::Word(i),
    });
    MessageKind {
        name: name.into(),
        lane: 0,
        fields: fields.collect(),
        words: types.len() as u16,
        values: 0,
        span: Span::default(),
    }
}

/// Build a role with one component; `words` state slots, of which 0 is the waiting point and 1 the control state.
pub fn role(
    words: u16,
    frame: u16,
    code: Vec<Op>,
    waits: Vec<Wait>,
    states: Vec<State>,
    always: Handlers,
) -> Role {
    Role {
        name: String::new(),
        vars: Vec::new(),
        unnamed: Vec::new(),
        words,
        values: 0,
        frame_words: frame,
        frame_values: 0,
        initial_words: vec![0; words as usize],
        initial_values: Vec::new(),
        thread: Vec::new(),
        components: vec![Component { lane: 0, name: String::new(), state_slot: 1, states, always }],
        statements: vec![Span::default(); code.len()],
        code,
        guards: Vec::new(),
        waits,
        start: 0,
        after_init: 0,
        client: None,
        operations: Vec::new(),
        timers: Vec::new(),
        received_slot: None,
        has_wakeup: false,
        span: Span::default(),
    }
}

pub fn program(name: &str, kinds: Vec<MessageKind>, roles: Vec<Role>, assumptions: Assumptions) -> Program {
    Program {
        name: name.into(),
        doc: None,
        sources: Default::default(),
        problem: None,
        assumptions,
        enums: Vec::new(),
        records: Vec::new(),
        params: Vec::new(),
        kinds,
        lanes: vec![Lane { name: String::new(), algorithm: name.into(), fifo: true }],
        roles,
        actions: vec![Action { name: "start".into(), layer: String::new(), span: Span::default() }],
        guards: Vec::new(),
        operations: Vec::new(),
        upcalls: Vec::new(),
        outputs: Vec::new(),
        properties: Vec::new(),
        scenarios: Vec::new(),
        worst_id: None,
        note_clock: None,
        reads_initiator: false,
        outcomes: Vec::new(),
        views: Vec::new(),
        shared: Vec::new(),
        oracles: Vec::new(),
        global_frame: (4, 4),
    }
}

pub fn ring_assumptions() -> Assumptions {
    Assumptions {
        topology: Some(Shape::Ring),
        unidirectional: true,
        unique_ids: true,
        ..Assumptions::default()
    }
}

pub fn network(spec: &str, direction: Direction, self_links: bool) -> Network {
    let spec = Spec::parse(spec).expect("a topology");
    build(&spec, &NetworkOptions { direction, self_links, ..NetworkOptions::default() }).expect("a network")
}

/// Return a unidirectional ring with these ids.
pub fn ring(program: Program, ids: &[i64]) -> Instance {
    let network = network(&format!("ring({})", ids.len()), Direction::Unidirectional, false);
    let network = network.with_ids(ids.to_vec()).expect("enough ids");
    Instance::new(Arc::new(program), network, &Settings::default(), &GlobalEvaluator).expect("an instance")
}

pub const ELECTED: u16 = 2;

/// Build the algorithm of Chang and Roberts, with or without the announcement of the winner.
pub fn chang_roberts(announce: bool) -> Program {
    const Q: u16 = 3;
    let q = || slot(Q, Type::Id);
    let optional = Type::Option(Arc::new(Type::Id));
    let code = vec![
        // start
        set(ELECTED, e(ExprKind::Word(NONE_WORD), optional)),
        send(0, vec![id()], Destination::Only),
        Op::Wait(0),
        // 3: pass it on
        send(0, vec![q()], Destination::Only),
        Op::Finish,
        // 5: discard
        Op::Finish,
        // 6: elected
        set(ELECTED, q()),
        if announce { send(1, vec![q()], Destination::Only) } else { Op::Halt },
        Op::Finish,
        // 9: another is elected
        set(ELECTED, q()),
        send(1, vec![q()], Destination::Only),
        Op::Finish,
    ];
    let mut taken = vec![
        receive(0, &[Q], Some(compare(Compare::Greater, q(), id())), 3),
        receive(0, &[Q], Some(compare(Compare::Less, q(), id())), 5),
        receive(0, &[Q], Some(compare(Compare::Equal, q(), id())), 6),
    ];
    let mut kinds = vec![kind("Elec", &[Type::Id])];
    if announce {
        kinds.push(kind("Elected", &[Type::Id]));
        taken.push(receive(1, &[Q], Some(compare(Compare::NotEqual, q(), id())), 9));
        taken.push(receive(1, &[Q], Some(compare(Compare::Equal, q(), id())), 5));
    }
    let role = role(3, 4, code, vec![wait("idle", vec![])], vec![], handlers(taken));
    program("chang_roberts", kinds, vec![role], ring_assumptions())
}

pub const D: u16 = 2;

/// Build the algorithm of Dolev, Klawe and Rodeh, without announcement.
pub fn dolev_klawe_rodeh() -> Program {
    const E: u16 = 3;
    const F: u16 = 4;
    let [d, x, f] = [D, E, F].map(|s| move || slot(s, Type::Id));
    let otherwise = e(ExprKind::Word(1), Type::Bool);
    let branch = |guard, after_earlier, target| Branch { guard, after_earlier, target };
    let code = vec![
        set(D, id()),
        Op::Become { component: 0, state: 0, thread: true },
        // 2: active
        send(0, vec![d()], Destination::Only),
        Op::Wait(1),
        // 4: e received
        Op::Branch(vec![
            branch(compare(Compare::Equal, x(), d()), false, 6),
            branch(compare(Compare::NotEqual, x(), d()), false, 7),
        ]),
        Op::NoGuard(Span::default()),
        Op::Halt,
        send(0, vec![x()], Destination::Only),
        Op::Wait(2),
        // 9: f received
        Op::Branch(vec![
            branch(and(compare(Compare::Greater, x(), d()), compare(Compare::Greater, x(), f())), false, 10),
            branch(otherwise, true, 12),
        ]),
        set(D, x()),
        Op::Jump(2),
        Op::Become { component: 0, state: 1, thread: true },
        // 13: relay
        Op::Wait(3),
        send(0, vec![d()], Destination::Only),
        Op::Jump(13),
    ];
    let waits = vec![
        wait("idle", vec![]),
        wait("receive e", vec![receive(0, &[E], None, 4)]),
        wait("receive f", vec![receive(0, &[F], None, 9)]),
        wait("receive d", vec![receive(0, &[D], None, 14)]),
    ];
    let states =
        vec![state("active", Some(2), Handlers::default()), state("relay", Some(13), Handlers::default())];
    let role = role(5, 5, code, waits, states, Handlers::default());
    program("dolev_klawe_rodeh", vec![kind("", &[Type::Id])], vec![role], ring_assumptions())
}
