//! Evaluations that fail: verdicts must not depend on the order of evaluation or of the search.
