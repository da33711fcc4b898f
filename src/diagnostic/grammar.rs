//! Texts that do not parse.

use super::codes::*;
use super::{Diagnostic, Fix};
use crate::prose::{a, count};
use crate::source::Span;

findings! {
    /// A finding of the parser. `found` is the text of a token, empty at the end of the clause.
    Grammar {
        // Characters.
        TextNotClosed = TEXT_NOT_CLOSED, "this text is not closed",
            hint "a text ends with `\"` on the line where it begins";
        NumberTooLarge = NUMBER_TOO_LARGE, "this number is too large", hint "the largest is {}" (i64::MAX);
        DigitInName(name: String) = STRAY_CHARACTER, "a name cannot begin with a digit: `{name}`";
        ForeignSign(sign: String) = FOREIGN_SIGN, "`{sign}` does not exist in this language";
        StrayCharacter(text: String) = STRAY_CHARACTER, "`{text}` is not allowed here";
        UnknownEscape = UNKNOWN_ESCAPE, "the escapes in texts are `\\\"`, `\\\\` and `\\n`",
            hint "write `\\\\` for a backslash";
        TextTooLarge(bytes: usize, most: usize) = TEXT_TOO_LARGE,
            "the text has {bytes} bytes; the limit is {most}",
            hint "write one file for each algorithm and problem";

        // Brackets and blocks.
        TooDeep(levels: usize) = TOO_DEEP,
            "nested too deeply: more than {levels} levels of brackets, blocks or operators",
            hint "define a part of it as a `function`, a `procedure`, or a variable";
        BracketNotClosed(opening: &'static str, closing: &'static str) = BRACKET_NOT_CLOSED,
            "this `{opening}` is never closed", hint "a `{closing}` is missing in this clause";
        BracketNotOpened(closing: &'static str, opening: &'static str) = BRACKET_NOT_OPENED,
            "`{closing}` without `{opening}`";
        BlockNotClosed(opening: &'static str, closing: &'static str) = BLOCK_NOT_CLOSED,
            "`{opening}` without `{closing}`",
            hint "write `{closing}` at the end of the last alternative or of the loop";
        IfNotOpened = BLOCK_NOT_OPENED, "`fi` without `if`", hint "the statement is `if g -> … [] g -> … fi`";
        DoNotOpened = BLOCK_NOT_OPENED, "`od` without `do`",
            hint "the loops are `do g -> … od` and `for x in S do … od`";
        ForWithoutDo = BLOCK_NOT_OPENED, "`for` without `do`", hint "the loop is `for x in S do … od`";
        WrongEnd(closing: &'static str, opening: &'static str) = BLOCK_NOT_OPENED,
            "`{closing}` cannot end {}" (a(opening)),
            hint "`if` ends with `fi`, `do` with `od`";
        ElseIfInBlock = ELSE_WITHOUT_BOX, "alternatives are separated by `[]`, not by `else if`",
            hint "write `[] otherwise g -> …` for the first match, or `[] g -> …` if the guards are mutually exclusive";
        ElseIf(word: String) = ELSE_WITHOUT_BOX, "expected `[]`, found `{word}`",
            hint "alternatives are separated by `[]`: `[] otherwise g -> …`";
        Else = ELSE_WITHOUT_BOX, "expected `[]`, found `else`",
            hint "alternatives are separated by `[]`: `[] otherwise -> …`, or `[] otherwise g -> …`";
        BoxOutsideBlock(found: String) = UNEXPECTED, "`{found}` outside `if … fi` and `do … od`",
            hint "it separates guarded commands: `if g -> … [] g -> … fi`";
        ThenWithFi = NO_ARROW, "expected `->` after the guard, found `then`",
            hint "the statement is `if g -> … fi`; `if c then a else b` is an expression without `fi`";
        Then = NO_ARROW, "expected `->` after the guard, found `then`",
            hint "the statement is `if g -> … fi`; `if c then a else b` is an expression";

        // Words of earlier versions.
        FormerWord(former: String, present: String) = FORMER_WORD,
            "`{former}` is now written `{present}`", hint "`synod check --fix` writes it";

        // What pest expected, in general.
        NoClause(found: String) = NO_CLAUSE, "expected a clause, found {}" (shown(found)),
            hint "a file is a list of clauses, each of which begins with its keyword: `algorithm`, `var`, `state`, `on` …";
        ForeignClause(word: String) = NO_CLAUSE, "no clause begins with `{word}`";
        Expected(expected: Vec<&'static str>, found: String) = UNEXPECTED,
            "{}" (expectation(expected, found));

        // Clauses and declarations.
        NoPropertyClause(word: String) = UNEXPECTED, "no clause begins with `{word}`",
            hint "a property begins with its kind: `invariant NAME: e`, `finally NAME: e`, `eventually NAME: e`";
        InitialBlock(found: String) = UNEXPECTED, "expected `state`, found {}" (shown(found)),
            hint "`initial` marks the first state, `initial state s`, whose body runs first; a variable is initialized in its declaration, `var x := e`";
        ColonAfterName(clause: String) = UNEXPECTED, "expected the next statement, found `:`",
            hint "write `{clause} …` without a colon: a clause ends where the next one begins";
        SizeInAssumption(shape: String, size: String) = UNEXPECTED, "an assumption does not fix the size: `{shape}({size})`",
            hint "assume the shape, such as `bidirectional {shape}`, and `n = {size}` if no other size is possible; a run chooses the network with --on '{shape}({size})'";
        AlwaysIsSection(found: String) = UNEXPECTED, "expected the end of the clause, found {}" (shown(found)),
            hint "`always` begins handlers that apply in every state; a condition that always holds is `invariant NAME: forall p: …`";
        TemporalOperator(operator: String, equivalent: String) = UNEXPECTED,
            "`{operator}` is not an operator of properties", hint "{equivalent}";
        ForAllWord = UNEXPECTED, "`all` is not a quantifier", hint "write `forall p: …`";
        HyphenInName(before: String) = UNEXPECTED, "names cannot contain hyphens", hint "write `{before}_…`";
        KeywordAsName(word: String) = KEYWORD_AS_NAME, "`{word}` is a keyword and cannot be a name",
            hint "choose another name";
        InitiallyOfVariable = UNEXPECTED, "expected `:=`, found `initially`",
            hint "`:=` gives a variable its initial value; only an output may also have a definition";
        CommaBetweenVariables(one: String, two: String) = UNEXPECTED, "expected the end of the clause, found `,`",
            hint "each type has its own clause: `{one}`, then `{two}`; variables of one type share one: `var x, y : Int`";
        CommaBetweenNames(one: String, two: String) = UNEXPECTED, "expected the end of the clause, found `,`",
            hint "each name has its own clause: `{one}`, then `{two}`";
        CommaInEnum = UNEXPECTED, "expected `|`, found `,`",
            hint "the cases of an enumeration are separated by `|`: `enum Colour = red | green`";
        EnumCases(found: String, right: String) = UNEXPECTED, "expected `=`, found `{found}`",
            hint "the cases follow `=`, separated by `|`: `{right}`";
        FieldsInBraces(found: String, clause: String, right: String) = UNEXPECTED,
            "expected `(`, found `{found}`",
            hint "enclose the fields in parentheses: `{clause} {right}`";
        FunctionBody(found: String, name: String) = UNEXPECTED,
            "expected `=` and an expression, found `{found}`",
            hint "a function is an expression, without `return`: `function {name}(…) = e`";
        Return = UNEXPECTED, "`return` does not exist in this language",
            hint "a function is an expression: `function f(x) = e`";
        RoutineHasNoResult(clause: String) = UNEXPECTED, "{} has no result type" (a(clause)),
            hint "store the result in a variable, or write a `function`";
        UnnamedQuantifier(kind: String, found: String) = UNEXPECTED, "expected a name, found `{found}`",
            hint "a property begins with a name: `{kind} safe: {found} p: …`";
        UnnamedProperty(found: String, kind: String, process: Option<String>) = UNEXPECTED,
            "expected the name of the property and `:`, found {}" (shown(found)),
            hint "a property begins with a name: `{kind} NAME: {}`"
            (process.as_ref().map_or("…".into(), |p| format!("forall {p}: {p}.…")));
        LeadsWithoutRight(name: String) = BAD_LEADS_TO, "the right side of `leads to` is missing",
            hint "write `leads {name}: e leads to f`, or `leads {name} for p: p.… leads to p.…` for each process; for a condition that becomes true, write `eventually {name}: e`";
        JoinedLeadsTo(found: String) = BAD_LEADS_TO, "expected `leads to`, found `{found}`",
            hint "it is two words: `leads NAME: e leads to f`";
        LeadsToElsewhere = BAD_LEADS_TO, "only `leads` has a `leads to`",
            hint "write `leads NAME: e leads to f`";
        SizeExpected(found: String) = UNEXPECTED, "expected an assumption, found {}" (shown(found)),
            hint "only the size precedes the comparison sign: `n >= 3`, `n in 3..9`";

        SizeOfRole(number: String, role: String) = UNEXPECTED, "expected an assumption, found `{number}`",
            hint "a role has exactly one process, `one {role}`, or all processes that no other role has";
        HyphenInAssumption(written: String, equivalent: Option<&'static str>) = UNEXPECTED,
            "the words of an assumption are not joined by `-`: `{written}`",
            hint "{}" (equivalent.map_or_else(|| format!("write `{}`", written.replace('-', " ")), String::from));

        // Types.
        TypeExpected = NOT_A_TYPE, "expected a type",
            hint "types are names, ranges `lo..hi`, tuples `(A, B)`, `set of T`, `list of T`, `queue of T`, `map of K to V`, and `T?`";
        CapitalType(found: String, right: String) = UNEXPECTED, "no type is called `{found}`",
            hint "write it in lower case: `{right} of`";
        TypeWithArrow(from: String, to: String) = UNEXPECTED, "types are written without arrows",
            hint "write a map: `map of {from} to {to}`";
        ArrayType(word: String, indices: String, element: String) = UNEXPECTED,
            "expected a type, found `{word}[…]`",
            hint "write a map, `map of {indices} to {element}`, or a list, `list of {element}`";
        TypeInBrackets(found: String, right: String) = UNEXPECTED, "expected `of`, found `{found}`",
            hint "write `{right}`";
        ForeignType(text: String, right: String) = UNEXPECTED, "`{text}` is not a type",
            hint "write `{right}`";

        // Handlers and guards.
        CommaInHandler = NO_ARROW, "expected `->`, found `,`",
            hint "a handler takes one message: move common statements into a `procedure`";
        ConditionAfterComma = NO_ARROW, "expected `->` or `when`, found `,`",
            hint "the condition of a handler follows `when`: `on M(x) when g -> …`";
        ConditionOfHandler(found: String) = NO_ARROW, "expected `->` or `when`, found `{found}`",
            hint "the condition of a handler follows `when`: `on M(x) when g -> …`";
        MessageInHandler(word: String) = UNEXPECTED, "expected the name of a message, found `message`",
            hint "name the message only: `{word} M(x) …`";
        ColonAfterGuard(word: String) = NO_ARROW, "expected `->` after the guard, found `:`",
            hint "alternatives are `{word} g -> … [] g -> … {}`; line breaks and indentation have no meaning"
            (if word == "if" { "fi" } else { "od" });
        ThenInHandler(word: String) = NO_ARROW, "expected `->` after the condition, found `then`",
            hint "write the handler `{word} … -> …`";
        ColonInHandler(word: String) = NO_ARROW, "expected `->`, found `:`",
            hint "write the handler `{} -> …`"
            (match word.as_str() { "when" => "when g", "after" => "after k", "on when" => "on M(x) when g", _ => "on M(x)" });
        WordBeforeMessage(word: String, message: String) = NO_ARROW,
            "expected the message of the handler, found `{word}`",
            hint "the message follows `on`: `on {message} -> …`{}"
            (if word == "deliver" { "; the upcall of a layer is `on Layer.deliver(x) -> …`" } else { "" });
        ReceiveInHandler = UNEXPECTED, "expected a message, found `receive`",
            hint "write the handler without `receive`: `on M(x) -> …`";
        SenderAfterCondition = NO_ARROW, "expected `->` after the guard, found `from`",
            hint "the sender precedes the condition: `on M(x) from p when g -> …`";
        SenderExpected(name: String, of: String) = UNEXPECTED, "expected the sender, found `{name} {of}`",
            hint "to receive one message from every member of S write `receive M(v[p]) from each p in S`";
        SenderInReceived = UNEXPECTED, "`M in received` cannot name the sender",
            hint "`arrived M(x) from p` tests for a message from p, in a guard or after `await`";
        BraceAfterGuard = NO_ARROW, "expected `->`, found `{{`",
            hint "blocks are written without braces: `if g -> … fi`, `do g -> … od`, `for x in S do … od`";
        AwaitAsGuard = UNEXPECTED, "expected a guard, found `await`",
            hint "beside `receive` or `after` write the condition alone: `[] x > 0 -> …`";
        PauseAsGuard = UNEXPECTED, "expected a guard, found `pause`",
            hint "for a guard that always holds write `true`";
        AfterWithoutArrow = NO_ARROW, "expected `->` after the time, found the end of the clause",
            hint "`after e -> …` is a guard or a handler; to wait in a body write `if after e -> skip fi`";
        WhenWithoutArrow = NO_ARROW, "expected `->` after the condition, found the end of the clause",
            hint "`when` begins a handler; a `receive` with a condition is a guard: `if receive M(x) when g -> … fi`";
        ConditionWithoutArrow(found: String) = NO_ARROW,
            "expected `->` after the condition, found {}" (shown(found)),
            hint "only a `receive` in a guard has a condition: `if receive M(x) when g -> … fi`";
        TimeoutAsGuard(time: String) = NO_ARROW, "`timeout` is the event of a timer, not a guard",
            hint "a time without a named timer follows `after`: `after {time} -> …`";
        TypeInPattern(name: String) = UNEXPECTED, "a pattern has no types",
            hint "write only `{name}`: the declaration of the message, or the call of the upcall, determines its type";
        GuardWithoutArrow(found: String) = NO_ARROW, "expected `->` after the guard, found {}" (shown(found)),
            hint "a guarded command is `guard -> statements`";
        AndAfterReceive(found: String) = NO_ARROW, "expected `->` or `when`, found `{found}`",
            hint "the condition of an input guard follows `when`: `receive M(x) when g -> …`";
        ReceiveInCondition = UNEXPECTED, "`receive` is not allowed in a condition",
            hint "the condition of an input guard follows `when`: `receive M(x) when g -> …`";

        // Statements.
        EqualsAssigns = EQUALS_ASSIGNS, "expected `:=`, found `=`", hint "`:=` assigns, `=` compares";
        AssignmentInTwo = UNEXPECTED, "expected `:=`, found `:` and `=`",
            hint "`:=` is one sign, written without a blank";
        ArrowAssigns = EQUALS_ASSIGNS, "expected `:=`, found `<-`", hint "assign with `:=` or `←`";
        NoAssignment(found: String) = ASSIGN_COMPARES, "`{found}` assigns, but no assignment is allowed here",
            hint "`=` compares and defines";
        StateAssigned = ASSIGN_COMPARES, "a state cannot be assigned", hint "`become s` enters the state `s`";
        NotAPlace = INVALID_TARGET, "this cannot be assigned",
            hint "assign a variable or a part of one: `x := e`, `v[p] := e`, `x.field := e`";
        Sides(targets: usize, values: usize) = INVALID_TARGET, "{} on the left, but {} on the right"
            (count(*targets, "variable"), count(*values, "value")),
            hint "a parallel assignment has as many values as targets{}"
            (if *values == 1 { "; the components of a tuple are `t.1`, `t.2`" } else { "" });
        NotAStatement = NOT_A_STATEMENT, "a value is not a statement",
            hint "assign it (`x := …`), send it, or call something";
        ForeignStatement(word: String) = UNEXPECTED, "no statement begins with `{word}`";
        ForeignLoop(word: String) = UNEXPECTED, "expected a statement, found `{word}`",
            hint "loops are `do g -> … od`, and `for x in S do … od` over a set";
        TimerTo = UNEXPECTED, "expected `after`, found `to`", hint "write `set timer t after 5`";
        DashComment = UNEXPECTED, "a comment does not begin with `--`",
            hint "a comment begins with `//` and extends to the end of the line";
        CommaBetweenAssignments(one: (String, String), two: (String, String)) = UNEXPECTED,
            "expected the next statement, found `,`", hint "write {}" (two_assignments(one, two));
        CommaAfterStatement = UNEXPECTED, "expected the next statement, found `,`",
            hint "statements are separated by `;` or a new line";
        QuestionMark = UNEXPECTED, "expected the next statement, found `?`",
            hint "a conditional expression is `if c then a else b`";
        LoopWithoutIn(found: String) = UNEXPECTED, "expected `in`, found `{found}`",
            hint "loop over a set or list: `for i in 1..3 do … od`";
        ColonInLoop = UNEXPECTED, "expected `do`, found `:`",
            hint "the loop is `for x in S do … od`, whatever the indentation";
        SendWithArrow(found: String) = UNEXPECTED, "expected `to`, found `{found}`",
            hint "write `send M to p`";
        TransmitTo(message: String) = UNEXPECTED, "expected the next statement, found `to`",
            hint "in a radio network a message has no destination, since every listener may hear it: write `transmit {message}`";
        SendNothing(found: String) = UNEXPECTED, "expected a message or value, found {}" (shown(found)),
            hint "write `send M` or `send M(x) to p`";
        NoArguments(word: String) = UNEXPECTED, "expected the next statement, found `(`",
            hint "`{word}` is a statement without arguments: write `{word}`";
        SendInParentheses(found: String) = UNEXPECTED, "expected an expression, found {}" (shown(found)),
            hint "write `send M(x) to p`, without parentheses";
        ChooseWith(name: String, set: String) = UNEXPECTED, "`choose` cannot be followed by `with`",
            hint "restrict the set: `choose {name} in {{ {name} in {set} | … }}`";
        GapBeforeCall(name: String) = UNEXPECTED, "white space between `{name}` and `(`",
            hint "the parenthesis of a call directly follows the name: `f(x)`, not `f (x)`";

        // Expressions.
        StatementAsExpression(word: String) = UNEXPECTED,
            "expected an expression, found the statement `{word}`",
            hint "statements are allowed only after `->` or in a body";
        BarBeginsExpression = UNEXPECTED, "an expression does not begin with `|`",
            hint "the number of elements of S is `size(S)`, the absolute value of x is `abs(x)`";
        NotASetOperator(word: String) = UNEXPECTED, "`{word}` is not an operator of sets",
            hint "the union is `S + T`, or `S ∪ T`";
        WithInDisplay = UNEXPECTED, "expected `|`, found `with`",
            hint "the condition of a set or list follows `|`: `{{ e for p in S | g }}`";
        ForAll = UNEXPECTED, "expected an expression, found `for all`", hint "it is one word: `forall p: …`";
        BestWithoutSet(found: String, best: String, name: String) = UNEXPECTED,
            "expected `in`, found {}" (shown(found)),
            hint "`{best}` always names its set: `{best} {name} in processes with …`";
        Slash = FRACTION, "`/` is not an operator",
            hint "write `a div b` for integers; a probability is `coin(1/2)`";
        Fraction = FRACTION, "numbers are integers",
            hint "a probability is written as a fraction: `coin(1/2)`";
        AmbiguousFraction = FRACTION, "the operands of `/` are ambiguous",
            hint "enclose both in parentheses: `(a + 1)/(b * 2)`";
        RangeOfThree = CHAINED_COMPARISON, "comparisons do not chain",
            hint "a range has two bounds: `lo..hi`";
        EqualsChained = CHAINED_COMPARISON, "comparisons do not chain",
            hint "write `a = b and b = c`; for an equivalence use `iff`";
        ComparisonsChained = CHAINED_COMPARISON, "comparisons do not chain",
            hint "write both comparisons, with `and` between: `a < b and b < c`";
        NotABinder = BAD_BINDER, "a filter begins with a name, `in` and a set",
            hint "write `{{ p in S | condition }}`, or `{{ e for p in S | condition }}`";
        NotAPattern = BAD_BINDER, "this is not a pattern",
            hint "a binder is a name, `_`, or these in the shape of a tuple or message: `(a, b)`, `M(x, _)`";
        NotCallable = NOT_CALLABLE, "only a name can be called",
            hint "`f(x)` calls a function, `Layer.f(x)` an operation of a layer; `v[p]` is an element of a map or list";

        // Scenarios.
        SettingsWithoutWith(header: String) = UNEXPECTED, "expected `with`, found `,`",
            hint "settings follow `with`: `{header} with ids […], seed 7`";
        NetworkWithoutOn(network: String) = UNEXPECTED, "expected `on`, found `with`",
            hint "the network follows `on`: `on {network}(…)`";
        GapBeforeSize(network: String, size: String) = UNEXPECTED,
            "white space between `{network}` and `{size}`",
            hint "enclose sizes in parentheses: `{network}({size})`";
        SignInSetting(found: String) = UNEXPECTED, "a setting has no `{found}` after its name",
            hint "the value follows: `with seed 7, schedule random`";
        Assert = UNEXPECTED, "no line of a scenario begins with `assert`",
            hint "write `expect` for a condition that must be true";
        VerdictInCondition(property: String, verdict: String) = UNEXPECTED,
            "`{property} {verdict}` is a verdict, not a condition";
    }
}

impl Grammar {
    /// Return the finding about a property that begins with a word such as `safety`, with the correction.
    pub fn no_property(word: &str, place: Span) -> Diagnostic {
        let kind = if word == "liveness" { "eventually" } else { "invariant" };
        Grammar::NoPropertyClause(word.into()).at(place).fix(Fix::replace(place, kind))
    }
}

/// Return a token in quotes, shortened.
fn shown(found: &str) -> String {
    match found.chars().take(40).collect::<String>() {
        end if end.is_empty() => "the end of the clause".into(),
        short => format!("`{short}`"),
    }
}

/// Return two assignments, one after the other and in parallel.
fn two_assignments(one: &(String, String), two: &(String, String)) -> String {
    let ((x, e), (y, f)) = (one, two);
    let parallel = if x == y { String::new() } else { format!(", or in parallel `{x}, {y} := {e}, {f}`") };
    format!("`{x} := {e}; {y} := {f}`{parallel}")
}

fn expectation(expected: &[&str], found: &str) -> String {
    let found = shown(found);
    match expected.split_last() {
        None => format!("{found} is not allowed here"),
        Some((last, [])) => format!("expected {last}, found {found}"),
        Some((last, others)) => format!("expected {} or {last}, found {found}", others.join(", ")),
    }
}
