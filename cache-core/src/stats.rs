//! Statistics in one JSON shape for all tools.
