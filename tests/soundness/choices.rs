//! Steps that exist and were not offered, and state that one process saw of another.
