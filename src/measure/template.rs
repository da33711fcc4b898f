//! Topology templates: `ring({n})`, `torus({n}, {n})`, `mesh({side(n)}, {n / side(n)})`.
//!
//! A placeholder is an integer expression in the size `n`: `+ - * /` (rounded towards zero), parentheses, `sqrt` and
//! `log2` (rounded down), `min` and `max`, and `side`: the greatest divisor that does not exceed the square root, so
//! that a rectangle of n processes is as square as possible.

use crate::ir::Shape;

/// Maximum nesting depth, since the parser recurses.
const MOST_DEPTH: u32 = 50;

/// Return the template for the family of networks that an algorithm assumes, by the number of processes.
pub fn template_for(shape: Option<Shape>) -> &'static str {
    match shape {
        Some(Shape::Ring) => "ring({n})",
        Some(Shape::Line) => "line({n})",
        Some(Shape::Star) => "star({n - 1})",
        Some(Shape::Tree) => "tree({n})",
        Some(Shape::Complete) | None => "complete({n})",
        Some(Shape::Mesh) => "mesh({side(n)}, {n / side(n)})",
        Some(Shape::Torus) => "torus({side(n)}, {n / side(n)})",
        Some(Shape::Hypercube) => "hypercube({log2(n)})",
        Some(Shape::Connected) => "random({n})",
    }
}

/// Whether the size occurs in the template.
pub fn has_placeholders(template: &str) -> bool {
    template.contains('{')
}

/// Return the topology for this size.
///
/// # Errors
/// If a placeholder is malformed, or has no value for this size: one sentence without a full stop.
pub fn fill(template: &str, n: u32) -> Result<String, String> {
    let mut out = String::new();
    let mut rest = template;
    while let Some((before, after)) = rest.split_once('{') {
        let Some((hole, behind)) = after.split_once('}') else {
            return Err(format!("{template} has an unclosed brace"));
        };
        out += before;
        let mut parser = Parser { rest: hole, n: i64::from(n), depth: 0 };
        let value = parser.sum().and_then(|value| match parser.rest.trim() {
            "" => Ok(value),
            more => Err(format!("unexpected «{more}»")),
        });
        let value = value.map_err(|why| format!("{{{hole}}} in {template}: {why}"))?;
        out += &value.to_string();
        rest = behind;
    }
    Ok(out + rest)
}

struct Parser<'a> {
    rest: &'a str,
    n: i64,
    depth: u32,
}

impl Parser<'_> {
    fn eat(&mut self, c: char) -> bool {
        let rest = self.rest.trim_start().strip_prefix(c);
        self.rest = rest.unwrap_or(self.rest);
        rest.is_some()
    }

    fn sum(&mut self) -> Result<i64, String> {
        let mut value = self.product()?;
        loop {
            let next = if self.eat('+') {
                value.checked_add(self.product()?)
            } else if self.eat('-') {
                value.checked_sub(self.product()?)
            } else {
                return Ok(value);
            };
            value = next.ok_or("the number is too large")?;
        }
    }

    fn product(&mut self) -> Result<i64, String> {
        let mut value = self.factor()?;
        loop {
            let next = if self.eat('*') {
                value.checked_mul(self.factor()?)
            } else if self.eat('/') {
                match self.factor()? {
                    0 => return Err(format!("division by 0 for n = {}", self.n)),
                    by => value.checked_div(by),
                }
            } else {
                return Ok(value);
            };
            value = next.ok_or("the number is too large")?;
        }
    }

    fn factor(&mut self) -> Result<i64, String> {
        if self.eat('(') {
            return self.inside();
        }
        self.rest = self.rest.trim_start();
        let letter = |c: char| c.is_ascii_alphanumeric();
        let end = self.rest.find(|c| !letter(c)).unwrap_or(self.rest.len());
        let (word, rest) = self.rest.split_at(end);
        self.rest = rest;
        match word {
            "n" => Ok(self.n),
            "sqrt" | "log2" | "side" | "min" | "max" if self.eat('(') => {
                let first = self.nested()?;
                let value = match word {
                    "sqrt" if first >= 0 => first.isqrt(),
                    // Sizes are below 2^31: a few ten thousand divisions.
                    "side" if (1..1 << 32).contains(&first) => {
                        (1..=first.isqrt()).rev().find(|side| first % side == 0).unwrap_or(1)
                    }
                    "log2" if first >= 1 => i64::from(first.ilog2()),
                    "min" | "max" => {
                        if !self.eat(',') {
                            return Err(format!("{word} takes two numbers"));
                        }
                        let second = self.nested()?;
                        if word == "min" { first.min(second) } else { first.max(second) }
                    }
                    _ => return Err(format!("{word}({first}) is undefined")),
                };
                self.closed(value)
            }
            "" => Err(match self.rest.is_empty() {
                true => "a number is missing at the end".into(),
                false => format!("expected a number, not «{}»", self.rest),
            }),
            digits => digits
                .parse()
                .map_err(|_| format!("«{digits}» is neither a number nor n, sqrt, log2, side, min or max")),
        }
    }

    fn nested(&mut self) -> Result<i64, String> {
        self.depth += 1;
        if self.depth > MOST_DEPTH {
            return Err("the parentheses are nested too deep".into());
        }
        let value = self.sum();
        self.depth -= 1;
        value
    }

    fn inside(&mut self) -> Result<i64, String> {
        let value = self.nested()?;
        self.closed(value)
    }

    fn closed(&mut self, value: i64) -> Result<i64, String> {
        match self.eat(')') {
            true => Ok(value),
            false => Err("a closing parenthesis is missing".into()),
        }
    }
}
