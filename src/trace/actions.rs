//! Names of events that are no actions of the program, in traces of earlier versions.

use serde::{Deserialize, Deserializer};

/// A former name, and the present one. An action of a program has neither form.
const FORMER: [(&str, &str); 2] =
    [("nobody there", "receiver crashed"), ("told the truth again", "oracle corrected")];

/// Return the present name of an action.
pub fn present(action: &str) -> &str {
    FORMER.iter().find(|(former, _)| *former == action).map_or(action, |(_, present)| present)
}

/// Read an action by its present or former name.
pub fn read<'de, D: Deserializer<'de>>(from: D) -> Result<String, D::Error> {
    String::deserialize(from).map(|action| present(&action).to_string())
}
