//! Laws of `cache_core::audit`.

use cache_core::audit::{Audit, Auditor};
use proptest::prelude::*;

#[test]
fn an_audit_setting_is_read_as_it_is_written() {
    for text in ["never", "always", "sample=1", "sample=100"] {
        assert_eq!(text.parse::<Audit>().unwrap().to_string(), text);
    }
    for text in ["", "sometimes", "sample", "sample=", "sample=0", "sample=-1", "sample=4294967296"] {
        let message = text.parse::<Audit>().unwrap_err().to_string();
        assert!(message.contains("use never, sample=N with N at least 1, or always"), "{message}");
    }
}

proptest! {
    #[test]
    fn a_sample_takes_each_nth_hit(n in 1_u32..50, hits in 0_u32..500) {
        let mut auditor = Auditor::new(format!("sample={n}").parse().unwrap());
        for hit in 0..hits {
            prop_assert_eq!(auditor.due(), hit % n == 0);
        }
    }
}
