//! ASCII and Unicode forms of signs: `<=` and `≤`, `and` and `∧`.

use crate::syntax::rule::Rule;

/// The form of signs in a formatted text.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Signs {
    /// As in the source.
    #[default]
    AsWritten,
    Ascii,
    Unicode,
}

/// Return both forms of the sign of a rule. `+` and `-` are also for numbers, so they stay; `∪` and `∖` have them as their ASCII
/// form.
fn forms(rule: Rule) -> Option<(&'static str, Option<&'static str>)> {
    Some(match rule {
        Rule::arrow => ("->", Some("→")),
        Rule::assign => (":=", Some("←")),
        Rule::square => ("[]", Some("□")),
        Rule::none => ("none", Some("⊥")),
        Rule::forall => ("forall", Some("∀")),
        Rule::some => ("some", Some("∃")),
        Rule::op_iff => ("iff", Some("⇔")),
        Rule::op_implies => ("implies", Some("⇒")),
        Rule::op_or => ("or", Some("∨")),
        Rule::op_and => ("and", Some("∧")),
        Rule::op_not => ("not", Some("¬")),
        Rule::op_not_equal => ("!=", Some("≠")),
        Rule::op_less_equal => ("<=", Some("≤")),
        Rule::op_greater_equal => (">=", Some("≥")),
        Rule::op_in => ("in", Some("∈")),
        Rule::op_not_in => ("not in", Some("∉")),
        Rule::op_intersect => ("inter", Some("∩")),
        Rule::empty_set => ("{}", Some("∅")),
        Rule::op_add => ("+", None),
        Rule::op_subtract => ("-", None),
        Rule::op_multiply => ("*", None),
        _ => return None,
    })
}

impl Signs {
    /// Return the form to write for a sign in the source.
    pub fn write(self, rule: Rule, written: String) -> String {
        let Some((ascii, unicode)) = forms(rule) else { return written };
        match (self, unicode) {
            (Signs::Ascii, _) => ascii.to_string(),
            (Signs::Unicode, Some(unicode)) => unicode.to_string(),
            _ => written,
        }
    }
}
