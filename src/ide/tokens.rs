//! Semantic highlighting: the colour of a token depends on what its name refers to.

use super::{Analysis, hover, reference};
use crate::check::names::{Access, EVENTS, Kind};
use crate::check::{FUNCTIONS, PREDEFINED};
use crate::source::Span;
use crate::syntax::ast::ClauseKind;
use crate::syntax::{TokenKind, is_reserved};

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum TokenType {
    Keyword,
    Comment,
    Text,
    Number,
    Type,
    Class,
    Enum,
    EnumMember,
    Struct,
    Parameter,
    Variable,
    Property,
    Message,
    Function,
    Method,
    Namespace,
}

impl TokenType {
    /// All colours, with their names in the protocol.
    pub const ALL: &[(TokenType, &str)] = &[
        (TokenType::Keyword, "keyword"),
        (TokenType::Comment, "comment"),
        (TokenType::Text, "string"),
        (TokenType::Number, "number"),
        (TokenType::Type, "type"),
        (TokenType::Class, "class"),
        (TokenType::Enum, "enum"),
        (TokenType::EnumMember, "enumMember"),
        (TokenType::Struct, "struct"),
        (TokenType::Parameter, "parameter"),
        (TokenType::Variable, "variable"),
        (TokenType::Property, "property"),
        (TokenType::Message, "event"),
        (TokenType::Function, "function"),
        (TokenType::Method, "method"),
        (TokenType::Namespace, "namespace"),
    ];

    /// Return whether a word has this colour regardless of its meaning.
    pub fn is_of_words(self) -> bool {
        matches!(self, TokenType::Keyword | TokenType::Comment | TokenType::Text | TokenType::Number)
    }

    fn of(kind: Kind) -> TokenType {
        match kind {
            Kind::Algorithm | Kind::Problem | Kind::Role => TokenType::Class,
            Kind::Message => TokenType::Message,
            Kind::Field | Kind::RecordField | Kind::Option => TokenType::Property,
            Kind::Enum => TokenType::Enum,
            Kind::Case | Kind::Choice | Kind::State => TokenType::EnumMember,
            Kind::Record => TokenType::Struct,
            Kind::Const | Kind::Param | Kind::Variable | Kind::Output | Kind::Local => TokenType::Variable,
            Kind::Timer | Kind::Process => TokenType::Variable,
            Kind::Function | Kind::Property | Kind::Scenario => TokenType::Function,
            Kind::Procedure | Kind::Operation | Kind::Alias | Kind::Upcall => TokenType::Method,
            Kind::Layer => TokenType::Namespace,
            Kind::Parameter => TokenType::Parameter,
        }
    }
}

/// The token modifiers: one bit each, in this order.
pub const MODIFIERS: &[&str] = &["declaration", "readonly", "modification", "defaultLibrary"];

/// The last modifier: the word is predefined in the language.
const LIBRARY: u32 = 1 << 3;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SemanticToken {
    pub place: Span,
    pub colour: TokenType,
    pub modifiers: u32,
}

impl Analysis {
    /// Return the tokens that touch a range, in order.
    pub fn coloured(&self, range: Span) -> Vec<SemanticToken> {
        let file = self.user_file();
        let first = file.tokens.partition_point(|t| t.end <= range.start as usize);
        let mut used = self
            .names
            .uses
            .partition_point(|u| u.place < Span { start: range.start.saturating_sub(200), end: 0, file: 0 });
        let assumed = self.assumed();
        let clauses = &file.module.clauses;
        let in_scenario = |at: usize| {
            let next = clauses.partition_point(|clause| clause.span.start as usize <= at);
            clauses[..next].last().is_some_and(|clause| matches!(clause.kind, ClauseKind::Scenario(..)))
        };
        let mut out = Vec::new();
        let mut before = first.checked_sub(1).map(|i| file.tokens[i].text(&file.text));
        for token in file.tokens[first..].iter().take_while(|t| t.start < range.end as usize) {
            let place = Span::new(0, token.start, token.end);
            let plain = |colour: TokenType| Some((colour, 0));
            while self.names.uses.get(used).is_some_and(|u| u.place < place) {
                used += 1;
            }
            let meant = self.names.uses.get(used).filter(|u| u.place == place);
            let found = match (token.kind, meant) {
                (TokenKind::Comment | TokenKind::Doc, _) => plain(TokenType::Comment),
                (TokenKind::Text | TokenKind::OpenText, _) => plain(TokenType::Text),
                (TokenKind::Int, _) => plain(TokenType::Number),
                (TokenKind::Word, Some(meant)) => {
                    let kind = self.names.decl(meant.decl).kind;
                    let fixed = matches!(kind, Kind::Const | Kind::Param | Kind::Case | Kind::Process);
                    let bits = u32::from(meant.access == Access::Declare)
                        | u32::from(fixed) << 1
                        | u32::from(meant.access == Access::Write) << 2;
                    Some((TokenType::of(kind), bits))
                }
                // `knows n`: the words of an assumption have a meaning only together.
                (TokenKind::Word, None) if assumed.binary_search(&place).is_ok() => None,
                // `on wakeup`, `on suspect(p)`: events of the environment look like messages.
                (TokenKind::Word, None)
                    if before == Some("on") && EVENTS.contains(&token.text(&file.text)) =>
                {
                    Some((TokenType::Message, LIBRARY))
                }
                // Processes by position look like named ones.
                (TokenKind::Word, None)
                    if is_position(token.text(&file.text)) && in_scenario(token.start) =>
                {
                    Some((TokenType::Variable, LIBRARY | 1 << 1))
                }
                (TokenKind::Word, None) => self.word_of_language(token.text(&file.text), token.start),
                _ => None,
            };
            before = Some(token.text(&file.text));
            if let Some((colour, modifiers)) = found {
                out.push(SemanticToken { place, colour, modifiers });
            }
        }
        out
    }

    /// Return the words of assumptions, in order.
    fn assumed(&self) -> Vec<Span> {
        let clauses = self.user_file().module.clauses.iter();
        let assumptions = clauses.filter_map(|clause| match &clause.kind {
            ClauseKind::Assumes(list) => Some(list),
            _ => None,
        });
        assumptions.flatten().flat_map(|assumption| &assumption.words).map(|word| word.span).collect()
    }

    fn word_of_language(&self, word: &str, start: usize) -> Option<(TokenType, u32)> {
        let file = self.user_file();
        if is_reserved(word) {
            return Some((TokenType::Keyword, 0));
        }
        if file.text[..start].ends_with('.') {
            return reference::fact(word).map(|_| (TokenType::Property, LIBRARY));
        }
        if hover::TYPES.iter().any(|(name, _)| *name == word) {
            return Some((TokenType::Type, LIBRARY));
        }
        if FUNCTIONS.contains(&word) && file.text[start + word.len()..].starts_with('(') {
            return Some((TokenType::Function, LIBRARY));
        }
        PREDEFINED.contains(&word).then_some((TokenType::Variable, LIBRARY | 1 << 1))
    }
}

/// Return whether a word denotes a process by its position in the topology: `p0`, `p12`.
fn is_position(word: &str) -> bool {
    word.strip_prefix('p')
        .is_some_and(|digits| !digits.is_empty() && digits.bytes().all(|b| b.is_ascii_digit()))
}
