//! Where objects lie. Deterministic, and no place is used twice on a path.

/// Who decides where a state's objects lie.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Placement {
    /// One allocator for all states, one object after the other, as in KLEE 2: where an object lies
    /// depends on all states that were run before.
    Shared,
    /// Each state has a copy of its own with places of its own per size class, as in KLEE since
    /// version 3.1: states with the same history of a size class agree on its places.
    PerState,
}

/// Unmapped bytes behind each object, at least.
pub(super) const RED_ZONE: u64 = 16;

/// Addresses below this are never given out: dereferencing them is dereferencing null.
const FIRST: u64 = 0x10_0000;

/// Addresses from here on are never given out; user programs have 47 bits.
pub(super) const LAST: u64 = 1 << 47;

/// Size classes are powers of two; class k has the addresses from `(k + 1) << CLASS_BITS` on.
const CLASS_BITS: u32 = 40;

/// So many classes there are at most.
const CLASSES: usize = (LAST.trailing_zeros() - CLASS_BITS) as usize * 8;

/// An allocator.
#[derive(Clone, Debug)]
pub struct Allocator {
    placement: Placement,
    /// For [`Placement::Shared`] the next free address; otherwise the objects of each class.
    next: Vec<u64>,
    /// For [`Placement::PerState`] the next free address of the program's own variables and functions: as
    /// linkers place them, near each other, since code keeps distances between them in 32 bits.
    image: u64,
}

impl Allocator {
    /// An allocator that has given out nothing.
    #[must_use]
    pub fn new(placement: Placement) -> Self {
        let next = match placement {
            Placement::Shared => vec![FIRST],
            // Classes are there once they have an object: states have copies.
            Placement::PerState => Vec::new(),
        };
        Self { placement, next, image: FIRST }
    }

    /// A place for an object outside of the `taken` ranges (begin and end); `None` if there is none left.
    ///
    /// Each taken range is left behind at most once, so the cost is the square of their (small) number.
    pub fn place(&mut self, size: u64, alignment: u64, taken: &[(u64, u64)]) -> Option<u64> {
        loop {
            let base = self.next_place(size, alignment)?;
            let end = base.checked_add(size.max(1))?.checked_add(RED_ZONE)?;
            match taken.iter().find(|(begin, behind)| *begin < end && base < behind.saturating_add(RED_ZONE))
            {
                None => return Some(base),
                Some((_, behind)) => {
                    self.leave_behind(base, size, alignment, behind.saturating_add(RED_ZONE))?;
                }
            }
        }
    }

    /// [`Self::place`] for a variable or a function of the program.
    pub fn place_in_image(&mut self, size: u64, alignment: u64, taken: &[(u64, u64)]) -> Option<u64> {
        if self.placement == Placement::Shared {
            return self.place(size, alignment, taken);
        }
        let alignment = alignment.max(16).checked_next_power_of_two()?;
        let base = self.image.checked_next_multiple_of(alignment)?;
        let end = base.checked_add(size.max(1))?.checked_add(RED_ZONE)?;
        let is_taken =
            taken.iter().any(|(begin, behind)| *begin < end && base < behind.saturating_add(RED_ZONE));
        if is_taken || end >= 1 << CLASS_BITS {
            return self.place(size, alignment, taken);
        }
        self.image = end;
        Some(base)
    }

    /// Gives out nothing below `behind` any more where `base` came from.
    fn leave_behind(&mut self, base: u64, size: u64, alignment: u64, behind: u64) -> Option<()> {
        match self.placement {
            Placement::Shared => {
                let next = self.next.first_mut()?;
                *next = (*next).max(behind);
            }
            Placement::PerState => {
                let slot = slot(size, alignment.max(16).checked_next_power_of_two()?)?;
                let skipped = behind.saturating_sub(base).div_ceil(slot).saturating_sub(1);
                let number = self.class(slot.trailing_zeros())?;
                *number = number.checked_add(skipped)?;
            }
        }
        Some(())
    }

