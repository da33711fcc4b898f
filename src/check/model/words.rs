//! The words of `assumes`: what each grants, and which exclude or need each other.

use crate::ir::{Assumptions, PAIRS, Shape};

/// An assumption.
pub struct Row {
    pub text: &'static str,
    /// The shape of the network that it determines.
    pub shape: Option<Shape>,
    /// Whether it selects a model of execution, time or faults.
    pub is_model: bool,
    pub grant: fn(&mut Assumptions),
}

const fn network(text: &'static str, shape: Shape) -> Row {
    Row { text, shape: Some(shape), is_model: false, grant: |_| {} }
}

/// A network whose ports have directions.
const fn oriented(text: &'static str, shape: Shape) -> Row {
    Row { grant: |a| a.oriented = true, ..network(text, shape) }
}

const fn fact(text: &'static str, grant: fn(&mut Assumptions)) -> Row {
    Row { text, shape: None, is_model: false, grant }
}

const fn model(text: &'static str, grant: fn(&mut Assumptions)) -> Row {
    Row { is_model: true, ..fact(text, grant) }
}

/// All assumptions of the language. Those with a name or a bound are processed on their own.
pub const WORDS: &[Row] = &[
    network("ring", Shape::Ring),
    Row { grant: |a| a.unidirectional = true, ..network("unidirectional ring", Shape::Ring) },
    oriented("bidirectional ring", Shape::Ring),
    network("unoriented ring", Shape::Ring),
    oriented("line", Shape::Line),
    network("star", Shape::Star),
    network("tree", Shape::Tree),
    network("complete", Shape::Complete),
    network("mesh", Shape::Mesh),
    oriented("oriented mesh", Shape::Mesh),
    network("unoriented mesh", Shape::Mesh),
    network("torus", Shape::Torus),
    oriented("oriented torus", Shape::Torus),
    network("hypercube", Shape::Hypercube),
    oriented("oriented hypercube", Shape::Hypercube),
    oriented("oriented complete", Shape::Complete),
    network("unoriented hypercube", Shape::Hypercube),
    network("connected graph", Shape::Connected),
    fact("fifo", |_| {}),
    fact("unordered", |a| a.unordered = true),
    fact("reliable", |a| a.reliable = true),
    fact("unique ids", |a| a.unique_ids = true),
    fact("integer ids", |a| a.integer_ids = true),
    fact("anonymous", |a| a.anonymous = true),
    fact("knows n", |a| a.knows_n = true),
    fact("knows diameter", |a| a.knows_diameter = true),
    fact("knows edges", |a| a.knows_edges = true),
    fact("knows rows", |a| a.knows_rows = true),
    fact("knows columns", |a| a.knows_columns = true),
    fact("knows peers", |a| a.knows_peers = true),
    fact("knows neighbours", |a| a.knows_neighbours = true),
    fact("addressable ids", |a| a.addressable = true),
    fact("weights", |a| a.weights = true),
    fact("one", |_| {}),
    model("synchronous", |_| {}),
    model("delay", |_| {}),
    model("detector", |_| {}),
    model("perfect detector", |_| {}),
    model("eventually perfect detector", |_| {}),
    model("crashes", |_| {}),
    model("messages survive crashes", |a| a.messages_survive = true),
    model("restarts", |a| a.restarts = true),
    model("loses messages", |a| a.loses = true),
    model("duplicates messages", |a| a.duplicates = true),
    model("links fail", |a| a.links_fail = true),
    model("timers", |a| a.timers = true),
    fact("randomness", |_| {}),
    model("reads neighbours", |_| {}),
    model("radio", |_| {}),
    model("collision detection", |_| {}),
    model("beeps", |_| {}),
    model("transmitter feedback", |_| {}),
    model("central daemon", |_| {}),
    model("synchronous daemon", |_| {}),
    model("distributed daemon", |_| {}),
    model(PAIRS, |_| {}),
    fact("oracle", |_| {}),
    fact("oracles err", |a| a.unreliable_oracles = true),
    fact("simultaneous start", |_| {}),
    fact("virtual ring", |a| a.virtual_ring = true),
    fact("spanning tree", |a| a.spanning_tree = true),
    fact("spontaneous start", |_| {}),
    fact("no loops", |a| a.no_loops = true),
];

/// The texts of all assumptions, for suggestions and the reference.
pub const VOCABULARY: &[&str] = &{
    let mut texts = [""; WORDS.len()];
    let mut number = 0;
    while number < WORDS.len() {
        texts[number] = WORDS[number].text;
        number += 1;
    }
    texts
};

