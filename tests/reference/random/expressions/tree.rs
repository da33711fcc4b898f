//! Closed expressions as trees.

use super::eval::Value;
use crate::random::dice::Dice;

/// A type of expressions.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Kind {
    Int,
    Bool,
    Pair,
    Set,
    List,
    Map,
    Option,
}

impl Kind {
    /// The types whose values are compared.
    pub const ALL: [Kind; 8] =
        [Kind::Int, Kind::Int, Kind::Bool, Kind::Bool, Kind::Set, Kind::List, Kind::Map, Kind::Pair];

    pub fn text(self) -> &'static str {
        match self {
            Kind::Int => "Int",
            Kind::Bool => "Bool",
            Kind::Pair => "(Int, Bool)",
            Kind::Set => "set of Int",
            Kind::List => "list of Int",
            Kind::Map => "map of Int to Int",
            Kind::Option => "Int?",
        }
    }

    pub fn zero(self) -> Value {
        match self {
            Kind::Int => Value::Int(0),
            Kind::Bool => Value::Bool(false),
            Kind::Pair => Value::Pair(0, false),
            Kind::Set => Value::Set(Default::default()),
            Kind::List => Value::List(vec![]),
            Kind::Map => Value::Map(Default::default()),
            Kind::Option => Value::None,
        }
    }
}

macro_rules! operators {
    ($($name:ident: $form:literal ($($arg:ident)*) $result:ident;)*) => {
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        pub enum Op { $($name),* }

        /// Operators, each with its text, the types of its operands and that of its result. In the text `#` is an operand and `$` the bound
        /// name.
        const OPERATORS: &[(Op, &str, &[Kind], Kind)] =
            &[$((Op::$name, $form, &[$(Kind::$arg),*], Kind::$result)),*];
    };
}