    /// How many objects a class has had; `None` of one that has no addresses.
    fn class(&mut self, class: u32) -> Option<&mut u64> {
        let class = class as usize;
        if class >= CLASSES {
            return None;
        }
        if class >= self.next.len() {
            self.next.resize(class + 1, 0);
        }
        self.next.get_mut(class)
    }

    fn next_place(&mut self, size: u64, alignment: u64) -> Option<u64> {
        let alignment = alignment.max(16).checked_next_power_of_two()?;
        match self.placement {
            Placement::Shared => {
                let next = self.next.first_mut()?;
                let base = next.checked_next_multiple_of(alignment)?;
                let end = base.checked_add(size)?.checked_add(RED_ZONE)?;
                if end >= LAST {
                    return None;
                }
                *next = end;
                Some(base)
            }
            Placement::PerState => {
                let slot = slot(size, alignment)?;
                let class = slot.trailing_zeros();
                let number = self.class(class)?;
                let region = u64::from(class) << CLASS_BITS;
                let base = number.checked_mul(slot)?;
                if base.checked_add(slot)? > 1 << CLASS_BITS {
                    return None;
                }
                *number += 1;
                Some(region + base)
            }
        }
    }
}

/// What an object of a size class takes.
fn slot(size: u64, alignment: u64) -> Option<u64> {
    size.checked_add(RED_ZONE)?.max(alignment).checked_next_power_of_two()
}

#[cfg(test)]
mod tests {
    use super::{Allocator, Placement, RED_ZONE};

    const REQUESTS: [(u64, u64); 10] =
        [(0, 1), (1, 1), (16, 16), (17, 8), (24, 16), (1, 64), (4096, 16), (40, 4096), (16, 16), (0, 1)];

    #[test]
    fn places_are_aligned_never_overlap_and_have_a_red_zone() {
        for placement in [Placement::Shared, Placement::PerState] {
            let mut allocator = Allocator::new(placement);
            let mut taken: Vec<(u64, u64)> = Vec::new();
            for (size, alignment) in REQUESTS.into_iter().cycle().take(200) {
                let base = allocator.place(size, alignment, &[]).unwrap_or(0);
                assert!(base > 4096 && base.is_multiple_of(alignment), "{placement:?} {base:#x}");
                taken.push((base, size));
            }
            taken.sort_unstable();
            for pair in taken.windows(2) {
                assert!(pair[0].0 + pair[0].1 + RED_ZONE <= pair[1].0, "{placement:?} {pair:?}");
            }
        }
    }

    #[test]
    fn taken_ranges_are_left_out_whatever_their_size() {
        for placement in [Placement::Shared, Placement::PerState] {
            let mut allocator = Allocator::new(placement);
            let first = allocator.place(40, 16, &[]).unwrap_or(0);
            // One small, one that many objects would fit into, one at the end of that.
            let taken =
                [(first + 100, first + 101), (first + 300, first + 5000), (first + 5000, first + 5001)];
            let mut last = first;
            for _ in 0..50 {
                let base = allocator.place(40, 16, &taken).unwrap_or(0);
                assert!(base >= last + 40 + RED_ZONE, "{placement:?} {base:#x}");
                assert!(taken.iter().all(|(begin, end)| base + 40 <= *begin || *end <= base), "{base:#x}");
                last = base;
            }
            assert!(last > first + 5000 && last < first + 10_000, "{placement:?} {last:#x}");
        }
    }

    #[test]
    fn copies_of_an_allocator_agree_on_size_classes_with_the_same_history() {
        let mut one = Allocator::new(Placement::PerState);
        one.place(40, 16, &[]);
        let mut other = one.clone();
        // Another size class is no matter; the same one is.
        other.place(1000, 16, &[]);
        assert_eq!(one.place(40, 16, &[]), other.place(40, 16, &[]));
        assert_ne!(one.place(1000, 16, &[]), other.place(1000, 16, &[]));
        // With one allocator for all, everything before is.
        let mut shared = Allocator::new(Placement::Shared);
        let mut late = shared.clone();
        late.place(1000, 16, &[]);
        assert_ne!(shared.place(40, 16, &[]), late.place(40, 16, &[]));
    }
}
