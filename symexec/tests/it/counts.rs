//! Counts of bits as solvers see them.

use symexec::base::bits::Bits;
use symexec::expr::{Arena, RenameInputs};

use crate::world::run;

#[test]
fn counts_of_known_bits_are_those_of_the_machine() {
    let mut arena = Arena::new(RenameInputs(true));
    for width in [1, 2, 3, 5, 8, 16, 24, 31, 32, 33, 63, 64] {
        for number in [0, 1, 2, 3, 0x80, 0xfff, 0x8000_0001, 0xdead_beef, 1 << 63, u64::MAX] {
            let known = number & (u64::MAX >> (64 - width));
            let value = arena.bits(&Bits::new(width, known));
            let ones = arena.count_ones(value);
            let zeros = [false, true].map(|leading| arena.count_zeros(value, leading));
            let expected = [known.trailing_zeros().min(width), known.leading_zeros() - (64 - width)];
            let mask = u64::MAX >> (64 - width);
            assert_eq!(arena.as_u64(ones), Some(u64::from(known.count_ones()) & mask), "{width} {known:x}");
            let zeros = zeros.map(|count| arena.as_u64(count));
            assert_eq!(zeros, expected.map(|count| Some(u64::from(count) & mask)), "{width} {known:x}");
        }
    }
}

#[test]
fn counts_of_unknown_bits_are_proved_with_little_work() {
    let folder = tempfile::tempdir().unwrap();
    let body = "#include <stdint.h>\nint main(void) { uint32_t x; uint64_t a; klee_make_symbolic(&x, 4, \"x\"); klee_make_symbolic(&a, 8, \"a\");\n\
        uint32_t s = x - ((x >> 1) & 0x55555555); s = (s & 0x33333333) + ((s >> 2) & 0x33333333); s = (s + (s >> 4)) & 0x0f0f0f0f;\n\
        klee_assert(__builtin_popcount(x) + __builtin_popcount(~x) == 32);\n\
        klee_assert((__builtin_popcount(x) == 1) == (x != 0 && (x & (x - 1)) == 0));\n\
        klee_assert(__builtin_popcount(x) == (int)((s * 0x01010101u) >> 24));\n\
        klee_assert(__builtin_popcountll(a) == __builtin_popcount((uint32_t)a) + __builtin_popcount((uint32_t)(a >> 32))); return 0; }";
    let ran = run(&folder, body, &["--solver-resource", "2000000"]);
    assert_eq!((ran.errors(), ran.result("completed")), (vec![], 2), "{}", ran.stderr);
}
