//! Views that the program or a property can see through.
