//! The form of the tables below: an enum with one row for each sentence.
//!
//! A row reads like a signature: a variant with named arguments, and the text that they complete. A text names its arguments, or
//! has a list of expressions of them in parentheses behind it.

/// Define an enum whose variants are phrases.
macro_rules! phrases {
    ($(#[$meta:meta])* $subject:ident {
        $($name:ident $(($($arg:ident: $type:ty),+))? = $text:literal $(($($value:expr),+))?;)*
    }) => {
        $(#[$meta])*
        #[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
        pub enum $subject {
            $(#[doc = concat!("«", $text, "»")] $name $(($($type),+))?),*
        }

        // A text need not mention every argument.
        #[allow(unused_variables, reason = "not every sentence mentions every argument")]
        impl std::fmt::Display for $subject {
            fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                match self {
                    $(Self::$name $(($($arg),+))? => write!(f, $text $(, $($value),+)?),)*
                }
            }
        }
    };
}

/// Format a text that a row may omit.
macro_rules! optional {
    () => {
        None
    };
    ($($text:tt)+) => {
        Some(std::fmt::format(format_args!($($text)+)))
    };
}

/// Define an enum whose variants are findings: code, sentence, and, if they are always the same, the label of the place and the
/// hint.
macro_rules! findings {
    ($(#[$meta:meta])* $subject:ident {
        $($name:ident $(($($arg:ident: $type:ty),+))? = $code:expr, $text:literal $(($($value:expr),+))?
            $(, label $label:literal $(($($labelled:expr),+))?)?
            $(, hint $hint:literal $(($($hinted:expr),+))?)?;)*
    }) => {
        $(#[$meta])*
        #[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
        pub enum $subject {
            $(#[doc = concat!("«", $text, "»")] $name $(($($type),+))?),*
        }

        // A code, label or hint need not depend on every argument.
        #[allow(unused_variables, reason = "not every sentence mentions every argument")]
        impl $subject {
            pub(super) fn code(&self) -> $crate::diagnostic::Code {
                match self {
                    $(Self::$name $(($($arg),+))? => $code,)*
                }
            }

            pub(super) fn label(&self) -> Option<String> {
                match self {
                    $(Self::$name $(($($arg),+))? => optional!($($label $(, $($labelled),+)?)?),)*
                }
            }

            pub(super) fn hint(&self) -> Option<String> {
                match self {
                    $(Self::$name $(($($arg),+))? => optional!($($hint $(, $($hinted),+)?)?),)*
                }
            }
        }

        #[allow(unused_variables, reason = "not every sentence mentions every argument")]
        impl std::fmt::Display for $subject {
            fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                match self {
                    $(Self::$name $(($($arg),+))? => write!(f, $text $(, $($value),+)?),)*
                }
            }
        }
    };
}
