//! Lies that the machine can be built to tell, so that an oracle can prove that it would notice. Without the feature
//! `plant` it tells none.

use super::Machine;

/// A lie.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Lie {
    /// The tag of a compound term counts as proof of its type.
    TrustTags,
    /// A call whose condition is not proved promises its successes all the same.
    BelieveCalls,
    /// Behind branches that is known which the first of them leaves.
    FirstWay,
    /// What was known before something unknown was called is known behind it.
    ForgetUnknown,
    /// Of the properties that have to be looked at, the first is not.
    OverlookMissing,
    /// A clause counts as handing on what another variable is promised of.
    HandAnythingOn,
    /// An atom in an expression counts as a number that is known.
    KnownAtoms,
    /// A goal that is a variable is converted when it is called.
    BoundGoals,
    /// Arguments that need a module have none in calls of their own module.
    OwnArguments,
    /// A string in a clause is compiled as the atom of its text.
    StringAtoms,
    /// What records outside the store mention may be collected.
    ForgetRecords,
    /// Tables stay as they are when clauses that they follow change.
    KeepTables,
}

impl Machine {
    /// Whether the machine tells a lie.
    #[inline]
    pub(crate) fn tells(&self, lie: Lie) -> bool {
        #[cfg(feature = "plant")]
        {
            use crate::base::plant::Fault;
            let fault = match lie {
                Lie::TrustTags => Fault::TrustTags,
                Lie::BelieveCalls => Fault::BelieveCalls,
                Lie::FirstWay => Fault::FirstWay,
                Lie::ForgetUnknown => Fault::ForgetUnknown,
                Lie::OverlookMissing => Fault::OverlookMissing,
                Lie::HandAnythingOn => Fault::HandAnythingOn,
                Lie::KnownAtoms => Fault::KnownAtoms,
                Lie::BoundGoals => Fault::BoundGoals,
                Lie::OwnArguments => Fault::OwnArguments,
                Lie::StringAtoms => Fault::StringAtoms,
                Lie::ForgetRecords => Fault::ForgetRecords,
                Lie::KeepTables => Fault::KeepTables,
            };
            self.fault == Some(fault)
        }
        #[cfg(not(feature = "plant"))]
        {
            let _ = lie;
            false
        }
    }

    /// Makes the machine and its checker commit a fault, or none.
    #[cfg(feature = "plant")]
    pub fn plant(&mut self, fault: Option<crate::base::plant::Fault>) {
        self.fault = fault;
        self.checker.plant(fault);
    }
}
