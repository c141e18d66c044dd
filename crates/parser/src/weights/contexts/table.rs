//! The table of contexts: one cache line a look-up, mostly.
//!
//! The table has two halves, one for each sort of [line](Line). The high half of an address chooses the line where its contexts begin,
//! 27 bits of the low half are their fingerprint. Contexts that find no room go on in the lines that follow, which memory brings
//! sooner than others; each line says of which addresses there are more ([`Line::goes_on`]). Two addresses are confused only if
//! they meet in a line and agree in 27 bits: about once in 10^8 look-ups of absent ones. Two contexts of one address that differ
//! in forms or in tags are taken for alike in them once in 10^7 times. It is always the same ones, since the table of a model is
//! built from its contexts alone.
//!
//! Learning makes billions of look-ups, so which addresses are confused changes a model now and then. It depends on how many
//! lines there are and where contexts go on. A change of these is thus one of the version of models
//! (`src/experiment/versions.rs`), though all sums that anybody checks stay as they are.

use crate::bytes::Damaged;
use crate::weights::contexts::line::{BIN_BITS, LOW_BITS, Line, Long, Short, TWIN_BIT};
use crate::weights::mapped::{Mapped, next, prefetch};

/// What a template group sees of a part, as it is stored.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
pub struct Context {
    /// The high bits of the address.
    pub address: u32,
    /// Its fingerprint, and the bin of the distance; never 0.
    pub first: u32,
    /// The detail of forms.
    pub forms: u32,
    /// The detail of tags.
    pub tags: u32,
}

impl Context {
    /// Of an address and details, in a lane: 1 for contexts of a twin.
    #[inline(always)]
    pub fn new(address: u64, lane: usize, bin: u32, [forms, tags]: [u32; 2]) -> Self {
        let twin = if lane == 0 { 0 } else { TWIN_BIT };
        Self { address: high(address), first: fingerprint(address) | twin | bin, forms, tags }
    }

    /// Whether it has details, and stands in the long half.
    #[inline(always)]
    pub fn is_long(self) -> bool {
        self.forms | self.tags != 0
    }

    /// Address and first word as one number, in the order of contexts.
    pub(super) fn written(self) -> u64 {
        u64::from(self.address >> SPARE_BITS) << 32 | u64::from(self.first)
    }

    /// Of what [`written`](Self::written) said and the details, if that can be.
    pub(super) fn read(written: u64, forms: u32, tags: u32) -> Option<Self> {
        let address = u32::try_from(written >> 32).ok().filter(|address| address.leading_zeros() >= SPARE_BITS)?;
        let first = written as u32;
        let is_sound = first & !LOW_BITS != 0 && first & LOW_BITS & !(BIN_BITS | TWIN_BIT) == 0;
        is_sound.then_some(Self { address: address << SPARE_BITS, first, forms, tags })
    }

    /// What all contexts of the address in one lane have in common.
    #[inline(always)]
    pub fn whole_address(self) -> u64 {
        u64::from(self.address) << 32 | u64::from(self.first & !BIN_BITS)
    }
}

/// Bits of the high half of an address that are not used.
const SPARE_BITS: u32 = 4;

/// The high bits of an address, as many as tell all lines apart: fewer are shorter to write.
#[inline(always)]
pub fn high(address: u64) -> u32 {
    (address >> 32) as u32 >> SPARE_BITS << SPARE_BITS
}

/// The fingerprint of an address; never 0, which marks an empty slot.
#[inline(always)]
pub fn fingerprint(address: u64) -> u32 {
    (address as u32 & !LOW_BITS).max(LOW_BITS + 1)
}

/// Lines of one sort.
pub type Lines<L> = Mapped<L>;

/// How contexts stand in lines of one sort.
impl<L: Line> Mapped<L> {
    /// Empty lines of which so many contexts will take so many sixteenths of the slots.
    ///
    /// # Errors
    /// If the system has no memory for them.
    pub fn for_contexts(contexts: usize, slots_of_16: usize) -> std::io::Result<Self> {
        Self::new((contexts * 16).div_ceil(slots_of_16 * L::SLOTS) + 1)
    }

    /// Whether there is any context of an address.
    fn has(&self, address: u64) -> bool {
        let wanted = fingerprint(address);
        let mut at = self.home(high(address));
        loop {
            if !self.is_sound(at) {
                return false;
            }
            let line = &self.all()[at];
            if line.first().iter().any(|first| first & !LOW_BITS == wanted) {
                return true;
            }
            if !line.goes_on(wanted) {
                return false;
            }
            at = next(at, self.all().len());
        }
    }

    /// Line and slot of a context.
    fn find(&self, context: Context) -> Option<(usize, usize)> {
        let mut at = self.home(context.address);
        loop {
            if !self.is_sound(at) {
                return None;
            }
            let line = &self.all()[at];
            if let Some(slot) = (0..L::SLOTS).find(|&slot| is_in(context, line, slot)) {
                return Some((at, slot));
            }
            if !line.goes_on(context.first) {
                return None;
            }
            at = next(at, self.all().len());
        }
    }

