//! Sets of name digests: a stored subset, a stored superset.
