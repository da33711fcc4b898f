//! Values of closed expressions, according to the reference.

use super::tree::{Expr, Kind, Op};
use std::collections::{BTreeMap, BTreeSet};

#[derive(Clone, Debug, PartialEq)]
pub enum Value {
    Int(i64),
    Bool(bool),
    Pair(i64, bool),
    Set(BTreeSet<i64>),
    List(Vec<i64>),
    Map(BTreeMap<i64, i64>),
    None,
}

/// A failure of an evaluation.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Failure;

type Eval<T> = Result<T, Failure>;

fn int_text(number: i64) -> String {
    match number {
        i64::MIN => "(-9223372036854775807 - 1)".into(),
        number if number < 0 => format!("({number})"),
        number => number.to_string(),
    }
}

impl Value {
    /// Return the value in concrete syntax, with a form of empty collections that determines their type.
    pub fn text(&self, kind: Kind) -> String {
        let list =
            |all: &mut dyn Iterator<Item = &i64>| all.map(|n| int_text(*n)).collect::<Vec<_>>().join(", ");
        match self {
            Value::Int(number) => int_text(*number),
            Value::Bool(truth) => truth.to_string(),
            Value::Pair(number, truth) => format!("({}, {truth})", int_text(*number)),
            Value::Set(all) if all.is_empty() => "(1..0)".into(),
            Value::Set(all) => format!("{{{}}}", list(&mut all.iter())),
            Value::List(all) if all.is_empty() => "tail([0])".into(),
            Value::List(all) => format!("[{}]", list(&mut all.iter())),
            Value::Map(all) if all.is_empty() => "{ x: 0 for x in 1..0 }".into(),
            Value::Map(all) => {
                let all: Vec<String> =
                    all.iter().map(|(k, v)| format!("{}: {}", int_text(*k), int_text(*v))).collect();
                format!("{{{}}}", all.join(", "))
            }
            Value::None => format!("none{}", if kind == Kind::Option { "" } else { " " }),
        }
    }

    fn int(&self) -> i64 {
        let Value::Int(number) = self else { panic!("{self:?} is no Int") };
        *number
    }

    fn truth(&self) -> bool {
        let Value::Bool(truth) = self else { panic!("{self:?} is no Bool") };
        *truth
    }

    /// Return the elements of a collection, in ascending order or in that of the list.
    fn elements(&self) -> Vec<i64> {
        match self {
            Value::Set(all) => all.iter().copied().collect(),
            Value::List(all) => all.clone(),
            Value::Map(all) => all.keys().copied().collect(),
            _ => panic!("{self:?} has no elements"),
        }
    }
}

/// Return an exact result if it is an Int; otherwise fail.
fn exact(number: i128) -> Eval<Value> {
    i64::try_from(number).map(Value::Int).map_err(|_| Failure)
}

fn div(x: i128, y: i128) -> Eval<i128> {
    if y == 0 { Err(Failure) } else { Ok(x.div_euclid(y) - i128::from(y < 0 && x.rem_euclid(y) != 0)) }
}

pub fn eval(expr: &Expr, names: &mut Vec<i64>) -> Eval<Value> {
    match expr {
        Expr::Literal(_, value) => Ok(value.clone()),
        Expr::Name(number) => Ok(Value::Int(names[*number])),
        Expr::Apply(op, operands, _) => match op.binds_in() {
            Some(collection) => binder(*op, operands, collection, names),
            None => apply(*op, operands, names),
        },
    }
}