/// Words that a name follows.
pub const WITH_NAME: &[&str] = &["one", "oracle"];

/// Other texts of assumptions.
const SYNONYMS: &[(&str, &str)] = &[
    ("oriented ring", "bidirectional ring"),
    ("bidirectional oriented ring", "bidirectional ring"),
    ("complete graph", "complete"),
    ("complete network", "complete"),
    ("unoriented torus", "torus"),
    ("connected", "connected graph"),
    ("distinct weights", "weights"),
];

/// Return the assumption that a text denotes by itself.
pub fn word(text: &str) -> Option<&'static Row> {
    let synonym = SYNONYMS.iter().find(|(synonym, _)| *synonym == text);
    let text = synonym.map_or(text, |(_, text)| text);
    WORDS.iter().find(|row| row.text == text && !WITH_NAME.contains(&text))
}

/// Pairs that exclude each other.
pub const CONFLICTS: &[(&str, &str)] = &[
    ("anonymous", "unique ids"),
    ("anonymous", "integer ids"),
    ("anonymous", "knows peers"),
    ("anonymous", "addressable ids"),
    ("anonymous", "knows neighbours"),
    ("fifo", "unordered"),
    ("reliable", "loses messages"),
    ("reliable", "duplicates messages"),
    ("synchronous", "reads neighbours"),
    ("radio", "reads neighbours"),
    ("synchronous", PAIRS),
    ("radio", PAIRS),
    ("synchronous", "messages survive crashes"),
    ("reads neighbours", PAIRS),
    ("beeps", "collision detection"),
    ("central daemon", "synchronous daemon"),
    ("central daemon", "distributed daemon"),
    ("synchronous daemon", "distributed daemon"),
];

/// Assumptions that refine another one.
pub const REFINES: &[(&str, &str)] = &[
    ("collision detection", "radio"),
    ("beeps", "radio"),
    ("transmitter feedback", "collision detection"),
    ("central daemon", "reads neighbours"),
    ("synchronous daemon", "reads neighbours"),
    ("distributed daemon", "reads neighbours"),
];

const ROUNDS: &[&str] = &["synchronous", "radio"];
const STATE: &[&str] = &["reads neighbours", PAIRS];
const DETECTORS: &[&str] = &["detector", "perfect detector", "eventually perfect detector"];

/// Assumptions about time and faults that models of joint steps exclude, with the reason.
const JOINT_CONFLICTS: &[(&[&str], &[&str], &str)] = &[
    (
        ROUNDS,
        &["delay", "timers"],
        "time is counted in rounds: `if … [] after k -> … fi` waits for k of them",
    ),
    (
        STATE,
        &["delay", "timers"],
        "there are no messages to delay; a daemon or the scheduler chooses the next step",
    ),
    (ROUNDS, DETECTORS, "silence at the end of a round reveals a crash"),
    (STATE, DETECTORS, "a crash is not observable here: neighbours see only variables, which remain"),
    (
        &["radio"],
        &["duplicates messages"],
        "a transmission is heard once, or not at all: `loses messages` is possible",
    ),
    (
        STATE,
        &["loses messages", "duplicates messages", "links fail"],
        "there are no messages here; `crashes` is possible",
    ),
];

/// Return whether an assumption selects joint steps, which exclude assumptions about time and faults.
pub fn is_joint(words: &str) -> bool {
    JOINT_CONFLICTS.iter().any(|(models, ..)| models.contains(&words))
}

/// Return the reason why a model of joint steps excludes an assumption, if it does.
pub fn joint_conflict(model: &str, words: &str) -> Option<&'static str> {
    let is =
        |word: &&str| words.strip_prefix(*word).is_some_and(|rest| !rest.starts_with(char::is_alphanumeric));
    let row = JOINT_CONFLICTS.iter().find(|row| row.0.contains(&model) && row.1.iter().any(is));
    row.map(|(_, _, why)| *why)
}

/// Assumptions that a synchronizer excludes, with the reason.
pub const SYNCHRONIZER_CONFLICTS: &[(&str, &str)] = &[
    ("unidirectional ring", "it sends acknowledgements, which cannot go back here"),
    ("knows peers", "it serves neighbours at ports, not processes by their ids"),
    ("addressable ids", "it serves neighbours at ports, not processes by their ids"),
    ("synchronous", "rounds are already part of the system model"),
    ("radio", "slots are already part of the system model"),
    ("spontaneous start", "under a synchronizer all processes start in the first round"),
];