    /// Calls `visit` with the contexts that have the address and the lane of one, and their weights.
    fn each_at_address(&self, context: Context, mut visit: impl FnMut(Context, i32)) {
        let mut at = self.home(context.address);
        while self.is_sound(at) {
            let line = &self.all()[at];
            for slot in (0..L::SLOTS).filter(|&slot| (line.first_of(slot) ^ context.first) & !BIN_BITS == 0) {
                let (first, [forms, tags]) = (line.first_of(slot), line.details(slot));
                visit(Context { address: context.address, first, forms, tags }, line.weight()[slot]);
            }
            if !line.goes_on(context.first) {
                break;
            }
            at = next(at, self.all().len());
        }
    }

    /// Gives a new context an empty slot, of which there must be one, and a weight.
    pub(super) fn insert_with(&mut self, context: Context, weight: i32) {
        let (line, slot, _) = self.insert(context);
        self.all_mut()[line].weight_mut()[slot] = weight;
    }

    /// Finds a context or gives it an empty slot with weight 0; true if it is new. There must be an empty slot.
    pub(super) fn insert(&mut self, context: Context) -> (usize, usize, bool) {
        let mut at = self.home(context.address);
        loop {
            let after = next(at, self.all().len());
            let line = &mut self.all_mut()[at];
            for slot in 0..L::SLOTS {
                if is_in(context, line, slot) {
                    return (at, slot, false);
                }
                if line.first()[slot] == 0 {
                    line.first_mut()[slot] = context.first;
                    line.set_details(slot, [context.forms, context.tags]);
                    return (at, slot, true);
                }
            }
            line.send_on(context.first);
            at = after;
        }
    }
}

/// Whether a slot of a line holds a context.
#[inline(always)]
fn is_in<L: Line>(context: Context, line: &L, slot: usize) -> bool {
    line.first_of(slot) == context.first && line.details(slot) == [context.forms, context.tags]
}

/// Contexts with their weights.
#[derive(Debug)]
pub struct Table {
    /// Of contexts without details.
    pub(super) short: Lines<Short>,
    /// Of contexts with details.
    pub(super) long: Lines<Long>,
    /// No feature's weight exceeds this.
    largest: u64,
}

impl Table {
    /// Of empty lines.
    pub(super) fn new(short: Lines<Short>, long: Lines<Long>) -> Self {
        Self { short, long, largest: 0 }
    }

    /// Of both halves, of which no feature's weight exceeds `largest`.
    pub(crate) fn from_halves(short: Lines<Short>, long: Lines<Long>, largest: u64) -> Self {
        Self { short, long, largest }
    }

    /// Its halves: of contexts without details, and of those with.
    pub(crate) fn halves(&self) -> (&Lines<Short>, &Lines<Long>) {
        (&self.short, &self.long)
    }

    /// This table in memory of its own, all of it checked.
    pub(crate) fn into_memory(self) -> Result<Self, Damaged> {
        Ok(Self { short: self.short.into_memory()?, long: self.long.into_memory()?, largest: self.largest })
    }

    /// Whether a look-up has come upon damage in the file that the table is mapped from.
    pub fn is_damaged(&self) -> bool {
        self.short.is_damaged() || self.long.is_damaged()
    }

    /// Calls `visit` with the contexts that templates may confuse with one, and their weights: those of its address.
    pub fn each_at_address(&self, context: Context, visit: impl FnMut(Context, i32)) {
        if context.is_long() {
            self.long.each_at_address(context, visit);
        } else {
            self.short.each_at_address(context, visit);
        }
    }

    /// What no feature's weight exceeds in absolute value: a part's sum stays within so many times its features.
    pub fn largest(&self) -> u64 {
        self.largest
    }

    /// Says what no feature's weight exceeds.
    pub(super) fn set_largest(&mut self, largest: u64) {
        self.largest = largest;
    }

    /// Whether there is any context of an address, of template groups with details or of those without.
    #[inline(always)]
    pub fn has(&self, address: u64, with_details: bool) -> bool {
        if with_details { self.long.has(address) } else { self.short.has(address) }
    }

    /// Asks for the memory that [`has`](Self::has) will look at.
    #[inline(always)]
    pub fn ask(&self, address: u64, with_details: bool) {
        if with_details {
            prefetch(&self.long.all()[self.long.home(high(address))]);
        } else {
            prefetch(&self.short.all()[self.short.home(high(address))]);
        }
    }

    /// The weight of a context, if it has a slot.
    pub fn weight(&self, context: Context) -> Option<i32> {
        if context.is_long() {
            self.long.find(context).map(|(line, slot)| self.long.all()[line].weight()[slot])
        } else {
            self.short.find(context).map(|(line, slot)| self.short.all()[line].weight()[slot])
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::features::atoms::mix;

    /// Which addresses are confused depends on it, and so, over billions of look-ups, does what is learnt.
    #[test]
    fn where_sights_stand_belongs_to_the_version_of_models() {
        let of_address =
            |i: u64| (0..8).flat_map(move |bin| [0, 1].map(|lane| Context::new(mix(i), lane, bin, [0, 0])));
        let mut lines = Lines::<Short>::for_contexts(60 * 16, 11).expect("memory");
        let mut digest = lines.all().len() as u64;
        for context in (0..60).flat_map(of_address) {
            let (line, slot, is_new) = lines.insert(context);
            assert!(is_new);
            digest = mix(digest ^ (line * Short::SLOTS + slot) as u64);
        }
        let before = 8_144_365_438_490_672_910;
        assert_eq!(digest, before, "contexts stand elsewhere: raise the version of models with this number");
    }
}