fn apply(op: Op, operands: &[Expr], names: &mut Vec<i64>) -> Eval<Value> {
    use Op::*;
    // These operators evaluate from left to right, and only the operands that they need.
    let mut first = || eval(&operands[0], names);
    match op {
        And if !first()?.truth() => return Ok(Value::Bool(false)),
        Or if first()?.truth() => return Ok(Value::Bool(true)),
        Implies if !first()?.truth() => return Ok(Value::Bool(true)),
        If => {
            let branch = if first()?.truth() { 1 } else { 2 };
            return eval(&operands[branch], names);
        }
        _ => {}
    }
    let all: Vec<Value> = operands.iter().map(|o| eval(o, names)).collect::<Eval<_>>()?;
    let wide = |place: usize| i128::from(all[place].int());
    let set = |place: usize| all[place].elements().into_iter().collect::<BTreeSet<i64>>();
    let list = |place: usize| all[place].elements();
    let map = |place: usize| match &all[place] {
        Value::Map(map) => map.clone(),
        other => panic!("{other:?} is no map"),
    };
    let truth = |truth: bool| Ok(Value::Bool(truth));
    match op {
        Add => exact(wide(0) + wide(1)),
        Subtract => exact(wide(0) - wide(1)),
        Multiply => exact(wide(0) * wide(1)),
        Div => exact(div(wide(0), wide(1))?),
        Mod => exact(wide(0) - div(wide(0), wide(1))? * wide(1)),
        Negate => exact(-wide(0)),
        Max => exact(wide(0).max(wide(1))),
        Min => exact(wide(0).min(wide(1))),
        MaxOf => list(0).into_iter().max().map(Value::Int).ok_or(Failure),
        MinOf => list(0).into_iter().min().map(Value::Int).ok_or(Failure),
        Abs => exact(wide(0).abs()),
        Square => exact(wide(0) * wide(0)),
        Cube => exact(wide(0).checked_mul(wide(0) * wide(0)).ok_or(Failure)?),
        SizeOfSet | SizeOfList | SizeOfMap => exact(list(0).len() as i128),
        SumOfSet | SumOfList => exact(list(0).into_iter().map(i128::from).sum()),
        Head => list(0).first().copied().map(Value::Int).ok_or(Failure),
        Last => list(0).last().copied().map(Value::Int).ok_or(Failure),
        First | Second => match all[0] {
            Value::Pair(number, _) if op == First => Ok(Value::Int(number)),
            Value::Pair(_, second) => truth(second),
            _ => panic!("no pair"),
        },
        Index => {
            let place = usize::try_from(all[1].int()).map_err(|_| Failure)?;
            list(0).get(place).copied().map(Value::Int).ok_or(Failure)
        }
        Lookup => map(0).get(&all[1].int()).copied().map(Value::Int).ok_or(Failure),
        Needed => {
            if all[0] == Value::None {
                Err(Failure)
            } else {
                Ok(all[0].clone())
            }
        }
        Equal | EqualSets | EqualPairs | EqualMaps => truth(all[0] == all[1]),
        EqualLists => truth(all[0] != all[1]),
        Less => truth(wide(0) < wide(1)),
        AtMost => truth(wide(0) <= wide(1)),
        LessPair => match (&all[0], &all[1]) {
            (Value::Pair(a, b), Value::Pair(c, d)) => truth((a, b) < (c, d)),
            _ => panic!("no pairs"),
        },
        Subset => truth(set(0).is_subset(&set(1))),
        ProperSubset => truth(set(0) != set(1) && set(0).is_subset(&set(1))),
        And | Or | Implies => truth(all[1].truth()),
        Not => truth(!all[0].truth()),
        Iff => truth(all[0].truth() == all[1].truth()),
        In | InMap => truth(list(1).contains(&all[0].int())),
        NotInList => truth(!list(1).contains(&all[0].int())),
        InRange => truth(wide(1) <= wide(0) && wide(0) <= wide(2)),
        IsNone => truth(all[0] == Value::None),
        Pair => Ok(Value::Pair(all[0].int(), all[1].truth())),
        Range => {
            let lowest = wide(0) - div(wide(0), 5)? * 5;
            let highest = wide(1) - div(wide(1), 7)? * 7;
            Ok(Value::Set((lowest as i64..=highest as i64).collect()))
        }
        Union => Ok(Value::Set(set(0).union(&set(1)).copied().collect())),
        Minus => Ok(Value::Set(set(0).difference(&set(1)).copied().collect())),
        Intersection => Ok(Value::Set(set(0).intersection(&set(1)).copied().collect())),
        Except => Ok(Value::Set(set(0).into_iter().filter(|e| *e != all[1].int()).collect())),
        SetOfList | Keys => Ok(Value::Set(set(0))),
        OfTwo => Ok(Value::Set([all[0].int(), all[1].int()].into())),
        Concatenate => Ok(Value::List([list(0), list(1)].concat())),
        Tail => list(0).get(1..).map(|rest| Value::List(rest.to_vec())).ok_or(Failure),
        Sort => {
            let mut sorted = list(0);
            sorted.sort_unstable();
            Ok(Value::List(sorted))
        }
        ListOfSet => Ok(Value::List(list(0))),
        Values => Ok(Value::List(map(0).into_values().collect())),
        ListOfTwo => Ok(Value::List(vec![all[0].int(), all[1].int()])),
        MapOfTwo => Ok(Value::Map([(all[0].int(), all[1].int()), (all[2].int(), all[3].int())].into())),
        MapPlus => {
            let mut both = map(0);
            both.extend(map(1));
            Ok(Value::Map(both))
        }
        If => panic!("decided above"),
        Count | CountWith | Sum | SumWith | ForAll | ForAllWith | Exists | ExistsWith | SetFilter | SetOf
        | ListFilter | ListOf | MapOf | Least | GreatestWith | LeastBy => panic!("a binder"),
    }
}

