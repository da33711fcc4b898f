//! Types, numbers of arguments, constants, and the targets of assignments.

use super::codes::*;
use crate::prose::{a, count, count_given};

findings! {
    /// A finding about a type, an argument, a constant, or the target of an assignment. Types are given in words.
    Typing {
        // A type that differs from the expected one.
        Mismatch(purpose: String, wanted: String, have: String) = TYPE_MISMATCH,
            "{purpose} must be {}, but this is {}" (a(wanted), a(have)), label "{} here" (a(have));
        NotIterable(have: String) = TYPE_MISMATCH,
            "a set or list is needed after `in`, but this is {}" (a(have));
        NoMembers(have: String) = TYPE_MISMATCH,
            "a set, list or map is needed after `in`, but this is {}" (a(have));
        NotACollection(have: String) = TYPE_MISMATCH,
            "a set, list or map is needed here, but this is {}" (a(have));
        NoLoopOver(have: String) = TYPE_MISMATCH,
            "`for x in S` needs a set or list, but this is {}" (a(have));
        NoChoiceFrom(have: String) = TYPE_MISMATCH, "`choose x in S` needs a set, but this is {}" (a(have));
        NoRemovalFrom(have: String) = TYPE_MISMATCH,
            "`remove … from` needs a set, a list or a map, but this is {}" (a(have));
        NoExcept(have: String) = TYPE_MISMATCH,
            "`except` removed elements from a set, but this is {}" (a(have));
        LiteralPattern(have: String) = TYPE_MISMATCH,
            "this literal is never received: it is {}" (a(have));
        NoTuple(function: String, have: String) = TYPE_MISMATCH,
            "`{function}` needs a tuple, but this is {}" (a(have));
        NotAdditive(operator: &'static str, have: String) = TYPE_MISMATCH,
            "`{operator}` needs numbers or collections, but this is {}" (a(have));
        NotIndexed(have: String) = TYPE_MISMATCH,
            "only lists and maps have elements by index, but this is {}" (a(have));
        NoFields(field: String, have: String) = TYPE_MISMATCH,
            "`.{field}` needs a value with fields, but {} has none" (a(have));
        NoShift(name: String, have: String) = TYPE_MISMATCH,
            "`{name}` is {}, which contains no number to shift" (a(have)),
            hint "to disregard it entirely write `view without …`";
        NoStamp(variable: String, have: String) = TYPE_MISMATCH,
            "notes are stamped with an Int, but `{variable}` is {}" (a(have));
        TuplePattern(components: usize, have: String) = TYPE_MISMATCH,
            "this pattern matches a tuple of {}, but the value is {}"
            (count(*components, "component"), a(have));
        MessagePattern(message: String, have: String) = TYPE_MISMATCH,
            "`{message}` is a message, but the value here is {}" (a(have));
        Carried(carried: String, target: String, have: String) = TYPE_MISMATCH,
            "the message carries {} here, but `{target}` is {}" (a(carried), a(have));
        RedundantOption = TYPE_MISMATCH, "an option of an option, or of a `Value`, is redundant",
            hint "remove the `?`";
        AnyIsUnbounded = TYPE_MISMATCH,
            "`any` needs a type with finitely many values, but this one is unbounded",
            hint "use a range: `var x : 0..n := any`; Bool, enumerations, ports, ids, and options, tuples and sets of these are also finite";

        // Two types that do not fit together.
        DifferentResults(have: String) = TYPE_MISMATCH, "the two results of this `if` have different types",
            label "{} here" (a(have));
        NotTwoSets(have: String) = TYPE_MISMATCH, "`inter` needs two sets of one type",
            label "{} here" (a(have));
        Incompatible(operator: &'static str, left: String, right: String) = TYPE_MISMATCH,
            "the two sides of `{operator}` have incompatible types: {} and {}" (a(left), a(right));
        NotComparable(left: String, right: String) = TYPE_MISMATCH,
            "{} and {} cannot be compared" (a(left), a(right)),
            label "left {}, right {}" (a(left), a(right));
        ListsHaveNoOrder = TYPE_MISMATCH, "lists have no order",
            hint "compare elements, as in `forall i in 0..size(a) - 1: a[i] <= b[i]`; tuples are ordered, and maps are compared key by key";
        SharedVariable(name: String, one: String, other: String) = TYPE_MISMATCH,
            "`{name}`, which neighbours read, is {} in one role and {} in another" (a(one), a(other)),
            hint "declare it once, before the first `role`";
        SynchronizerArgument(operation: String, wanted: String, have: String) = TYPE_MISMATCH,
            "the synchronizer's `{operation}` takes {wanted} here, but this is {have}";
        BareValues(have: String) = BARE_TYPES, "bare values of two types are sent: here {}" (a(have)),
            hint "declare messages, so that the receiver can distinguish them: `message One(x), Two(y)`";

        // An algorithm and its problem.
        OperationTakes(problem: String, operation: String, param: String, passed: String, have: String) = TYPE_MISMATCH,
            "the problem `{problem}` calls `{operation}` with {} for `{param}`, but this is {}"
            (a(passed), a(have)),
            label "{} here" (a(have)),
            hint "declare it with the type that the problem passes: `{param}: {passed}`";
        UpcallPasses(upcall: String, have: String, position: Option<usize>, problem: String, wanted: String) = TYPE_MISMATCH,
            "`{upcall}` passes {}{}, but the problem `{problem}` takes {}"
            (a(have), position.map(|i| format!(" as value {i}")).unwrap_or_default(), a(wanted)),
            label "{} here" (a(have));
        UpcallNotAccepted(upcall: String, passed: Vec<String>, problem: String, because: String) = TYPE_MISMATCH,
            "`{upcall}` passes ({}), but the problem `{problem}` does not accept these types: {because}"
            (passed.join(", "));
        UpcallDiffers(upcall: String, now: Vec<String>, before: Vec<String>) = UPCALL,
            "`{upcall}` passes ({}) here, but ({}) elsewhere" (now.join(", "), before.join(", ")),
            hint "all calls of an upcall must pass the same types";

        // Types that are not known.
        NotInferred(name: String) = NOT_INFERRED, "the type of `{name}` cannot be inferred";
        ParameterNotInferred(name: String) = NOT_INFERRED,
            "the type of the parameter `{name}` cannot be inferred",
            hint "annotate it: `param {name} : Int`";
        AnyNotInferred = NOT_INFERRED, "the type of this `any` is not known",
            hint "annotate it: `var x : 0..n := any`";
        NoInitialValue(name: String, ty: String) = NO_DEFAULT, "`{name}` is read before it is assigned",
            hint "declare it with an initial value, or as an option: `var {name} : {ty}?`";

        // Numbers of arguments, fields and values.
        Fields(name: String, fields: usize, given: usize) = WRONG_ARITY,
            "`{name}` has {}, but {}" (count(*fields, "field"), count_given(*given));
        SendOfArguments(written: String) = WRONG_ARITY, "`send` is a statement, not a function",
            hint "write `{written}`";
        Arguments(name: String, taken: usize, given: usize) = WRONG_ARITY,
            "`{name}` takes {}, but {}" (count(*taken, "argument"), count_given(*given));
        EventArguments(event: String, taken: usize, given: usize) = WRONG_ARITY,
            "`on {event}` takes {}, but {}" (count(*taken, "argument"), count_given(*given));
        FunctionTakes(function: String, what: &'static str) = WRONG_ARITY, "`{function}` takes {what}";
        NeedsArguments(name: String) = WRONG_ARITY, "`{name}` needs arguments: `{name}(…)`";
        HandlerTakes(upcall: String, layer: String, passed: usize, taken: usize) = WRONG_ARITY,
            "`{upcall}` of the layer `{layer}` passes {}, but the handler takes {taken}"
            (count(*passed, "value"));
        ProblemCalls(problem: String, operation: String, passed: usize, least: usize, most: usize) = WRONG_ARITY,
            "the problem `{problem}` calls `{operation}` with {}, but it takes {}"
            (count(*passed, "value"), values(*least, *most));
        ProblemNeeds(problem: String, wanted: usize, upcall: String, given: usize) = WRONG_ARITY,
            "the problem `{problem}` needs {} from `{upcall}`, but {}"
            (count(*wanted, "value"), count_given(*given));

        OracleHasParameters = WRONG_ARITY, "the function of an oracle has no parameters";
        WorstIdTakesOne(parameters: usize) = WRONG_ARITY,
            "`worst_id` takes one argument, the position of the process, but it has {}"
            (count(*parameters, "parameter"));

        // Constants and ranges.
        NotConstant(what: String, why: &'static str, constant: String) = CONSTANT,
            "`{what}` {why}: `{constant}` is not constant",
            hint "make it a variable, or `function {constant}() = …`";
        NotAProbability(above: i64, below: i64) = CONSTANT,
            "a probability is between 0 and 1, but {above}/{below} is not",
            hint "`coin(1/n)` is true with probability 1/n";
        EmptyRange(least: i64, greatest: i64) = CONSTANT, "the range {least}..{greatest} is empty";
        OutOfRange(code: Code, value: i64, least: i64, greatest: i64, what: String) = *code,
            "{value} is outside the range {least}..{greatest} of {what}";
        GrowsTooLarge = PROGRAM_TOO_LARGE, "the program grows too large when its functions are unfolded",
            hint "compute intermediate results once and keep them in variables";
        UnfoldedTooDeep(levels: usize) = PROGRAM_TOO_LARGE,
            "nested too deeply: more than {levels} levels when functions and constants are unfolded",
            hint "shorten the chain of definitions, or keep an intermediate result in a variable";
        TooManyVariables = PROGRAM_TOO_LARGE, "the program needs too many variables";
        MayBeNone(name: Option<String>, consequence: &'static str) = MAY_BE_NONE,
            "{} may be `none` here{consequence}"
            (name.as_ref().map_or("this".into(), |name| format!("`{name}`")));

        // Targets of assignments.
        NotAssignable(name: String, what: &'static str) = NOT_ASSIGNABLE, "`{name}` {what}";
        AssignedByLayer(layer: String, name: String) = NOT_ASSIGNABLE,
            "only the layer `{layer}` may assign its `{name}`",
            hint "the user of a layer reads its outputs and calls its operations";
        VariableOfAnother = NOT_ASSIGNABLE, "a process can assign only its own variables";
        NotAVariable = NOT_ASSIGNABLE, "this is not a variable, so it cannot be assigned";
        NotANewName = NOT_ASSIGNABLE, "expected a new name";
    }
}

/// Return `2 values` or `1 to 2 values`.
fn values(least: usize, most: usize) -> String {
    if least == most { count(most, "value") } else { format!("{least} to {most} values") }
}
