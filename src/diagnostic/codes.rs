//! Stable codes of diagnostics: of the parser up to SYN0029, then of the checker. `explanations/` contains the texts of
//! `synod explain`.

/// A stable number, shown as `SYN0042` and explained by `synod explain SYN0042`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Code(pub u16);

impl Code {
    pub fn severity(self) -> Severity {
        if WARNINGS.contains(&self) { Severity::Warning } else { Severity::Error }
    }

    /// Return whether the parser reports it and a part of the text has no tree. A former word has one.
    pub fn is_syntax(self) -> bool {
        self < UNKNOWN_NAME && self != FORMER_WORD
    }
}

impl std::fmt::Display for Code {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "SYN{:04}", self.0)
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Severity {
    Error,
    Warning,
}

/// A code with its title and its explanation.
pub type ExplainedCode = &'static (Code, &'static str, &'static str);

/// Return the number of a code as users write it: `SYN0042`, `syn42`, `0042` or `42`.
pub fn number(written: &str) -> Option<u16> {
    let digits = written.trim().to_ascii_uppercase();
    digits.strip_prefix("SYN").unwrap_or(&digits).parse().ok()
}

/// Find a code by its number.
///
/// # Errors
/// If there is none: the nearest one.
pub fn find(number: u16) -> Result<ExplainedCode, ExplainedCode> {
    let nearest = CODES.iter().min_by_key(|entry| (entry.0.0.abs_diff(number), entry.0));
    let nearest = nearest.unwrap_or(&CODES[0]);
    if nearest.0 == Code(number) { Ok(nearest) } else { Err(nearest) }
}

macro_rules! codes {
    ($($name:ident = $number:literal, $title:literal;)*) => {
        $(#[doc = $title] pub const $name: Code = Code($number);)*
        /// Code, title, and explanation (Markdown, with an incorrect and a correct program).
        pub const CODES: &[(Code, &str, &str)] =
            &[$((Code($number), $title, include_str!(concat!("explanations/", stringify!($name), ".md")))),*];
    };
}

codes! {
    UNEXPECTED = 1, "unexpected input";
    NO_CLAUSE = 2, "no clause begins like this";
    BLOCK_NOT_CLOSED = 3, "`if` without `fi`, or `do` without `od`";
    BLOCK_NOT_OPENED = 4, "`fi` without `if`, or `od` without `do`";
    BRACKET_NOT_CLOSED = 5, "a bracket is not closed";
    BRACKET_NOT_OPENED = 6, "a bracket is not opened";
    STRAY_CHARACTER = 7, "an invalid character";
    TEXT_NOT_CLOSED = 8, "a text is not closed";
    NUMBER_TOO_LARGE = 9, "a number is too large";
    TOO_DEEP = 10, "too deeply nested";
    TEXT_TOO_LARGE = 11, "the text is too large";
    EQUALS_ASSIGNS = 12, "`=` where `:=` was meant";
    ASSIGN_COMPARES = 13, "`:=` where `=` was meant";
    FOREIGN_SIGN = 14, "an operator or sign of another language";
    KEYWORD_AS_NAME = 15, "a keyword as a name";
    NO_ARROW = 16, "`->` is missing after a guard";
    ELSE_WITHOUT_BOX = 17, "`else` or `else if` between guarded commands";
    CHAINED_COMPARISON = 18, "chained comparisons";
    INVALID_TARGET = 19, "this cannot be assigned";
    NOT_A_STATEMENT = 20, "a value is not a statement";
    BAD_BINDER = 21, "an invalid pattern in a binder";
    BAD_LEADS_TO = 22, "a missing or superfluous side of `leads to`";
    UNKNOWN_ESCAPE = 23, "an unknown escape in a text";
    NOT_CALLABLE = 24, "this cannot be called";
    FRACTION = 25, "a fraction";
    NOT_A_TYPE = 26, "this is not a type";
    FORMER_WORD = 27, "a word of an earlier version";
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
    PROGRAM_TOO_LARGE = 92, "a program that grows too large";
    NOT_PRODUCED = 93, "a result of the problem that is never produced";
    FOREIGN_PORT = 94, "a port used at another process";
    CASE_NOT_PRODUCED = 95, "a case of an enumeration that is compared, but never produced";
}

/// The codes of programs that are well-formed, but probably not intended.
const WARNINGS: &[Code] = &[
    MAY_BE_NONE,
    MESSAGE_NOT_TAKEN,
    MESSAGE_NOT_SENT,
    STATE_NOT_ENTERED,
    CASE_NOT_PRODUCED,
    NOT_EXHAUSTIVE,
    NEVER_READ,
    VARIANT,
    NOT_PRODUCED,
];
