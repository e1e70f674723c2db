//! Bytes from outside never make a decoder panic.

use proptest::prelude::*;
use symexec::module::reader;
use symexec::solver::question::{Question, Request, Term, Wanted};

use crate::decoding_law::decode_all;

proptest! {
    #![proptest_config(ProptestConfig { cases: 2000, ..ProptestConfig::default() })]

    #[test]
    fn any_bytes_are_refused_or_read(bytes: Vec<u8>) {
        decode_all(&bytes);
    }

    #[test]
    fn altered_questions_are_refused_or_read(place: prop::sample::Index, change: u8, cut: prop::sample::Index) {
        let terms = vec![(8, Term::Input(0)), (8, Term::Constant(5)), (16, Term::Concat(0, 1))];
        let question = Question { terms, roots: vec![2], inputs: 1 };
        let request = Request { question, wanted: Wanted::Model, wall_ms: Some(9), resource: None };
        let mut bytes = reader::encode(&request).unwrap();
        let at = place.index(bytes.len());
        bytes[at] ^= change;
        decode_all(&bytes);
        bytes.truncate(cut.index(bytes.len()));
        decode_all(&bytes);
    }
}
