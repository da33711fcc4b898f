//! Written types, the bounds of ranges, and the initial values of variables.

use crate::check::Checker;
use crate::diagnostic::{Fix, Hint, Naming, Noun, Typing};
use crate::ir::{RecordType, Type, Value};
use crate::syntax::{ast, foreign_types};
use std::sync::Arc;

/// Return a hint for a word that is not a type by itself.
fn almost_a_type(name: &str) -> Option<&'static str> {
    Some(match name.to_lowercase().as_str() {
        "function" | "table" => MAP,
        "float" | "double" | "real" | "rational" => "numbers are integers: `Int`",
        "option" | "maybe" | "optional" => "a value that may be missing has the type `Int?`, `Id?` …",
        "time" | "duration" => "times are Ints: `after 2 * D -> …`",
        "message" => "a message stored as a value has the type `Value`",
        "tuple" | "pair" => "a tuple type lists its components: `(Id, Int)`",
        "void" | "unit" => "omit the type if there is no value",
        _ => match foreign_types::collection(name)? {
            "set" => "a set names its element type: `set of Int`",
            "queue" => "a queue names its element type: `queue of Int`",
            "map" => MAP,
            _ => "a list names its element type: `list of Int`",
        },
    })
}

const MAP: &str = "a map names the types of its keys and values: `map of Id to Int`";

impl Checker<'_> {
    /// Return the enumeration or record with this name: of the current component, of its problem, or of any.
    fn type_named(&self, name: &str) -> Option<Type> {
        let comp = &self.comps[self.cx.comp];
        let near = std::iter::once(comp).chain(comp.problem.map(|problem| &self.comps[problem]));
        near.chain(&self.comps).find_map(|comp| comp.types.get(name).cloned())
    }

    pub fn type_expr(&mut self, t: &ast::TypeExpr) -> Type {
        use ast::TypeExprKind as T;
        match &t.kind {
            T::Name(n) => match n.text.as_str() {
                "Int" => Type::Int,
                "Bool" => Type::Bool,
                "Id" => Type::Id,
                "Port" => Type::Port,
                "Value" => Type::Value,
                other => {
                    if let Some(ty) = self.type_named(other) {
                        return ty;
                    }
                    let mut known: Vec<String> =
                        ["Int", "Bool", "Id", "Port", "Value"].map(String::from).to_vec();
                    known.extend(self.enums.iter().map(|e| e.name.clone()));
                    known.extend(self.records.iter().map(|r| r.name.clone()));
                    let d = Naming::Unknown(Noun::Type, other.into()).at(n.span);
                    let d = match (foreign_types::simple(other), almost_a_type(other)) {
                        (Some(own), _) if !own.eq_ignore_ascii_case(other) => {
                            d.hint(Hint::Write(own.into())).fix(Fix::replace(n.span, own))
                        }
                        (_, Some(hint)) => d.hint(Hint::Word(hint)),
                        (_, None) => d.nearest(other, &known, Hint::Are("the simple types", known.clone())),
                    };
                    self.error(d);
                    self.infer.error_type()
                }
            },
            T::Set(t) => Type::Set(of(self.type_expr(t))),
            T::List(t) | T::Queue(t) => Type::List(of(self.type_expr(t))),
            T::Map(k, v) => Type::Map(of(self.type_expr(k)), of(self.type_expr(v))),
            T::Option(inner) => {
                let inner_type = self.type_expr(inner);
                if matches!(self.infer.head(&inner_type), Type::Option(_) | Type::Value) {
                    self.error(Typing::RedundantOption.at(t.span));
                    return inner_type;
                }
                Type::Option(of(inner_type))
            }
            T::Tuple(parts) => Type::Tuple(parts.iter().map(|p| self.type_expr(p)).collect()),
            T::Range(_, _) => Type::Int,
        }
    }

    /// Return a type that may be omitted; then it is inferred.
    pub fn type_or_open(&mut self, written: Option<&ast::TypeExpr>) -> Type {
        match written {
            Some(t) => self.type_expr(t),
            None => self.infer.fresh(),
        }
    }

    /// Return the initial value of a variable of this type; None if the type has none.
    pub fn default_value(&self, ty: &Type) -> Option<Value> {
        default_value(ty, &self.records, &|ty| self.infer.head(ty))
    }
}

/// Return the initial value of a variable of this type; None if the type has none. `head` resolves types.
pub fn default_value(ty: &Type, records: &[RecordType], head: &dyn Fn(&Type) -> Type) -> Option<Value> {
    let of = |ty: &Type| default_value(ty, records, head);
    Some(match head(ty) {
        Type::Int => Value::Int(0),
        Type::Bool => Value::Bool(false),
        Type::Option(_) | Type::Value => Value::None,
        Type::List(_) => Value::list([]),
        Type::Set(_) => Value::set([]),
        Type::Map(_, _) => Value::map([]),
        Type::Tuple(parts) => Value::tuple(parts.iter().map(of).collect::<Option<_>>()?),
        Type::Record(r) => {
            let fields = records[r as usize].fields.iter().map(|(_, ty)| of(ty));
            Value::Record(r, Arc::new(fields.collect::<Option<_>>()?))
        }
        _ => return None,
    })
}

/// Return a shared type.
pub fn of(ty: Type) -> Arc<Type> {
    Arc::new(ty)
}
