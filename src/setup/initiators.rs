//! The processes that may wake up spontaneously, as a user names them.

use super::SetupError;
use crate::ids::ProcessId;
use crate::network::{IdsSpec, Network};

/// The maximum number of names in a message.
const SHOWN_NAMES: usize = 8;

/// The processes that may wake up spontaneously.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum Initiators {
    /// All, or those that [`Settings::initiators`](crate::instance::Settings::initiators) lists.
    #[default]
    All,
    None,
    /// A random number of random processes, at least one.
    Random,
    /// Names from the file of the network, positions such as `p0`, or ids; a name comes first.
    Named(Vec<String>),
}

impl Initiators {
    /// Parse `all`, `none`, `random`, or names such as `3,1` or `p0,p2`, with or without brackets.
    pub fn parse(text: &str) -> Initiators {
        let text = text.trim();
        match text {
            "all" => Initiators::All,
            "none" => Initiators::None,
            "random" => Initiators::Random,
            _ => {
                let inner = text.strip_prefix('[').and_then(|rest| rest.strip_suffix(']')).unwrap_or(text);
                let names = inner.split(',').map(str::trim).filter(|word| !word.is_empty());
                Initiators::Named(names.map(String::from).collect())
            }
        }
    }

    /// Return the positions of the processes.
    ///
    /// # Errors
    /// If the network has no process of some name.
    pub(super) fn positions(
        &self,
        network: &Network,
        seed: u64,
    ) -> Result<Option<Vec<ProcessId>>, SetupError> {
        let n = network.n();
        Ok(Some(match self {
            Initiators::All => return Ok(None),
            Initiators::None => Vec::new(),
            Initiators::Random => {
                // The first ones of a random order.
                let order = IdsSpec::Random.resolve(n, seed);
                let places = IdsSpec::Random.resolve(n, seed.wrapping_add(1))[0];
                network.processes().zip(order).filter(|(_, place)| *place <= places).map(|(p, _)| p).collect()
            }
            Initiators::Named(names) => names
                .iter()
                .map(|name| position(name, network))
                .collect::<Result<Vec<ProcessId>, SetupError>>()?,
        }))
    }
}

fn position(name: &str, network: &Network) -> Result<ProcessId, SetupError> {
    let by_number = || match name.strip_prefix('p').and_then(|digits| digits.parse().ok()) {
        Some(position) => Some(position).filter(|p| *p < network.n()).map(ProcessId),
        None => name.parse().ok().and_then(|id| network.process_with_id(id)),
    };
    network.process_named(name).or_else(by_number).ok_or_else(|| SetupError {
        problems: vec![format!("{} has no process {name}", network.topology())],
        hint: Some(match network.names() {
            [] => "initiators are all, none, random, ids such as 3,1, or positions such as p0,p2".into(),
            names => format!(
                "its processes are {}; they can also be named by id, or by position such as p0",
                names[..names.len().min(SHOWN_NAMES)].join(", ")
            ),
        }),
    })
}
