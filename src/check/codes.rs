//! The stable codes of everything `check` finds. What `synod explain` says of each stands in `explanations/`.

use crate::diagnostic::Code;

macro_rules! codes {
    ($($name:ident = $number:literal, $title:literal;)*) => {
        $(#[doc = $title] pub const $name: Code = Code($number);)*
        /// Code, title, explanation (Markdown, with programs that are wrong and right).
        pub const CODES: &[(Code, &str, &str)] =
            &[$((Code($number), $title, include_str!(concat!("explanations/", stringify!($name), ".md")))),*];
    };
}

codes! {
    UNKNOWN_NAME = 30, "a name that nothing declares";
    DUPLICATE = 31, "a name declared twice";
    RESERVED = 32, "a name that is predefined";
    MISPLACED = 33, "a clause in the wrong place";
    NO_HEADER = 34, "a file without header";
    UNKNOWN_LIBRARY = 35, "an algorithm or problem that cannot be found";
    CYCLE = 36, "a definition that needs itself";
    TYPE_MISMATCH = 40, "two types that do not fit";
    UNKNOWN_TYPE = 41, "a type that nothing declares";
    NOT_INFERRED = 42, "a type that cannot be inferred";
    WRONG_ARITY = 43, "the wrong number of arguments or fields";
    NO_DEFAULT = 44, "a variable without initial value";
    NOT_ASSIGNABLE = 45, "an assignment to something that is no variable";
    NOT_A_PORT = 46, "a destination or origin that is none";
    NO_DESTINATION = 47, "a send without destination where there is more than one way out";
    BARE_TYPES = 48, "bare values of two types";
    MAY_BE_NONE = 49, "an option where it may be `none`";
    ASSUMPTION_MISSING = 60, "something used that is not assumed";
    ASSUMPTION_UNKNOWN = 61, "an assumption that is not known";
    ASSUMPTION_CONFLICT = 62, "two assumptions that exclude each other";
    LAYER_NEEDS = 63, "a layer that needs more than is assumed";
    MESSAGE_NOT_TAKEN = 70, "a message that no state ever takes";
    MESSAGE_NOT_SENT = 71, "a message that is never sent";
    STATE_NOT_ENTERED = 72, "a state that is never entered";
    NOT_EXHAUSTIVE = 73, "an `if` whose guards may all be false";
    NEVER_READ = 74, "a name that is never read";
    UNREACHABLE = 75, "a statement that is never reached";
    NO_WAIT = 76, "a body that never waits";
    WAIT_IN_HANDLER = 77, "a handler that waits";
    WAIT_IN_PROCEDURE = 78, "a procedure that waits";
    BECOME_OPERATION = 79, "a state with a body in a process with operations";
    UNKNOWN_STATE = 80, "a state that nothing declares";
    SHADOWS = 81, "a pattern that hides a variable";
    NOT_HERE = 82, "something that has no place here";
    INITIAL_STATE = 83, "more than one initial state";
    PROBLEM_OPTION = 84, "an option that the problem does not have";
    OPERATION_MISSING = 85, "an operation that the problem asks for";
    ROLE_ASSIGNMENT = 86, "roles that cannot be given out";
    UPCALL = 87, "an upcall that nobody takes";
    METRIC = 88, "a bound that measures nothing";
    SCENARIO = 89, "a scenario that cannot be set up";
    VARIANT = 90, "a variant that changes nothing or too much";
    CONSTANT = 91, "a constant that is not constant";
    TOO_LARGE = 92, "a program that grows too large";
    NOT_PRODUCED = 93, "a result that the problem asks for and nothing produces";
    FOREIGN_PORT = 94, "a port used at another process";
}