/// Evaluate a binder for each element separately; elements whose `with` is false are skipped.
fn binder(op: Op, operands: &[Expr], collection: usize, names: &mut Vec<i64>) -> Eval<Value> {
    use Op::*;
    let elements = eval(&operands[collection], names)?.elements();
    let others: Vec<&Expr> =
        operands.iter().enumerate().filter(|(i, _)| *i != collection).map(|(_, o)| o).collect();
    let (guard, body) = match (op, others.as_slice()) {
        (GreatestWith, [guard]) => (Some(*guard), None),
        (_, [guard, body]) => (Some(*guard), Some(*body)),
        (_, [body]) => (None, Some(*body)),
        _ => (None, None),
    };
    let mut results: Vec<(i64, Eval<Option<Value>>)> = vec![];
    for element in elements {
        names.push(element);
        let one = (|| {
            if let Some(guard) = guard
                && !eval(guard, names)?.truth()
            {
                return Ok(None);
            }
            Ok(Some(body.map_or(Ok(Value::Int(element)), |body| eval(body, names))?))
        })();
        names.pop();
        results.push((element, one));
    }
    let truths = results.iter().map(|(_, r)| r.clone());
    match op {
        // An element that decides does so even if others fail.
        ForAll | ForAllWith | Exists | ExistsWith => {
            let deciding = matches!(op, Exists | ExistsWith);
            let all: Vec<Eval<Option<Value>>> = truths.collect();
            if all.iter().any(|r| matches!(r, Ok(Some(Value::Bool(truth))) if *truth == deciding)) {
                return Ok(Value::Bool(deciding));
            }
            if all.iter().any(Result::is_err) { Err(Failure) } else { Ok(Value::Bool(!deciding)) }
        }
        _ => {
            let all: Vec<(i64, Value)> = results
                .into_iter()
                .filter_map(|(e, r)| r.transpose().map(|r| r.map(|v| (e, v))))
                .collect::<Eval<_>>()?;
            let kept = || all.iter().filter(|(_, v)| *v == Value::Bool(true)).map(|(e, _)| *e);
            match op {
                Count | CountWith => exact(kept().count() as i128),
                Sum | SumWith => exact(all.iter().map(|(_, v)| i128::from(v.int())).sum()),
                SetFilter => Ok(Value::Set(kept().collect())),
                ListFilter => Ok(Value::List(kept().collect())),
                SetOf => Ok(Value::Set(all.iter().map(|(_, v)| v.int()).collect())),
                ListOf => Ok(Value::List(all.iter().map(|(_, v)| v.int()).collect())),
                MapOf => Ok(Value::Map(all.iter().map(|(e, v)| (*e, v.int())).collect())),
                Least => Ok(all.iter().map(|(e, _)| *e).min().map_or(Value::None, Value::Int)),
                GreatestWith => Ok(all.iter().map(|(e, _)| *e).max().map_or(Value::None, Value::Int)),
                // Order by the negated element, which must be an Int.
                LeastBy => {
                    all.iter().map(|(e, _)| exact(-i128::from(*e))).collect::<Eval<Vec<_>>>()?;
                    Ok(all.iter().map(|(e, _)| *e).max().map_or(Value::None, Value::Int))
                }
                _ => panic!("no binder"),
            }
        }
    }
}
