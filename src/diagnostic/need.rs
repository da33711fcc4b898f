//! The constructs that need an assumption: which one, and why.

/// Define the table: a variant with its assumption, and the reason as a main clause.
macro_rules! needs {
    ($($name:ident $(($($arg:ident: $type:ty),+))? = $assumption:literal, $why:literal;)*) => {
        phrases! {
            /// A construct that needs an assumption, and the reason.
            Need {
                $($name $(($($arg: $type),+))? = $why;)*
            }
        }

        // An assumption need not depend on every argument.
        #[allow(unused_variables, reason = "not every sentence mentions every argument")]
        impl Need {
            /// Return the assumption as the `assumes` clause has it.
            pub fn assumption(&self) -> String {
                match self {
                    $(Self::$name $(($($arg),+))? => std::fmt::format(format_args!($assumption)),)*
                }
            }
        }
    };
}

needs! {
    // Facts of the network and of processes.
    Id = "unique ids", "`id` is the identifier of a process";
    IdNumber = "integer ids", "`int(…)` converts an identifier to a number";
    NumberId = "integer ids", "`identifier(…)` converts a number to an identifier";
    IdDestination = "addressable ids", "the destination is an identifier";
    N = "knows n", "`n` is the number of processes";
    Diameter = "knows diameter", "`diameter` is the diameter of the network";
    Edges = "knows edges", "`edges` is the number of edges of the network";
    Peers(word: String) = "knows peers", "`{word}` are the identifiers of the processes";
    Side(word: String) = "knows {word}", "`{word}` is the number of {word} of a mesh or torus";
    NeighbourId = "knows neighbours", "`neighbour(p)` is the identifier at the other end of a port";
    FarEnd = "reads neighbours", "`far_end(p)` is a port of the neighbour";
    PortWeight = "weights", "`weight(p)` is the weight of an edge";
    EdgeWeight = "weights", "`weight(p, k)` is the weight of an edge";

    // Ports.
    Children = "spanning tree", "`children` are the ports away from the root of a tree";
    Parent(assumption: &'static str) = "{assumption}", "`parent` is the port towards the root of a tree";
    Direction(port: String, assumption: &'static str) = "{assumption}", "`{port}` is a port of a network with directions";
    Opposite(assumption: &'static str) = "{assumption}", "`opposite(p)` is the port straight on from `p`";
    Dimension = "oriented hypercube", "`dimension(k)` is the port of a hypercube that is labelled k";
    Chord = "oriented complete", "`chord(k)` is the port that leads to the process k positions further on";

    // Execution models.
    Rounds = "synchronous", "rounds belong to synchronous algorithms";
    Radio = "radio", "`transmit`, `listen` and `heard` belong to radio networks";
    HeardInRadio(case: String) = "radio", "`{case}` needs a radio network";
    HeardBeep = "beeps", "`beep` needs a network of beeps";
    HeardCollision = "collision detection", "`collision` needs collision detection";
    Refined(words: &'static str, base: &'static str) = "{base}", "`{words}` refines `{base}`";
    NeighbourVariable(name: String) = "reads neighbours", "`.{name}` reads a variable of a neighbour";
    Enabled = "reads neighbours", "`enabled` tests which processes can move";
    Interaction = "pairwise interactions", "`on interaction` handles a pairwise interaction";
    Oracles = "pairwise interactions", "oracles need pairwise interactions";
    OraclesErr = "oracle f", "`oracles err` needs an oracle";
    Oracle(function: String) = "oracle {function}", "`{function}` ranges over all processes, which requires an oracle";
    Randomness(word: &'static str) = "randomness", "`{word}` draws at random";

    // Time and faults.
    Detector = "detector", "suspicions come from a failure detector";
    Restarts = "restarts", "crashed processes restart here";
    Timers = "delay <= 1", "timers need a bound on delays (or `timers`, which may expire at any time)";
    CrashLine = "crashes", "this line crashes a process";
    RestartLine = "restarts", "this line restarts a process";
    MisleadLine = "oracles err", "this line makes oracles err";
    LoseLine = "loses messages", "this line loses a message";
    DuplicateLine = "duplicates messages", "this line duplicates a message";
    CutLine = "links fail", "this line makes a link fail";
    TimeLine = "delay <= 1", "this line specifies a time";
}
