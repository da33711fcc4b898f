//! Phrases shared by messages and reports, and the suggestions for misspelt or foreign words.

use std::borrow::Cow;
use std::fmt::Display;

/// Return a type with its article: `an Int`, `a Bool`, `a set of Id`, `an unknown type`.
pub fn a(what: &str) -> String {
    if what.starts_with("an ") || what.starts_with("a ") {
        return what.into();
    }
    let vowel = what.chars().next().is_some_and(|c| "AEIOaeio".contains(c));
    format!("{} `{what}`", if vowel { "an" } else { "a" })
}

/// Return a number with its noun: `no field`, `1 field`, `2 fields`.
pub fn count(n: usize, what: &str) -> String {
    match n {
        0 => format!("no {what}"),
        1 => format!("1 {what}"),
        n => format!("{n} {what}s"),
    }
}

/// Return a number with its noun: `0 fields`, `1 field`, `2 fields`.
pub fn counted(n: u64, what: &str) -> String {
    let s = if n == 1 { "" } else { "s" };
    format!("{n} {what}{s}")
}

/// Return how properties express an operator of temporal logic; `None` if the text is none.
pub fn temporal_equivalent(operator: &str) -> Option<&'static str> {
    Some(match operator {
        "G" | "AG" | "[]" | "□" => {
            "«always» is the kind of the property: `invariant NAME: …`, `settles NAME: …` for ◇□"
        }
        "F" | "AF" | "<>" | "◇" => {
            "«at some time» is the kind of the property: `eventually NAME: …`; □◇ is `leads NAME: true leads to …`"
        }
        "GF" => "«again and again» is written `leads NAME: true leads to …`",
        "FG" => "«from some time on, always» is the kind of the property: `settles NAME: …`",
        "U" | "W" | "R" => {
            "write two properties: `eventually NAME: …` for the end, and an `invariant` for what holds until then"
        }
        "X" | "AX" => {
            "no property speaks of the next step; `leads NAME: e leads to f` speaks of that time or later"
        }
        "EF" | "EG" | "EX" => {
            "a property concerns every run; a violation of `invariant NAME: not (…)` shows a run that reaches `…`"
        }
        _ => return None,
    })
}

/// Return the text with processes called by their names instead of their positions: `p0` becomes the first name. Parts of programs, in
/// backquotes, and quoted texts stay as they are; so do variables and binders, as in `for p1 = p0`.
pub fn with_names<'t>(text: &'t str, names: &[String]) -> Cow<'t, str> {
    if names.is_empty() {
        return Cow::Borrowed(text);
    }
    let is_word = |c: char| c.is_alphanumeric() || c == '_';
    let (mut named, mut rest, mut quote, mut before) = (String::new(), text, None, ' ');
    while let Some(first) = rest.chars().next() {
        let after = &rest[first.len_utf8()..];
        let digits = after.chars().take_while(char::is_ascii_digit).count();
        let ends = first == 'p' && digits > 0 && !after[digits..].starts_with(is_word);
        let name = || after[..digits].parse::<usize>().ok().and_then(|position| names.get(position));
        if ends
            && quote.is_none()
            && !is_word(before)
            && before != '.'
            && !is_variable(&named, &after[digits..])
            && let Some(name) = name()
        {
            named += name;
            rest = &after[digits..];
            before = '0';
            continue;
        }
        match quote {
            None if matches!(first, '`' | '"') => quote = Some(first),
            Some(open) if open == first && before != '\\' => quote = None,
            _ => {}
        }
        named.push(first);
        before = first;
        rest = after;
    }
    Cow::Owned(named)
}

/// Return whether a word between these texts is a variable or binder with its value, and no side of a comparison, as in
/// `with p0 = p1`.
fn is_variable(before: &str, after: &str) -> bool {
    after.starts_with(" = ") && !before.ends_with("with ")
}

/// Line about several runs that number ports at random.
pub const EACH_RUN_NUMBERS_PORTS: &str =
    "(ports are numbered at random, from the seed of each run; --ports selects a numbering)\n";

