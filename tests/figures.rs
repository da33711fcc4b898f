//! What the literature says algorithms cost, and in how many ways they can end: exact, over all small instances.

mod common;

mod figures {
    mod anonymity;
    mod coins;
    mod multicasts;
    mod mutexes;
    mod rings;
    mod rings_in_rounds;
    mod virtual_rings;
}
