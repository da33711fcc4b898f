//! Shapes: the parts of values that a view refers to.

use crate::ir::{Program, Type, ViewKind};

/// A property common to all values that a variable or field may hold.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(in crate::explore) enum Shape {
    /// No value so far, or only values that fit every shape: `none`, an empty collection.
    Nothing,
    /// Ordinary, with all parts.
    Plain,
    /// Disregarded, with all parts: `view without`.
    Disregarded,
    /// A number of which only the differences from others of its view count: `view … up to shift`, by number.
    Shifted(usize),
    /// A tuple or record.
    Parts(Vec<Shape>),
    /// A list, queue or set.
    Elements(Box<Shape>),
    Map(Box<Shape>, Box<Shape>),
    /// Different shapes at different times.
    Mixed,
}

use Shape::{Disregarded, Elements, Map, Mixed, Nothing, Parts, Plain, Shifted};

impl Shape {
    /// Return the shape of values of a type whose numbers have this shape. `records`: the shapes of the fields of each record.
    pub fn of_type(ty: &Type, number: &Shape, records: &[Vec<Shape>]) -> Shape {
        let inside = |ty: &Type| Shape::of_type(ty, number, records);
        let shape = match ty {
            Type::Int => number.clone(),
            Type::Tuple(parts) => Parts(parts.iter().map(inside).collect()),
            Type::Record(record) => records.get(*record as usize).map_or(Plain, |parts| Parts(parts.clone())),
            // `none` is no value of its own: it fits every shape.
            Type::Option(inner) => inside(inner),
            Type::List(inner) | Type::Set(inner) => Elements(Box::new(inside(inner))),
            Type::Map(keys, values) => Map(Box::new(inside(keys)), Box::new(inside(values))),
            _ => Plain,
        };
        if shape.is_marked() { shape } else { Plain }
    }

    /// Return whether a view refers to the value or a part of it.
    pub fn is_marked(&self) -> bool {
        match self {
            Nothing | Plain => false,
            Disregarded | Shifted(_) | Mixed => true,
            Parts(parts) => parts.iter().any(Shape::is_marked),
            Elements(inner) => inner.is_marked(),
            Map(keys, values) => keys.is_marked() || values.is_marked(),
        }
    }

    pub fn any(&self, is: &dyn Fn(&Shape) -> bool) -> bool {
        is(self)
            || match self {
                Parts(parts) => parts.iter().any(|part| part.any(is)),
                Elements(inner) => inner.any(is),
                Map(keys, values) => keys.any(is) || values.any(is),
                _ => false,
            }
    }

    pub fn has_disregarded(&self) -> bool {
        self.any(&|shape| *shape == Disregarded)
    }

    pub fn is_mixed(&self) -> bool {
        self.any(&|shape| *shape == Mixed)
    }

    /// Return the join of two shapes.
    pub fn join(&self, other: &Shape) -> Shape {
        match (self, other) {
            (Mixed, _) | (_, Mixed) => Mixed,
            (Disregarded, _) | (_, Disregarded) => Disregarded,
            (Nothing, shape) | (shape, Nothing) => shape.clone(),
            (Shifted(a), Shifted(b)) if a == b => Shifted(*a),
            (Parts(a), Parts(b)) if a.len() == b.len() => {
                Parts(a.iter().zip(b).map(|(a, b)| a.join(b)).collect())
            }
            (Elements(a), Elements(b)) => Elements(Box::new(a.join(b))),
            (Map(a, v), Map(b, w)) => Map(Box::new(a.join(b)), Box::new(v.join(w))),
            // Ordinary, with all parts.
            (Plain, Parts(parts)) | (Parts(parts), Plain) => {
                Parts(parts.iter().map(|part| part.join(&Plain)).collect())
            }
            (Plain, Elements(inner)) | (Elements(inner), Plain) => Elements(Box::new(inner.join(&Plain))),
            (Plain, Map(keys, values)) | (Map(keys, values), Plain) => {
                Map(Box::new(keys.join(&Plain)), Box::new(values.join(&Plain)))
            }
            (a, b) if !a.is_marked() && !b.is_marked() => Plain,
            _ => Mixed,
        }
    }

    /// Return the shape with those of `other` where no value has been found.
    pub fn filled(&self, other: &Shape) -> Shape {
        match (self, other) {
            (Nothing, shape) => shape.clone(),
            (Parts(own), Parts(other)) if own.len() == other.len() => {
                Parts(own.iter().zip(other).map(|(own, other)| own.filled(other)).collect())
            }
            (Parts(own), Plain) => Parts(own.iter().map(|own| own.filled(&Plain)).collect()),
            (Elements(own), Elements(other)) => Elements(Box::new(own.filled(other))),
            (Elements(own), Plain) => Elements(Box::new(own.filled(&Plain))),
            (Map(a, v), Map(b, w)) => Map(Box::new(a.filled(b)), Box::new(v.filled(w))),
            (Map(keys, values), Plain) => Map(Box::new(keys.filled(&Plain)), Box::new(values.filled(&Plain))),
            (same, _) => same.clone(),
        }
    }

