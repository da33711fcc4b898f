//! The shelves of the library: a title and an introduction for each folder, in the recommended reading order.

pub struct Family {
    pub folder: &'static str,
    pub title: &'static str,
    pub introduction: &'static str,
}

pub const FAMILIES: &[Family] = &[
    Family {
        folder: "election/ring",
        title: "Election on rings with identifiers",
        introduction: "The origin of the subject: n processes on a ring, each with its own identifier, have to agree on one of them. \
            LeLann sends every identifier all the way round: n² messages. Chang and Roberts stop identifiers that cannot win, and need n² \
            only in the worst case. Hirschberg and Sinclair, Franklin, and Dolev, Klawe and Rodeh let candidates compete with their \
            neighbours in phases, each of which leaves at most half of them; in Peterson's algorithm their numbers fall like the Fibonacci \
            numbers. All need O(n log n) messages. In rounds silence is information, too, and n messages suffice.",
    },
    Family {
        folder: "election/anonymous",
        title: "Election on anonymous rings",
        introduction: "Identical processes in lock step remain in identical states: no deterministic algorithm elects a leader without \
            identifiers, as the first file shows by running. Coins break the symmetry. The price is the bound on the time, or the certainty of \
            the result.",
    },
    Family {
        folder: "election/structured",
        title: "Election on meshes, tori, hypercubes and complete networks",
        introduction: "Knowledge of the network saves messages: the corners of a mesh are distinguishable, link labels give directions, and \
            territories on a torus or duels on a hypercube reduce the cost to O(n).",
    },
    Family {
        folder: "election/graph",
        title: "Election and spanning trees in arbitrary networks",
        introduction: "A process knows only its neighbours. Waves of all initiators extinguish each other, fragments merge until one is left, or \
            tokens traverse and annex the network. A leader and a spanning tree cost nearly the same: at least one message for each link.",
    },
    Family {
        folder: "election/crash",
        title: "Election among processes that crash",
        introduction: "If a coordinator may crash, the other processes must detect the crash and elect a new one. Detection depends on \
            timeouts, and on the assumptions about delays.",
    },
    Family {
        folder: "election/radio",
        title: "Election by radio",
        introduction: "Time is divided into slots. A transmitter cannot listen, and two simultaneous transmissions collide. The information that \
            a listener gets from a collision determines the cost of an election, counted in slots, not messages.",
    },
    Family {
        folder: "wave",
        title: "Waves",
        introduction: "One process asks, all processes take part, and the answer returns: the pattern inside most algorithms of the other shelves.",
    },
    Family {
        folder: "mutex",
        title: "Mutual exclusion",
        introduction: "One critical section, n processes, no shared memory. A process asks a server, all other processes, or a quorum for \
            permission; or a token circulates, is requested, or moves along a tree. Compare the messages per entry, and which processes wait \
            for which. Some files fail on purpose: they show the errors that the others avoid.",
    },
    Family {
        folder: "multicast",
        title: "Multicast and its orders",
        introduction: "A message to a group, and three questions: do all members deliver it, in which order, and can an answer precede its \
            question? Orders are layers above a basic multicast; read the files from the bottom up.",
    },
    Family {
        folder: "agreement",
        title: "Agreement",
        introduction: "All processes propose, and all decide the same value; or all commit a transaction, or all abort it.",
    },
    Family {
        folder: "detection",
        title: "Snapshots, termination, deadlock",
        introduction: "Algorithms that observe another computation while it runs, and must account for messages in transit.",
    },
    Family {
        folder: "synchronizer",
        title: "Synchronizers",
        introduction: "Rounds for networks without a clock, so that algorithms for rounds run unchanged; a trade-off between messages and time.",
    },
    Family {
        folder: "selfstab",
        title: "Self-stabilization",
        introduction: "From any initial configuration the system converges to legitimate configurations, and remains there. Processes read the \
            states of their neighbours, a daemon chooses the processes that move, and runs do not end. So the files give no message counts, \
            but moves: the longest convergence, over all initial configurations and all choices of the daemon.",
    },
];