operators! {
    Add: "(# + #)" (Int Int) Int;
    Subtract: "(# - #)" (Int Int) Int;
    Multiply: "(# * #)" (Int Int) Int;
    Div: "(# div #)" (Int Int) Int;
    Mod: "(# mod #)" (Int Int) Int;
    Negate: "(-#)" (Int) Int;
    Max: "max(#, #)" (Int Int) Int;
    Min: "min(#, #)" (Int Int) Int;
    MaxOf: "max(#)" (Set) Int;
    MinOf: "min(#)" (List) Int;
    Abs: "abs(#)" (Int) Int;
    Square: "pow(#, 2)" (Int) Int;
    Cube: "pow(#, 3)" (Int) Int;
    SizeOfSet: "size(#)" (Set) Int;
    SizeOfList: "size(#)" (List) Int;
    SizeOfMap: "size(#)" (Map) Int;
    SumOfSet: "sum(#)" (Set) Int;
    SumOfList: "sum(#)" (List) Int;
    Head: "head(#)" (List) Int;
    Last: "last(#)" (List) Int;
    First: "first(#)" (Pair) Int;
    Index: "(#)[#]" (List Int) Int;
    Lookup: "(#)[#]" (Map Int) Int;
    If: "(if # then # else #)" (Bool Int Int) Int;
    Count: "(count $ in #: #)" (Set Bool) Int;
    CountWith: "(count $ in # with #: #)" (List Bool Bool) Int;
    Sum: "(sum $ in #: #)" (Set Int) Int;
    SumWith: "(sum $ in # with #: #)" (List Bool Int) Int;
    Needed: "(# + 0)" (Option) Int;

    Equal: "(# = #)" (Int Int) Bool;
    Less: "(# < #)" (Int Int) Bool;
    AtMost: "(# <= #)" (Int Int) Bool;
    EqualSets: "(# = #)" (Set Set) Bool;
    EqualLists: "(# != #)" (List List) Bool;
    EqualPairs: "(# = #)" (Pair Pair) Bool;
    EqualMaps: "(# = #)" (Map Map) Bool;
    LessPair: "(# < #)" (Pair Pair) Bool;
    Subset: "(# <= #)" (Set Set) Bool;
    ProperSubset: "(# < #)" (Set Set) Bool;
    And: "(# and #)" (Bool Bool) Bool;
    Or: "(# or #)" (Bool Bool) Bool;
    Not: "(not #)" (Bool) Bool;
    Implies: "(# implies #)" (Bool Bool) Bool;
    Iff: "(# iff #)" (Bool Bool) Bool;
    In: "(# in #)" (Int Set) Bool;
    NotInList: "(# not in #)" (Int List) Bool;
    InMap: "(# in #)" (Int Map) Bool;
    InRange: "(# in #..#)" (Int Int Int) Bool;
    ForAll: "(forall $ in #: #)" (Set Bool) Bool;
    ForAllWith: "(forall $ in # with #: #)" (List Bool Bool) Bool;
    Exists: "(some $ in #: #)" (List Bool) Bool;
    ExistsWith: "(some $ in # with #: #)" (Set Bool Bool) Bool;
    Second: "second(#)" (Pair) Bool;
    IsNone: "(# = none)" (Option) Bool;

    Pair: "(#, #)" (Int Bool) Pair;

    Range: "((# mod 5)..(# mod 7))" (Int Int) Set;
    Union: "(# + #)" (Set Set) Set;
    Minus: "(# - #)" (Set Set) Set;
    Intersection: "(# inter #)" (Set Set) Set;
    Except: "(# - {#})" (Set Int) Set;
    SetFilter: "{ $ in # | # }" (Set Bool) Set;
    SetOf: "{ # for $ in # }" (Int List) Set;
    SetOfList: "set(#)" (List) Set;
    Keys: "keys(#)" (Map) Set;
    OfTwo: "{#, #}" (Int Int) Set;

    Concatenate: "(# + #)" (List List) List;
    Tail: "tail(#)" (List) List;
    Sort: "sort(#)" (List) List;
    ListOfSet: "list(#)" (Set) List;
    ListFilter: "[ $ in # | # ]" (List Bool) List;
    ListOf: "[ # for $ in # ]" (Int Set) List;
    Values: "values(#)" (Map) List;
    ListOfTwo: "[#, #]" (Int Int) List;

    MapOf: "{ $: # for $ in # }" (Int Set) Map;
    MapOfTwo: "{#: #, #: #}" (Int Int Int Int) Map;
    MapPlus: "(# + #)" (Map Map) Map;

    Least: "(least $ in #)" (Set) Option;
    GreatestWith: "(greatest $ in # with #)" (List Bool) Option;
    LeastBy: "(least $ in # by (0 - $))" (Set) Option;
}

/// Binding: the operand that is evaluated for each element, and its collection.
impl Op {
    /// Return the position of the collection whose elements the operator binds, if any.
    pub fn binds_in(self) -> Option<usize> {
        use Op::*;
        match self {
            Count | CountWith | Sum | SumWith | ForAll | ForAllWith | Exists | ExistsWith | SetFilter
            | ListFilter | Least | GreatestWith | LeastBy => Some(0),
            SetOf | ListOf | MapOf => Some(1),
            _ => None,
        }
    }
}

#[derive(Clone, Debug, PartialEq)]
pub enum Expr {
    Literal(Kind, Value),
    /// A bound name, counted from the outermost binder.
    Name(usize),
    Apply(Op, Vec<Expr>, usize),
}

impl Expr {
    pub fn kind(&self) -> Kind {
        match self {
            Expr::Literal(kind, _) => *kind,
            Expr::Name(_) => Kind::Int,
            Expr::Apply(op, ..) => entry(*op).3,
        }
    }

    pub fn text(&self) -> String {
        match self {
            Expr::Literal(kind, value) => value.text(*kind),
            Expr::Name(number) => format!("x{number}"),
            Expr::Apply(op, operands, bound) => {
                let form = entry(*op).1.replace('$', &format!("x{bound}"));
                let mut operands = operands.iter();
                let pieces = form.split_inclusive('#').map(|piece| match piece.strip_suffix('#') {
                    Some(before) => format!("{before}{}", operands.next().map_or(String::new(), Expr::text)),
                    None => piece.to_string(),
                });
                pieces.collect()
            }
        }
    }

