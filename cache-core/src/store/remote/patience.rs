//! How long a run waits for a server: in vain as long as its options say, and for answers as long as they are worth.
//!
//! An answer that comes in [`QUICK_HIT`] costs nothing; one that comes later is excused up to [`PER_HIT`], as long as
//! excuses are left. So a server that is slow with each of very many answers is given up, too, and one that is quick
//! never is.

use std::time::Duration;

/// How long a run may wait for each answer that a server gave, beside its patience: what is more is waited in vain.
pub const PER_HIT: Duration = Duration::from_millis(100);

/// How long it may wait for each answer of a server that is not slow.
pub const QUICK_HIT: Duration = Duration::from_millis(20);

/// How many times the patience of a run it may wait, in all, for answers that take more than [`QUICK_HIT`].
pub const EXCUSED: u32 = 12;

/// How much longer a server is waited for.
pub(super) struct Patience {
    /// In vain; nothing once it is given up.
    pub(super) left: Option<Duration>,
    /// For answers that come late, beside.
    excuses: Duration,
}

impl Patience {
    /// As much as the option says, and excuses in proportion.
    pub(super) fn new(patience: Duration) -> Self {
        Self { left: Some(patience), excuses: patience.saturating_mul(EXCUSED) }
    }

    /// Takes off what was waited for so many answers, or for none; says whether that was the last of it.
    pub(super) fn spend(&mut self, waited: Duration, answers: u32) -> bool {
        let Some(left) = self.left else { return false };
        let late = waited.saturating_sub(QUICK_HIT.saturating_mul(answers));
        let excused = late.min((PER_HIT - QUICK_HIT).saturating_mul(answers)).min(self.excuses);
        self.excuses -= excused;
        self.left = left.checked_sub(late - excused).filter(|left| !left.is_zero());
        self.left.is_none()
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::{EXCUSED, Patience};

    const fn ms(count: u64) -> Duration {
        Duration::from_millis(count)
    }

    /// How many requests a server is asked that takes so long for each and brings so many answers.
    fn asked(patience: Duration, each: Duration, answers: u32) -> u32 {
        let mut left = Patience::new(patience);
        (1..100_000).find(|_| left.spend(each, answers)).unwrap_or(u32::MAX)
    }

    #[test]
    fn a_server_costs_a_bounded_time_unless_it_is_quick() {
        let patience = ms(1000);
        assert_eq!(asked(patience, ms(20), 1), u32::MAX, "quick answers are free");
        assert_eq!(asked(patience, ms(40), 2), u32::MAX, "also side by side");
        assert_eq!(asked(patience, ms(50), 0), 20, "what brings nothing is waited for in vain");
        // 28 ms of each are excused until excuses end, then taken off the patience.
        let late = u64::from(asked(patience, ms(48), 1));
        assert_eq!(late, (u64::from(EXCUSED) * 1000 + 1000).div_ceil(28));
        // What comes later than an answer is worth was waited for in vain from the first one on.
        assert_eq!(asked(patience, ms(600), 1), 2);
        assert_eq!(asked(ms(0), ms(1), 1), 1, "without patience the first request is the last");
    }
}
