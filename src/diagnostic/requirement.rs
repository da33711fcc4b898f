//! Problems and what they require; properties, views, and the ports that observers read.

use super::codes::*;
use crate::prose::{and, list};

/// Return the operations that each role lacks.
fn missing(lacking: &[(String, Vec<String>)]) -> String {
    let quoted = |names: &[String]| names.iter().map(|name| format!("`{name}`")).collect::<Vec<_>>();
    let roles = lacking.iter().map(|(role, names)| format!("`{role}` lacks {}", and(&quoted(names))));
    and(&roles.collect::<Vec<_>>())
}

findings! {
    /// A finding about a problem, a property or a view.
    Requirement {
        // What the problem requires.
        OperationMissing(problem: String, operation: String) = OPERATION_MISSING,
            "the problem `{problem}` calls the operation `{operation}`, which this algorithm does not define";
        OperationsApart(problem: String, lacking: Vec<(String, Vec<String>)>) = OPERATION_MISSING,
            "no role defines all operations that `{problem}` calls, so no process takes part: {}" (missing(lacking)),
            hint "clauses before the first `role` belong to every role, and an operation that a role never uses can be `skip`";
        OutputNotAssigned(problem: String, output: String) = NOT_PRODUCED,
            "`{problem}` requires the output `{output}`, but this algorithm never assigns it";
        UpcallNotMade(problem: String, upcall: String, written: String) = NOT_PRODUCED,
            "`{problem}` requires the upcall `{upcall}`, but this algorithm never makes it",
            hint "make it where the event occurs: `{written}`";
        NotAChoice(choice: String, option: String, known: Vec<String>) = PROBLEM_OPTION,
            "`{choice}` is not a choice of `{option}`", hint "the choices are {}" (list(known));
        NoOption(problem: String, option: String) = PROBLEM_OPTION,
            "the problem `{problem}` has no option `{option}`";

        // Properties.
        ChangingBinder(name: String, word: &'static str) = NOT_HERE,
            "the set of `{name}` must not change during a run, since `{word}` is a property of whole runs",
            hint "let `{name}` range over a constant set, and restrict it within the property: `{word} … for {name}: … and …`";
        ExactlyWithoutEquals = METRIC, "`exactly` compares with `=`",
            hint "for `<=` and the like write a `bound`";
        NoMeasure(word: &'static str) = METRIC, "`{word}` needs a measure",
            hint "for instance `messages <= n * n`, `messages of Request per entry = n - 1`, `time <= 2 * n`";
        PortOfAnother(owner: String, user: String) = FOREIGN_PORT, "a port of {owner} is used at {user}",
            hint "a port is a number at its own process: compare the processes at the other ends, `neighbour(p, k)`";
        PortsCompared(owner: String, other: String) = FOREIGN_PORT,
            "a port of {owner} is compared with one of {other}",
            hint "a port is a number at its own process: compare the processes at the other ends, `neighbour(p, k)`";
        OwnerUnknown = FOREIGN_PORT, "it is not known to which process this port belongs",
            hint "read the port where it is used, for instance `neighbour(p, p.parent)`";

        // Views.
        ViewedTwice(name: String, in_one: bool) = DUPLICATE, "`{name}` occurs {}"
            (if *in_one { "twice in this view" } else { "in two views" });
        MessageInView(message: String) = NOT_HERE,
            "`{message}` is a message, but a view names variables and fields";
        NotAVariable(name: String) = NOT_HERE, "`{name}` is not a variable",
            hint "a view names variables, and fields of messages and records";
    }
}
