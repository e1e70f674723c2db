//! Instructions of x86_64 for ciphers and hashes: AES, products without carries, SHA-1 and SHA-256, bit by bit as Intel
//! describes them.
//!
//! Only constant shifts and operations on bits (and sums, for hashes), so that known values are computed at once and
//! unknown ones stay exact. Eight bytes are worked on side by side in a number of 64 bits.

use symexec::base::bits::BinaryOp;
use symexec::module::Operand;

use super::function::Body;
use super::x86_vectors::Scalars;

/// The lowest bit of each of eight bytes.
const ONES: u64 = 0x0101_0101_0101_0101;

/// The squares of x^0 to x^7, modulo the polynomial of AES.
const SQUARES: [u64; 8] = [0x01, 0x04, 0x10, 0x40, 0x1b, 0x6c, 0xab, 0x9a];

/// The bytes of a block of AES, in two numbers.
type Block = [Operand; 2];

impl Body<'_, '_> {
    /// Lowers such a function; `None` if it is none of these.
    pub(super) fn cipher(&mut self, name: &str, arguments: &[Scalars]) -> Option<Vec<Operand>> {
        let numbers: Vec<&[Operand]> = arguments.iter().map(|(operands, _)| operands.as_slice()).collect();
        let name = [".256", ".512"].into_iter().find_map(|size| name.strip_suffix(size)).unwrap_or(name);
        match (name, numbers.as_slice()) {
            ("aesni.aesenc" | "aesni.aesenclast" | "aesni.aesdec" | "aesni.aesdeclast", [blocks, keys]) => {
                let pairs = blocks.chunks_exact(2).zip(keys.chunks_exact(2));
                Some(pairs.flat_map(|(block, key)| self.aes_round(name, [block[0], block[1]], key)).collect())
            }
            ("aesni.aesimc", [block]) => {
                Some([*block.first()?, *block.get(1)?].map(|half| self.unmixed(half)).to_vec())
            }
            ("aesni.aeskeygenassist", [key, constant]) => {
                let constant = self.known_number(*constant.first()?)?;
                self.aes_key([*key.first()?, *key.get(1)?], constant & 0xff)
            }
            ("pclmulqdq", [left, right, which]) => {
                let which = self.known_number(*which.first()?)?;
                let pairs = left.chunks_exact(2).zip(right.chunks_exact(2));
                let (one, other) = (usize::from(which & 1 != 0), usize::from(which & 16 != 0));
                Some(
                    pairs
                        .flat_map(|(left, right)| self.product_without_carries(left[one], right[other]))
                        .collect(),
                )
            }
            (_, [state, words, rest @ ..]) if name.starts_with("sha") => {
                let state = <[Operand; 4]>::try_from(*state).ok()?;
                let words = <[Operand; 4]>::try_from(*words).ok()?;
                self.hash(name, state, words, rest.first().copied())
            }
            _ => None,
        }
    }

    fn bits64(&mut self, op: BinaryOp, value: Operand, number: u64) -> Operand {
        let number = self.lowering.bits(64, number);
        self.binary(op, 64, value, number)
    }

    fn xor64(&mut self, one: Operand, other: Operand) -> Operand {
        self.binary(BinaryOp::Xor, 64, one, other)
    }

    // ---- AES ----

    /// The bit at a place of each byte, at its lowest place.
    fn bit_of_bytes(&mut self, bytes: Operand, place: u64) -> Operand {
        let shifted = self.bits64(BinaryOp::LShr, bytes, place);
        self.bits64(BinaryOp::And, shifted, ONES)
    }

    /// For each byte whose lowest bit is set, a constant; zero for the others.
    fn constant_where(&mut self, bits: Operand, constant: u64) -> Operand {
        let mut all = self.lowering.bits(64, 0);
        for place in (0..8).filter(|place| constant >> place & 1 == 1) {
            let shifted = self.bits64(BinaryOp::Shl, bits, place);
            all = self.xor64(all, shifted);
        }
        all
    }

    /// Twice each byte, in the field of AES.
    fn doubled(&mut self, bytes: Operand) -> Operand {
        let highest = self.bit_of_bytes(bytes, 7);
        let reduced = self.constant_where(highest, 0x1b);
        let shifted = self.bits64(BinaryOp::Shl, bytes, 1);
        let shifted = self.bits64(BinaryOp::And, shifted, ONES * 0xfe);
        self.xor64(shifted, reduced)
    }

