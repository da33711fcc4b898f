//! What the literature says algorithms cost, and in how many ways they can end: exact, over all small instances.

mod common;

mod figures {
    mod agreements;
    mod anonymity;
    mod bounds;
    mod bully;
    mod bypass;
    mod chain;
    mod coins;
    mod delivery_logs;
    mod detections;
    mod graphs;
    mod grids;
    mod hypercubes;
    mod lots;
    mod multicasts;
    mod mutexes;
    mod pairs;
    mod quorums;
    mod rings;
    mod rings_in_rounds;
    mod selfstab;
    mod synchronizers;
    mod synchronous;
    mod together;
    mod token_ring;
    mod virtual_rings;
    mod waves;
    mod yo_yo;
}
