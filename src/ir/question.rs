//! Expressions about a program that do not belong to it.

use super::Expr;

/// A checked expression. It can be evaluated in every configuration of the program with which it was checked, and of that program
/// checked without it: slots are assigned alike.
#[derive(Clone, Debug)]
pub struct Question {
    pub text: String,
    pub expr: Expr,
    /// Words and values of the frame in which it is evaluated.
    pub frame: (u16, u16),
}
