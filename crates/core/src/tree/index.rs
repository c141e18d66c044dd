//! Newtypes for the indices that run through the whole program, so that a word is never taken for an arc.

use serde::{Deserialize, Serialize};

macro_rules! index {
    ($(#[$doc:meta])* $name:ident) => {
        $(#[$doc])*
        #[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
        #[serde(transparent)]
        pub struct $name(pub u32);

        impl $name {
            /// The index as a `usize`, for slices.
            #[inline(always)]
            pub const fn ix(self) -> usize {
                self.0 as usize
            }

            /// From a slice index.
            ///
            /// Callers index slices whose length fits 32 bits; larger values would be a programming error and are
            /// caught in debug builds.
            #[inline(always)]
            pub const fn new(ix: usize) -> Self {
                debug_assert!(ix <= u32::MAX as usize);
                Self(ix as u32)
            }
        }

        impl std::fmt::Display for $name {
            fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                self.0.fmt(f)
            }
        }
    };
}

pub(crate) use index;

index!(
    /// A word's position in its sentence: 1 is the first word, 0 the root symbol.
    Word
);

impl Word {
    /// The root symbol.
    pub const ROOT: Word = Word(0);

    /// True for the root symbol.
    #[inline(always)]
    pub const fn is_root(self) -> bool {
        self.0 == 0
    }
}
