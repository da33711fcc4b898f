//! Processes: the code of a role, linked from the algorithm, its layers and its problem.

pub mod layer_thread;
mod settle;
mod rounds;
mod synchronizer;
mod pairs;
mod routine;
mod handler;
mod interface;
mod role;
