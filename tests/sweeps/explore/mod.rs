//! Exploration: against an explorer too simple to be wrong, against models of rounds and radio that share nothing with Synod, against counts found by other tools, reduced against whole.

mod apart;
mod by_hand;
mod chance;
mod claims;
mod endings;
mod fairness;
mod joint;
mod lassos;
mod library;
mod moves;
mod naive;
mod runs;
mod shortened;
mod surroundings;
mod symmetry;
mod threads;
mod time;
mod together;
mod twins;
mod view;
mod whole_library;