    /// The products of bytes in the field of AES.
    fn field_product(&mut self, mut one: Operand, other: Operand) -> Operand {
        let mut sum = self.lowering.bits(64, 0);
        for place in 0..8 {
            let bit = self.bit_of_bytes(other, place);
            let mask = self.constant_where(bit, 0xff);
            let part = self.binary(BinaryOp::And, 64, one, mask);
            sum = self.xor64(sum, part);
            one = self.doubled(one);
        }
        sum
    }

    fn field_square(&mut self, bytes: Operand) -> Operand {
        let mut sum = self.lowering.bits(64, 0);
        for (place, square) in (0..).zip(SQUARES) {
            let bit = self.bit_of_bytes(bytes, place);
            let part = self.constant_where(bit, square);
            sum = self.xor64(sum, part);
        }
        sum
    }

    /// The inverse of each byte in the field of AES, zero of zero: its power 254.
    fn field_inverse(&mut self, one: Operand) -> Operand {
        let two = self.field_square(one);
        let three = self.field_product(two, one);
        let six = self.field_square(three);
        let twelve = self.field_square(six);
        let fifteen = self.field_product(twelve, three);
        let mut high = fifteen;
        for _ in 0..4 {
            high = self.field_square(high);
        }
        let most = self.field_product(high, twelve);
        self.field_product(most, two)
    }

    /// Each byte turned to the left.
    fn turned_bytes(&mut self, bytes: Operand, by: u32) -> Operand {
        let (up, down) = (ONES * (0xff << by & 0xff), ONES * (0xff >> (8 - by)));
        let left = self.bits64(BinaryOp::Shl, bytes, by.into());
        let left = self.bits64(BinaryOp::And, left, up);
        let right = self.bits64(BinaryOp::LShr, bytes, (8 - by).into());
        let right = self.bits64(BinaryOp::And, right, down);
        self.xor64(left, right)
    }

    fn turned_sum(&mut self, bytes: Operand, turns: &[u32], constant: u64) -> Operand {
        let mut sum = self.lowering.bits(64, ONES * constant);
        for by in turns {
            let turned = if *by == 0 { bytes } else { self.turned_bytes(bytes, *by) };
            sum = self.xor64(sum, turned);
        }
        sum
    }

    fn substituted(&mut self, bytes: Operand) -> Operand {
        let inverse = self.field_inverse(bytes);
        self.turned_sum(inverse, &[0, 1, 2, 3, 4], 0x63)
    }

    fn unsubstituted(&mut self, bytes: Operand) -> Operand {
        let linear = self.turned_sum(bytes, &[1, 3, 6], 0x05);
        self.field_inverse(linear)
    }

    /// Each column of four bytes with its bytes moved up by so many places.
    fn turned_column(&mut self, bytes: Operand, by: u64) -> Operand {
        let low = (1u64 << (32 - 8 * by)) - 1;
        let low = low << 32 | low;
        let down = self.bits64(BinaryOp::LShr, bytes, 8 * by);
        let down = self.bits64(BinaryOp::And, down, low);
        let up = self.bits64(BinaryOp::Shl, bytes, 32 - 8 * by);
        let up = self.bits64(BinaryOp::And, up, !low);
        self.xor64(down, up)
    }

    /// Each column times a column of constants below 16, turned with each row.
    fn column_product(&mut self, bytes: Operand, constants: [u64; 4]) -> Operand {
        let mut powers = vec![bytes];
        for place in 0..3 {
            let next = self.doubled(powers[place]);
            powers.push(next);
        }
        let mut sum = self.lowering.bits(64, 0);
        for (row, constant) in (0..).zip(constants) {
            for (place, power) in powers.iter().enumerate() {
                if constant >> place & 1 == 1 {
                    let turned = if row == 0 { *power } else { self.turned_column(*power, row) };
                    sum = self.xor64(sum, turned);
                }
            }
        }
        sum
    }

    fn unmixed(&mut self, bytes: Operand) -> Operand {
        self.column_product(bytes, [14, 11, 13, 9])
    }