    /// Return expressions of the same type that are smaller by one part, smallest first.
    pub fn smaller(&self) -> Vec<Expr> {
        let Expr::Apply(op, operands, bound) = self else { return vec![] };
        let mut all = vec![];
        if !self.has_free(0) {
            all.extend([Expr::Literal(self.kind(), self.kind().zero())]);
        }
        all.extend(operands.iter().filter(|o| !o.has_free(*bound)).cloned());
        for (number, operand) in operands.iter().enumerate() {
            for smaller in operand.smaller().into_iter().filter(|s| s.kind() == operand.kind()) {
                let mut fewer = operands.clone();
                fewer[number] = smaller;
                all.push(Expr::Apply(*op, fewer, *bound));
            }
        }
        all.retain(|e| e.size() < self.size());
        all
    }

    fn size(&self) -> usize {
        match self {
            Expr::Apply(_, operands, _) => 1 + operands.iter().map(Expr::size).sum::<usize>(),
            _ => 1,
        }
    }

    /// Test whether the expression has a free name with this number or a greater one.
    fn has_free(&self, from: usize) -> bool {
        match self {
            Expr::Literal(..) => false,
            Expr::Name(number) => *number >= from,
            Expr::Apply(op, operands, bound) => {
                let inner = |o: &Expr| match op.binds_in() {
                    Some(_) => o.free_names().iter().any(|n| *n >= from && n != bound),
                    None => o.has_free(from),
                };
                operands.iter().any(inner)
            }
        }
    }

    fn free_names(&self) -> Vec<usize> {
        match self {
            Expr::Literal(..) => vec![],
            Expr::Name(number) => vec![*number],
            Expr::Apply(op, operands, bound) => {
                let mut all: Vec<usize> = operands.iter().flat_map(Expr::free_names).collect();
                if op.binds_in().is_some() {
                    all.retain(|n| n != bound);
                }
                all
            }
        }
    }
}

fn entry(op: Op) -> &'static (Op, &'static str, &'static [Kind], Kind) {
    &OPERATORS[op as usize]
}

/// Return a random expression of this type, in the scope of `names`.
pub fn random(dice: &mut Dice, kind: Kind, depth: usize, names: &mut Vec<usize>) -> Expr {
    let fitting: Vec<Op> = OPERATORS.iter().filter(|o| o.3 == kind).map(|o| o.0).collect();
    let must = kind == Kind::Option;
    if !must && (depth == 0 || dice.chance(20)) {
        if kind == Kind::Int && !names.is_empty() && dice.chance(60) {
            return Expr::Name(*dice.pick(names));
        }
        return Expr::Literal(kind, literal(dice, kind));
    }
    let op = *dice.pick(&fitting);
    let below = depth.saturating_sub(1);
    let bound = names.len();
    let operands = entry(op).2.iter().enumerate().map(|(place, kind)| match op.binds_in() {
        Some(collection) if place != collection => {
            names.push(bound);
            let operand = random(dice, *kind, below, names);
            names.pop();
            operand
        }
        _ => random(dice, *kind, below, names),
    });
    let operands = operands.collect();
    Expr::Apply(op, operands, bound)
}

fn literal(dice: &mut Dice, kind: Kind) -> Value {
    let int = |dice: &mut Dice| match dice.below(12) {
        0 => *dice.pick(&[i64::MAX, i64::MIN, i64::MAX - 1, -i64::MAX, 1 << 62, 3_037_000_500]),
        1 => -1 - dice.below(3) as i64,
        _ => dice.below(5) as i64,
    };
    match kind {
        Kind::Int => Value::Int(int(dice)),
        Kind::Bool => Value::Bool(dice.chance(50)),
        Kind::Pair => Value::Pair(int(dice), dice.chance(50)),
        Kind::Set => Value::Set((0..dice.below(4)).map(|_| int(dice)).collect()),
        Kind::List => Value::List((0..dice.below(4)).map(|_| int(dice)).collect()),
        Kind::Map => Value::Map((0..dice.below(3)).map(|_| (int(dice), int(dice))).collect()),
        Kind::Option => Value::None,
    }
}
