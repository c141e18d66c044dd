//! Guards: which template of a kind says that none of the others can score.

use super::layer::{BLOCK, Layer};

/// A template that all others of its kind refine: they have all its atoms, and its variant or a finer one.
///
/// Whenever one of them is learnt from a part, the guard is learnt from it too. So a part whose guard has never been seen
/// has no feature with a weight, and its score is 0 for certain: one look-up spares all the others.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Guard {
    /// Which of the kind's layers.
    pub layer: usize,
    /// Which of the layer's keys.
    pub key: usize,
    /// The place of the key in a row of views.
    pub place: usize,
    /// The group of the key.
    pub group: usize,
    /// Which of the group's variants.
    pub variant: usize,
}

impl Guard {
    /// The guard of a kind, if its templates have one.
    pub(super) fn of(layers: &[Layer]) -> Option<Self> {
        let coarsest = layers.iter().flat_map(|layer| &layer.groups).flat_map(|group| &group.variants).min()?;
        let refined = |layer: &Layer, key: usize| {
            let mut others = layers.iter().flat_map(|layer| &layer.keys);
            others.all(|other| layer.keys[key].iter().all(|atom| other.contains(atom)))
        };
        layers.iter().enumerate().find_map(|(number, layer)| {
            layer.groups.iter().enumerate().find_map(|(group, of_group)| {
                let variant = of_group.variants.iter().position(|v| v == coarsest)?;
                let key = of_group.keys.clone().find(|&key| refined(layer, key))?;
                let place = of_group.blocks.start * BLOCK + key - of_group.keys.start;
                Some(Self { layer: number, key, place, group, variant })
            })
        })
    }
}