/// Label of the place in a diagram where the cycle of an infinite run begins.
pub const CYCLE_BEGINS: &str = "the cycle begins here";

/// Return `none is given`, `1 is given`, or `2 are given`.
pub fn count_given(n: usize) -> String {
    match n {
        0 => "none is given".into(),
        1 => "1 is given".into(),
        n => format!("{n} are given"),
    }
}

/// Join names in backquotes: `` `a`, `b` and `c` ``.
pub fn list(items: &[String]) -> String {
    let quoted: Vec<String> = items.iter().map(|i| format!("`{i}`")).collect();
    if quoted.is_empty() { "none".into() } else { and(&quoted) }
}

/// List the names that exist, as a hint after an unknown one: `there is only a`, `there are a, b`.
pub fn available<S: AsRef<str>>(names: &[S]) -> String {
    let all: Vec<&str> = names.iter().map(AsRef::as_ref).collect();
    match all.as_slice() {
        [] => "there is none".into(),
        [one] => format!("there is only {one}"),
        all => format!("there are {}", all.join(", ")),
    }
}

/// Join items: `a`, `a and b`, `a, b and c`.
pub fn and<S: AsRef<str>>(items: &[S]) -> String {
    joined(items, " and ")
}

/// Join ascending numbers, with runs of at least three as ranges: `0, 1, 3 to 54`.
pub fn numbers(all: &[u64]) -> String {
    let parts = all.chunk_by(|a, b| a + 1 == *b).flat_map(|run| match run {
        [first, .., last] if run.len() > 2 => vec![format!("{first} to {last}")],
        few => few.iter().map(u64::to_string).collect(),
    });
    parts.collect::<Vec<_>>().join(", ")
}

/// Join clauses, with a comma before the last: `it fails, and it stops`, `it fails, it stops, and it aborts`.
pub fn clauses<S: AsRef<str>>(items: &[S]) -> String {
    joined(items, ", and ")
}

/// Join alternative clauses: `it fails, or it stops`.
pub fn alternatives<S: AsRef<str>>(items: &[S]) -> String {
    joined(items, ", or ")
}

fn joined<S: AsRef<str>>(items: &[S], before_last: &str) -> String {
    let mut text = String::new();
    for (place, item) in items.iter().enumerate() {
        text += match place {
            0 => "",
            _ if place + 1 == items.len() => before_last,
            _ => ", ",
        };
        text += item.as_ref();
    }
    text
}

/// The widest column that is padded. A name of a thousand letters makes every table unreadable, and padding all other rows to its
/// width would fill memory with blanks. The formatter of the standard library panics beyond 65 535.
const MAX_PADDING: usize = 1_000;

/// Return the text, followed by blanks up to a width in characters.
pub fn padded(text: impl Display, width: usize) -> String {
    let text = text.to_string();
    let blanks = blanks(text.chars().count(), width);
    text + &blanks
}

/// Return the text, preceded by blanks up to a width in characters.
pub fn right_aligned(text: impl Display, width: usize) -> String {
    let text = text.to_string();
    blanks(text.chars().count(), width) + &text
}

/// Return the blanks that pad a cell of `taken` columns to a width.
pub fn blanks(taken: usize, width: usize) -> String {
    " ".repeat(width.min(MAX_PADDING).saturating_sub(taken))
}

/// Return whether the text matches the pattern, in which `*` stands for any characters and `?` for one.
pub fn matches_pattern(pattern: &str, text: &str) -> bool {
    let (pattern, text): (Vec<char>, Vec<char>) = (pattern.chars().collect(), text.chars().collect());
    let (mut p, mut t) = (0, 0);
    // The last star, and the number of characters that it matches: one more whenever what follows it does not match.
    let mut star = None;
    while t < text.len() {
        match pattern.get(p) {
            Some('*') => {
                star = Some((p, t));
                p += 1;
            }
            Some(c) if *c == '?' || *c == text[t] => (p, t) = (p + 1, t + 1),
            _ => {
                let Some((at, taken)) = star else { return false };
                star = Some((at, taken + 1));
                (p, t) = (at + 1, taken + 1);
            }
        }
    }
    pattern[p..].iter().all(|c| *c == '*')
}

