//! What cannot be explored by several processes, or by one of several.

use super::options::Options;
use super::run_error::RunError;
use crate::exec::Share;
use crate::memory::Placement;

/// Refuses what cannot be explored in parts.
pub(super) fn check_parts(options: &Options) -> Result<(), RunError> {
    let refused = |text: &str| Err(RunError::Parts(text.to_owned()));
    if let Some(Share { number, count }) = options.share
        && !(1..=count).contains(&number)
    {
        return refused("a shard I/N needs a number I from 1 to N");
    }
    if !options.in_parts() {
        Ok(())
    } else if options.exec.placement == Placement::Shared {
        refused(
            "--allocation shared and --jobs or --shard exclude one another: where objects lie would depend on \
             what each process ran before",
        )
    } else if options.files.tree {
        refused("--write-exec-tree and --jobs or --shard exclude one another: the tree is of one process")
    } else if options.instructions.is_some() {
        refused(
            "--debug-print-instructions and --jobs or --shard exclude one another: the list is of one process",
        )
    } else if options.query_log.is_wanted() {
        refused("--use-query-log and --jobs or --shard exclude one another: a log is of one process")
    } else if !options.replays.is_empty() || options.replay_path.is_some() {
        refused("replays and --jobs or --shard exclude one another: one process follows what is known")
    } else if options.exec.merging {
        refused("--use-merge and --jobs or --shard exclude one another: what a path decided says what it is")
    } else if options.exec.seeds.only {
        refused(
            "--only-seeds and --jobs or --shard exclude one another: paths of seeds are followed by one process",
        )
    } else {
        Ok(())
    }
}
