//! Types of other languages, and how they are written here.

use synod::internals::syntax::foreign_types::equivalent;

#[test]
fn types_of_other_languages() {
    for (foreign, own) in [
        ("list[Int]", "list of Int"),
        ("Set[int]", "set of Int"),
        ("map[Int, bool]", "map of Int to Bool"),
        ("Vec<u32>", "list of Int"),
        ("HashMap<String, Vec<Int>>", "map of Value to list of Int"),
        ("Optional[Int]", "Int?"),
        ("Option<Set<Int>>", "(set of Int)?"),
        ("Maybe Int", "Int?"),
        ("set Int", "set of Int"),
        ("seq of nat", "list of Int"),
        ("map from Id to Int", "map of Id to Int"),
        ("int[]", "list of Int"),
        ("[Phase]", "list of Phase"),
        ("(int, bool)", "(Int, Bool)"),
        ("int64_t", "Int"),
        ("bit", "0..1"),
    ] {
        assert_eq!(equivalent(foreign).as_deref(), Some(own), "{foreign}");
    }
    for nothing in ["", "x + 1", "f(x)", "map<Int>", "Vec<>", "lower", "Vec<Int"] {
        assert_eq!(equivalent(nothing), None, "{nothing}");
    }
}
