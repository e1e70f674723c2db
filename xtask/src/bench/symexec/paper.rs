//! The numbers of the paper's section VI, beside which ours are shown. Its programs are larger and other
//! ones, so ratios are what one can compare.

/// A program of the paper's Tables II to V.
#[derive(Debug)]
pub(super) struct Row {
    pub(super) name: &'static str,
    /// Table II: all queries, C1, C2, C3.
    pub(super) classes: [u64; 4],
    /// Table III, as base and address-aware in the forking model, then in the segmented one.
    pub(super) queries: [u64; 4],
    /// Table IV, in the same order.
    pub(super) times: [&'static str; 4],
    /// Table V, in the same order.
    pub(super) sizes: [u64; 4],
}

pub(super) const ROWS: [Row; 8] = [
    Row {
        name: "m4",
        classes: [14_022, 9_589, 9_127, 6_394],
        queries: [10_792, 4_265, 1_600, 1_289],
        times: ["00:13:16", "00:04:59", "00:19:17", "00:14:55"],
        sizes: [11_780, 3_493, 1_631, 1_341],
    },
    Row {
        name: "make",
        classes: [2_565_399, 2_477_145, 90_027, 69_535],
        queries: [347_324, 45_471, 50_558, 9_753],
        times: ["06:46:44", "02:30:51", "03:56:42", "01:47:23"],
        sizes: [348_210, 41_927, 51_064, 12_404],
    },
    Row {
        name: "sqlite",
        classes: [26_990, 18_407, 15_589, 13_783],
        queries: [5_622, 4_681, 14_563, 12_993],
        times: ["00:17:20", "00:14:24", "04:00:17", "03:12:22"],
        sizes: [6_898, 5_354, 10_680, 9_071],
    },
    Row {
        name: "apr",
        classes: [15_013, 8_960, 8_960, 8_448],
        queries: [445, 300, 126, 86],
        times: ["00:57:33", "00:39:05", "00:20:20", "00:13:39"],
        sizes: [496, 279, 130, 81],
    },
    Row {
        name: "libxml2",
        classes: [708_101, 410_789, 347_420, 347_420],
        queries: [124_782, 6_118, 124_782, 6_118],
        times: ["02:33:33", "00:17:09", "02:27:35", "00:17:12"],
        sizes: [136_165, 5_517, 136_165, 5_517],
    },
    Row {
        name: "expat",
        classes: [1_797_033, 945_192, 102_903, 102_903],
        queries: [89_740, 31_747, 89_736, 31_761],
        times: ["00:26:02", "00:23:19", "00:25:13", "00:23:06"],
        sizes: [92_383, 34_226, 92_382, 34_226],
    },
    Row {
        name: "bash",
        classes: [54_078, 19_051, 10_840, 7_860],
        queries: [8_538, 4_479, 7_542, 4_098],
        times: ["02:37:48", "01:23:30", "02:39:04", "01:14:18"],
        sizes: [8_774, 4_453, 7_712, 4_308],
    },
    Row {
        name: "json-c",
        classes: [28_476, 17_484, 17_263, 14_311],
        queries: [15_364, 5_246, 2_757, 1_523],
        times: ["00:31:36", "00:13:20", "00:08:05", "00:04:19"],
        sizes: [15_998, 3_634, 2_906, 1_336],
    },
];

/// `hh:mm:ss` in seconds.
pub(super) fn seconds(time: &str) -> f64 {
    time.split(':').fold(0.0, |sum, part| sum * 60.0 + part.parse::<f64>().unwrap_or(f64::NAN))
}

#[cfg(test)]
mod tests {
    use super::{ROWS, seconds};

    /// The averages that the text states, from the tables as they stand here.
    #[test]
    fn the_tables_give_the_averages_of_the_text() {
        let mean =
            |ratio: &dyn Fn(&super::Row) -> f64| ROWS.iter().map(ratio).sum::<f64>() / ROWS.len() as f64;
        let near = |value: f64, stated: f64| assert!((value - stated).abs() < 0.011, "{value} {stated}");
        near(mean(&|row| row.queries[0] as f64 / row.queries[1] as f64), 5.11);
        near(mean(&|row| row.queries[2] as f64 / row.queries[3] as f64), 4.48);
        near(mean(&|row| row.sizes[0] as f64 / row.sizes[1] as f64), 6.06);
        near(mean(&|row| row.sizes[2] as f64 / row.sizes[3] as f64), 4.93);
        near(mean(&|row| seconds(row.times[0]) / seconds(row.times[1])), 2.80);
        // The text states 2.73 here, which its own table does not give.
        near(mean(&|row| seconds(row.times[2]) / seconds(row.times[3])), 2.49);
    }
}
