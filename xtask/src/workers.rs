//! Work that is done side by side, on as many threads as there are processors.

use std::num::NonZero;
use std::sync::Mutex;
use std::thread;

/// Does the work for each item, and gives back what came of it in the order of the items, whichever ended first. Items
/// are begun in their order. A panic of one is passed on when all have ended.
pub(crate) fn side_by_side<T: Sync, R: Send>(items: &[T], work: impl Fn(&T) -> R + Sync) -> Vec<R> {
    let next = Mutex::new(items.iter().enumerate());
    let take = || next.lock().ok().and_then(|mut next| next.next());
    let mut done: Vec<(usize, R)> = thread::scope(|scope| {
        let one = || {
            let mut done = Vec::new();
            while let Some((place, item)) = take() {
                done.push((place, work(item)));
            }
            done
        };
        let threads = thread::available_parallelism().map_or(1, NonZero::get);
        let started: Vec<_> = (0..threads.min(items.len())).map(|_| scope.spawn(one)).collect();
        let joined =
            started.into_iter().map(|it| it.join().unwrap_or_else(|it| std::panic::resume_unwind(it)));
        joined.flatten().collect()
    });
    done.sort_unstable_by_key(|(place, _)| *place);
    done.into_iter().map(|(_, result)| result).collect()
}

#[cfg(test)]
mod tests {
    use std::sync::Barrier;

    use super::side_by_side;

    #[test]
    fn results_come_in_the_order_of_the_items() {
        let items: Vec<usize> = (0..1000).collect();
        assert_eq!(
            side_by_side(&items, |item| item * 2),
            items.iter().map(|item| item * 2).collect::<Vec<_>>()
        );
        assert!(side_by_side(&[] as &[usize], |item| *item).is_empty());
    }

    /// Each waits until all have begun, which ends only if they run at the same time.
    #[test]
    fn as_many_run_at_once_as_there_are_processors() {
        let count = std::thread::available_parallelism().map_or(1, usize::from);
        let all = Barrier::new(count);
        let items: Vec<usize> = (0..count).collect();
        assert_eq!(side_by_side(&items, |_| all.wait().is_leader()).len(), count);
    }
}