/// Return the number of insertions, deletions, replacements and swaps of adjacent characters that turn one word into the other.
pub fn distance(a: &str, b: &str) -> usize {
    let (a, b): (Vec<char>, Vec<char>) = (a.chars().collect(), b.chars().collect());
    let mut rows = vec![vec![0usize; b.len() + 1]; a.len() + 1];
    for (i, row) in rows.iter_mut().enumerate() {
        row[0] = i;
    }
    for (j, cell) in rows[0].iter_mut().enumerate() {
        *cell = j;
    }
    for i in 1..=a.len() {
        for j in 1..=b.len() {
            let replace = rows[i - 1][j - 1] + usize::from(a[i - 1] != b[j - 1]);
            let mut best = replace.min(rows[i - 1][j] + 1).min(rows[i][j - 1] + 1);
            if i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1] {
                best = best.min(rows[i - 2][j - 2] + 1);
            }
            rows[i][j] = best;
        }
    }
    rows[a.len()][b.len()]
}

/// Return the known word nearest to a misspelt one, if it is near enough to be meant.
pub fn nearest<'k>(word: &str, known: &'k [String]) -> Option<&'k str> {
    // A word of one or two letters is not taken for a misspelling, except of its capitalised or longer form. Nor is `p3` taken
    // for `p2`.
    let length = word.chars().count();
    let allowed = if length < 2 { 0 } else { (length / 3).clamp(1, 3) };
    // The distance to a word of any length takes time.
    if known.iter().all(|k| k.len() + allowed < length) {
        return None;
    }
    let letters = |w: &str| w.chars().filter(|c| !c.is_ascii_digit()).collect::<String>();
    known
        .iter()
        .map(|k| (distance(&word.to_lowercase(), &k.to_lowercase()), k.as_str()))
        .filter(|(d, k)| *d <= allowed && *k != word)
        .filter(|(d, k)| *d == 0 || k.len() != word.len() || letters(k) != letters(word))
        .filter(|(d, k)| *d == 0 || length > 2 || k.starts_with(word))
        .min()
        .map(|(_, k)| k)
}

/// Return the construct of this language that corresponds to an event of another language, as in `on start`.
pub fn foreign_event(word: &str) -> Option<&'static str> {
    Some(match word.to_lowercase().as_str() {
        "start" | "init" | "begin" | "boot" | "startup" | "initialize" | "initially" | "wake"
        | "spontaneously" => {
            "a process begins with the body of its first state; `on wakeup -> …` is a start at any time, once at each initiator"
        }
        "timer" | "tick" | "alarm" | "expire" => {
            "`after e -> …` is a timeout in a state, `on timeout(t) -> …` the expiry of the timer t"
        }
        "round" | "pulse" => {
            "with `synchronous`, the statement `round` waits for the end of a round, and `received` has its messages"
        }
        "crash" | "crashed" | "fail" | "failed" | "failure" | "down" => {
            "a process does not notice its own crash; `on suspect(p) -> …`, with `assumes detector`, is a report that p has crashed"
        }
        "recover" | "recovered" | "recovery" | "reboot" => {
            "`on restart -> …` follows a crash, with `assumes restarts`"
        }
        "receive" | "message" | "msg" | "deliver" => {
            "`on M(x) from p -> …` takes a message `M`, declared by `message M(x: Int)`"
        }
        _ => return None,
    })
}

