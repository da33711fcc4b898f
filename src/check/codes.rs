//! Stable codes of the checker's diagnostics. `explanations/` contains the texts of `synod explain`.

use crate::diagnostic::Code;

macro_rules! codes {
    ($($name:ident = $number:literal, $title:literal;)*) => {
        $(#[doc = $title] pub const $name: Code = Code($number);)*
        /// Code, title, and explanation (Markdown, with an incorrect and a correct program).
        pub const CODES: &[(Code, &str, &str)] =
            &[$((Code($number), $title, include_str!(concat!("explanations/", stringify!($name), ".md")))),*];
    };
}

codes! {
    UNKNOWN_NAME = 30, "an undeclared name";
    DUPLICATE = 31, "a name declared twice";
    RESERVED = 32, "a name that is predefined";
    MISPLACED = 33, "a clause in the wrong place";
    NO_HEADER = 34, "a file without header";
    UNKNOWN_LIBRARY = 35, "an algorithm or problem that is not found";
    CYCLE = 36, "a cyclic definition";
    TYPE_MISMATCH = 40, "mismatched types";
    UNKNOWN_TYPE = 41, "an undeclared type";
    NOT_INFERRED = 42, "a type that cannot be inferred";
    WRONG_ARITY = 43, "the wrong number of arguments or fields";
    NO_DEFAULT = 44, "a variable without initial value";
    NOT_ASSIGNABLE = 45, "an assignment to something that is not a variable";
    NOT_A_PORT = 46, "an invalid destination or sender";
    NO_DESTINATION = 47, "a send without destination where there are several outgoing ports";
    BARE_TYPES = 48, "bare values of two types";
    MAY_BE_NONE = 49, "an option that may be `none` where a value is needed";
    ASSUMPTION_MISSING = 60, "a missing assumption";
    ASSUMPTION_UNKNOWN = 61, "an unknown assumption";
    ASSUMPTION_CONFLICT = 62, "two assumptions that exclude each other";
    LAYER_NEEDS = 63, "a layer with assumptions that its user does not make";
    MESSAGE_NOT_TAKEN = 70, "a message that is never received";
    MESSAGE_NOT_SENT = 71, "a message that is never sent";
    STATE_NOT_ENTERED = 72, "a state that is never entered";
    NOT_EXHAUSTIVE = 73, "an `if` whose guards may all be false";
    NEVER_READ = 74, "a name that is never read";
    UNREACHABLE = 75, "a statement that is never reached";
    NO_WAIT = 76, "a body that never waits";
    WAIT_IN_HANDLER = 77, "a handler that waits";
    WAIT_IN_PROCEDURE = 78, "a procedure that waits";
    BECOME_OPERATION = 79, "a state with a body in a process with operations";
    UNKNOWN_STATE = 80, "an undeclared state";
    SHADOWS = 81, "a pattern that hides a variable";
    NOT_HERE = 82, "a construct that is not allowed here";
    INITIAL_STATE = 83, "more than one initial state";
    PROBLEM_OPTION = 84, "an option that the problem does not have";
    OPERATION_MISSING = 85, "a missing operation of the problem";
    ROLE_ASSIGNMENT = 86, "roles that cannot be assigned to processes";
    UPCALL = 87, "an upcall without a handler";
    METRIC = 88, "a bound without a measure";
    SCENARIO = 89, "an invalid scenario";
    VARIANT = 90, "a variant that changes nothing or too much";
    CONSTANT = 91, "a constant whose value is not constant";
    TOO_LARGE = 92, "a program that grows too large";
    NOT_PRODUCED = 93, "a result of the problem that is never produced";
    FOREIGN_PORT = 94, "a port used at another process";
}
