//! Options about states that become one.

use clap::Args;

/// What is asked for.
#[derive(Args, Debug)]
pub(crate) struct Merging {
    /// States become one at klee_close_merge that parted since klee_open_merge.
    #[arg(long)]
    pub(crate) use_merge: bool,

    /// With --use-merge: states that wait there go on where others take long.
    #[arg(long, requires = "use_merge")]
    pub(crate) use_incomplete_merge: bool,

    /// Tell which states become one.
    #[arg(long)]
    pub(crate) debug_log_merge: bool,
}
