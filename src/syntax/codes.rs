//! The mistakes that reading a text can find, SYN0001–SYN0029: what each one is, wrong and right.

use crate::diagnostic::Code;

macro_rules! codes {
    ($($(#[doc = $doc:literal])+ $name:ident = $number:literal, $title:literal;)+) => {
        $($(#[doc = $doc])+ pub const $name: Code = Code($number);)+

        /// Code, title and explanation (markdown) of each.
        pub const CODES: &[(Code, &str, &str)] = &[
            $(($name, $title, concat!($($doc, "\n"),+)),)+
        ];
    };
}

codes! {
    /// Something stands where the grammar has no place for it. The message says what could have stood there.
    ///
    /// Wrong: `send to next`
    ///
    /// Right: `send Token to next`
    UNEXPECTED = 1, "something else was expected here";

    /// A file is a list of clauses, each of which begins with its keyword: `algorithm`, `var`, `state`, `on` …
    ///
    /// Wrong: `mesage Token`
    ///
    /// Right: `message Token`
    NO_CLAUSE = 2, "no clause begins like this";

    /// `if` ends with `fi`, and `do` with `od`, whatever the indentation.
    ///
    /// Wrong: `if x = 1 -> skip [] otherwise -> halt`
    ///
    /// Right: `if x = 1 -> skip [] otherwise -> halt fi`
    BLOCK_NOT_CLOSED = 3, "`if` without `fi`, or `do` without `od`";

    /// A `fi` or `od` closes something that was never opened, or closes the wrong one.
    ///
    /// Wrong: `if x = 1 -> skip od`
    ///
    /// Right: `if x = 1 -> skip fi`
    BLOCK_NOT_OPENED = 4, "`fi` without `if`, or `od` without `do`";

    /// An opening bracket has no partner within its clause.
    ///
    /// Wrong: `send M(1 to next`
    ///
    /// Right: `send M(1) to next`
    BRACKET_NOT_CLOSED = 5, "a bracket is not closed";

    /// A closing bracket has no partner within its clause.
    ///
    /// Wrong: `x := a + b)`
    ///
    /// Right: `x := (a + b)`
    BRACKET_NOT_OPENED = 6, "a bracket is not opened";

    /// Outside texts and comments a program consists of ASCII letters and digits and the signs of the language.
    ///
    /// Wrong: `var größe : Int`
    ///
    /// Right: `var size : Int`
    STRAY_CHARACTER = 7, "a character without meaning";

    /// A text ends with `"` on the line it began on. `\n` in it stands for a new line.
    ///
    /// Wrong: `send "hello`
    ///
    /// Right: `send "hello"`
    TEXT_NOT_CLOSED = 8, "a text is not closed";

    /// Numbers are whole and lie between -9223372036854775807 and 9223372036854775807 (64 bits).
    ///
    /// Wrong: `const K = 9223372036854775808`
    ///
    /// Right: `const K = 9223372036854775807`
    NUMBER_TOO_LARGE = 9, "a number is too large";

    /// Brackets, `if` and `do` in one another, and operators in a row, are limited, so that every text gets an
    /// answer on every machine.
    ///
    /// Wrong: an expression of thousands of terms, usually written by a program
    ///
    /// Right: a collection, as in `max(S)` or `sum x in S: x`, or a `function` for the parts
    TOO_DEEP = 10, "too deeply nested";

    /// Source texts are limited in size.
    ///
    /// Wrong: a file of 10 MB, usually not a program at all
    ///
    /// Right: one file for each algorithm and problem
    TOO_LARGE = 11, "the text is too large";

    /// `:=` assigns, `=` compares.
    ///
    /// Wrong: `x = 1`
    ///
    /// Right: `x := 1`
    EQUALS_ASSIGNS = 12, "`=` where `:=` was meant";

    /// `=` compares and defines, `:=` assigns.
    ///
    /// Wrong: `if x := 1 -> skip fi`
    ///
    /// Right: `if x = 1 -> skip fi`
    ASSIGN_COMPARES = 13, "`:=` where `=` was meant";

    /// A sign that other languages have and this one does not.
    ///
    /// Wrong: `a == b && !c`
    ///
    /// Right: `a = b and not c`
    FOREIGN_SIGN = 14, "a sign of another language";

    /// Keywords cannot be names.
    ///
    /// Wrong: `var state : Int`
    ///
    /// Right: `var phase : Int`
    KEYWORD_AS_NAME = 15, "a keyword as a name";

    /// A guard is followed by `->` and its command.
    ///
    /// Wrong: `if x = 1 send M fi`
    ///
    /// Right: `if x = 1 -> send M fi`
    NO_ARROW = 16, "`->` is missing after a guard";

    /// The alternatives of an `if` are guarded commands with `[]` between them.
    ///
    /// Wrong: `if a -> skip else if b -> halt fi`
    ///
    /// Right: `if a -> skip [] else b -> halt fi`
    ELSE_WITHOUT_BOX = 17, "`else` or `else if` between guarded commands";

    /// Comparisons give a Boolean, so they do not chain.
    ///
    /// Wrong: `a <= b <= c`
    ///
    /// Right: `a <= b and b <= c`
    CHAINED_COMPARISON = 18, "chained comparisons";

    /// Only a variable, or a part of one, can be assigned.
    ///
    /// Wrong: `f(x) := 1`
    ///
    /// Right: `f[x] := 1`
    NOT_ASSIGNABLE = 19, "this cannot be assigned";

    /// A value alone does nothing. Statements are assignments, calls, and those that begin with a keyword.
    ///
    /// Wrong: `v[p]`
    ///
    /// Right: `v[p] := 0`
    NOT_A_STATEMENT = 20, "a value is not a statement";

    /// `{ p in S | g }` filters: a pattern, `in`, the set, and the condition after `|`. What a quantifier or a
    /// collection binds is a new name, or new names in the shape of a tuple or message.
    ///
    /// Wrong: `{ p | p > 3 }`
    ///
    /// Right: `{ p in S | p > 3 }`
    BAD_BINDER = 21, "this binds no names";

    /// `leads NAME: p leads to q` has two sides. The other properties have one.
    ///
    /// Wrong: `eventually served: p.waiting leads to p.critical`
    ///
    /// Right: `leads served: p.waiting leads to p.critical`
    BAD_LEADS_TO = 22, "a side of `leads to` is missing or superfluous";

    /// Texts know `\"`, `\\` and `\n`.
    ///
    /// Wrong: `"a\tb"`
    ///
    /// Right: `"a b"`
    UNKNOWN_ESCAPE = 23, "an unknown escape in a text";

    /// Only names are called: a function, a message, a record, or an operation of a layer.
    ///
    /// Wrong: `v[p](x)`
    ///
    /// Right: `Data.multicast(x)`
    NOT_CALLABLE = 24, "this cannot be called";

    /// Numbers are whole. Only a probability is a fraction: two operands with `/` between them, as an argument.
    ///
    /// Wrong: `x := a / b`, `coin(0.5)`
    ///
    /// Right: `x := a div b`, `coin(1/2)`
    FRACTION = 25, "a fraction";

    /// A type is a name, a range, a tuple of types, `set of`, `list of`, `queue of`, `map of … to …`, or one of
    /// these with `?` for a value that may be `none`.
    ///
    /// Wrong: `var x : a + 1`
    ///
    /// Right: `var x : 0..a + 1`
    NOT_A_TYPE = 26, "this is not a type";
}