    /// The rows of a block turned, each by its number.
    fn turned_rows(&mut self, block: Block, back: bool) -> Block {
        [0, 1].map(|half: usize| {
            let mut all = self.lowering.bits(64, 0);
            for place in 0..8 {
                let (row, column) = (place % 4, 2 * half + place / 4);
                let from = if back { (column + 4 - row) % 4 } else { (column + row) % 4 };
                let byte = (from % 2 * 4 + row) as u64;
                let bits = self.bits64(BinaryOp::LShr, block[from / 2], 8 * byte);
                let bits = self.bits64(BinaryOp::And, bits, 0xff);
                let bits = self.bits64(BinaryOp::Shl, bits, 8 * place as u64);
                all = self.xor64(all, bits);
            }
            all
        })
    }

    fn aes_round(&mut self, name: &str, block: Block, key: &[Operand]) -> Block {
        let (back, last) = (name.contains("dec"), name.ends_with("last"));
        let turned = self.turned_rows(block, back);
        [0, 1].map(|half: usize| {
            let bytes = turned[half];
            let mut bytes = if back { self.unsubstituted(bytes) } else { self.substituted(bytes) };
            if !last {
                bytes = if back { self.unmixed(bytes) } else { self.column_product(bytes, [2, 3, 1, 1]) };
            }
            self.xor64(bytes, key[half])
        })
    }

    fn aes_key(&mut self, key: Block, constant: u64) -> Option<Vec<Operand>> {
        let mut all = Vec::new();
        for half in key {
            let word = self.bits64(BinaryOp::LShr, half, 32);
            let word = self.substituted(word);
            let word = self.bits64(BinaryOp::And, word, 0xffff_ffff);
            let turned = self.turned_column(word, 1);
            let turned = self.bits64(BinaryOp::And, turned, 0xffff_ffff);
            let turned = self.bits64(BinaryOp::Xor, turned, constant);
            let turned = self.bits64(BinaryOp::Shl, turned, 32);
            all.push(self.xor64(turned, word));
        }
        Some(all)
    }

    // ---- Products without carries ----

    fn product_without_carries(&mut self, one: Operand, other: Operand) -> Block {
        let [mut low, mut high] = [self.lowering.bits(64, 0), self.lowering.bits(64, 0)];
        for place in 0..64 {
            let bit = self.extract(64, place, 1, other);
            let mask = self.extend(true, 1, 64, bit);
            let part = self.binary(BinaryOp::And, 64, one, mask);
            let below = self.bits64(BinaryOp::Shl, part, place.into());
            low = self.xor64(low, below);
            if place > 0 {
                let above = self.bits64(BinaryOp::LShr, part, (64 - place).into());
                high = self.xor64(high, above);
            }
        }
        [low, high]
    }

    // ---- Hashes; elements are numbered from the lowest one, Intel's text names them from the highest ----

    fn op32(&mut self, op: BinaryOp, one: Operand, other: Operand) -> Operand {
        self.binary(op, 32, one, other)
    }

    fn sum32(&mut self, terms: &[Operand]) -> Operand {
        let zero = self.lowering.bits(32, 0);
        terms.iter().fold(zero, |sum, term| self.op32(BinaryOp::Add, sum, *term))
    }

    fn xor32(&mut self, terms: &[Operand]) -> Operand {
        let zero = self.lowering.bits(32, 0);
        terms.iter().fold(zero, |sum, term| self.op32(BinaryOp::Xor, sum, *term))
    }

    fn turned32(&mut self, value: Operand, left: u64) -> Operand {
        let (up, down) = (self.lowering.bits(32, left), self.lowering.bits(32, 32 - left));
        let up = self.op32(BinaryOp::Shl, value, up);
        let down = self.op32(BinaryOp::LShr, value, down);
        self.op32(BinaryOp::Or, up, down)
    }

    /// The sum of a value turned to the right by some numbers and, if there is one, shifted by the last.
    fn sigma(&mut self, value: Operand, turns: &[u64], shift: Option<u64>) -> Operand {
        let mut terms: Vec<Operand> = turns.iter().map(|by| self.turned32(value, 32 - by)).collect();
        if let Some(by) = shift {
            let by = self.lowering.bits(32, by);
            terms.push(self.op32(BinaryOp::LShr, value, by));
        }
        self.xor32(&terms)
    }

    fn chosen(&mut self, [which, yes, no]: [Operand; 3]) -> Operand {
        let differ = self.op32(BinaryOp::Xor, yes, no);
        let differ = self.op32(BinaryOp::And, which, differ);
        self.op32(BinaryOp::Xor, differ, no)
    }

