//! What pairs on both sides of a head add to scores of parts: sums over their multipliers, kept up to date.
//!
//! There are far more such pairs than parts, and a step moves few of their multipliers. So the sums are formed once, and
//! each move changes its own parts. All are whole numbers, so the order of additions does not matter.

use crate::decode::bnb::exact::instance::{Instance, Owner};
use crate::graph::ArcId;

/// Multipliers of the pairs, and their sums.
#[derive(Clone, Debug, Default)]
pub struct Shares {
    /// The left arc's share, or v, by [`Owner`], then left arc, then right arc.
    pub multipliers: Vec<f64>,
    /// What falls to the modifiers: by grandchild part if pairs have multipliers by arc, else by arc.
    pub modifiers: Vec<f64>,
    /// By arc: what falls to the arc above, if pairs have multipliers by arc.
    pub above: Vec<f64>,
    /// What falls to no arc.
    pub constant: f64,
    /// By [`Owner`]: where its multipliers begin; and where the last one's end.
    starts: Vec<u32>,
}

impl Shares {
    /// How many bytes its arrays hold.
    pub fn bytes(&self) -> usize {
        let Self { multipliers, modifiers, above, starts, .. } = self;
        [multipliers, modifiers, above].into_iter().map(|sums| size_of_val(&**sums)).sum::<usize>()
            + size_of_val(&**starts)
    }

    /// Forms all sums.
    pub fn add_up(&mut self, instance: &Instance) {
        let space = &instance.space;
        let (modifiers, above) =
            if instance.by_arc { (space.grandchild_parts(), space.arcs()) } else { (space.arcs(), 0) };
        for (sums, len) in [(&mut self.modifiers, modifiers), (&mut self.above, above)] {
            sums.clear();
            sums.resize(len, 0.0);
        }
        self.constant = 0.0;
        self.starts.clear();
        let mut start = 0;
        for owner in instance.owners() {
            self.starts.push(start as u32);
            let pairs = owner.pairs();
            if pairs > 0 {
                self.add_up_owner(instance, start, &owner);
                start += pairs;
            }
        }
        self.starts.push(start as u32);
    }

    /// Where the multipliers of the owner of this number begin.
    #[inline(always)]
    pub fn start(&self, owner: usize) -> usize {
        self.starts[owner] as usize
    }

    fn add_up_owner(&mut self, instance: &Instance, start: usize, owner: &Owner) {
        let Owner { above, left, right } = owner;
        let multipliers = &self.multipliers[start..start + owner.pairs()];
        let mut of_all = 0.0;
        for (l, multipliers) in left.clone().map(ArcId::new).zip(multipliers.chunks_exact(right.len())) {
            let row = instance.cross_place(l, ArcId::new(right.start));
            let scores = &instance.cross[row..row + right.len()];
            let first = owner.modifier(&instance.space, ArcId::new(right.start));
            let mut of_left = 0.0;
            for ((of_right, &score), &multiplier) in self.modifiers[first..].iter_mut().zip(scores).zip(multipliers) {
                let (u, v) = if score >= 0.0 { (multiplier, 0.0) } else { (-multiplier, multiplier) };
                of_left += u;
                *of_right += score.max(0.0) - multiplier;
                of_all += v;
            }
            self.modifiers[owner.modifier(&instance.space, l)] += of_left;
        }
        *self.of_all(*above) += of_all;
    }

    fn of_all(&mut self, above: Option<ArcId>) -> &mut f64 {
        match above {
            Some(a) => &mut self.above[a.ix()],
            None => &mut self.constant,
        }
    }

    /// Moves the multiplier at `place`, that of the pair of `left` and `right` under `above`, the arc into their head, if
    /// pairs have multipliers by arc. Returns what it was before.
    pub fn shift(
        &mut self,
        instance: &Instance,
        place: usize,
        [left, right]: [ArcId; 2],
        above: Option<ArcId>,
        by: f64,
    ) -> f64 {
        let before = self.multipliers[place];
        self.multipliers[place] += by;
        let shared = instance.cross[instance.cross_place(left, right)] >= 0.0;
        let [of_left, of_right, of_all] = if shared { [by, -by, 0.0] } else { [-by, -by, by] };
        let modifier = |b: ArcId| above.map_or(b.ix(), |a| instance.space.grandchild_part(a, b));
        self.modifiers[modifier(left)] += of_left;
        self.modifiers[modifier(right)] += of_right;
        *self.of_all(above) += of_all;
        before
    }
}
