//! The predefined names of the language.

/// Names that no program may declare: they denote what a process knows of itself and its surroundings.
pub const PREDEFINED: &[&str] = &[
    "id",
    "n",
    "others",
    "everybody",
    "neighbours",
    "next",
    "prev",
    "left",
    "right",
    "north",
    "east",
    "south",
    "west",
    "degree",
    "diameter",
    "edges",
    "processes",
    "participants",
    "initiators",
    "initiator",
    "children",
    "wakeup",
    "arrival",
    "received",
    "heard",
];

/// Names after the dot that no variable can have, besides the names above.
pub const PROCESS_ATTRIBUTES: &[(&str, &str)] = &[
    ("up", "whether the process is up"),
    ("halted", "whether the process has halted"),
    ("index", "the position of the process"),
];

/// Functions of the language, for suggestions.
pub const FUNCTIONS: &[&str] = &[
    "max",
    "min",
    "size",
    "head",
    "tail",
    "last",
    "keys",
    "values",
    "abs",
    "log2_floor",
    "log2_ceil",
    "pow",
    "first",
    "second",
    "sort",
    "set",
    "list",
    "ids",
    "int",
    "identifier",
    "sum",
    "opposite",
    "far_end",
    "neighbour",
    "connects",
    "weight",
    "port",
    "dimension",
    "chord",
    "has",
    "coin",
    "random",
    "multicast_before",
];

/// Assumptions that identify processes, so `anonymous` excludes them.
pub(in crate::check) const IDENTIFYING_ASSUMPTIONS: &[&str] =
    &["integer ids", "knows peers", "knows neighbours", "addressable ids"];
