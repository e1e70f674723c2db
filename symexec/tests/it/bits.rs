//! Bit vectors agree with the machine's integers, and wide ones with narrow ones.

use proptest::prelude::*;
use symexec::base::bits::{BinaryOp, Bits, CompareOp};

proptest! {
    /// What 64 bits say of operands of at most 32 bits, 128 bits say as well: the wide code against the
    /// narrow one, where the width does not show.
    #[test]
    fn wide_operations_agree_with_narrow_ones(a: i32, b: i32) {
        for op in BinaryOp::ALL {
            let at = |width| {
                let extend = |value: i32| Bits::new(32, u64::from(value as u32)).sign_extend(width);
                let shift = matches!(op, BinaryOp::Shl | BinaryOp::LShr | BinaryOp::AShr);
                let b = if shift { b.rem_euclid(32) } else { b };
                Bits::binary(op, &extend(a), &extend(b))
            };
            // Unsigned operations on negative numbers depend on the width, and so do shifts that bring
            // zeros into the low half.
            let width_matters = matches!(op, BinaryOp::UDiv | BinaryOp::URem) && (a < 0 || b < 0)
                || op == BinaryOp::LShr && a < 0;
            if !width_matters {
                prop_assert_eq!(at(128).extract(0, 64), at(64).extract(0, 64), "{:?}", op);
            }
        }
    }

    #[test]
    fn comparisons_agree_with_the_machine(a: i64, b: i64) {
        for width in [64u32, 100] {
            let (x, y) = (Bits::new(64, a as u64).sign_extend(width), Bits::new(64, b as u64).sign_extend(width));
            prop_assert_eq!(Bits::compare(CompareOp::Slt, &x, &y), a < b);
            prop_assert_eq!(Bits::compare(CompareOp::Eq, &x, &y), a == b);
            prop_assert_eq!(Bits::compare(CompareOp::Ult, &x, &y), (a as u64) < (b as u64));
        }
    }

    #[test]
    fn pieces_put_together_are_the_whole(value: u128, at in 1u32..127) {
        let whole = Bits::from_le_bytes(128, &value.to_le_bytes());
        let (high, low) = (whole.extract(at, 128 - at), whole.extract(0, at));
        prop_assert_eq!(Bits::concat(&high, &low), whole.clone());
        prop_assert_eq!(whole.to_le_bytes(), value.to_le_bytes());
        prop_assert_eq!(whole.not().not(), whole);
    }
}

#[test]
fn division_is_total_as_in_smt_lib() {
    for width in [8, 64, 70] {
        let zero = Bits::new(width, 0);
        let five = Bits::new(width, 5);
        let minus_five = Bits::binary(BinaryOp::Sub, &zero, &five);
        assert!(Bits::binary(BinaryOp::UDiv, &five, &zero).is_ones());
        assert_eq!(Bits::binary(BinaryOp::URem, &five, &zero), five);
        assert!(Bits::binary(BinaryOp::SDiv, &five, &zero).is_ones());
        assert_eq!(Bits::binary(BinaryOp::SDiv, &minus_five, &zero), Bits::new(width, 1));
        assert_eq!(Bits::binary(BinaryOp::SRem, &minus_five, &zero), minus_five);
        // The most negative number by minus one is itself.
        let least =
            Bits::binary(BinaryOp::Shl, &Bits::new(width, 1), &Bits::new(width, u64::from(width) - 1));
        let minus_one = zero.not();
        assert_eq!(Bits::binary(BinaryOp::SDiv, &least, &minus_one), least);
        assert!(Bits::binary(BinaryOp::SRem, &least, &minus_one).is_zero());
    }
}
