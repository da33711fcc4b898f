//! Slots of locals: words and values, by type.

use crate::check::context::Class;
use crate::check::typed::Role;
use crate::ir::{Change, MessageKind, Slot, Type};
use std::sync::Arc;

/// Numbers of words and values.
#[derive(Clone, Copy, Default)]
pub struct Size {
    pub words: u16,
    pub values: u16,
}

impl Size {
    /// Return the next slot for a type.
    fn next(&mut self, ty: &Type) -> Slot {
        let (next, slot): (&mut u16, fn(u16) -> Slot) = match ty.is_word() {
            true => (&mut self.words, Slot::Word),
            false => (&mut self.values, Slot::Value),
        };
        *next += 1;
        slot(*next - 1)
    }

    pub fn max(self, other: Size) -> Size {
        Size { words: self.words.max(other.words), values: self.values.max(other.values) }
    }
}

/// The slots of all locals.
pub struct Layout {
    /// By role.
    roles: Vec<Vec<Slot>>,
    observers: Vec<Slot>,
    /// The state of the largest role.
    pub state: Size,
    /// The frame of each role.
    pub frames: Vec<Size>,
    /// The largest frame of an observer.
    pub global_frame: Size,
}

impl Layout {
    /// Lay out roles, and frames of observers with locals of these types.
    pub fn new(roles: &[Arc<Role>], frames: &[Vec<Type>]) -> Layout {
        let mut layout = Layout {
            roles: roles.iter().map(|role| vec![Slot::Word(0); role.locals.len()]).collect(),
            observers: Vec::new(),
            state: Size::default(),
            frames: Vec::new(),
            global_frame: Size::default(),
        };
        for (role, slots) in roles.iter().zip(&mut layout.roles) {
            let state = give(role, slots, Size::default(), |class| class != Class::Temp);
            layout.state = layout.state.max(state);
        }
        for (role, slots) in roles.iter().zip(&mut layout.roles) {
            layout.frames.push(give(role, slots, layout.state, |class| class == Class::Temp));
        }
        for frame in frames {
            let mut size = Size::default();
            layout.observers.extend(frame.iter().map(|ty| size.next(ty)));
            layout.global_frame = layout.global_frame.max(size);
        }
        layout
    }

    /// Return the slots of a role, by local.
    pub fn of_role(&self, role: usize) -> &[Slot] {
        &self.roles[role]
    }

    /// Return the change that places the code of a role.
    pub fn role(&self, role: usize) -> impl Change {
        Place { own: &self.roles[role], roles: &self.roles }
    }

    /// Return the change that places the trees of observers.
    pub fn observers(&self) -> impl Change {
        Place { own: &self.observers, roles: &self.roles }
    }
}

/// Give slots to the locals of chosen classes, after those that are taken.
fn give(role: &Role, slots: &mut [Slot], mut taken: Size, chosen: impl Fn(Class) -> bool) -> Size {
    for (local, slot) in role.locals.iter().zip(slots).filter(|(local, _)| chosen(local.class)) {
        *slot = taken.next(&local.ty);
    }
    taken
}

/// Replaces locals by their slots.
struct Place<'l> {
    own: &'l [Slot],
    roles: &'l [Vec<Slot>],
}

impl Change for Place<'_> {
    fn slot(&self, slot: &mut Slot) {
        *slot = self.own[slot.index() as usize];
    }

    fn slot_of_role(&self, role: usize, slot: &mut Slot) {
        *slot = self.roles[role][slot.index() as usize];
    }
}

/// Give each field its place among the words or values of its message.
pub fn place_fields(kinds: &mut [MessageKind]) {
    for kind in kinds {
        let mut size = Size::default();
        kind.fields.iter_mut().for_each(|field| field.place = size.next(&field.ty));
        (kind.words, kind.values) = (size.words, size.values);
    }
}
