//! The lexer: a hand-written pass that cuts a text into words and signs.
//!
//! pest parses one clause at a time. These tokens answer what must be known before: where clauses begin, which brackets are open,
//! what the user wrote where pest stopped.

/// Words that cannot be names. The rule `reserved` of the grammar is normative; a test compares the two.
pub const RESERVED: &[&str] = &[
    "after",
    "algorithm",
    "always",
    "and",
    "any",
    "assumes",
    "await",
    "become",
    "before",
    "bits",
    "choose",
    "client",
    "const",
    "defer",
    "div",
    "do",
    "else",
    "enum",
    "eventually",
    "except",
    "exists",
    "false",
    "fi",
    "finally",
    "for",
    "forall",
    "from",
    "function",
    "halt",
    "if",
    "iff",
    "ignore",
    "implies",
    "in",
    "initial",
    "inter",
    "invariant",
    "listen",
    "message",
    "messages",
    "mod",
    "none",
    "not",
    "od",
    "on",
    "operation",
    "or",
    "otherwise",
    "output",
    "param",
    "pause",
    "problem",
    "procedure",
    "process",
    "receive",
    "record",
    "remove",
    "role",
    "round",
    "rounds",
    "scenario",
    "send",
    "skip",
    "some",
    "state",
    "then",
    "time",
    "to",
    "transmit",
    "true",
    "uses",
    "var",
    "when",
    "with",
];

pub fn is_reserved(word: &str) -> bool {
    RESERVED.binary_search(&word).is_ok()
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TokenKind {
    Word,
    Int,
    Text,
    Sign,
    /// `// …` to the end of the line.
    Comment,
    /// `/// …` to the end of the line.
    Doc,
    /// `"…` without its end on the same line.
    OpenText,
    /// A sign of other languages (`==`, `&&`), or a number followed by letters.
    Foreign,
    /// A character that no program contains.
    Stray,
}

#[derive(Clone, Copy, Debug)]
pub struct Token {
    pub kind: TokenKind,
    pub start: usize,
    pub end: usize,
    /// Whether only white space precedes it on its line.
    pub first_of_line: bool,
    /// Whether it directly follows the previous token, without white space or comment.
    pub touches: bool,
}

impl Token {
    pub fn text<'t>(&self, text: &'t str) -> &'t str {
        &text[self.start..self.end]
    }
}

/// Signs with a common prefix are listed longest first.
const SIGNS: &[(&str, TokenKind)] = &[
    ("<=>", TokenKind::Foreign),
    ("/\\", TokenKind::Foreign),
    ("\\/", TokenKind::Foreign),
    ("(*", TokenKind::Foreign),
    ("*)", TokenKind::Foreign),
    ("::", TokenKind::Foreign),
    ("<>", TokenKind::Foreign),
    ("/*", TokenKind::Foreign),
    ("*/", TokenKind::Foreign),
    ("==", TokenKind::Foreign),
    ("=>", TokenKind::Foreign),
    ("&&", TokenKind::Foreign),
    ("||", TokenKind::Foreign),
    ("+=", TokenKind::Foreign),
    ("-=", TokenKind::Foreign),
    ("++", TokenKind::Foreign),
    (":=", TokenKind::Sign),
    ("!=", TokenKind::Sign),
    ("<=", TokenKind::Sign),
    (">=", TokenKind::Sign),
    ("->", TokenKind::Sign),
    ("..", TokenKind::Sign),
    ("[]", TokenKind::Sign),
    ("!", TokenKind::Foreign),
    ("%", TokenKind::Foreign),
    ("^", TokenKind::Foreign),
    ("#", TokenKind::Foreign),
    ("'", TokenKind::Foreign),
];

const SIGN_CHARACTERS: &str = "()[]{},;:=<>+-*/.|?≠≤≥→∈∉∧∨¬∀∃⊥□←⇒∪∖∩×⇔∅↝";

fn is_space(c: char) -> bool {
    matches!(c, ' ' | '\t' | '\r' | '\n' | '\u{A0}' | '\u{FEFF}')
}

fn is_name_character(c: char) -> bool {
    c.is_ascii_alphanumeric() || c == '_'
}

/// Cut the whole text; every character is white space or belongs to a token.
pub fn tokens(text: &str) -> Vec<Token> {
    let mut found = Vec::new();
    let mut at = 0;
    let mut first_of_line = true;
    let mut touches = false;
    while let Some(c) = text[at..].chars().next() {
        if is_space(c) {
            first_of_line |= c == '\n';
            touches = false;
            at += c.len_utf8();
            continue;
        }
        let (kind, length) = token(&text[at..], c);
        found.push(Token { kind, start: at, end: at + length, first_of_line, touches });
        first_of_line = false;
        touches = !matches!(kind, TokenKind::Comment | TokenKind::Doc);
        at += length;
    }
    found
}

/// Return the kind and length of the token at the start of `rest`, which begins with `c` and not with white space. The length is
/// not zero.
fn token(rest: &str, c: char) -> (TokenKind, usize) {
    let while_true = |test: &dyn Fn(char) -> bool| rest.find(|c| !test(c)).unwrap_or(rest.len());
    if c.is_ascii_alphabetic() || c == '_' {
        return (TokenKind::Word, while_true(&is_name_character));
    }
    if c.is_ascii_digit() {
        let digits = while_true(&|c| c.is_ascii_digit());
        let all = while_true(&is_name_character);
        let kind = if all > digits { TokenKind::Foreign } else { TokenKind::Int };
        return (kind, all);
    }
    if rest.starts_with("//") {
        let line = rest[..rest.find('\n').unwrap_or(rest.len())].trim_end();
        let doc = line.starts_with("///") && !line.starts_with("////");
        let kind = if doc { TokenKind::Doc } else { TokenKind::Comment };
        return (kind, line.len());
    }
    if c == '"' {
        return quoted(rest);
    }
    if let Some((sign, kind)) = SIGNS.iter().find(|(sign, _)| rest.starts_with(sign)) {
        return (*kind, sign.len());
    }
    if SIGN_CHARACTERS.contains(c) {
        return (TokenKind::Sign, c.len_utf8());
    }
    // A word in another alphabet is one error, not one for each letter.
    if c.is_alphabetic() {
        return (TokenKind::Stray, while_true(&|c| c.is_alphanumeric() || c == '_'));
    }
    (TokenKind::Stray, c.len_utf8())
}

fn quoted(rest: &str) -> (TokenKind, usize) {
    let mut escaped = false;
    for (i, c) in rest.char_indices().skip(1) {
        match c {
            '\n' => return (TokenKind::OpenText, rest[..i].trim_end().len()),
            '"' if !escaped => return (TokenKind::Text, i + 1),
            _ => escaped = c == '\\' && !escaped,
        }
    }
    (TokenKind::OpenText, rest.trim_end().len())
}
