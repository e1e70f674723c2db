//! Processes that a program makes.

/// Which processes are followed where the program makes one.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Follow {
    /// None can be made.
    #[default]
    Nobody,
    /// The new one.
    Child,
    /// The one that made it.
    Parent,
    /// Each on a path of its own.
    Both,
}

reprise_tools::names!(Follow, "follow-fork": Nobody = "none", Child = "child", Parent = "parent", Both = "both");

impl Follow {
    /// As the runtime has it (`children.h`): a bit for each of them.
    pub(in crate::exec) fn bits(self) -> u32 {
        match self {
            Self::Nobody => 0,
            Self::Child => 1,
            Self::Parent => 2,
            Self::Both => 3,
        }
    }
}
