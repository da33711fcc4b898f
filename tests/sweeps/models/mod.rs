//! Systems with time, with faults, and with simulated rounds: small programs whose every run is known.

mod budgets;
mod crash_losses;
mod crashes;
mod detectors;
mod enabled;
mod layer_outputs;
mod layers;
mod oracles;
mod radio;
mod rounds;
mod synchronizers;
mod time;
mod traces;
