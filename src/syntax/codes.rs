//! Stable codes of syntax errors, SYN0001–SYN0029. `explanations/` contains the texts of `synod explain`.

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
    TOO_LARGE = 11, "the text is too large";
    EQUALS_ASSIGNS = 12, "`=` where `:=` was meant";
    ASSIGN_COMPARES = 13, "`:=` where `=` was meant";
    FOREIGN_SIGN = 14, "an operator or sign of another language";
    KEYWORD_AS_NAME = 15, "a keyword as a name";
    NO_ARROW = 16, "`->` is missing after a guard";
    ELSE_WITHOUT_BOX = 17, "`else` or `else if` between guarded commands";
    CHAINED_COMPARISON = 18, "chained comparisons";
    NOT_ASSIGNABLE = 19, "this cannot be assigned";
    NOT_A_STATEMENT = 20, "a value is not a statement";
    BAD_BINDER = 21, "an invalid pattern in a binder";
    BAD_LEADS_TO = 22, "a missing or superfluous side of `leads to`";
    UNKNOWN_ESCAPE = 23, "an unknown escape in a text";
    NOT_CALLABLE = 24, "this cannot be called";
    FRACTION = 25, "a fraction";
    NOT_A_TYPE = 26, "this is not a type";
}
