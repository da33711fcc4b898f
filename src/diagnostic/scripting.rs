//! Scenarios: their settings and their lines.

use super::codes::*;
use crate::prose::count_given;

findings! {
    /// A finding about a scenario.
    Scripting {
        // Names.
        UnknownProcess(name: String) = SCENARIO, "no process is called `{name}` in this scenario";
        UnknownProperty(name: String) = SCENARIO, "no property is called `{name}`";
        NoOperation(name: String) = SCENARIO, "the problem has no operation `{name}`";
        NoSetting(name: String) = SCENARIO, "a scenario has no setting `{name}`";
        NotAnOutcome(name: String) = SCENARIO, "`{name}` is not an outcome of a run",
            hint "the outcomes are `terminated`, `quiescent`, `stuck`, `aborted` and `limit`";
        ProcessExpected = SCENARIO, "expected a process of the scenario";
        NameExpected = SCENARIO, "expected a name for a process";

        // Settings.
        SetTwice(setting: String) = SCENARIO, "`{setting}` is set twice in this scenario";
        NeedsValue(setting: String) = SCENARIO, "`{setting}` needs a value";
        NeedsList(setting: String) = SCENARIO, "`{setting}` needs a list: `{setting} [A, B]`";
        IdsAreNumbers = SCENARIO, "identifiers are numbers: `ids [3, 1, 4]`";
        IdsNeedList = SCENARIO,
            "`ids` needs a list of numbers, or `ascending`, `descending`, `random` or `worst`";
        IdTwice(id: i64) = SCENARIO,
            "the identifier {id} is given twice, but the algorithm assumes `unique ids`";
        NoWorstIds = SCENARIO, "the algorithm does not define its worst identifiers",
            hint "define them: `function worst_id(i) = …`, for i from 0 to n - 1";
        NumberOfIds(network: String, processes: usize, given: usize) = SCENARIO,
            "{network} has {}, but for identifiers {}" (processes_of(*processes), count_given(*given));
        NumberOfNames(network: String, processes: usize, given: usize) = SCENARIO,
            "{network} has {}, but for names {}" (processes_of(*processes), count_given(*given));
        InitiatorTwice(process: String) = SCENARIO, "`{process}` is already an initiator";
        NotAnInitiator(process: String) = SCENARIO,
            "`{process}` is not among the initiators of this scenario";
        Daemons = SCENARIO, "the daemons are `central`, `synchronous` and `distributed`";
        Schedules = SCENARIO,
            "the schedules are `fifo`, `random`, `round-robin`, `adversary`, `priorities` and `told`";
        ScriptedRounds = SCENARIO, "rounds cannot be scripted step by step: all processes step together",
            hint "`choose 3 at p0` scripts a choice, and `at 3` reads the messages of three rounds";
        UnstampedNotes = SCENARIO, "write `unstamped notes`";
        WeightsAreNumbers = SCENARIO, "weights are numbers, one for each edge in order";
        WeightsNeedList = SCENARIO, "`weights` needs a list of numbers, one for each edge in order";
        SeedNeedsNumber = SCENARIO, "`seed` needs a number, at least 0";
        FaultNeedsNumber(fault: String) = SCENARIO,
            "`{fault}` needs a number: the maximum number of such faults";
        Network(problem: String) = SCENARIO, "{problem}";
        NotANetworkFile(name: String) = SCENARIO, "`{name}` is not the name of a network file",
            hint "the name of a network file contains a dot, such as net.dot, net.graphml, net.csv or net.txt";
        NoNetworkFile(path: String) = SCENARIO, "there is no file {path}",
            hint "the path of a network file is relative to the file of the scenario";

        // Lines.
        NothingToHold(why: &'static str) = SCENARIO, "{why}",
            hint "`at 3` reads the messages of three rounds";
        HeldAnyway = SCENARIO,
            "nothing needs to be held: under `schedule told` only the scripted steps happen";
        NeedsScript(line: &'static str) = SCENARIO, "{line} needs a scripted schedule",
            hint "add `with schedule told`: then only the scripted steps happen";
        InitiallyNeedsVariable = SCENARIO,
            "`initially` sets a variable of a process: `initially p1.clock := 40`";
        NoAlternative = SCENARIO, "there is no such option",
            hint "options are numbered from 1 in the order of the program";
        CallsFirst(process: String, operation: String, problem: String, expected: String) = SCENARIO,
            "`{process}` calls `{operation}` before anything else, but the client of `{problem}` begins with {expected}",
            hint "the properties of an algorithm cover only calls in the order of the problem's client";
        CallsNext(process: String, operation: String, problem: String, expected: String) = SCENARIO,
            "`{process}` calls `{operation}` here, but the client of `{problem}` continues with {expected}",
            hint "the properties of an algorithm cover only calls in the order of the problem's client";
    }
}

fn processes_of(n: usize) -> String {
    if n == 1 { "1 process".into() } else { format!("{n} processes") }
}
