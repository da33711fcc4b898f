//! Assumptions, and what execution models and layers allow.

use super::codes::*;
use super::need::Need;
use crate::prose::list;

findings! {
    /// A finding about assumptions, an execution model, or a layer.
    Modelling {
        // Assumptions that are needed.
        NotAssumed(need: Need) = ASSUMPTION_MISSING,
            "{need}, but the algorithm does not assume `{}`" (need.assumption());
        IdOfAnonymous = ASSUMPTION_MISSING, "`id` is used, but the processes are assumed to be `anonymous`";
        IdsNotUnique = ASSUMPTION_MISSING,
            "processes are addressed by identifier, but identifiers are not assumed to be unique";
        NoSuchPort(port: String, direction: &'static str) = ASSUMPTION_MISSING,
            "this ring has no port `{port}`: it is assumed to be {direction}";
        NothingSentBack = ASSUMPTION_MISSING,
            "nothing can be sent to `prev` on a unidirectional ring: messages arrive from there";
        RolesNotAssigned(roles: Vec<String>) = ROLE_ASSIGNMENT,
            "nothing determines which processes have the roles {}" (list(roles)),
            hint "assume exactly one process for every role but one: `assumes …, one Server`";

        // Assumptions that are not understood.
        UnknownAssumption(words: String) = ASSUMPTION_UNKNOWN,
            "`{words}` is not an assumption of the language";
        NoBound(words: String) = ASSUMPTION_UNKNOWN, "`{words}` takes no bound",
            hint "only `delay <= 2`, `crashes <= 1` and sizes of the network take bounds: `n >= 3`, `rows >= 2`";
        DelayWithoutBound = ASSUMPTION_UNKNOWN, "`delay` needs an upper bound",
            hint "write `delay <= 2`, `delay = 1` or `delay in 1..3`; without a bound, `timers` may expire at any time";
        ChangesInRun(purpose: &'static str) = ASSUMPTION_UNKNOWN,
            "{purpose} must be known before a run begins, and this may change during the run",
            hint "it may depend on the size of the network, its shape, and parameters: `n >= 3`, `edges > n`";
        FormOfBound(form: &'static str) = ASSUMPTION_UNKNOWN, "this form of bound is not supported",
            hint "write `{form}`";

        // Assumptions that exclude each other.
        Exclude(one: String, other: String) = ASSUMPTION_CONFLICT, "`{one}` and `{other}` exclude each other";
        SecondTopology(words: String) = ASSUMPTION_CONFLICT,
            "`{words}` is a second topology, but a network has only one",
            hint "assume one topology, or write an algorithm for each";
        SecondDetector = ASSUMPTION_CONFLICT, "this is a second failure detector of another kind",
            hint "assume only the one that the algorithm needs";
        VirtualRingNeedsGraph = ASSUMPTION_CONFLICT,
            "a virtual ring needs a complete network or a connected graph",
            hint "also assume `complete` or `connected graph`; every network is a connected graph";
        SynchronizerExcludes(synchronizer: String, words: &'static str, why: &'static str) = ASSUMPTION_CONFLICT,
            "the synchronizer `{synchronizer}` is incompatible with `{words}`: {why}";

        // Layers.
        LayerAssumes(layer: String, words: String) = LAYER_NEEDS,
            "the layer `{layer}` assumes `{words}`, which this algorithm does not";
        LayerHasThread(layer: String) = LAYER_NEEDS,
            "the layer `{layer}` has a thread, and a process has only one";
        LayerHasRoles(layer: String) = LAYER_NEEDS, "`{layer}` has roles, so it cannot be a layer",
            hint "a layer is the same at every process";
        NotASynchronizer(layer: String) = LAYER_NEEDS, "`{layer}` is not a synchronizer",
            hint "a synchronizer solves `Synchronizer`: `synod list --problem synchronizer` shows those of the library";
        SynchronizerLacks(operation: String) = LAYER_NEEDS, "the synchronizer has no operation `{operation}`";

        // Rounds and radio networks.
        NotInRounds(word: &'static str) = NOT_HERE, "`{word}` is not allowed in a synchronous algorithm",
            hint "end the round with `round` and read `received`";
        HandlerInRounds(word: &'static str) = NOT_HERE,
            "a handler `{word}` is not allowed in a synchronous algorithm";
        OperationInRounds = NOT_HERE,
            "an operation is not allowed in a synchronous algorithm: its caller would not wait for rounds",
            hint "write it as the body of a state";
        LayersInRounds = NOT_HERE,
            "a synchronous algorithm cannot use layers: these handle messages as they arrive",
            hint "write the work of the layer in rounds";
        WakeupInRounds = NOT_HERE, "under a synchronizer all processes start in the first round",
            hint "write it at the beginning of the state's body";
        BeepHasNoContent = NOT_HERE, "a beep has no content to receive",
            hint "test whether there was a beep: `heard = beep`";
        OnlyBeeps = NOT_HERE, "with `beeps`, only `beep` can be transmitted", hint "write `transmit beep`";
        SuccessWithBeeps = NOT_HERE, "with `beeps`, a process cannot hear whether there was only one beep";
        SendInRadio = NOT_HERE, "in a radio network a message has no destination: every listener may hear it",
            hint "write `transmit` without a destination";

        // Shared variables and interactions.
        NoMessages(model: &'static str) = NOT_HERE, "under `{model}` processes send no messages";
        OnlyInteractions(what: &'static str) = NOT_HERE,
            "{what} is not allowed under `pairwise interactions`",
            hint "write a handler of interactions: `on interaction(v) when … -> …`";
        LayersInInteractions = NOT_HERE, "an algorithm with `pairwise interactions` cannot use layers";
        OnlyResponder(variable: String) = NOT_HERE, "a process reads only the variables of its responder",
            hint "in `on interaction(v) when … -> …`, this variable is `v.{variable}`";
        OracleTooEarly = NOT_HERE, "oracles do not answer before all processes have started";
    }
}
