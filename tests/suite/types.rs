//! Types that are not written.

use std::sync::Arc;
use synod::internals::check::check_typed;
use synod::internals::ir::{Slot, Type};
use synod::internals::library;

const READER: &str = "role reader\n  var w\n  always\n    on M(y) -> w := y\n";
const WRITER: &str = "role writer\n  always\n    on wakeup -> send M(#) to neighbours\n";

#[test]
fn any_role_determines_the_type_of_a_variable() {
    // A number needs a word, a set does not fit one.
    for (value, ty, name) in [("3", Type::Int, "Int"), ("{3}", Type::Set(Arc::new(Type::Int)), "set of Int")]
    {
        for roles in [[READER, WRITER], [WRITER, READER]] {
            let head = "algorithm Late\nassumes complete, one reader\nmessage M(x)\n";
            let text = format!("{head}invariant same: forall p, q: p = q or p.w = q.w\n{}", roles.concat());
            let text = text.replace('#', value);
            let (checked, types) = check_typed("t.syn", &text, &library::source);
            assert!(checked.diagnostics.iter().all(|d| !d.is_error()), "{text}{:?}", checked.diagnostics);
            let program = checked.program.expect("no errors");
            let reader = program.roles.iter().find(|role| role.name == "reader").expect("a role");
            let variable = reader.vars.iter().find(|v| v.name == "w").expect("a variable");
            assert_eq!(variable.ty, ty);
            assert_eq!(matches!(variable.slot, Slot::Word(_)), ty.is_word());
            assert_eq!(types.at(variable.span), Some(name));
        }
    }
}