/// Return the construct of this language that corresponds to a word of another language.
pub fn foreign_equivalent(word: &str) -> Option<&'static str> {
    Some(match word {
        "self" | "me" | "myself" | "this" | "myid" | "my_id" | "pid" => {
            "inside a process its variables are plain names, and its identifier is `id`"
        }
        "all" | "everyone" | "nodes" => {
            "in a process, `neighbours` are its ports and `others` the ids of all others; in properties, `processes` is the set of all"
        }
        "null" | "nil" | "undefined" | "None" | "NULL" | "bottom" => "the missing value is `none`",
        "True" | "TRUE" | "False" | "FALSE" => "the truth values are `true` and `false`",
        "size" | "len" | "length" | "card" | "cardinality" => "`size(S)` is the number of elements",
        "append" | "push" | "enqueue" | "add" | "insert" => {
            "`l := l + [x]` appends to a list, `S := S + {x}` adds to a set, `m[k] := v` puts into a map"
        }
        "pop" | "dequeue" => "`head(l)` is the first element of a list, `tail(l)` the list without it",
        "delete" | "erase" | "discard" => "`remove x from S`",
        "union" => "the union is `S + T`",
        "intersection" | "intersect" => "the intersection is `S inter T`",
        "contains" | "member" | "elem" => "`x in S` tests whether x is in S",
        "empty" | "is_empty" | "isEmpty" | "isempty" => {
            "`S = {}` tests whether a set is empty, `l = []` a list"
        }
        "sender" => "`on M from p` and `receive M from p` name the sender",
        "inf" | "infinity" | "INF" | "INFINITY" | "maxint" => {
            "there is no infinite number: use an option, `Int?`, and `none` for infinity"
        }
        "rand" | "randint" | "flip" => "`random(S)` is a random element, `coin(1/2)` a random Bool",
        "now" | "clock" | "timestamp" => "programs cannot read a clock: they use timers, `after e -> …`",
        "print" | "println" | "printf" | "log" => {
            "programs do not print: the trace of a run shows messages and changed variables"
        }
        "begin" | "end" => {
            "blocks have no `begin` and `end`: `if g -> … fi`, `do g -> … od`; a body ends where the next clause begins"
        }
        "upon" | "receiving" | "whenever" => {
            "a handler is `on M(x) from p -> …`, for a condition `when g -> …`"
        }
        "either" => {
            "for a free choice several guards hold: `if true -> … [] true -> … fi`; `choose x in S` takes any element"
        }
        "goto" | "transition" | "switch" => "`become s` goes to the state `s`",
        "let" => "a local needs no keyword: `x := e`",
        "break" | "continue" => {
            "a loop `do g -> … od` ends when no guard holds: write the condition of the exit into the guards"
        }
        "repeat" | "loop" => "loops are `do g -> … od`, and `for x in S do … od` over a set",
        "foreach" | "for_each" | "forEach" => "a loop over a set or list is `for x in S do … od`",
        "decide" => "deciding is assigning an output of the problem: `decision := x`",
        "reply" | "respond" | "answer" => "an answer is a message: `on Ask from p -> send Answer to p`",
        "assert" => "an assertion is a property clause: `invariant NAME: …`",
        "broadcast" => "`send M to others`, or `send M to neighbours`, sends to all of them",
        "recv" => {
            "`receive M(x)` waits for a message; its reaction in any state is the handler `on M(x) -> …`"
        }
        "wait" | "sleep" | "delay" => "`await e` waits for a condition, `if after k -> skip fi` for a time",
        "quiescent" | "terminated" | "stuck" | "aborted" | "deadlock" | "deadlocked" => {
            "in a scenario, `expect outcome stuck` states a deadlock; the other outcomes are `quiescent`, `terminated` and `aborted`"
        }
        "range" => "the range from a to b is `a..b`, both ends included",
        "select" | "case" | "match" => {
            "alternatives are `if g -> … [] g -> … fi`: a guard is a condition, `receive M(x)` or `after k`"
        }
        "elif" | "elsif" | "elseif" => "alternatives are separated by `[]`: `[] otherwise g -> …`",
        "return" => "a function is an expression, without `return`; a procedure has no result",
        "moves" => "costs are `messages`, `bits`, `time` and `rounds`; `synod measure` reports moves, too",
        "sqrt" | "floor" | "ceil" | "log2" => {
            "numbers are integers: there are `div`, `mod`, `pow(b, e)`, `log2_floor(x)` and `log2_ceil(x)`"
        }
        _ => return None,
    })
}

