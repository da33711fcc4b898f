//! A checked program: message kinds, roles, and for each role its variables, code and waiting points.

use super::*;
use crate::source::Span;
use std::fmt;

/// Index into a role's `code`.
pub type Pc = u32;
/// Index into `Program::actions`, which coverage, traces and messages to the user name.
pub type ActionId = u32;
/// Index into `Program::guards`.
pub type GuardId = u32;

/// Slot of the waiting point of a process's thread, an index into `Role::waits`.
pub const PC: u16 = 0;
/// Value of the slot `PC` of a process that has halted.
pub const HALTED: i64 = -1;
/// Value of the slot `PC` before the process has started.
pub const NOT_STARTED: i64 = -2;
/// Value of the slot `PC` of a crashed process. Its variables keep their values for observers; no process of the system can read
/// them.
pub const CRASHED: i64 = -3;

#[derive(Clone, Debug)]
pub struct Program {
    pub name: String,
    pub doc: Option<String>,
    /// Name and text of every source of the program; its own comes first.
    pub sources: crate::source::Sources,
    /// The problem and its options, as written.
    pub problem: Option<String>,
    pub assumptions: Assumptions,
    pub enums: Vec<EnumType>,
    pub records: Vec<RecordType>,
    pub params: Vec<Param>,
    pub kinds: Vec<MessageKind>,
    /// Lanes: one for the algorithm, one for each layer instance. Each lane has its own channels.
    pub lanes: Vec<Lane>,
    pub roles: Vec<Role>,
    pub actions: Vec<Action>,
    /// Guards of `if` and `do` within commands, where no process waits; for coverage.
    pub guards: Vec<Guard>,
    /// Operations of the problem: scenarios and clients call them, and the history records them.
    pub operations: Vec<Operation>,
    /// Names of the upcalls to the problem. `History(Upcalls, i)` refers to `upcalls[i]`.
    pub upcalls: Vec<String>,
    /// Outputs of the problem's processes, each evaluated in the global frame with the process in `process`.
    pub outputs: Vec<Output>,
    pub properties: Vec<Property>,
    pub scenarios: Vec<Scenario>,
    /// `function worst_id(i)`: the slot of i and the value, for `--ids worst`.
    pub worst_id: Option<(Slot, Expr)>,
    /// Variable whose value notes of the application carry (`stamps notes with clock`), for each role.
    pub note_clock: Option<Vec<Option<u16>>>,
    /// Some process reads `initiator`, so that it matters which other processes may wake up.
    pub reads_initiator: bool,
    /// Expressions whose values describe the ends of runs. Empty: the outputs of the problem, or the variables.
    pub outcomes: Vec<Question>,
    /// Views: differences between configurations that exploration ignores.
    pub views: Vec<View>,
    /// Variables that processes read of their neighbours.
    pub shared: Vec<Shared>,
    pub oracles: Vec<Oracle>,
    /// Number of words and values in the frame in which properties, scenarios and parameter defaults are evaluated.
    pub global_frame: (u16, u16),
}

impl Program {
    /// Return a copy whose processes can be given other initial values (`Instance::initially`).
    pub fn with_initial_overrides(&self) -> Program {
        let mut program = self.clone();
        for role in &mut program.roles {
            let behind = &mut role.code[role.after_init as usize];
            let commands = match behind {
                Op::Jump(commands) => Some(*commands),
                _ => None,
            };
            *behind = Op::Given(commands);
        }
        program
    }

    /// Return whether a synchronizer simulates the rounds.
    pub fn rounds_are_made(&self) -> bool {
        self.roles.iter().any(|role| role.received_slot.is_some())
    }
}

/// A variable that neighbours read, with its slot in each role.
#[derive(Clone, Debug)]
pub struct Shared {
    pub name: String,
    pub slots: Vec<Option<Slot>>,
}

#[derive(Clone, Debug)]
pub struct Output {
    pub name: String,
    /// Word slot of the global frame.
    pub process: u16,
    pub value: Expr,
}

