//! Messages, handlers, waiting points, states, and constructs in contexts that do not allow them.

use super::codes::*;
use super::noun::Noun;
use crate::prose::a;

findings! {
    /// A finding about a statement, a handler or a state, or a construct that its context does not allow.
    Behaviour {
        // Messages.
        NeverReceived(message: String) = MESSAGE_NOT_TAKEN, "{} is sent, but never received" (kind(message)),
            hint "add a `receive`, a handler `on …`, or `ignore` it";
        NeverSent(message: String) = MESSAGE_NOT_SENT, "{} is received, but never sent" (kind(message));
        NeitherSentNorReceived(message: String) = MESSAGE_NOT_SENT,
            "{} is neither sent nor received" (kind(message)),
            hint "remove the declaration";
        NoDestination(such_as: String) = NO_DESTINATION,
            "this `send` has no destination, but a process may have several outgoing ports",
            hint "add a destination: {such_as}";
        NotADestination(by_id: bool, have: String) = NOT_A_PORT, "a message is sent to {}, but this is {}"
            (if *by_id { "an Id, a set of Ids or a role" } else { "a Port or a set of Ports" }, a(have));
        DestinationIsCondition = NOT_A_PORT,
            "a message is sent to a process or a set of processes, but this is a condition",
            hint "`send M to S` sends to all elements of a set, `for p in S do send M to p od` to one after the other";
        DestinationIsAny = NOT_A_PORT, "`any` is not a destination",
            hint "write `choose p in neighbours; send M to p`";
        NotASender(wanted: String, have: String) = NOT_A_PORT,
            "the sender is {} here, but this is {}" (a(wanted), a(have));
        SenderIsAny = NOT_HERE, "`any` is not a sender",
            hint "without `from` any sender is accepted; `from p` binds the sender";
        HasParent = NOT_A_PORT,
            "`has(…)` tests for a port with a direction; `parent` is `none` if there is no such port",
            hint "write `parent != none`";
        HasNeedsLabel = NOT_A_PORT, "`has(…)` needs the label of a port", hint "for instance `has(north)`";
        ConditionOnEach = NOT_HERE,
            "`from each` takes one message from every member, so a condition on single messages is not allowed";
        EachInHandler = NOT_HERE, "`from each` belongs to `receive`: a handler takes one message";
        UpcallWithoutName = UPCALL, "an upcall has a name: `on Data.deliver(m) -> …`";
        UpcallNotHandled(upcall: String, layer: String) = UPCALL,
            "the upcall `{upcall}` of the layer `{layer}` is not handled",
            hint "add `on {layer}.{upcall}(…) -> …`";
        NotForUpcalls(word: &'static str) = NOT_HERE, "`{word}` applies to messages, not to upcalls";
        TimerNotHandled(timer: String) = NEVER_READ, "the timer `{timer}` has no handler",
            hint "add `on timeout({timer}) -> …`";

        // Waiting and the order of statements.
        ProcedureWaits(word: String) = WAIT_IN_PROCEDURE, "a procedure cannot wait", label "`{word}` waits",
            hint "write the waiting point in the body or operation that calls it";
        HandlerWaits(word: String) = WAIT_IN_HANDLER, "a handler cannot wait: its command is one atomic step",
            label "`{word}` waits",
            hint "change to another state (`become`) and wait in its body, or write another handler";
        BodyMayNotWait(state: String) = NO_WAIT, "some path through the body of `{state}` never waits",
            hint "a body is repeated until `become` or `halt`: every path must wait, or end with `become` or `halt`";
        NeverReached = UNREACHABLE, "this statement is never reached";
        CommandEnds(word: String) = UNREACHABLE, "`{word}` ends the command, but statements follow it",
            hint "move the statements into the other branches, or before it";
        LayerEnds = UNREACHABLE, "`halt` ends the layer, but statements follow it",
            hint "move the statements into the other branches, or before it";
        OtherwiseNotLast = UNREACHABLE, "`otherwise` must be the last branch: no later one can be taken",
            hint "put it last";
        OtherwiseBesideInput = NOT_HERE, "`otherwise` beside an input guard",
            hint "whether a message will arrive is not known: give a condition instead of `otherwise`";
        OtherwiseBesideAfter = NOT_HERE, "`otherwise` beside `after`",
            hint "`after 1` is taken at the end of the round if no other guard holds";
        NoGuardHolds(case: String) = NOT_EXHAUSTIVE,
            "no guard of this `if` holds when {case}: the run would abort",
            hint "add the missing branch, or `[] otherwise -> skip` for no effect";

        // States.
        SecondInitialState = INITIAL_STATE, "a second state is marked `initial`";
        StateNeverEntered(state: String) = STATE_NOT_ENTERED, "the state `{state}` is never entered",
            hint "no `become` leads to it";
        BodyBesideOperations = BECOME_OPERATION,
            "a state with a body beside operations: the process would have two threads",
            hint "use only handlers in the state (`on …`), or make the operations messages";

        // Cases.
        CaseNeverProduced(case: String) = CASE_NOT_PRODUCED,
            "the case `{case}` is compared, but never assigned, sent or passed",
            hint "every comparison with it has the same result: assign the case somewhere, or remove it";

        // Declarations that are not used.
        NeverRead(name: String) = NEVER_READ, "`{name}` is never read";
        NeverAssigned(name: String) = NEVER_READ, "`{name}` is never assigned: it keeps the default of its type",
            hint "assign it, give it an initial value, or remove it";
        NeverUsed(noun: Noun, name: String) = NEVER_READ, "the {noun} `{name}` is never used",
            hint "use it, or remove it";

        // Random draws.
        DrawInDefinition(word: &'static str) = NOT_HERE,
            "`{word}` is not allowed here: a function, constant or definition is deterministic",
            hint "use it in a command or an initial value: `x := random(1..k)`";
        DrawByObserver(word: &'static str) = NOT_HERE,
            "`{word}` is not allowed here: properties, scenarios and parameters are deterministic",
            hint "use it in a command or an initial value: `x := random(1..k)`";
        DrawInGuard = NOT_HERE, "a guard that waits cannot draw at random: it is evaluated repeatedly",
            hint "draw into a variable first, and use that variable in the guard";

        // Expressions of observers in processes, and the reverse.
        RangesOverAllProcesses = NOT_HERE, "a process cannot range over all processes",
            hint "name the set: `forall p in others: …`";
        ProcessAtPort = NOT_HERE, "the process at the other end of a port is known only in properties";
        WeightAtPort = NOT_HERE, "in a process, the weight of the edge at a port `k` is `weight(k)`";
        ConnectsInProcess = NOT_HERE, "`connects` is allowed only in properties";
        PortInProcess = NOT_HERE, "`port(p, q)` is allowed only in properties and scenarios";
        OrderOfEvents = NOT_HERE, "the order of events is known only in properties";
        MeasureInProcess = NOT_HERE,
            "measures such as `messages` and `time` are allowed only in properties and scenarios";
        HistoryInProcess = NOT_HERE, "the history of a run is known only in properties and scenarios";
        FarEndAtProcess = NOT_HERE, "`far_end(p, k)` is allowed only in properties and scenarios",
            hint "in a process, `far_end(p)` is the port by which the neighbour at `p` sees the link";
        ReceivedByObserver = NOT_HERE, "`arrived` is allowed only in processes";
        AnyIsInitial = NOT_HERE,
            "`any` is allowed only as an initial value: `var x : 0..n := any`; in a command write `choose x in S`";

        // Calls that are not values.
        ProcedureIsNoValue(name: String) = NOT_HERE,
            "`{name}` is a procedure, which has no value: call it as a statement",
            hint "write a `function` for a value";
        OperationIsNoValue(layer: String, name: String) = NOT_HERE,
            "`{layer}.{name}(…)` is not a value: an operation of a layer is called as a statement";
    }
}

/// Return how a kind of message is called; bare values have no name.
fn kind(name: &str) -> String {
    if name.is_empty() { "a bare value".into() } else { format!("`{name}`") }
}