    fn majority(&mut self, [one, two, three]: [Operand; 3]) -> Operand {
        let both = self.op32(BinaryOp::And, one, two);
        let either = self.op32(BinaryOp::Or, one, two);
        let with = self.op32(BinaryOp::And, either, three);
        self.op32(BinaryOp::Or, both, with)
    }

    fn hash(
        &mut self,
        name: &str,
        state: [Operand; 4],
        words: [Operand; 4],
        rest: Option<&[Operand]>,
    ) -> Option<Vec<Operand>> {
        match name {
            "sha1msg1" => {
                let [w3, w2, w1, w0] = state;
                let (w5, w4) = (words[2], words[3]);
                let pairs = [[w5, w3], [w4, w2], [w3, w1], [w2, w0]];
                Some(pairs.map(|pair| self.xor32(&pair)).to_vec())
            }
            "sha1msg2" => {
                let mut results = Vec::new();
                let mut last = None;
                for place in (0..4).rev() {
                    let word = if place == 0 { last? } else { words[place - 1] };
                    let sum = self.xor32(&[state[place], word]);
                    let turned = self.turned32(sum, 1);
                    last = last.or(Some(turned));
                    results.insert(0, turned);
                }
                Some(results)
            }
            "sha1nexte" => {
                let turned = self.turned32(state[3], 30);
                Some(vec![words[0], words[1], words[2], self.sum32(&[words[3], turned])])
            }
            "sha1rnds4" => {
                let way = self.known_number(*rest?.first()?)? & 3;
                Some(self.sha1_rounds(state, words, way))
            }
            "sha256msg1" => {
                let next = [state[1], state[2], state[3], words[0]];
                let pairs = state.into_iter().zip(next);
                let each = pairs.map(|(word, next)| {
                    let sigma = self.sigma(next, &[7, 18], Some(3));
                    self.sum32(&[word, sigma])
                });
                Some(each.collect())
            }
            "sha256msg2" => {
                let mut results: Vec<Operand> = Vec::new();
                for (place, word) in state.into_iter().enumerate() {
                    let before = if place < 2 { words[place + 2] } else { results[place - 2] };
                    let sigma = self.sigma(before, &[17, 19], Some(10));
                    results.push(self.sum32(&[word, sigma]));
                }
                Some(results)
            }
            "sha256rnds2" => Some(self.sha256_rounds(state, words, rest?.get(..2)?)),
            _ => None,
        }
    }

    fn sha1_rounds(&mut self, state: [Operand; 4], words: [Operand; 4], way: u64) -> Vec<Operand> {
        let [mut d, mut c, mut b, mut a] = state;
        let constant = [0x5a82_7999, 0x6ed9_eba1, 0x8f1b_bcdc, 0xca62_c1d6][(way & 3) as usize];
        let constant = self.lowering.bits(32, constant);
        // The first word has the last value in it.
        let mut e = self.lowering.bits(32, 0);
        for word in words.into_iter().rev() {
            let mixed = match way {
                0 => self.chosen([b, c, d]),
                2 => self.majority([b, c, d]),
                _ => self.xor32(&[b, c, d]),
            };
            let turned = self.turned32(a, 5);
            let next = self.sum32(&[mixed, turned, word, e, constant]);
            (e, d, c, b, a) = (d, c, self.turned32(b, 30), a, next);
        }
        vec![d, c, b, a]
    }

    fn sha256_rounds(&mut self, state: [Operand; 4], words: [Operand; 4], sums: &[Operand]) -> Vec<Operand> {
        let [mut h, mut g, mut d, mut c] = state;
        let [mut f, mut e, mut b, mut a] = words;
        for sum in sums {
            let (choice, sigma) = (self.chosen([e, f, g]), self.sigma(e, &[6, 11, 25], None));
            let first = self.sum32(&[choice, sigma, *sum, h]);
            let (majority, sigma) = (self.majority([a, b, c]), self.sigma(a, &[2, 13, 22], None));
            let next = self.sum32(&[first, majority, sigma]);
            let lower = self.sum32(&[first, d]);
            (h, g, f, e, d, c, b, a) = (g, f, e, lower, c, b, a, next);
        }
        vec![f, e, b, a]
    }
}