#[derive(Clone, Debug)]
pub struct EnumType {
    pub name: String,
    pub cases: Vec<String>,
}

#[derive(Clone, Debug)]
pub struct RecordType {
    pub name: String,
    pub fields: Vec<(String, Type)>,
}

#[derive(Clone, Debug)]
pub struct Param {
    pub name: String,
    pub ty: Type,
    /// Ranges that its numbers must be within.
    pub ranges: Ranges,
    /// Evaluated in the global frame; may mention earlier parameters and facts of the instance. `None`: the parameter must be set.
    pub default: Option<Expr>,
    pub span: Span,
}

#[derive(Clone, Debug)]
pub struct Lane {
    /// Empty for the algorithm itself, else the path of layer names: `Data`, `Order.Data`.
    pub name: String,
    pub algorithm: String,
    pub fifo: bool,
}

#[derive(Clone, Debug)]
pub struct MessageKind {
    /// Empty for the kind of bare values.
    pub name: String,
    pub lane: u16,
    pub fields: Vec<Field>,
    /// Number of fields that fit words, and of other fields.
    pub words: u16,
    pub values: u16,
    pub span: Span,
}

#[derive(Clone, Debug)]
pub struct Field {
    pub name: String,
    pub ty: Type,
    /// Position among the message's words or values.
    pub place: Slot,
}

#[derive(Clone, Debug)]
pub struct Action {
    /// As written: `on Request`, `receive e`, `when …`, `start`.
    pub name: String,
    /// The layer that contains the action, by the path of its names: `Order.Data`. Empty: the algorithm or the problem.
    pub layer: String,
    pub span: Span,
}

/// The name with the layer: `Left: on restart`.
impl fmt::Display for Action {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&in_layer(&self.layer, &self.name))
    }
}

/// Prefix a text of a layer with the layer's name: two instances of one algorithm have the same text.
pub fn in_layer(layer: &str, what: &str) -> String {
    if layer.is_empty() { what.into() } else { format!("{layer}: {what}") }
}

/// A guard as written.
#[derive(Clone, Debug)]
pub struct Guard {
    pub name: String,
    pub span: Span,
}

/// How coverage detects in the code of a role that a guard was taken.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum GuardTaken {
    /// The guard's command begins here, and only this guard leads to it.
    Entering(Pc),
    /// `otherwise`: the condition of this op, an `Unless`, is false.
    Passing(Pc),
}

#[derive(Clone, Debug)]
pub struct Operation {
    pub name: String,
    pub alias: Option<String>,
    /// Types of the parameters.
    pub params: Vec<Type>,
}

#[derive(Clone, Debug)]
pub struct Role {
    /// Empty for an algorithm without roles.
    pub name: String,
    pub vars: Vec<Variable>,
    /// Other slots that persist between steps: control states, return addresses, data prepared for a wait.
    pub unnamed: Vec<(Slot, Type)>,
    /// Number of words and values of the state; the frame also has temporaries.
    pub words: u16,
    pub values: u16,
    pub frame_words: u16,
    pub frame_values: u16,
    /// Contents of the state slots before the process starts (index = slot).
    pub initial_words: Vec<i64>,
    pub initial_values: Vec<Value>,
    /// Slots that belong to the thread: its locals and return addresses. Meaningless once the process has crashed.
    pub thread: Vec<Slot>,
    /// The algorithm (0), its layers, and last the problem's component if there is one.
    pub components: Vec<Component>,
    pub code: Vec<Op>,
    /// By operation: the statement that it belongs to; the default span for operations outside statements.
    pub statements: Vec<Span>,
    /// The guards in the code.
    pub guards: Vec<(GuardId, GuardTaken)>,
    /// Waiting points; 0 is the idle one, without alternatives of its own.
    pub waits: Vec<Wait>,
    /// Runs first, once: initial values of variables, then the first commands up to the first waiting point.
    pub start: Pc,
    /// Within `start`: the op after the initial values, which leads to the first commands.
    pub after_init: Pc,
    /// Start of the client's commands, for roles that have a client. In scenarios with acting lines, and for roles without a
    /// client, the thread starts idle or in the initial state's body (`start` does that).
    pub client: Option<Pc>,
    /// Entry of each operation of the problem at this role, with its parameter slots.
    pub operations: Vec<Option<Entry>>,
    /// Whether any handler waits for `wakeup`.
    pub has_wakeup: bool,
    /// Named timers, in the order in which they are first mentioned.
    pub timers: Vec<String>,
    /// Value slot of what was received in the round, if a synchronizer simulates the rounds.
    pub received_slot: Option<u16>,
    pub span: Span,
}

