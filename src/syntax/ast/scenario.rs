//! Scenarios: a network, and what happens in it, line by line.

use super::{Expr, Name};
use crate::source::Span;

#[derive(Clone, Debug)]
pub struct Scenario {
    pub name: Name,
    pub on: Option<Topology>,
    /// `with ids [1, 2], names [A, B], initiators [A], entries 2, fifo`: key and value.
    pub with: Vec<(Name, Option<Expr>)>,
    pub lines: Vec<ScenarioLine>,
}

/// `on ring(4)`, `on random(10, 15, seed: 7)`, `on "net.dot"`: interpreted by `network`.
#[derive(Clone, Debug)]
pub struct Topology {
    /// As written; for a file, its name without the quotes.
    pub text: String,
    pub is_file: bool,
    pub span: Span,
}

#[derive(Clone, Debug)]
pub struct ScenarioLine {
    pub kind: ScenarioLineKind,
    pub span: Span,
}

#[derive(Clone, Debug)]
pub enum ScenarioLineKind {
    /// `initially p1.clock := 40`
    Initially {
        target: Expr,
        value: Expr,
    },
    /// `hold [channel] A -> B [for M]`; a missing end stands for `*`
    Hold {
        from: Option<Name>,
        to: Option<Name>,
        message: Option<Name>,
    },
    /// `release`, `release [channel] A -> B`
    Release {
        link: Option<(Name, Name)>,
    },
    /// `deliver A -> B [M]`: one held message goes through
    Deliver {
        from: Name,
        to: Name,
        message: Option<Name>,
    },
    /// `A: enter`, `A: multicast("a")`
    Act {
        process: Name,
        operation: Name,
        args: Vec<Expr>,
    },
    /// `A -> B: note`: a message of the application, outside the protocol
    Note {
        from: Name,
        to: Name,
        label: Name,
    },
    /// `wake A, B`
    Wake(Vec<Name>),
    /// `crash A [before send [M] [to B, C]]`
    Crash {
        process: Name,
        before_send: Option<(Option<Name>, Vec<Name>)>,
    },
    Restart(Name),
    /// `mislead A`: the oracles answer A wrongly from now on, until they correct it
    Mislead(Name),
    /// `suspect A at B`, `trust A at B`: output of the failure detector of B
    Suspect {
        process: Name,
        at: Name,
        trusted: bool,
    },
    /// `lose A -> B [M]`
    Lose {
        from: Name,
        to: Name,
        message: Option<Name>,
    },
    /// `duplicate A -> B [M]`
    Duplicate {
        from: Name,
        to: Name,
        message: Option<Name>,
    },
    /// `cut A -> B`
    Cut {
        from: Name,
        to: Name,
    },
    /// `delay A -> B [for M] := e`
    Delay {
        from: Name,
        to: Name,
        message: Option<Name>,
        delay: Expr,
    },
    At(Expr),
    /// `choose 3 at A`: the next choice of A
    Choose {
        process: Name,
        value: Expr,
    },
    /// `choose option 2 at A`: the same by number, from 1
    ChooseOption {
        process: Name,
        number: Expr,
    },
    /// `step A, B`: steps that need no message; several processes step together
    Step(Vec<Name>),
    /// `expire A`: a timer expires
    Expire(Name),
    /// `cycle`: start of the cycle that the run repeats forever
    Cycle,
    /// `expect e`
    Expect(Expr),
    /// `expect NAME violated`, `expect NAME holds`
    ExpectVerdict {
        property: Name,
        violated: bool,
    },
    /// `expect again`: the configuration equals that at `cycle`
    ExpectAgain,
    /// `expect outcome stuck`
    ExpectOutcome(Name),
}
