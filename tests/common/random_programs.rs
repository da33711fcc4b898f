//! Random well-formed programs, for the tests that want many.

use std::fmt::Write;

/// The source of the generator's choices: every choice is the next number of a list, so that proptest can shrink it.
pub struct Draw<'a> {
    pub numbers: &'a [u32],
    pub next: usize,
}

impl Draw<'_> {
    fn below(&mut self, bound: usize) -> usize {
        let n = self.numbers.get(self.next).copied().unwrap_or(0);
        self.next += 1;
        n as usize % bound
    }

    fn one_of<'t>(&mut self, of: &[&'t str]) -> &'t str {
        of[self.below(of.len())]
    }

    fn int(&mut self, depth: usize) -> String {
        if depth == 0 || self.below(3) == 0 {
            return self.one_of(&["a", "b", "n", "0", "1", "7", "degree"]).into();
        }
        let (x, y) = (self.int(depth - 1), self.int(depth - 1));
        match self.below(12) {
            0 => format!("({x} + {y})"),
            1 => format!("({x} - {y})"),
            2 => format!("({x} * {y})"),
            3 => format!("({x} div {y})"),
            4 => format!("({x} mod {y})"),
            5 => format!("max({x}, {y})"),
            6 => "size(s)".into(),
            7 => format!("m[{x}]"),
            8 => format!("l[{x}]"),
            9 => format!("(sum k in {}: k + {y})", self.set(depth - 1)),
            10 => format!("(if {} then {x} else {y})", self.bool(depth - 1)),
            _ => format!("(count k in {}: k > {y})", self.set(depth - 1)),
        }
    }

    fn set(&mut self, depth: usize) -> String {
        if depth == 0 {
            return self.one_of(&["s", "{}", "{1, 2}", "keys(m)"]).into();
        }
        match self.below(5) {
            0 => format!("(s + {{{}}})", self.int(depth - 1)),
            1 => format!("(s - {})", self.set(depth - 1)),
            2 => format!("{{ k in {} | {} }}", self.set(depth - 1), self.bool(depth - 1)),
            3 => format!("{{ k + {} for k in {} }}", self.int(depth - 1), self.set(depth - 1)),
            _ => format!("(0..{})", self.one_of(&["3", "n", "-1"])),
        }
    }

    fn bool(&mut self, depth: usize) -> String {
        if depth == 0 {
            return self.one_of(&["true", "c", "a < b", "a = b", "o = none"]).into();
        }
        match self.below(7) {
            0 => format!("(not {})", self.bool(depth - 1)),
            1 => format!("({} and {})", self.bool(depth - 1), self.bool(depth - 1)),
            2 => format!("({} or {})", self.bool(depth - 1), self.bool(depth - 1)),
            3 => format!("{} <= {}", self.int(depth - 1), self.int(depth - 1)),
            4 => format!("{} in {}", self.int(depth - 1), self.set(depth - 1)),
            5 => format!("(forall k in {}: k != {})", self.set(depth - 1), self.int(depth - 1)),
            _ => format!("(id, {}) < (id, {})", self.int(depth - 1), self.int(depth - 1)),
        }
    }

    /// Statements that do not wait.
    fn block(&mut self, depth: usize) -> String {
        let mut text = String::new();
        for _ in 0..1 + self.below(3) {
            let line = match self.below(if depth == 0 { 9 } else { 12 }) {
                0 => format!("a := {}", self.int(2)),
                1 => format!("b := {}", self.int(2)),
                // Collections stay small: a program whose sets double in every step only shows how much memory there is.
                2 => format!("s := {{ k in {} | k in -9..9 }}", self.set(2)),
                3 => format!("m[({}) mod 9] := {}", self.int(1), self.int(1)),
                4 => format!("if size(l) < 9 -> l := l + [{}] [] otherwise -> l := [] fi", self.int(1)),
                5 => {
                    format!("send One({}) to {}", self.int(1), self.one_of(&["left", "right", "neighbours"]))
                }
                6 => format!(
                    "send Two({}, {}) to {}",
                    self.int(1),
                    self.set(1),
                    self.one_of(&["left", "neighbours"])
                ),
                7 => format!("c := {}; o := id", self.bool(1)),
                8 => format!("remove {} from {}", self.int(1), self.one_of(&["s", "m", "l"])),
                9 => format!(
                    "if {} -> {} [] otherwise -> {} fi",
                    self.bool(2),
                    self.block(depth - 1),
                    self.block(depth - 1)
                ),
                10 => format!("for x in {} do\n{}\n  a := a + x\nod", self.set(1), self.block(depth - 1)),
                _ => format!("choose y in {}; a := y", self.set(1)),
            };
            let _ = writeln!(text, "    {line}");
        }
        text
    }

    pub fn program(&mut self) -> String {
        let mut text = String::from(
            "algorithm random\nassumes bidirectional ring, unique ids, knows n\nmessage One(x: Int), Two(x: Int, t: set of Int)\n\
             var a, b : Int\nvar c : Bool\nvar s : set of Int\nvar m : map of Int to Int\nvar l : list of Int\nvar o : Id?\n",
        );
        let _ = writeln!(text, "state first\n{}", self.block(2));
        if self.below(2) == 0 {
            let _ = writeln!(text, "    receive One(a) from left");
        } else {
            let _ = writeln!(text, "    await {}", self.bool(1));
        }
        let _ = writeln!(text, "{}    {}", self.block(1), self.one_of(&["become second", "halt", "skip"]));
        let _ = writeln!(
            text,
            "  on Two(x, t) when {} ->\n    b := x + size(t)\n{}",
            self.bool(1),
            self.block(1)
        );
        let _ = writeln!(
            text,
            "state second\n  on One(x) from p -> b := x; send One(b) to opposite(p)\n{}",
            self.block(1)
        );
        let _ = writeln!(text, "  when {} ->\n{}    become first", self.bool(2), self.block(1));
        let _ = writeln!(
            text,
            "always\n  on Two(x, t) -> a := x + size(t)\n  {}",
            self.one_of(&["ignore One", ""])
        );
        let _ = writeln!(text, "invariant small: forall p: p.a <= p.b or p.c or size(p.s) < 100");
        text
    }
}
