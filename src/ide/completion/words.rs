//! Words of the language by context, as snippets with places to fill in.

/// Statements, as snippets.
pub(super) const STATEMENTS: &[(&str, &str)] = &[
    ("if", "if ${1:guard} -> ${2:skip}\n[] ${3:otherwise} -> ${4:skip}\nfi"),
    ("do", "do ${1:guard} -> ${2:skip}\nod"),
    ("for", "for ${1:x} in ${2:set} do\n  ${3:skip}\nod"),
    ("send", "send ${1:message} to ${2:destination}"),
    ("receive", "receive ${1:Message}"),
    ("await", "await ${1:condition}"),
    ("become", "become ${1:state}"),
    ("halt", "halt"),
    ("skip", "skip"),
    ("pause", "pause"),
    ("choose", "choose ${1:x} in ${2:set}"),
    ("remove", "remove ${1:x} from ${2:set}"),
    ("set timer", "set timer ${1:name} after ${2:1}"),
    ("cancel timer", "cancel timer ${1:name}"),
    ("round", "round"),
    ("transmit", "transmit ${1:message}"),
    ("listen", "listen"),
];

pub(super) const CLAUSES: &[(&str, &str)] = &[
    ("assumes", "assumes ${1:unidirectional ring}, ${2:unique ids}"),
    ("uses", "uses ${1:layer} as ${2:Name}"),
    ("message", "message ${1:Name}(${2:field}: ${3:Int})"),
    ("enum", "enum ${1:Colour} = ${2:red} | ${3:green}"),
    ("record", "record ${1:Entry}(${2:key}: ${3:Int})"),
    ("const", "const ${1:k} : Int = ${2:1}"),
    ("param", "param ${1:k} : Int = ${2:1}"),
    ("var", "var ${1:x} : ${2:Int}"),
    ("persistent var", "persistent var ${1:x} : ${2:Int}"),
    ("function", "function ${1:f}(${2:x}: ${3:Int}) : ${4:Int} = ${5:x}"),
    ("procedure", "procedure ${1:name}\n  ${2:skip}"),
    ("operation", "operation ${1:name}\n  ${2:skip}"),
    ("role", "role ${1:Name}"),
    ("state", "state ${1:name}\n  ${2:skip}"),
    ("initial state", "initial state ${1:name}\n  ${2:skip}"),
    ("always", "always"),
    ("on", "on ${1:Message} -> ${2:skip}"),
    ("when", "when ${1:condition} -> ${2:skip}"),
    ("after", "after ${1:1} -> ${2:skip}"),
    ("ignore", "ignore ${1:Message}"),
    ("defer", "defer ${1:Message}"),
    ("invariant", "invariant ${1:name}: ${2:forall p: true}"),
    ("finally", "finally ${1:name}: ${2:forall p: true}"),
    ("eventually", "eventually ${1:name}: ${2:some p: true}"),
    ("stable", "stable ${1:name} for p: ${2:p.halted}"),
    ("settles", "settles ${1:name}: ${2:true}"),
    ("leads", "leads ${1:name}: ${2:true} leads to ${3:true}"),
    ("bound", "bound ${1:name}: messages <= ${2:n * n}"),
    ("exactly", "exactly ${1:name}: messages = ${2:n}"),
    ("order", "order ${1:name}: ${2:true}"),
    ("scenario", "scenario ${1:name} on ${2:ring(3)}\n  expect ${3:true}"),
];

pub(super) const HEADERS: &[(&str, &str)] = &[
    (
        "algorithm",
        "algorithm ${1:name} solves ${2:Election}\nassumes ${3:unidirectional ring}, ${4:unique ids}",
    ),
    ("problem", "problem ${1:Name}"),
];

pub(super) const PROBLEM_CLAUSES: &[(&str, &str)] =
    &[("output", "output ${1:x} : ${2:Int}"), ("client", "client\n  ${1:skip}")];

pub(super) const LINES: &[(&str, &str)] = &[
    ("initially", "initially ${1:p0}.${2:x} := ${3:0}"),
    ("hold", "hold ${1:p0} -> ${2:p1}"),
    ("release", "release"),
    ("deliver", "deliver ${1:p0} -> ${2:p1}"),
    ("wake", "wake ${1:p0}"),
    ("crash", "crash ${1:p0}"),
    ("restart", "restart ${1:p0}"),
    ("suspect", "suspect ${1:p0} at ${2:p1}"),
    ("trust", "trust ${1:p0} at ${2:p1}"),
    ("lose", "lose ${1:p0} -> ${2:p1}"),
    ("duplicate", "duplicate ${1:p0} -> ${2:p1}"),
    ("cut", "cut ${1:p0} -> ${2:p1}"),
    ("delay", "delay ${1:p0} -> ${2:p1} := ${3:9}"),
    ("at", "at ${1:3}"),
    ("choose", "choose ${1:1} at ${2:p0}"),
    ("step", "step ${1:p0}"),
    ("expire", "expire ${1:p0}"),
    ("cycle", "cycle"),
    ("expect", "expect ${1:messages = 0}"),
    ("expect again", "expect again"),
    ("expect outcome", "expect outcome ${1|terminated,quiescent,stuck,aborted,limit|}"),
];

pub(super) const SETTINGS: &[(&str, &str)] = &[
    ("ids", "ids [${1:1, 2, 3}]"),
    ("names", "names [${1:A, B}]"),
    ("initiators", "initiators [${1:p0}]"),
    ("schedule", "schedule ${1|fifo,random,round-robin,adversary,priorities,told|}"),
    ("daemon", "daemon ${1|central,synchronous,distributed|}"),
    ("seed", "seed ${1:7}"),
    ("weights", "weights [${1:3, 1}]"),
    ("unstamped notes", "unstamped notes"),
    ("messages survive", "messages survive"),
    ("crash", "crash ${1:1}"),
    ("restart", "restart ${1:1}"),
    ("loss", "loss ${1:1}"),
    ("duplication", "duplication ${1:1}"),
    ("link", "link ${1:1}"),
    ("suspicion", "suspicion ${1:1}"),
    ("lie", "lie ${1:1}"),
];

pub(super) const EXPRESSIONS: &[(&str, &str)] = &[
    ("forall", "forall ${1:p}: ${2:true}"),
    ("some", "some ${1:p}: ${2:true}"),
    ("count", "count ${1:p}: ${2:true}"),
    ("sum", "sum ${1:k} in ${2:set}: ${3:k}"),
    ("least", "least ${1:p} in ${2:set}"),
    ("greatest", "greatest ${1:p} in ${2:set}"),
    ("if", "if ${1:condition} then ${2:a} else ${3:b}"),
];

pub(super) const OPERATORS: &[&str] =
    &["and", "or", "not", "implies", "iff", "in", "div", "mod", "inter", "true", "false", "none"];

pub(super) const OUTCOMES: &[(&str, &str)] = &[
    ("terminated", "every live process has halted, no messages in transit"),
    ("quiescent", "no messages in transit, every process has halted or is waiting for input"),
    ("stuck", "deadlock: a process is blocked forever, or a message is never received"),
    ("aborted", "run-time error"),
    ("limit", "the run was stopped at a limit"),
];

pub(super) const PROPERTY_WORDS: &[&str] =
    &["invariant", "stable", "finally", "eventually", "settles", "leads", "bound", "exactly", "order"];
