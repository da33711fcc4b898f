//! Instances: an algorithm on a network.

use super::error::Error;
use super::setup::Setup;
use crate::input::InputError;
use crate::instance;
use crate::setup::{InstanceOptions, instantiate};
use std::fmt;
use std::sync::Arc;

/// An algorithm on a network, with its parameters and faults: a closed transition system.
///
/// ```
/// let voting = synod::Program::library("voting")?;
/// let instance = voting.on("complete(3)").instantiate()?;
/// assert_eq!((instance.processes(), instance.ids()), (3, &[1, 2, 3][..]));
/// # Ok::<(), synod::Error>(())
/// ```
#[derive(Clone)]
pub struct Instance {
    pub(super) instance: Arc<instance::Instance>,
    /// The options from which it was built.
    pub(super) options: Arc<InstanceOptions>,
}

impl Setup {
    /// Build the instance, and check that the network satisfies the assumptions of the algorithm.
    ///
    /// # Errors
    /// If it does not, or if a topology, an id, a parameter or a fault is invalid.
    pub fn instantiate(&self) -> Result<Instance, Error> {
        let options = self.texts.options(&self.program.program, self.seed)?;
        let instance = instantiate(&self.program.program, &options).map_err(InputError::from)?;
        Ok(Instance { instance: Arc::new(instance), options: Arc::new(options) })
    }
}

impl Instance {
    /// Return the number of processes. Their positions are 0 to this number less 1.
    pub fn processes(&self) -> usize {
        self.instance.n() as usize
    }

    /// Return the topology, as [`Setup::on`] takes it.
    pub fn topology(&self) -> &str {
        self.instance.network.topology()
    }

    /// Return the id of each process, by position.
    pub fn ids(&self) -> &[i64] {
        self.instance.network.ids()
    }
}

/// `chang_roberts on ring(3)`.
impl fmt::Display for Instance {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} on {}", self.instance.program.name, self.topology())
    }
}

impl fmt::Debug for Instance {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Instance({self})")
    }
}
