//! Registers of states that wait, in few bytes.
//!
//! Of a state that waits, the registers of the innermost activations are the largest part: each is sixteen bytes, most
//! are zero or small, and at a choice all are copied. So they are written one after the other, small numbers as one
//! byte and zeros in a row as two, and read again when the state goes on.
//!
//! As they are stay the registers of states that wait at a meeting for others, which is where these compare them, those of
//! activations further out, and those of activations that more than four states share.

use crate::expr::ExprId;
use crate::memory::{ObjectId, Value};

/// Numbers below this are a byte each.
const SMALL: u64 = 0xf0;
/// With how many bytes follow in the last three bits, less one: a larger number.
const LARGE: u8 = 0xf0;
/// An object and an offset follow.
const POINTER: u8 = 0xf8;
/// The number of an expression follows.
const EXPRESSION: u8 = 0xf9;
/// How many zeros follow.
const ZEROS: u8 = 0xfa;

/// Registers as bytes.
#[derive(Clone, Debug)]
pub(in crate::exec) struct Packed {
    bytes: Box<[u8]>,
    count: usize,
}

impl Packed {
    pub(in crate::exec) fn new(registers: &[Value]) -> Self {
        let mut bytes = Vec::with_capacity(registers.len());
        let mut zeros = 0;
        for register in registers {
            if *register == Value::Bits(0) {
                zeros += 1;
                continue;
            }
            put_zeros(&mut bytes, &mut zeros);
            match *register {
                Value::Bits(number) if number < SMALL => bytes.push(number.to_le_bytes()[0]),
                Value::Bits(number) => {
                    let length = 8 - (number.leading_zeros() / 8) as usize;
                    bytes.push(LARGE | (length - 1).to_le_bytes()[0]);
                    bytes.extend_from_slice(&number.to_le_bytes()[..length]);
                }
                Value::Pointer { object, offset } => {
                    bytes.push(POINTER);
                    put(&mut bytes, u64::from(object.0));
                    put(&mut bytes, offset);
                }
                Value::Expr(expr) => {
                    bytes.push(EXPRESSION);
                    put(&mut bytes, u64::from(expr.0));
                }
            }
        }
        put_zeros(&mut bytes, &mut zeros);
        Self { bytes: bytes.into(), count: registers.len() }
    }

    pub(in crate::exec) fn registers(&self) -> Vec<Value> {
        let mut registers = Vec::with_capacity(self.count);
        let mut bytes = self.bytes.iter().copied();
        while let Some(first) = bytes.next() {
            registers.push(match first {
                ZEROS => {
                    let zeros = usize::try_from(get(&mut bytes)).unwrap_or(usize::MAX);
                    registers.resize(registers.len().saturating_add(zeros).min(self.count), Value::Bits(0));
                    continue;
                }
                POINTER => {
                    let object = ObjectId(narrow(get(&mut bytes)));
                    Value::Pointer { object, offset: get(&mut bytes) }
                }
                EXPRESSION => Value::Expr(ExprId(narrow(get(&mut bytes)))),
                small if u64::from(small) < SMALL => Value::Bits(u64::from(small)),
                large => {
                    let mut number = [0; 8];
                    number.iter_mut().take(usize::from(large & 7) + 1).for_each(|byte| {
                        *byte = bytes.next().unwrap_or(0);
                    });
                    Value::Bits(u64::from_le_bytes(number))
                }
            });
        }
        registers
    }
}

fn narrow(number: u64) -> u32 {
    u32::try_from(number).unwrap_or(u32::MAX)
}

fn put_zeros(bytes: &mut Vec<u8>, zeros: &mut u64) {
    match std::mem::take(zeros) {
        0 => {}
        1 => bytes.push(0),
        more => {
            bytes.push(ZEROS);
            put(bytes, more);
        }
    }
}

/// A number, seven bits in each byte, the lowest first.
fn put(bytes: &mut Vec<u8>, mut number: u64) {
    while number > 0x7f {
        bytes.push(number.to_le_bytes()[0] | 0x80);
        number >>= 7;
    }
    bytes.push(number.to_le_bytes()[0]);
}

fn get(bytes: &mut impl Iterator<Item = u8>) -> u64 {
    let (mut number, mut shift) = (0, 0);
    for byte in bytes {
        number |= u64::from(byte & 0x7f).checked_shl(shift).unwrap_or(0);
        if byte < 0x80 {
            break;
        }
        shift += 7;
    }
    number
}

#[cfg(test)]
mod tests {
    use proptest::prelude::{Just, Strategy, any, prop, prop_oneof, proptest};

    use super::Packed;
    use crate::expr::ExprId;
    use crate::memory::{ObjectId, Value};

    fn value() -> impl Strategy<Value = Value> {
        let edge = prop_oneof![Just(0x7f), Just(0x80), Just(0xef), Just(0xf0), Just(u64::MAX), 0u64..600];
        let number = prop_oneof![edge, any::<u64>(), any::<u64>().prop_map(|number| number >> 40)];
        let pointer = (any::<u32>(), number.clone());
        prop_oneof![
            3 => Just(Value::Bits(0)),
            2 => number.prop_map(Value::Bits),
            1 => pointer.prop_map(|(object, offset)| Value::Pointer { object: ObjectId(object), offset }),
            1 => any::<u32>().prop_map(|expr| Value::Expr(ExprId(expr))),
        ]
    }

    proptest! {
        #[test]
        fn packed_registers_are_what_they_were(registers in prop::collection::vec(value(), 0..80)) {
            assert_eq!(Packed::new(&registers).registers(), registers);
        }
    }

    #[test]
    fn zeros_and_small_numbers_take_little() {
        let mut registers = vec![Value::Bits(0); 1000];
        registers.extend([Value::Bits(7); 10]);
        assert_eq!(Packed::new(&registers).bytes.len(), 13);
    }
}