impl Role {
    /// Return the prefix of the names of a component: its layers, such as `Order.Data.`. It is empty for the algorithm and for
    /// its problem, whose component comes last and shares the algorithm's lane.
    pub fn prefix(&self, component: usize) -> String {
        match self.components.get(component) {
            Some(c) if component > 0 && c.lane != 0 => format!("{}.", c.name),
            _ => String::new(),
        }
    }

    /// Return all slots that persist between steps.
    pub fn state_slots(&self) -> impl Iterator<Item = (Slot, &Type)> {
        let vars = self.vars.iter().map(|variable| (variable.slot, &variable.ty));
        vars.chain(self.unnamed.iter().map(|(slot, ty)| (*slot, ty)))
    }

    /// Return the displayed name of a variable.
    pub fn shown_name(&self, variable: &Variable) -> String {
        self.prefix(variable.component as usize) + &variable.name
    }
}

#[derive(Clone, Debug)]
pub struct Entry {
    pub pc: Pc,
    pub params: Vec<Slot>,
    /// Word slot of the state that holds the caller's return address; 0 means: return to idle.
    pub return_slot: u16,
}

#[derive(Clone, Debug)]
pub struct Variable {
    pub name: String,
    pub ty: Type,
    pub slot: Slot,
    /// 0: the algorithm, else its layer; shown with the layer's name.
    pub component: u16,
    pub output: bool,
    /// Survives a restart.
    pub persistent: bool,
    pub range: Option<(i64, i64)>,
    pub span: Span,
    /// Locals that live across waiting points are state, but are not shown by name.
    pub local: bool,
}

#[derive(Clone, Debug)]
pub struct Component {
    /// Index into `Program::lanes`; the problem's component has the algorithm's lane and no messages.
    pub lane: u16,
    pub name: String,
    /// Word slot that holds the control state.
    pub state_slot: u16,
    pub states: Vec<State>,
    pub always: Handlers,
}

#[derive(Clone, Debug)]
pub struct State {
    pub name: String,
    /// Start of its body; None: handlers only, the thread idles.
    pub body: Option<Pc>,
    pub handlers: Handlers,
    pub span: Span,
}

#[derive(Clone, Debug, Default)]
pub struct Handlers {
    pub alternatives: Vec<Alternative>,
    pub defer: Vec<Alternative>,
    pub ignore: Vec<Alternative>,
}

#[derive(Clone, Debug)]
pub struct Wait {
    pub alternatives: Vec<Alternative>,
    pub span: Span,
    /// For messages to the user: `receive e`, `await replies = n - 1`, `if …`.
    pub text: String,
    /// The layer that contains the waiting point, as in [`Action`].
    pub layer: String,
    /// In rounds: whether any of its conditions depends on what was received.
    pub depends_on_received: bool,
}

/// The text with the layer: `«await yes» in Left`.
impl fmt::Display for Wait {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "«{}»", self.text)?;
        if self.layer.is_empty() { Ok(()) } else { write!(f, " in {}", self.layer) }
    }
}

/// One way to continue from a waiting point.
#[derive(Clone, Debug)]
pub struct Alternative {
    pub input: Input,
    /// Evaluated after the input's names are bound, in temporaries unless the guard is absent.
    pub guard: Option<Expr>,
    /// `else g`: acceptable only if no earlier alternative of the same list is.
    pub after_earlier: bool,
    pub entry: Pc,
    pub action: ActionId,
}