    /// Return the shape of the elements of a list, queue or set, or of the keys of a map.
    pub fn element(&self) -> Shape {
        match self {
            Elements(inner) => (**inner).clone(),
            Map(keys, _) => (**keys).clone(),
            Parts(_) | Shifted(_) => Mixed,
            same => same.clone(),
        }
    }

    /// Return the shape of the values of a map, or of the elements of a list.
    pub fn item(&self) -> Shape {
        match self {
            Map(_, values) => (**values).clone(),
            other => other.element(),
        }
    }

    pub fn part(&self, at: usize) -> Shape {
        match self {
            Parts(parts) => parts.get(at).cloned().unwrap_or(Mixed),
            Elements(_) | Map(..) | Shifted(_) => Mixed,
            same => same.clone(),
        }
    }

    pub fn elements(self) -> Shape {
        match self {
            Nothing => Nothing,
            marked if marked.is_marked() => Elements(Box::new(marked)),
            _ => Plain,
        }
    }
}

/// The shapes of the slots of a role's frame, for words and for values.
#[derive(Clone, Debug, Default)]
pub(in crate::explore) struct Frame {
    pub words: Vec<Shape>,
    pub values: Vec<Shape>,
}

/// The shapes of all variables and fields of a program.
#[derive(Clone, Debug)]
pub(in crate::explore) struct Shapes {
    /// By role.
    pub roles: Vec<Frame>,
    /// By kind of message and field.
    pub fields: Vec<Vec<Shape>>,
    /// By kind and field: whether it fits a word. Fields are in the order of their slots.
    pub word_fields: Vec<Vec<bool>>,
    /// Whether messages with marked fields are payloads, so that values of payloads may contain marked parts.
    pub carried: bool,
    /// Number of views up to shift.
    pub shifts: usize,
    /// By view up to shift: properties distinguish shifts only if some number is less than this.
    pub floors: Vec<i64>,
}

impl Shapes {
    /// Return the shapes that the view clauses define. Those of locals are not known yet.
    pub fn named(program: &Program) -> (Shapes, Vec<Vec<Shape>>) {
        use crate::ir::{Slot, ViewedItem};
        let mut shifts = 0;
        let mut named = Vec::new();
        for view in &program.views {
            let mark = match view.kind {
                ViewKind::Without => Disregarded,
                ViewKind::UpToShift => {
                    shifts += 1;
                    Shifted(shifts - 1)
                }
            };
            named.extend(view.of.iter().map(|viewed| (&viewed.item, mark.clone())));
        }
        let mark = |what: &dyn Fn(&ViewedItem) -> bool| named.iter().find(|(w, _)| what(w)).map(|(_, m)| m);
        let shape = |ty: &Type, mark: Option<&Shape>, records: &[Vec<Shape>]| match mark {
            Some(Disregarded) => Disregarded,
            Some(number) => Shape::of_type(ty, number, records),
            None => Shape::of_type(ty, &Plain, records),
        };
        // Records may contain records declared before or after them. As many passes as there are records suffice.
        let mut records: Vec<Vec<Shape>> =
            program.records.iter().map(|r| vec![Plain; r.fields.len()]).collect();
        for _ in 0..program.records.len() {
            records = (0u32..)
                .zip(&program.records)
                .map(|(number, record)| {
                    let of = |(at, (_, ty)): (usize, &(String, Type))| {
                        shape(ty, mark(&|w| *w == ViewedItem::Part(number, at)), &records)
                    };
                    record.fields.iter().enumerate().map(of).collect()
                })
                .collect();
        }
        let fields = (0u32..)
            .zip(&program.kinds)
            .map(|(kind, message)| {
                let of = |(at, field): (usize, &crate::ir::Field)| {
                    shape(&field.ty, mark(&|w| *w == ViewedItem::Field(kind, at)), &records)
                };
                message.fields.iter().enumerate().map(of).collect()
            })
            .collect();
        let roles = program.roles.iter().enumerate().map(|(number, role)| {
            let mut frame = Frame {
                words: vec![Nothing; usize::from(role.frame_words)],
                values: vec![Nothing; usize::from(role.frame_values)],
            };
            for variable in role.vars.iter().filter(|v| !v.local) {
                let is_it = |w: &ViewedItem| match w {
                    ViewedItem::Variable(slots) => {
                        slots.get(number).copied().flatten() == Some(variable.slot)
                    }
                    _ => false,
                };
                let shape = shape(&variable.ty, mark(&is_it), &records);
                match variable.slot {
                    Slot::Word(at) => frame.words[usize::from(at)] = shape,
                    Slot::Value(at) => frame.values[usize::from(at)] = shape,
                }
            }
            frame
        });
        let is_word = |field: &crate::ir::Field| matches!(field.place, Slot::Word(_));
        let word_fields = program.kinds.iter().map(|k| k.fields.iter().map(is_word).collect()).collect();
        (
            Shapes {
                roles: roles.collect(),
                fields,
                word_fields,
                carried: false,
                shifts,
                floors: vec![i64::MIN; shifts],
            },
            records,
        )
    }
}
