//! What the literature says algorithms cost, and in how many ways they can end: exact, over all small instances.

mod common;

mod figures {
    mod bully;
    mod multicasts;
    mod mutexes;
    mod rings;
    mod rings_in_rounds;
}