impl Alternative {
    /// Return an alternative that does not depend on earlier ones.
    pub fn new(input: Input, guard: Option<Expr>, entry: Pc, action: ActionId) -> Alternative {
        Alternative { input, guard, after_earlier: false, entry, action }
    }
}

#[derive(Clone, Debug)]
pub enum Input {
    /// The guard alone. `some`: tried for every element of a set in order; the element is a choice.
    Condition { some: Option<Box<Binder>> },
    Message {
        kind: u32,
        /// One pattern for each field.
        fields: Vec<Pattern>,
        from: Sender,
    },
    /// One message from every member of the set kept in the value slot.
    Each {
        kind: u32,
        fields: Vec<Pattern>,
        /// Value slot of the state: the set of ports or ids, evaluated on arrival at the waiting point.
        set: u16,
        /// Runs for each member, with the member in the word slot, after its fields are bound.
        member: u16,
        store: Vec<(Target, Expr)>,
    },
    /// An upcall from a layer (index into `Role::components`) by name; one pattern for each argument taken.
    Upcall { component: u16, name: String, args: Vec<Pattern> },
    /// Fires once, at any time, for initiators that have not woken up otherwise.
    Wakeup,
    /// Fires before the first message is taken, which remains in its channel.
    Arrival,
    /// The environment may continue at any time.
    Pause,
    /// A timer, armed on arrival at the waiting point or on entry to the state.
    After(Expr),
    /// A named timer expires (index into `Role::timers`).
    Timer(u16),
    /// The process has restarted after a crash.
    Restart,
    /// The failure detector suspects a process, or trusts it again: its id if processes are addressed by ids, else the port that
    /// leads to it.
    Detected { trusted: bool, process: Pattern },
    /// A pairwise interaction with a responder, at any port that leads to it. The responder's variables that the command reads
    /// and assigns are copied to slots of this process, and written back when the step ends.
    Interaction { responder: u16, mirrors: Vec<Mirror> },
}

/// A variable of the responder (index into `Program::shared`), and its slot at the initiator.
#[derive(Clone, Debug)]
pub struct Mirror {
    pub shared: u16,
    pub slot: Slot,
}

/// An oracle: a question that processes may ask of the environment, and its true answer as a condition on the configuration.
#[derive(Clone, Debug)]
pub struct Oracle {
    pub name: String,
    pub truth: Expr,
}

#[derive(Clone, Debug)]
pub enum Sender {
    /// Bound to a word slot: the sender's id if processes are addressable, else the port.
    Bind(u16),
    Any,
    /// Only from this id or port.
    Is(Expr),
    /// Only from a member of this set or list.
    Member(Expr),
}

#[derive(Clone, Debug)]
pub struct Target {
    pub root: Slot,
    pub path: Vec<TargetStep>,
    pub span: Span,
    /// The range of the root variable: checked after the assignment.
    pub range: Option<(i64, i64)>,
}

#[derive(Clone, Debug)]
pub enum TargetStep {
    /// Key of a map (inserted if absent), or index of a list (must exist).
    Index(Expr),
    Part(usize),
}

