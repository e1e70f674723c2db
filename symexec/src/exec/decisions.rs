//! The decisions of a path: noted, followed again, given away; and the tests and known inputs that are followed.

pub(super) mod examples;
pub(super) mod part;
pub(super) mod replays;
pub(super) mod seeds;
pub(super) mod trail;