/// Return the clause of this language that corresponds to a word with which a part of a program in another language begins.
pub fn foreign_clause(word: &str) -> Option<&'static str> {
    Some(match word.to_lowercase().as_str() {
        "init" | "initialization" | "initialisation" | "initialize" | "initialise" | "initially" => {
            "the initial value of a variable is in its declaration, `var x := e`; the body of the first `state` runs first"
        }
        "variable" | "variables" | "local" | "locals" | "shared" | "global" | "int" | "bool" | "byte"
        | "boolean" | "integer" | "let" => {
            "a variable of each process is declared by `var x : T` or `var x := e`"
        }
        "constant" | "constants" | "parameter" | "parameters" => {
            "a parameter is declared by `param k : T = e`, a constant by `const k = e`"
        }
        "messages" | "mtype" | "chan" | "channel" | "channels" => {
            "messages are declared by `message M(x: T), N`; channels are part of the network and need no declaration"
        }
        "proctype" | "active" | "class" | "module" | "program" | "protocol" | "node" | "actor" | "agent" => {
            "all processes run one program: it begins with `algorithm NAME`, and its parts are the clauses `var`, `state`, `on` …"
        }
        "extends" | "import" | "from" | "include" | "using" | "require" => {
            "there is nothing to import: a problem is named by `algorithm NAME solves PROBLEM`, a layer by `uses NAME`"
        }
        "def" | "fun" | "func" | "proc" | "method" | "inline" | "macro" | "define" | "action" | "rule" => {
            "statements with a name are `procedure f(x: T)`, a value is `function f(x: T) : T = e`; a reaction to a message is `on M(x) -> …`"
        }
        "upon" | "receive" | "receiving" | "whenever" | "event" | "handler" | "handlers" => {
            "a reaction to a message is the handler `on M(x) from p -> …`, to a condition `when g -> …`"
        }
        "begin" | "end" | "endmodule" => {
            "clauses have no `begin` and `end`: each ends where the next one begins"
        }
        "fairness" | "fair" | "wf" | "sf" | "justice" | "compassion" => {
            "weak fairness of every process is built in; `eventually NAME: e` and `leads NAME: a leads to b` are checked under it"
        }
        "ltl" | "ctl" | "ltlspec" | "ctlspec" | "spec" | "specification" | "invar" | "invariants"
        | "theorem" | "lemma" | "assert" | "assertion" | "claim" | "never" | "properties" | "temporal"
        | "goal" | "check" | "property" => {
            "properties are `invariant NAME: e` for □ e, `eventually NAME: e` for ◇ e, `leads NAME: a leads to b` for □ (a ⇒ ◇ b)"
        }
        "safety" => "a safety property is `invariant NAME: e`: e holds in every reachable configuration",
        "liveness" => {
            "a liveness property is `eventually NAME: e` for ◇ e, or `leads NAME: a leads to b` for □ (a ⇒ ◇ b)"
        }
        "verify" => {
            "model checking is a command, `synod verify FILE`; it checks properties such as `invariant NAME: e`"
        }
        "input" | "inputs" => {
            "a value from outside is a parameter, `param k : T = e`; a call from outside is an `operation`"
        }
        "timer" | "timers" | "set" | "cancel" => {
            "timers need no declaration: the statement `set timer t after e` starts one, `on timeout(t) -> …` handles its expiry"
        }
        "main" | "repeat" | "loop" | "while" => {
            "the statements of a process are the body of a `state NAME`; a loop in it is `do g -> … od`"
        }
        "ghost" | "auxiliary" => "an auxiliary variable is declared as any other: `var x : T`",
        "next" | "trans" | "transition" | "transitions" => {
            "steps are commands: `on M(x) -> …` takes a message, `when g -> …` waits for a condition"
        }
        "type" | "typedef" | "struct" | "datatype" => {
            "types are declared by `enum Colour = red | green` and `record Entry(key: Int, owner: Id)`"
        }
        "topology" | "network" | "graph" | "edges" => {
            "the network is an option, `--on 'ring(5)'`, or belongs to a scenario, `scenario NAME on ring(5)`"
        }
        "states" => "a control state and its body begin with `state NAME`",
        "test" | "example" | "run" => "a scripted run is a clause: `scenario NAME on ring(4)`",
        _ => return None,
    })
}

