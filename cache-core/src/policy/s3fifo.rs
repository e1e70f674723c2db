//! S3-FIFO: three queues, so that what is asked for once leaves quickly and what is asked for again
//! stays. After Yang, Zhang, Qiu, Yue, Rashmi: *FIFO queues are all you need for cache eviction*
//! (SOSP 2023).
//!
//! - The *small* queue takes what is new: a tenth of the capacity.
//! - The *main* queue takes what was served more than once while it was in the small queue, and what
//!   comes back soon after it left.
//! - The *ghost* queue remembers the keys, without values, that left from the small queue: as many as
//!   the main queue can hold.
//!
//! Each entry counts its hits up to 3. When room is needed and the small queue has its share (or the
//! main queue is empty), the oldest of the small queue goes: to the main queue, with its count reset,
//! if it was served more than once, else out, leaving a ghost. Otherwise the oldest of the main queue
//! goes: back to the queue's front, with one hit less, while it has any, else out. Look-up and
//! insertion are O(1) amortised; a hit moves nothing.

use std::collections::VecDeque;

use rustc_hash::FxHashMap;

use super::index::{Index, MOST_SLOTS};
use super::list::{Links, List};
use super::{Departure, Policy, State, TableKey};

/// Gives up what was not asked for again soon.
#[derive(Clone, Copy, Debug)]
pub struct S3Fifo;

impl Policy for S3Fifo {
    type State<K: TableKey> = S3FifoState<K>;
}

/// Hits are counted up to here.
const MOST_HITS: u8 = 3;

#[derive(Clone, Copy, Debug, Default)]
struct Standing {
    hits: u8,
    in_main: bool,
}

/// The three queues.
#[derive(Debug)]
pub struct S3FifoState<K> {
    capacity: usize,
    small_share: usize,
    index: Index<K>,
    standings: Vec<Standing>,
    links: Links,
    small: List,
    main: List,
    ghosts: Ghosts<K>,
}

impl<K: TableKey> S3FifoState<K> {
    fn main_share(&self) -> usize {
        self.capacity - self.small_share
    }

    fn victim_of_small(&mut self) -> Option<u32> {
        while let Some(slot) = self.small.back() {
            if self.standings[slot as usize].hits <= 1 {
                return Some(slot);
            }
            self.small.remove(&mut self.links, slot);
            self.main.push_front(&mut self.links, slot);
            self.standings[slot as usize] = Standing { hits: 0, in_main: true };
            if self.main.len() > self.main_share() {
                return self.victim_of_main();
            }
        }
        self.victim_of_main()
    }

    fn victim_of_main(&mut self) -> Option<u32> {
        while let Some(slot) = self.main.back() {
            let standing = &mut self.standings[slot as usize];
            if standing.hits == 0 {
                return Some(slot);
            }
            standing.hits -= 1;
            self.main.move_to_front(&mut self.links, slot);
        }
        None
    }
}

impl<K: TableKey> State<K> for S3FifoState<K> {
    fn with_capacity(capacity: usize) -> Self {
        let capacity = capacity.min(MOST_SLOTS);
        let small_share = (capacity / 10).max(1).min(capacity);
        Self {
            capacity,
            small_share,
            index: Index::new(),
            standings: Vec::new(),
            links: Links::default(),
            small: List::new(),
            main: List::new(),
            ghosts: Ghosts::new(capacity - small_share),
        }
    }

    fn capacity(&self) -> usize {
        self.capacity
    }

    #[inline]
    fn find(&self, key: K) -> Option<u32> {
        self.index.find(key)
    }

    #[inline]
    fn touch(&mut self, slot: u32) {
        let standing = &mut self.standings[slot as usize];
        standing.hits = (standing.hits + 1).min(MOST_HITS);
    }

    fn victim(&mut self) -> Option<u32> {
        if self.index.len() < self.capacity {
            None
        } else if self.small.len() >= self.small_share {
            self.victim_of_small()
        } else {
            // The small queue is below its share, so the main queue holds the rest of a full table.
            self.victim_of_main()
        }
    }

    fn place(&mut self, key: K) -> Option<u32> {
        if self.capacity == 0 {
            return None;
        }
        let slot = self.index.place(key)?;
        let in_main = self.ghosts.take(key);
        let index = slot as usize;
        if self.standings.len() <= index {
            self.standings.resize(index + 1, Standing::default());
        }
        self.standings[index] = Standing { hits: 0, in_main };
        let queue = if in_main { &mut self.main } else { &mut self.small };
        queue.push_front(&mut self.links, slot);
        Some(slot)
    }

    fn remove(&mut self, key: K, slot: u32, why: Departure) {
        self.index.remove(key, slot);
        if self.standings[slot as usize].in_main {
            self.main.remove(&mut self.links, slot);
        } else {
            self.small.remove(&mut self.links, slot);
            if why == Departure::Evicted {
                self.ghosts.add(key);
            }
        }
    }

    fn forget_keys(&mut self) {
        self.index.forget_keys();
        self.ghosts.clear();
    }

    fn rename(&mut self, slot: u32, key: K) -> u32 {
        self.index.rename(slot, key);
        slot
    }

    fn forget_departed(&mut self) {
        self.ghosts.clear();
    }
}

/// The keys that left last, at most `most`, in the order in which they left.
#[derive(Debug)]
struct Ghosts<K> {
    most: usize,
    /// When each ghost left.
    left_at: FxHashMap<K, u64>,
    /// Ghosts by time, with some that are ghosts no more (their time is not the one in the map).
    queue: VecDeque<(K, u64)>,
    clock: u64,
}

impl<K: TableKey> Ghosts<K> {
    fn new(most: usize) -> Self {
        Self { most, left_at: FxHashMap::default(), queue: VecDeque::new(), clock: 0 }
    }

    fn add(&mut self, key: K) {
        self.clock += 1;
        self.left_at.insert(key, self.clock);
        self.queue.push_back((key, self.clock));
        while self.left_at.len() > self.most {
            match self.queue.pop_front() {
                Some((oldest, time)) if self.left_at.get(&oldest) == Some(&time) => {
                    self.left_at.remove(&oldest);
                }
                Some(_) => {}
                None => break,
            }
        }
        // Those that are ghosts no more are swept out when they outnumber the ghosts: O(1) amortised.
        if self.queue.len() > 2 * self.most + 8 {
            let left_at = &self.left_at;
            self.queue.retain(|(key, time)| left_at.get(key) == Some(time));
        }
    }

    /// Whether `key` is a ghost; it is none afterwards.
    fn take(&mut self, key: K) -> bool {
        self.left_at.remove(&key).is_some()
    }

    fn clear(&mut self) {
        self.left_at.clear();
        self.queue.clear();
    }
}
