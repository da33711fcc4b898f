//! Names: unknown, declared twice, in the wrong place, or defined in terms of themselves.

use super::codes::*;
use super::noun::Noun;
use crate::prose::count;

findings! {
    /// A finding about a name, its declaration, or a file.
    Naming {
        // Unknown names.
        Unknown(noun: Noun, name: String) = match noun {
            Noun::State => UNKNOWN_STATE,
            Noun::Type => UNKNOWN_TYPE,
            Noun::Algorithm | Noun::Problem => UNKNOWN_LIBRARY,
            _ => UNKNOWN_NAME,
        }, "no {noun} is called `{name}`";
        UnknownToAll(name: String) = UNKNOWN_NAME, "nothing is called `{name}`";
        NoStatement(word: String) = UNKNOWN_NAME, "no statement begins with `{word}`";
        MessageIsNoCondition(name: String) = UNKNOWN_NAME, "`{name}` is a message, not a condition",
            hint "`receive {name}` waits for a message; in rounds, `await arrived {name}` waits for one";
        NotInLayer(layer: String, noun: Noun, name: String) = match noun {
            Noun::Upcall => UPCALL,
            _ => UNKNOWN_NAME,
        }, "the layer `{layer}` has no {noun} `{name}`";
        NoMessageOfLayer(layer: String, name: String) = UNKNOWN_NAME,
            "no message of the layer `{layer}` is called `{name}`";
        NotInProblem(noun: Noun, name: String) = UNKNOWN_NAME, "the problem has no {noun} `{name}`";
        NoVariableOfProcesses(name: String) = UNKNOWN_NAME, "processes have no variable `{name}`";
        NoFieldOfRecord(record: String, field: String) = UNKNOWN_NAME, "a `{record}` has no field `{field}`";
        NoField(owner: String, field: String) = UNKNOWN_NAME, "`{owner}` has no field `{field}`";
        NoComponent(components: usize) = UNKNOWN_NAME,
            "a tuple of {} has only `.1` to `.{}`" (count(*components, "component"), components);
        NoAttributeOfEvent(name: String) = UNKNOWN_NAME, "an event has no `{name}`",
            hint "an event has `.process`, `.nth` and `.value`";
        InSeveralLayers(name: String, layers: Vec<String>) = UNKNOWN_NAME,
            "several layers have a variable `{name}`: {}" (crate::prose::list(layers)),
            hint "name the layer: `p.{}.{name}`" (layers[0]);
        LayerIsNoValue(name: String) = UNKNOWN_NAME, "`{name}` is a layer, not a value";
        UnknownStamp(name: String) = UNKNOWN_NAME, "no variable is called `{name}`, so notes have no stamp";
        ResponderNeedsName = UNKNOWN_NAME, "`on interaction` needs a name for the responder",
            hint "write `on interaction(v) when x = v.x -> …`";
        TimeoutNeedsTimer = UNKNOWN_NAME, "`on timeout` needs the name of a timer: `on timeout(t) -> …`";
        TimerNeverSet(timer: String) = UNKNOWN_NAME, "the timer `{timer}` is never set";

        // Names that are taken.
        DeclaredTwice(name: String) = DUPLICATE, "`{name}` is declared twice";
        TwoCalled(things: &'static str, name: String) = DUPLICATE, "two {things} are called `{name}`";
        TwoBodies(state: String) = DUPLICATE, "state `{state}` has two bodies";
        OutputDeclared(name: String) = DUPLICATE,
            "`{name}` is an output of the problem and need not be declared",
            hint "remove this declaration and assign it";
        AssignedTwice(name: String) = DUPLICATE, "`{name}` is assigned twice in one assignment";
        NameOfAnother(name: String, owner: i64, position: usize) = DUPLICATE,
            "`{name}` is the default name of the process at position {owner}, but this process is at position {position}",
            hint "name every process: then none has a default name";
        Predefined(name: String) = RESERVED, "`{name}` is predefined and cannot be declared",
            hint "choose another name";
        PredefinedVariable(name: String) = RESERVED, "`{name}` is predefined and cannot be a variable",
            hint "choose another name";
        HidesAttribute(name: String, attribute: &'static str) = RESERVED,
            "in properties `p.{name}` is {attribute}: a variable of that name would be hidden",
            hint "choose another name";
        PatternHides(name: String, noun: Noun) = SHADOWS,
            "the pattern binds `{name}`, which hides the {noun} of that name",
            hint "bind another name and compare it: `when x = {name}`";
        PatternHidesVariable(name: String) = SHADOWS,
            "the pattern binds `{name}`, which hides the variable of that name",
            hint "bind another name; to store it, assign the variable in the command";

        // Clauses in the wrong place.
        NoClauses = NO_HEADER, "this file contains no clauses",
            hint "begin with `algorithm NAME solves PROBLEM` and an `assumes` clause";
        NoHeader = NO_HEADER, "the file does not begin with `algorithm` or `problem`",
            hint "begin with `algorithm NAME solves PROBLEM` and an `assumes` clause";
        SecondHeader(name: String) = MISPLACED,
            "`{name}` is a second header: a file contains one algorithm or one problem",
            hint "move it to its own file";
        OutputInAlgorithm = MISPLACED, "`output` is allowed only in a problem",
            hint "an algorithm assigns the outputs that its problem declares; write `var` for its own variables";
        ClientInAlgorithm = MISPLACED, "`client` is allowed only in a problem",
            hint "the client belongs to the problem that the algorithm `solves`";
        AfterOutsideState = MISPLACED, "`after` outside a state: its timer is set when a state is entered",
            hint "move it below the `state` in which the time passes";

        // Other files.
        IsProblem(name: String) = UNKNOWN_LIBRARY, "`{name}` is a problem, but an algorithm is needed here";
        IsAlgorithm(name: String) = UNKNOWN_LIBRARY, "`{name}` is an algorithm, but a problem is needed here";
        VariantWithoutChange(variant: String, base: String) = VARIANT,
            "the variant `{variant}` does not change `{base}`",
            hint "repeat the clauses that change, such as a handler or a state";

        // Definitions in terms of themselves.
        FunctionCallsItself(name: String) = CYCLE, "the function `{name}` calls itself",
            hint "recursion is not possible: functions are unfolded where they are called; use a loop";
        RoutineCallsItself(name: String) = CYCLE, "`{name}` calls itself, directly or through others",
            hint "write a loop (`do … od`) instead of recursion";
        DependsOnItself(noun: Noun, name: String) = CYCLE, "the {noun} `{name}` depends on itself";
        DefaultDependsOnItself(name: String) = CYCLE,
            "the default of the parameter `{name}` depends on the parameter itself",
            hint "a default may mention earlier declarations and the network";
        UsesItself(name: String) = CYCLE, "`{name}` uses itself, directly or through other layers";
        VariantOfItself(name: String) = CYCLE, "`{name}` is a variant of itself, directly or through others",
            hint "name an algorithm that is not itself a variant of this one";
    }
}