/// Return a hint for an assumption in the words of the literature, or for one that holds by default.
pub fn foreign_assumption(words: &str) -> Option<&'static str> {
    Some(match words.to_lowercase().as_str() {
        "asynchronous" | "asynchrony" => {
            "remove it: processes are asynchronous unless `synchronous`, `delay <= D` or the like is assumed"
        }
        "bidirectional" | "bidirectional links" | "undirected" => {
            "links are bidirectional by default; a ring whose processes agree on left and right is a `bidirectional ring`"
        }
        "unidirectional" | "directed" => "a ring with links in one direction is a `unidirectional ring`",
        "reliable channels" | "reliable links" | "reliable communication" | "no loss" => "write `reliable`",
        "clique" | "complete graph" | "fully connected" | "complete network" => "write `complete`",
        "grid" => "write `mesh` or `oriented mesh`",
        "graph" | "connected" | "arbitrary graph" | "arbitrary network" | "general graph" | "any"
        | "network" => "write `connected graph`",
        "ids" | "identifiers" | "distinct ids" | "unique identifiers" | "identities" => {
            "write `unique ids`, or `integer ids` if the algorithm calculates with them"
        }
        "no ids" | "no identifiers" | "uniform" => "write `anonymous`",
        "crash" | "crash faults" | "crash failures" | "fail stop" | "failures" | "faults" => {
            "write `crashes` or `crashes <= k`; other faults are `restarts`, `loses messages`, `duplicates messages` and `links fail`"
        }
        "byzantine" | "byzantine faults" | "byzantine failures" | "arbitrary faults" => {
            "model a Byzantine process as a role that chooses what it sends: `one Traitor`, `choose v in S`"
        }
        "crash stop" | "crash stop failures" | "crash stop faults" => {
            "write `crashes` or `crashes <= k`; with `restarts`, crashed processes may come back"
        }
        "crash recovery" => "write `crashes, restarts`; `persistent` variables survive a crash",
        "failure detector" | "failure detectors" | "perfect failure detector" | "strong detector" => {
            "write `detector` for a perfect failure detector, or `eventually perfect detector`"
        }
        "eventually perfect failure detector"
        | "eventually strong detector"
        | "eventually strong failure detector"
        | "unreliable failure detector" => "write `eventually perfect detector`",
        "central scheduler" | "centralised daemon" | "centralized daemon" | "serial daemon" => {
            "write `central daemon`, beside `reads neighbours`"
        }
        "distributed scheduler" | "asynchronous daemon" => {
            "write `distributed daemon`, beside `reads neighbours`"
        }
        "synchronous scheduler" => "write `synchronous daemon`, beside `reads neighbours`",
        "unfair daemon"
        | "unfair scheduler"
        | "weakly fair daemon"
        | "weakly fair scheduler"
        | "fair daemon"
        | "fair scheduler" => {
            "daemons are weakly fair: write `central daemon`, `distributed daemon` or `synchronous daemon`"
        }
        "lossy" | "lossy channels" | "message loss" | "unreliable" | "loss" => "write `loses messages`",
        "timeouts" | "clocks" | "partially synchronous" | "partial synchrony" => {
            "write a bound, `delay <= D`, or `timers`, which may expire too early"
        }
        "not fifo" | "no order" | "non fifo channels" => "write `unordered`",
        "fifo channels" | "fifo links" | "ordered" => "write `fifo`",
        "non fifo" | "reordering" | "bag" => "write `unordered`",
        "one initiator" | "single initiator" | "a single initiator" => {
            "initiators belong to the instance: `with initiators [p0]` in a scenario, or `--initiators p0`; `one Root` assumes a role"
        }
        "simple" | "simple graph" | "loop free" | "no self loops" => {
            "write `no loops`; two processes may be joined by several links"
        }
        "shared memory" | "shared variables" => {
            "write `reads neighbours`: processes read their neighbours' variables, and assign only their own"
        }
        _ => return None,
    })
}
