//! The stable codes of everything `check` finds, with the text of `synod explain`.

use crate::diagnostic::Code;

macro_rules! codes {
    ($($name:ident = $number:literal, $title:literal, $text:literal;)*) => {
        $(#[doc = $title] pub const $name: Code = Code($number);)*
        /// Code, title, explanation (Markdown).
        pub const CODES: &[(Code, &str, &str)] = &[$((Code($number), $title, $text)),*];
    };
}

codes! {
UNKNOWN_NAME = 30, "a name that nothing declares",
"A name must be declared before it means something: as `var`, `const`, `param`, `function`, `message`, `state`, or bound by a pattern.\n\n```\nstate active\n  receive e\n  send elec(e)      // SYN0030: no message is called `elec`\n```\n\nDeclare it, or correct the spelling.";
DUPLICATE = 31, "a name declared twice",
"Two clauses declare the same name. Variables, parameters, constants, functions, messages, states and roles of one algorithm share one space of names, so that a reader never has to ask which is meant. Rename one of them.";
RESERVED = 32, "a name that is predefined",
"Names such as `id`, `n`, `next`, `left`, `neighbours` and `peers` are predefined: they say what a process knows of itself and its surroundings. Choose another name for your own.";
MISPLACED = 33, "a clause in the wrong place",
"Some clauses belong to a section: `on` and `when` stand under a `state`, under `always` or under a `process`; `output` and `client` stand in a problem; the first clause of a file is `algorithm` or `problem` (after its doc comment).";
NO_HEADER = 34, "a file without header",
"A file begins with `algorithm NAME`, or with `problem NAME` for a specification:\n\n```\nalgorithm mine solves Election\nassumes unidirectional ring, unique ids\n```";
UNKNOWN_LIBRARY = 35, "an algorithm or problem that cannot be found",
"`solves`, `uses` and `variant of` name a problem or an algorithm of the standard library, or a file beside this one (`NAME.syn`). `synod list` shows the library.";
CYCLE = 36, "a definition that needs itself",
"Functions and procedures are unfolded where they are called, layers where they are used; none may need itself, directly or through others. Write a loop (`do … od`, `for … do … od`) instead of a recursion.";
TYPE_MISMATCH = 40, "two types that do not fit",
"An expression has one type where another is needed: an `Int` where a `Bool` is tested, a set where one element is meant, an `Id` where a number is. Types are inferred; write an annotation (`var e : Id`) where you want to say what you mean.";
UNKNOWN_TYPE = 41, "a type that nothing declares",
"Types are `Int`, `Bool`, `Id`, `Port`, `Value`, `set of T`, `list of T`, `queue of T`, `map of K to V`, `T?`, tuples `(T, U)`, ranges `0..n`, and the names of `enum` and `record` clauses.";
NOT_INFERRED = 42, "a type that cannot be inferred",
"Nothing in the program says which type this has. Annotate it: `var seen : set of Id`.";
WRONG_ARITY = 43, "the wrong number of arguments or fields",
"A message, function, procedure, operation or record takes as many arguments as its declaration lists.";
NO_DEFAULT = 44, "a variable without initial value",
"Variables start as 0, false, empty or none. An `Id`, a `Port` or an enumeration has no such value: it must be assigned before it is read. `var e : Id?` starts as none, and `var d := id` with a value of its own.";
NOT_ASSIGNABLE = 45, "an assignment to something that is no variable",
"The left side of `:=` is a variable of the process, an element `v[k]` or a part `r.field` of one, or a new local name. Constants, parameters, `id`, `n` and variables of other processes cannot be assigned.";
NOT_A_PORT = 46, "a destination or origin that is none",
"`send m to d` wants a port (`next`, `left`, a port that a message came from), a set of ports (`neighbours`), or, where processes are addressable, ids or a role.";
NO_DESTINATION = 47, "a send without destination where there is more than one way out",
"`send m` alone is for processes with exactly one outgoing port, as on a unidirectional ring. Say where to: `send m to left`, `send m to neighbours`, `send m to others`.";
BARE_TYPES = 48, "bare values of two types",
"An algorithm sends bare values (`send d`) of one type only, since the receiver could not tell them apart. Declare messages: `message One(d: Id), Two(f: Int)`.";
ASSUMPTION_MISSING = 60, "something used that is not assumed",
"A program may use only what its `assumes` clause grants: `n` needs `knows n`, `id` needs that processes are not `anonymous`, `peers` needs `knows peers`, `left` needs a ring or line with directions, `send … to an id` needs addressable ids. Add the assumption, or do without.";
ASSUMPTION_UNKNOWN = 61, "an assumption that is not known",
"`assumes` lists words such as `unidirectional ring`, `complete`, `fifo`, `unordered`, `unique ids`, `anonymous`, `knows n`, `one Server`. See the language reference, section Assumptions, for all.";
ASSUMPTION_CONFLICT = 62, "two assumptions that exclude each other",
"A network is not both anonymous and with unique ids, not both `fifo` and `unordered`, not both a ring and a star.";
LAYER_NEEDS = 63, "a layer that needs more than is assumed",
"A layer works on the same network as the algorithm that uses it: whatever the layer assumes, the algorithm has to assume too.";
MESSAGE_NOT_TAKEN = 70, "a message that no state ever takes",
"The message is sent, but no `receive`, `on` or `ignore` takes it: it would stay in its channel and block what comes behind it.";
MESSAGE_NOT_SENT = 71, "a message that is never sent",
"A `receive` or handler waits for a message that no process ever sends.";
STATE_NOT_ENTERED = 72, "a state that is never entered",
"No `become` leads to this state and it is not the initial one.";
NOT_EXHAUSTIVE = 73, "an `if` whose guards may all be false",
"When no guard of an `if` with Boolean guards holds, the run aborts (Dijkstra's `abort`). Add the missing case, or `[] otherwise -> skip` when nothing is to be done.";
NEVER_READ = 74, "a name that is never read",
"A local name is assigned and never read: often the misspelt name of a variable. Remove it, or correct it.";
UNREACHABLE = 75, "a statement that is never reached",
"`become` and `halt` end the command they stand in: what follows on the same path never runs.";
NO_WAIT = 76, "a body that never waits",
"The body of a state is repeated until `become` or `halt`. A path through it without `receive`, `await` or another waiting point would run for ever without ever letting anybody else step.";
WAIT_IN_HANDLER = 77, "a handler that waits",
"Handlers (`on`, `when`) are atomic: `receive`, `await`, `round`, `pause` and calls of operations that wait cannot stand in them. Change the state (`become`) and wait in its body, or write a further handler.";
WAIT_IN_PROCEDURE = 78, "a procedure that waits",
"Procedures do not wait. Write the waiting point in the body or operation that calls it.";
BECOME_OPERATION = 79, "a state with a body in a process with operations",
"A process has one thread. Where operations (`enter`, `multicast`) are that thread, states have handlers only.";
UNKNOWN_STATE = 80, "a state that nothing declares",
"`become s` needs a clause `state s` in the same process.";
SHADOWS = 81, "a pattern that hides a variable",
"In a handler's pattern every name is bound anew. A name that is also a variable of the process would hide it: choose another one.";
NOT_HERE = 82, "something that has no place here",
"Some forms belong to one setting only: `p.x` to properties and scenarios, `messages` and `calls of` to properties, `received` to synchronous rounds, `send` to processes.";
INITIAL_STATE = 83, "more than one initial state",
"The first state is the initial one unless another says `initial state`; only one may say so.";
PROBLEM_OPTION = 84, "an option that the problem does not have",
"`solves Election(winner: greatest)` chooses among the options that the problem declares. The diagnostic lists them.";
OPERATION_MISSING = 85, "an operation that the problem asks for",
"A problem's client calls operations (`enter`, `exit`, `multicast`) that the algorithm has to define.";
ROLE_ASSIGNMENT = 86, "roles that cannot be given out",
"Of several roles all but one must be assumed to have exactly one process: `assumes one Server`. All other processes have the remaining role.";
UPCALL = 87, "an upcall that nobody takes",
"A layer delivers to the algorithm above it: `on Data.deliver(m) -> …`. At the top, the problem takes the upcall.";
METRIC = 88, "a bound that measures nothing",
"`bound` and `exactly` compare a measure with a number: `exactly cost: messages per entry = 2 * (n - 1)`. Measures are `messages`, `messages of M`, `bits`, `time` and `rounds`.";
SCENARIO = 89, "a scenario that cannot be set up",
"A scenario names its topology (`on ring(4)`), and its lines name processes of it.";
VARIANT = 90, "a variant that changes nothing or too much",
"A variant repeats the clauses that it replaces: the state, handler, function, procedure, operation, parameter or property of the same name (and message), and may add others.";
CONSTANT = 91, "a constant that is not constant",
"A `const` and the bounds of a range type are known before the run: numbers, parameters, `n` where known, and functions of these.";
TOO_LARGE = 92, "a program that grows too large",
"Functions are unfolded where they are called. Functions that call functions many times over can make an expression too large.";
}
