//! Typed `u32` ids into arenas and tables.
//!
//! An id means something only together with the table that gave it, so no id ever enters a key.

/// Declares a typed `u32` id with its documentation.
macro_rules! id {
    ($(#[$doc:meta])* $name:ident) => {
        $(#[$doc])*
        #[derive(
            Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, serde::Serialize, serde::Deserialize,
        )]
        pub struct $name(pub u32);

        impl $name {
            /// The position in the table that gave the id.
            #[must_use]
            pub fn index(self) -> usize {
                self.0 as usize
            }

            /// The id of a position. Tables refuse to grow beyond `u32` before this could matter.
            #[must_use]
            pub fn at(position: usize) -> Self {
                Self(u32::try_from(position).unwrap_or(u32::MAX))
            }
        }
    };
}
pub(crate) use id;
