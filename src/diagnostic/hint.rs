//! Hints that depend on the context of a finding. Hints that are always the same stand beside their finding.

use crate::prose::list;

phrases! {
    /// How to correct a program, without a full stop.
    Hint {
        // From a table that translates words.
        Word(text: &'static str) = "{text}";
        PositionsInScenarios =
            "inside a program, processes are known by ports (`send M to next`, `on M from p -> send M to p`) or ids; positions such as `p1` are names in scenarios";
        RandomOfRange = "the numbers from a to b are `a..b`: `random(a..b)`";
        WriteInstead(own: &'static str) = "write `{own}`";
        // From an error of the network.
        Text(text: String) = "{text}";
        DidYouMean(word: String) = "did you mean `{word}`?";
        DidYouMeanVariable(name: String) = "did you mean the variable `{name}`?";
        Write(text: String) = "write `{text}`";
        Are(what: &'static str, names: Vec<String>) = "{what} are {}" (list(names));
        TheyHave(names: Vec<String>) = "they have {}" (list(names));
        ItPasses(types: Vec<String>) = "it passes {}" (list(types));
        ProcessesByPosition(n: i64) =
            "its processes are {}, or the names in `with names […]`" (by_position(*n));
        ProcessesByNameOrPosition(names: Vec<String>, n: i64) =
            "its processes are {}, or {} by position" (list(names), by_position(*n));

        // Declarations.
        DeclareMessage(name: String) = "declare it: `message {name}`";
        DeclareMessageWithFields(name: String) = "declare it: `message {name}(…)`";
        DeclareState(name: String) = "declare it: `state {name}`";
        DeclareRole(name: String) = "declare the role with a `role {name}` clause";
        DeclareProperty = "there are none; `invariant NAME: …` declares one";
        DeclareTyped = "declare a variable of that name with its type, or the type of the message's field";
        DefineOracle(name: String) =
            "define the answer of the oracle: `function {name}() : Bool = some p: p.leader`";
        DefineOperation(name: String) = "add `operation {name}`";
        DefineOperationOrChoose(name: String, problem: String, option: String, choice: String) =
            "add `operation {name}`, or choose `{problem}({option}: {choice})`, which does not require it";
        RenameOperation(from: String, to: String) = "rename `operation {from}` to `{to}`?";
        RenameLayer(algorithm: String) = "give one another name: `uses {algorithm} as …`";
        RenameProperty =
            "choose another name: the problem's properties apply to every algorithm that solves it";
        NameLayer = "layers are named in the `uses` clause: `uses basic as Data`";
        NameTimer =
            "name the timer: `set timer t after 5`, and then `on timeout(t) -> …`; or use `after 5 -> …`";
        NameProcess(event: String) = "name the process: `on {event}(p) -> …`";
        SetTimer(timer: String) = "set it with `set timer {timer} after …`";
        Annotate(name: String) = "annotate it, for instance `var {name} : Int`";
        AnnotateMap = "annotate the variable: `var v : map of Port to Int`";
        AnnotateDeclaration = "its type is not known here: annotate the declaration";
        Underscore = "remove it, or begin its name with `_`";
        HidesPort(name: String) = "this declaration hides the port `{name}`: choose another name for it";
        DeclareParameter = "declare a parameter for each, even if it is not used";
        OmitParameter = "a parameter with a default, `k: Int := 0`, may be omitted";

        // What a name denotes.
        IsAssumption(name: String) =
            "`{name}` is an assumption, not a value: in `assumes`, commas separate assumptions";
        RoleHidesProcess(name: String, position: i64) =
            "`{name}` is the role here, the set of its processes; the process of this name is `p{position}`";
        RoleIsSet(name: String, field: String) =
            "`{name}` is the set of the processes with this role: `some p in {name}: p.{field} …`";
        IsRecord(name: String) =
            "`{name}` is a record, and there are no record patterns: bind the whole, `v`, and read its fields, `v.x`";
        IsMessage(name: String) =
            "`{name}` is a message: send it (`send {name}`) or receive it (`receive {name}`, `on {name} -> …`)";
        SendMessage(name: String) = "`{name}` is a message: write `send {name}`";
        IsFunction(name: String) = "`{name}` is a function, which has only a value: use it in an expression";
        IsVariableOfProcesses(name: String) =
            "`{name}` is a variable of each process: name the process, for instance `forall p: p.{name} …`";
        IsVariableOf(name: String, process: String) =
            "`{name}` is a variable of each process: name the process, for instance `{process}.{name}`";
        CommasBetween = "commas separate the expressions of a list";
        IsState(name: String) =
            "`{name}` is a control state: `p in {name}` tests whether process p is in it, `forall p with p in {name}: …` ranges over the processes in it";
        IsStateOfRole(role: String) =
            "it is a state of `{role}`, since it is below `role {role}`; clauses above the first `role` belong to all roles";
        IsOfProblem =
            "declarations of the problem are visible in properties and scenarios; for processes, declare it in the algorithm";
        IsOfOneRole =
            "only one role has it, but the neighbour may have any role: declare it before the first `role`";
        IsPrivate(name: String) = "`{name}` is a private variable of the layer: only properties may read it";
        IsDeclaredBelow =
            "this parameter is declared below: a default may mention earlier declarations and the network";
        IdOfNeighbour = "the identifier of the neighbour at the port `p` is `neighbour(p)`";
        NamesInScenarios =
            "processes have names only in scenarios: in a property write `forall p: …` or `some p: …`";
        NoMethods = "variables have no methods: there are functions, such as `size(S)`, and assignments";
        CallOperations(layer: String) = "call its operations: `{layer}.…`";
        OutputOfLayer(output: String) = "its output is `{output}`";
        UseUpcall(algorithm: String, solves: bool, alias: String, name: String) =
            "outputs are declared by problems, and `{algorithm}` {}; use an upcall instead: `on {alias}.{name}`"
            (if *solves { "solves one without outputs" } else { "solves none" });
        UpcallNeedsHandler =
            "an upcall needs a handler: in a problem, such as `solves Multicast`, or in an algorithm that uses this one as a layer";
        FieldOfMessage(message: String, field: String) = "name one of its fields: `{message}.{field}`";
        NoFields = "this message has no fields";
        HasNone = "it has none";
        NoVariables = "it has no variables";
        NoVariablesHere = "there are no variables here";
        ViewNames = "a view names variables (`clock`), and fields of messages and records (`Request.stamp`)";

        // Types and values.
        NumberIsNoId = "a number is not an identifier";
        IdentifierOf(number: String) =
            "a number is not an identifier; under `integer ids` write `identifier({number})`";
        PortOf(number: String) = "the ports are `port(0)`, `port(1)`, …: `port({number})`";
        SendersByPort =
            "senders are known by port; to know them by id assume `knows peers` or `addressable ids`";
        CalculateWithIds =
            "identifiers can only be compared; to calculate with them assume `integer ids` and write `int(x)`";
        AddIds =
            "identifiers are compared and sent; to calculate with them assume `integer ids` and write `int(x)`";
        IdsAreNoNumbers = "identifiers can only be compared and sent";
        CompareIds =
            "compare identifiers with identifiers, such as `min(everybody)`; under `integer ids` write `int(x)`";
        SizeOf(set: String) = "the number of elements is `size({set})`";
        TakeOne = "this is a set: take one element, for instance `least p in S` or `choose p in S`";
        SetHasNoOrder =
            "a set has no order: `choose x in S` takes any element, `least x in S` the first; a `list of T` keeps an order";
        TupleComponents = "the components of a tuple are `t.1`, `t.2`, …";
        OneElement(operator: &'static str) = "to add or take away one element write `{operator} {{x}}`";
        Append = "to append one element write `+ [x]`";
        BoolValues = "the Bools are `true` and `false`: write `b`, or `not b`";
        QuantifierExtends =
            "`count`, `forall` and `some` extend as far to the right as possible: write `(count p: …) <= 1`";
        VariablesOfOthers = "a process cannot read variables of another one; properties can";
        CaseOfNone(place: String) = "add the case: `{place} = none or …`, or `{place} != none and …`";
        CaseOrBinder(place: String) =
            "add the case: `{place} = none or …`; or restrict the binder: `forall p with {place} != none: …`";
        TestOption(place: String) = "test it first: `if {place} != none -> … [] otherwise -> … fi`";
        TestOrDeclare(place: String) =
            "test it first: `if {place} != none -> … [] otherwise -> … fi`; if it always has a value when it is read, declare it without `?`";
        StoreAndTest = "store and test it: `x := …`, then `if x != none -> … [] otherwise -> … fi`";

        // Assumptions and layers.
        Assume(words: String) = "add `{words}` to the `assumes` clause";
        IsKnown(name: String) =
            "every process knows `{name}`: remove it; the number of crashes is bounded by `crashes <= {name}`";
        DeclareKnown(name: String) =
            "declare it, `param {name} : Int = 1`: every process knows parameters; `knows` takes facts of the network, such as `knows n`";
        ExcludedBecause(words: String, other: String, why: &'static str) =
            "`{words}` and `{other}` exclude each other: {why}";
        AssumeInstead(words: String, other: String) = "assume `{words}` instead of `{other}`";
        HeardWithBeeps =
            "with `beeps`, `heard` is `silence` or `beep`; to hear collisions of messages assume `collision detection` instead";
        AssumeIds =
            "an anonymous algorithm cannot distinguish processes; assume `unique ids` instead of `anonymous`";
        AssumeBound =
            "add a bound at least as strong to the `assumes` clause, and pass the layer its numbers: `uses X(k: 3)`";
        AssumeBidirectional = "assume a `bidirectional ring` (its ports are `left` and `right`)";
        PortsAre(ports: &'static str) = "its ports are {ports}";
        OneByOne =
            "separate assumptions by commas (all of them hold); `or` joins sizes only: `n = 1 or n >= 3`";
        ListAssumptions = "`synod explain SYN0061` lists them";
        SynchronousDaemon = "under a `synchronous daemon` all enabled processes move at once";
        StoreOwnId =
            "only variables of the responder can be read: declare `var own : Id := id`, and read `v.own`";
        NameResponder =
            "only the responder has a name: `on interaction(v) when x = v.x -> …`; variables of the initiator are plain names";
        NestBinders(binders: String) =
            "a set after several names belongs to all of them: give each its own, `{binders}`";
        TransmitMessage(name: String) = "`{name}` is transmitted: write `transmit {name}`";
        WaitForTime(time: String) = "to wait for a time write `if after {time} -> skip fi`";
        ComponentsOfOption =
            "the value may be `none`: store and test it, `x := …`, then `if x != none -> a := x.1; b := x.2 [] otherwise -> … fi`";
        LostMessage = "a message that is not read at the end of its round is lost";
        WaitInBody = "wait in the body of the state: `round`, `await …`, or `if … [] after k -> … fi`";
        HandlersOnly(layer: String) =
            "use only handlers in the algorithm: `when` waits for a condition, such as an output, `when {layer}.… -> …`";
        HandlersInOne = "use only handlers in one of them";
        OperationAsMessage =
            "make the operation a message, or replace the body of the layer by an operation that starts it";

        // Syntax.
        BlockEnds = "`if` ends with `fi`, `do` with `od`";
        NoBraces = "blocks are written without braces: `if g -> … fi`, `do g -> … od`, `for x in S do … od`";
        VariantNeedsName = "a variant has a name of its own: `algorithm NAME variant of …`";
        DidYouMeanInstead(meant: String, word: String) = "did you mean `{meant}` instead of `{word}`?";
        WriteSend = "to send a message write `send M(x) to p`";
        QuantifierBody(word: String) = "the body of a quantifier follows a colon: `{word} x in S with g: e`";
        LocalsInBodies = "variables are declared outside bodies; inside a body `x := e` declares a local";
        ValueMissing = "the value is missing";
        BracketBeginsStatement =
            "no statement begins with a bracket or a sign, except `(a, b) := e`; `f (x)` is not a call, `f(x)` is";
        AwaitMessage = "to wait for a message write only `receive M(x)`";
        FunctionIsValue = "a function has only a value: for statements write a `procedure`";
        ReceiveWaits =
            "`receive M(x)` waits for a message, `receive M(v[p]) from each p in S` for one from every process of a set";
        TypeIsWritten(right: String) = "the type is written `{right}`";
        OppositeVerdict(property: String, opposite: &'static str) =
            "the opposite of `violated` is `holds`: `expect {property} {opposite}`";
        OwnExpectation(property: String, verdict: &'static str) =
            "write each verdict in its own `expect`: `expect {property} {verdict}`";

        // Files, problems and scenarios.
        OwnFile(file: String) =
            "`synod list` shows the standard library; your own belongs in `{file}.syn` beside this file";
        BaseOfVariant =
            "a variant names an algorithm of the library (`synod list`), or a file beside this one";
        OnlyAlgorithms = "only algorithms have variants; to solve a problem write `solves …`";
        PassedType(written: String) = "the problem handles `{written}`";
        Assign(output: String, computed: Vec<String>) =
            "assign it where the result is known: `{output} := …`{}" (or_assign(computed));
        OperationOfProblem(further: Vec<String>) =
            "a scenario calls the operation of the problem, which takes no {}: only an algorithm that uses this one as a layer can pass it"
            (list(further));
        MoveBefore = "move it before `become` or `halt`, or into the body of the next state";
        EntryContinues =
            "an open entry continues over the following lines, until an empty line; at a terminal, Ctrl-C discards it";
        EndlessLoop = "a `do` ends when none of its guards can ever hold: here one always can";
    }
}

impl Hint {
    /// Name all that there are; None if there are none.
    pub fn are(what: &'static str, names: &[String]) -> Option<Hint> {
        (!names.is_empty()).then(|| Hint::Are(what, names.to_vec()))
    }
}

/// Return the default names of n processes; `i64::MAX` if their number is not known.
fn by_position(n: i64) -> String {
    match n {
        0 | 1 => "p0".into(),
        2 => "p0 and p1".into(),
        i64::MAX => "p0, p1, …".into(),
        n => format!("p0 to p{}", n - 1),
    }
}

/// Return the addition about outputs that are computed from one.
fn or_assign(computed: &[String]) -> String {
    match computed {
        [] => String::new(),
        [one] => format!("; or assign `{one}`, which is computed from it"),
        all => format!("; or assign {}, which are computed from it", list(all)),
    }
}
