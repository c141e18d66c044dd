//! Arcs and factors by number.

use serde::{Deserialize, Serialize};

use crate::tree::index;

index!(
    /// A candidate arc of an [`ArcSpace`](super::ArcSpace): arcs are numbered by head, then by modifier.
    ArcId
);
index!(
    /// A non-local factor of a [`FactorGraph`](super::FactorGraph).
    FactorId
);
