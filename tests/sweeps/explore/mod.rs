//! Exploration, compared with a naive explorer, with independent models of rounds and radio, with counts of other tools, and with
//! and without reductions.

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
mod pairs;
mod relevant_history;
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
