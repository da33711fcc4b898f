//! The shelves of the library: a title and an introduction for each folder, in the order in which they are best read.

pub struct Family {
    pub folder: &'static str,
    pub title: &'static str,
    pub introduction: &'static str,
}

pub const FAMILIES: &[Family] = &[
    Family {
        folder: "election/ring",
        title: "Election on rings with identifiers",
        introduction: "Where the subject began: n processes on a ring, each with a number of its own, are to agree on one of them. \
            LeLann sends every number all the way round, n² messages; Chang and Roberts stop the hopeless ones, and pay n² only in the worst \
            case. Hirschberg and Sinclair, Franklin, Peterson, and Dolev, Klawe and Rodeh let candidates fight their neighbours in phases, each of \
            which leaves at most half of them, or, in Peterson's algorithm, as Fibonacci's numbers fall: n log n. In rounds silence tells \
            something too, and n messages will do.",
    },
    Family {
        folder: "election/anonymous",
        title: "Election on anonymous rings",
        introduction: "Processes that are all alike and act in step stay alike for ever: there is no election without identifiers, as the first \
            of these shows by running. Coins break the symmetry. What is given up in return is the bound on the time, or certainty of the result.",
    },
    Family {
        folder: "election/structured",
        title: "Election on meshes, tori, hypercubes and complete networks",
        introduction: "The more is known of the network, the fewer messages an election takes: corners of a mesh can be told from other places, labels of \
            links give directions to send in, and territories on a torus or duels on a hypercube bring the cost down to O(n).",
    },
    Family {
        folder: "election/graph",
        title: "Election and spanning trees in arbitrary networks",
        introduction: "Nothing is known but the neighbours. Waves of all initiators extinguish each other, fragments merge until one is left, tokens \
            walk and annex; a leader and a spanning tree come for nearly the same price, which is at least one message for each link.",
    },
    Family {
        folder: "election/crash",
        title: "Election among processes that crash",
        introduction: "When a coordinator may die, others must notice and choose anew. What «notice» means is a matter of time-outs, and \
            of what is promised about delays.",
    },
    Family {
        folder: "election/radio",
        title: "Election by radio",
        introduction: "Time is divided into slots, who transmits cannot listen, and two who transmit at once are heard by nobody. How much a listener \
            learns from a collision decides what an election costs; slots are counted, not messages.",
    },
    Family {
        folder: "wave",
        title: "Waves",
        introduction: "One process asks, everybody takes part, and the answer comes back: the pattern inside most algorithms of the other shelves.",
    },
    Family {
        folder: "mutex",
        title: "Mutual exclusion",
        introduction: "One critical section, n processes, no shared memory. Permissions are asked of a server, of everybody, or of a quorum; or \
            there is a token, which goes round, is called, or climbs a tree. Compare the messages for each entry, and who waits for whom. Some \
            files are there to fail: they show what the others are careful about.",
    },
    Family {
        folder: "multicast",
        title: "Multicast and its orders",
        introduction: "A message to a group, and three questions: do all get it, in which order, and does an answer ever come before its question? \
            Orders are layers above a basic multicast; the files can be read from the bottom up.",
    },
    Family {
        folder: "agreement",
        title: "Agreement",
        introduction: "Everybody proposes, all decide the same; or all commit a transaction, or all abort it.",
    },
    Family {
        folder: "detection",
        title: "Snapshots, termination, deadlock",
        introduction: "Algorithms that look at another computation while it goes on, and must not be deceived by messages under way.",
    },
    Family {
        folder: "synchronizer",
        title: "Synchronizers",
        introduction: "Rounds for networks without a clock, so that algorithms for rounds run unchanged; messages are traded for time.",
    },
    Family {
        folder: "selfstab",
        title: "Self-stabilization",
        introduction: "Begin with anything in the variables: after some time all is well, and stays so. Processes read their neighbours, a daemon \
            decides who moves, and runs do not end; so there are no figures of messages, but of moves: the longest way to order, over all \
            configurations and everything that the daemon may choose.",
    },
];
