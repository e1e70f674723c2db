//! Unknown inputs for Rust programs that `symexec` explores.
//!
//! ```no_run
//! let length: u8 = reprise_symexec::any("length");
//! reprise_symexec::assume(length < 4);
//! let text: [u8; 3] = reprise_symexec::any("text");
//! assert!(length as usize <= text.len());
//! ```
//!
//! Panics are errors of their place in the source, so `assert!`, indexing, arithmetic with overflow checks and
//! `unwrap` need nothing from here. How programs are compiled is told in `docs/languages.md`.
#![no_std]
#![deny(unsafe_op_in_unsafe_fn)]

use core::mem::MaybeUninit;

extern "C" {
    fn klee_make_symbolic(object: *mut u8, size: usize, name: *const u8);
    fn klee_assume(condition: usize);
    fn klee_silent_exit(status: i32) -> !;
}

/// The longest name of an input.
const LONGEST_NAME: usize = 63;

/// Types whose every pattern of bits is a value.
///
/// # Safety
/// Whatever the bytes of a value are, it is one, and there is no byte between its parts.
pub unsafe trait Plain: Copy {}

macro_rules! plain {
    ($($name:ty)*) => {$(
        // SAFETY: integers and floating-point numbers have no other patterns.
        unsafe impl Plain for $name {}

        impl Unknown for $name {
            fn unknown(name: &str) -> Self {
                plain(name)
            }
        }
    )*};
}
plain!(u8 u16 u32 u64 u128 usize i8 i16 i32 i64 i128 isize f32 f64);

// SAFETY: elements lie without gaps.
unsafe impl<T: Plain, const N: usize> Plain for [T; N] {}

/// Types of which an unknown value can be made.
pub trait Unknown: Sized {
    /// An unknown value; tests call it by the name.
    fn unknown(name: &str) -> Self;
}

/// An unknown value of a type; tests call it by the name, of up to 63 bytes.
pub fn any<T: Unknown>(name: &str) -> T {
    T::unknown(name)
}

/// Goes on only where a condition holds; where it cannot, the path ends with an error.
pub fn assume(condition: bool) {
    // SAFETY: takes a number and looks at nothing else.
    unsafe { klee_assume(usize::from(condition)) }
}

/// Ends the path without a test.
pub fn ignore() -> ! {
    // SAFETY: ends the path.
    unsafe { klee_silent_exit(0) }
}

/// Makes what is in a slice unknown.
pub fn fill<T: Plain>(slice: &mut [T], name: &str) {
    // SAFETY: the slice is borrowed for writing, and of its type every pattern is a value.
    unsafe { make(slice.as_mut_ptr().cast(), core::mem::size_of_val(slice), name) }
}

fn plain<T: Plain>(name: &str) -> T {
    let mut value = MaybeUninit::<T>::zeroed();
    // SAFETY: the value's own bytes, each of which was zero before; every pattern is a value.
    unsafe {
        make(value.as_mut_ptr().cast(), core::mem::size_of::<T>(), name);
        value.assume_init()
    }
}

/// # Safety
/// `object` points to `size` bytes that may be written, whatever is written.
unsafe fn make(object: *mut u8, size: usize, name: &str) {
    let mut text = [0u8; LONGEST_NAME + 1];
    let length = name.len().min(LONGEST_NAME);
    text[..length].copy_from_slice(&name.as_bytes()[..length]);
    if size > 0 {
        // SAFETY: by the caller's promise; the name ends with a zero.
        unsafe { klee_make_symbolic(object, size, text.as_ptr()) }
    }
}

impl<T: Plain, const N: usize> Unknown for [T; N] {
    fn unknown(name: &str) -> Self {
        plain(name)
    }
}

impl Unknown for bool {
    fn unknown(name: &str) -> Self {
        let byte: u8 = plain(name);
        assume(byte < 2);
        byte == 1
    }
}

impl Unknown for char {
    fn unknown(name: &str) -> Self {
        let number: u32 = plain(name);
        assume((number < 0xd800) | ((number > 0xdfff) & (number <= 0x0010_ffff)));
        // SAFETY: just that range.
        unsafe { char::from_u32_unchecked(number) }
    }
}

impl<T: Unknown> Unknown for Option<T> {
    fn unknown(name: &str) -> Self {
        if bool::unknown(name) {
            Some(T::unknown(name))
        } else {
            None
        }
    }
}

impl<A: Unknown, B: Unknown> Unknown for (A, B) {
    fn unknown(name: &str) -> Self {
        (A::unknown(name), B::unknown(name))
    }
}
