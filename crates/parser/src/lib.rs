//! Treebanks, features, weights, learners, and the systems that parse.
//!
//! * [`treebank`]: sentences, their readers and writers;
//! * [`features`], [`weights`]: template sets, what they see in a sentence, and what it weighs;
//! * [`pruning`], [`tagger`]: what is done to a sentence before it is parsed; [`reranking`], [`labels`]: what is done to its trees;
//! * [`sequence`]: label sequences, of tags and of relations;
//! * [`model`], [`learn`]: models and the way from tokens to a tree, and how they are learnt;
//! * [`systems`]: the interface that experiments see, and the systems behind it.

#![deny(missing_docs)]

/// Declares an enum whose values have names in configs, files and results: all values in order, the name of each, and the
/// value of a name.
#[doc(hidden)]
#[macro_export]
macro_rules! named {
    ($(#[$meta:meta])* pub enum $Name:ident { $($(#[$doc:meta])* $variant:ident = $name:expr,)+ }) => {
        $(#[$meta])*
        pub enum $Name {
            $($(#[$doc])* $variant,)+
        }

        impl $Name {
            /// All values, in order.
            pub const ALL: [Self; [$(stringify!($variant)),+].len()] = [$(Self::$variant),+];

            /// The name in configs, files and results.
            pub fn name(self) -> &'static str {
                match self {
                    $(Self::$variant => $name,)+
                }
            }

            /// The value of that name.
            pub fn parse(name: &str) -> Option<Self> {
                Self::ALL.into_iter().find(|value| value.name() == name)
            }
        }

        impl ::std::fmt::Display for $Name {
            fn fmt(&self, f: &mut ::std::fmt::Formatter<'_>) -> ::std::fmt::Result {
                f.write_str(self.name())
            }
        }
    };
}

pub mod answer;
pub mod bytes;
pub mod cell;
pub mod child;
pub mod error_analysis;
pub mod features;
pub mod labels;
pub mod learn;
pub mod model;
pub mod pruning;
pub mod random;
pub mod reranking;
pub mod sequence;
pub mod systems;
pub mod tagger;
pub mod treebank;
pub mod weights;