#[derive(Clone, Debug)]
pub enum Op {
    /// Store a word or value in a slot. The `Expr`'s type fits the slot.
    Set(Slot, Expr),
    /// Store in a part of a compound variable, or in a variable with a range.
    Assign(Box<Target>, Expr),
    /// Remove an element, a key, or the first equal element.
    Remove(Box<Target>, Expr),
    Jump(Pc),
    /// Continue if the condition holds, else jump.
    Unless(Expr, Pc),
    /// Boolean `if`: a choice among the branches whose guard holds (`after_earlier`: only if no earlier guard does). If no guard
    /// holds, continue with the next op.
    Branch(Vec<Branch>),
    /// No guard of an `if` holds: an abort.
    NoGuard(Span),
    Send(Box<Send>),
    /// The thread stops here.
    Wait(u32),
    /// Set the control state of a component; the thread, if `thread`, continues in the new state's body (or idles).
    Become {
        component: u16,
        state: u32,
        thread: bool,
    },
    Halt,
    /// End of a handler's command.
    Finish,
    Gosub(Pc),
    Return,
    /// Call an operation: store the return address, jump to its entry. The arguments have been stored.
    Call {
        entry: Pc,
        return_slot: u16,
    },
    /// Return from an operation: continue at the address in the slot (and clear it); 0: the thread idles.
    ReturnFrom {
        return_slot: u16,
    },
    /// Put the elements of a set (ascending) or list into a value slot, to be taken one by one.
    ForStart(u16, Expr),
    /// Take the next element, or clear the slot and jump.
    ForNext(u16, Pattern, Pc),
    /// Store an element of the set, chosen by the environment. Empty: an abort.
    Choose(Slot, Expr),
    /// `var x : T := any`: store any value of the type, before all other commands.
    SetArbitrary(Slot, Box<Domain>),
    /// Queue an upcall to the component above.
    Upcall {
        from: u16,
        name: String,
        args: Vec<Expr>,
    },
    /// Record a call, return or upcall at the problem's interface.
    Observe {
        what: HistoryKind,
        of: u16,
        value: Option<Expr>,
    },
    /// Radio: transmit to all processes in reach in this slot. The destination is `Neighbours`.
    Transmit(Box<Send>),
    /// Radio: do not transmit in this slot.
    Listen(Span),
    /// End a round that a synchronizer simulates.
    EndRound,
    /// Set or reset a named timer (index into `Role::timers`).
    SetTimer(u16, Expr),
    CancelTimer(u16),
    /// Jump if the process restarts after a crash: the value of a persistent variable is kept.
    OnRestart(Pc),
    /// Marks where all variables have their initial values and a scenario may replace them; the target is the start of the first
    /// commands, if any. Occurs only in programs made by `to_be_given`.
    Given(Option<Pc>),
    /// Reset state slots of locals whose scope ends, so that equal states are equal.
    Clear(Vec<Slot>),
}

/// A type with finitely many values, with its bounds: the possible initial values of `:= any`.
#[derive(Clone, Debug)]
pub struct Domain {
    pub kind: DomainKind,
    pub span: Span,
}

#[derive(Clone, Debug)]
pub enum DomainKind {
    Bool,
    /// The bounds are inclusive and may depend on the instance.
    Range(Expr, Expr),
    Enum(u32),
    /// The process's own ports.
    Port,
    /// The ids of all processes.
    Id,
    Option(Box<Domain>),
    Tuple(Vec<Domain>),
    Record(u32, Vec<Domain>),
    /// All its subsets.
    Set(Box<Domain>),
}

#[derive(Clone, Debug)]
pub struct Branch {
    pub guard: Expr,
    pub after_earlier: bool,
    pub target: Pc,
}

#[derive(Clone, Debug)]
pub struct Send {
    pub kind: u32,
    /// One expression for each field.
    pub fields: Vec<Expr>,
    pub to: Destination,
    pub span: Span,
}

#[derive(Clone, Debug)]
pub enum Destination {
    /// The only outgoing port.
    Only,
    /// A port.
    Port(Expr),
    /// An id (`Id` or `Id?`: `none` is an abort).
    Id(Expr),
    /// Set or list of ports, in order.
    Ports(Expr),
    /// Set or list of ids.
    Ids(Expr),
    /// All outgoing ports, in order.
    Neighbours,
    NeighboursExcept(Expr),
    /// All other ids, ascending by process position.
    Others,
}

macro_rules! expr_of {
    ($destination:expr) => {
        match $destination {
            Destination::Port(e)
            | Destination::Id(e)
            | Destination::Ports(e)
            | Destination::Ids(e)
            | Destination::NeighboursExcept(e) => Some(e),
            Destination::Only | Destination::Neighbours | Destination::Others => None,
        }
    };
}

impl Destination {
    /// Return the expression that it contains.
    pub fn expr(&self) -> Option<&Expr> {
        expr_of!(self)
    }

    pub fn expr_mut(&mut self) -> Option<&mut Expr> {
        expr_of!(self)
    }
}
