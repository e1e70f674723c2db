//! Making keys.

use std::error::Error;
use std::hint::black_box;

use cache_core::digest::{Confirm, Digest};
use cache_core::key::{CacheKey, Checksum, KeyBuilder};

use crate::subject::key;
use crate::{Least, each};

const COUNT: u64 = 200_000;

pub(crate) fn measure(rounds: usize) -> Result<(), Box<dyn Error>> {
    let mut least = Least::default();
    let megabyte: Vec<u8> = (0..1 << 20).map(|place: u32| place.to_le_bytes()[0]).collect();
    let bytes = {
        let mut out = cache_core::digest::Encoder::new();
        ("query", 1_u64, true, "5.4.0").encode(&mut out);
        out.bytes().to_vec()
    };
    let begun = KeyBuilder::new("query", 1).engine("solver", "5.4.0").option("timeout-sensitive", &true);
    for _ in 0..rounds {
        let ns = each(COUNT, || {
            (0..COUNT).for_each(|number| drop(black_box(key(black_box(number)))));
            Ok(())
        })?;
        least.add("a key of four parts", "KeyBuilder", ns, "ns");
        let ns = each(COUNT, || {
            (0..COUNT).for_each(|number| {
                black_box(key(black_box(number)).checksum());
            });
            Ok(())
        })?;
        least.add("a key of four parts", "KeyBuilder, and both digests", ns, "ns");
        let ns = each(COUNT, || {
            (0..COUNT).for_each(|number| {
                drop(black_box(begun.clone().content("query", &black_box(number)).finish()));
            });
            Ok(())
        })?;
        least.add("a key of four parts", "KeyBuilder, three made once", ns, "ns");
        let ns = each(COUNT, || {
            (0..COUNT).for_each(|_| {
                black_box((Digest::of(black_box(&bytes)), Confirm::of(black_box(&bytes))));
            });
            Ok(())
        })?;
        least.add("a key of four parts", "both digests of 64 bytes alone", ns, "ns");
        let ns = each(20, || {
            (0..20).for_each(|_| {
                black_box(Checksum::of(black_box(megabyte.as_slice())));
            });
            Ok(())
        })?;
        least.add("1 MiB of bytes", "Checksum", ns / 1e6, "ms");
    }
    least.tell("keys")
}
