//! Atoms: texts interned for one run.
//!
//! The numbers of atoms depend on the order in which a run meets them; they never leave it. An atom that nothing
//! mentions any more may be taken away, and its number given to another text: who mentions atoms is the machine's
//! business (`machine::mentions`), what is *young*, so that it may go at all, is decided here.

use super::Bits;
use rustc_hash::FxHashMap;
use std::collections::VecDeque;
use std::rc::Rc;

/// The number of an interned text.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Atom(pub(crate) u32);

/// At least so many bytes of atoms are made between two looks for those that nothing mentions.
const LEAST_MADE: usize = 4 << 20;

/// What an atom takes beside its text: a place in two tables, and the text's counts.
const BESIDE_TEXT: usize = 64;

/// Who wants to know whether a program names one of certain atoms. The discriminants are bits.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Watch {
    /// The analysis: of what has effects that outlive a call.
    Proofs = 1,
    /// The collector: of what overwrites arguments of terms.
    Arguments = 2,
    /// Contracts that leave checks to others: of what lets a goal go on that violated something, or changes an argument
    /// for good.
    Exits = 4,
}

/// The table of atoms of a run.
#[derive(Debug)]
pub struct Atoms {
    texts: Vec<Rc<str>>,
    numbers: FxHashMap<Rc<str>, Atom>,
    /// What the texts take, with their places in the tables.
    bytes: usize,
    /// Those that were made since [`Atoms::keep_all`], in order.
    young: Vec<Atom>,
    /// Numbers without a text, the one that lost it first in front.
    free: VecDeque<Atom>,
    /// How many bytes there may be before it is worth looking who mentions the young ones.
    due_at: usize,
    /// How many of them were made since somebody looked.
    made: usize,
    /// Atoms that somebody wants to know of when a program names them, with the bit that stands for whoever it is.
    watched: Vec<(Atom, u8)>,
    /// The bits of those that were named.
    named: u8,
}

impl Atoms {
    /// A table that holds the atoms of [`atom`], under their numbers there.
    #[must_use]
    pub fn new() -> Self {
        let mut atoms = Self {
            texts: Vec::new(),
            numbers: FxHashMap::default(),
            bytes: 0,
            young: Vec::new(),
            free: VecDeque::new(),
            due_at: LEAST_MADE,
            made: 0,
            watched: Vec::new(),
            named: 0,
        };
        for text in atom::ALL {
            atoms.intern(text);
        }
        atoms
    }

    /// The atom with a text, made if there is none yet.
    pub fn intern(&mut self, text: &str) -> Atom {
        if let Some(&atom) = self.numbers.get(text) {
            for &(watched, bit) in &self.watched {
                self.named |= if watched == atom { bit } else { 0 };
            }
            return atom;
        }
        self.bytes += text.len() + BESIDE_TEXT;
        let text: Rc<str> = text.into();
        let atom = if let Some(atom) = self.free.pop_front() {
            self.texts[atom.0 as usize] = Rc::clone(&text);
            atom
        } else {
            // A run that held 2^32 texts would have met the memory limit long before.
            self.texts.push(Rc::clone(&text));
            Atom(self.texts.len() as u32 - 1)
        };
        self.numbers.insert(text, atom);
        self.young.push(atom);
        self.made += 1;
        atom
    }

    /// All atoms that there are stay as long as the table.
    pub(crate) fn keep_all(&mut self) {
        self.young.clear();
        self.made = 0;
    }

    /// Whether so many atoms were made that it is worth looking which of them are mentioned.
    pub(crate) fn are_due(&self) -> bool {
        self.bytes > self.due_at && self.made > 0
    }

    /// How many were made since somebody looked.
    pub(crate) fn made(&self) -> usize {
        self.made
    }

    /// Lets the next look be soon.
    pub(crate) fn look_soon(&mut self) {
        self.due_at = 0;
    }

    /// How many numbers were given, those without a text included.
    pub(crate) fn numbers(&self) -> usize {
        self.texts.len()
    }

    /// Takes away the young atoms whose numbers are not in a set, and gives how many these were. `looked_at` is how many
    /// bytes were looked at to make the set: as a part of that has to be made before the next look, looking costs a
    /// constant for each byte that is made.
    pub(crate) fn sweep(&mut self, mentioned: &Bits, looked_at: usize) -> usize {
        let before = self.young.len();
        let Self { texts, numbers, bytes, young, free, watched, .. } = self;
        let none = Rc::clone(&texts[atom::EMPTY.0 as usize]);
        young.retain(|&atom| {
            let text = &mut texts[atom.0 as usize];
            if mentioned.contains(atom.0 as usize) || watched.iter().any(|&(watched, _)| watched == atom) {
                return true;
            }
            *bytes -= text.len() + BESIDE_TEXT;
            numbers.remove(text);
            *text = Rc::clone(&none);
            free.push_back(atom);
            false
        });
        // A table that was large once does not stay so.
        if numbers.capacity() > 8 * numbers.len() {
            numbers.shrink_to(2 * numbers.len());
        }
        self.made = 0;
        self.due_at = self.bytes + LEAST_MADE.max(looked_at / 4);
        before - self.young.len()
    }

    /// Whether a number has no text at present.
    fn is_free(&self, atom: Atom) -> bool {
        atom != atom::EMPTY && Rc::ptr_eq(&self.texts[atom.0 as usize], &self.texts[atom::EMPTY.0 as usize])
    }

    /// Watches atoms from now on: whether anything is read or made that has one of these texts.
    pub(crate) fn watch(&mut self, what: Watch, texts: &[&str]) {
        let bit = what as u8;
        self.watched.retain(|&(_, of)| of != bit);
        // Others may watch some of them too, and this does not name them.
        let named = self.named & !bit;
        for text in texts {
            let atom = self.intern(text);
            self.watched.push((atom, bit));
        }
        self.named = named;
    }

    /// Reads texts of the engine's own, which no program has named.
    pub(crate) fn take_watched(&mut self) -> Vec<(Atom, u8)> {
        std::mem::take(&mut self.watched)
    }

    /// Watches atoms again that were watched before.
    pub(crate) fn watch_again(&mut self, watched: Vec<(Atom, u8)>) {
        self.watched = watched;
    }

    /// Whether an atom that is watched for a question was read or made since.
    #[inline]
    pub(crate) fn has_watched(&self, what: Watch) -> bool {
        self.named & what as u8 != 0
    }

    /// How many there are; never none.
    #[must_use]
    #[expect(clippy::len_without_is_empty, reason = "the atoms that the machine knows are always there")]
    pub fn len(&self) -> usize {
        self.texts.len() - self.free.len()
    }

    /// About how many bytes the atoms take.
    #[must_use]
    pub fn bytes(&self) -> usize {
        self.bytes
    }

    /// The atom with a text, if there is one.
    #[must_use]
    pub fn find(&self, text: &str) -> Option<Atom> {
        self.numbers.get(text).copied()
    }

    /// The atom of one character.
    pub fn character(&mut self, character: char) -> Atom {
        self.intern(character.encode_utf8(&mut [0; 4]))
    }

    /// The text of an atom.
    #[must_use]
    pub fn text(&self, atom: Atom) -> &str {
        debug_assert!(!self.is_free(atom), "an atom is mentioned that was taken away");
        &self.texts[atom.0 as usize]
    }

    /// The texts of all atoms, in the order of their numbers.
    pub fn texts(&self) -> impl Iterator<Item = &str> {
        self.all().map(|atom| self.text(atom))
    }

    /// All atoms, in the order of their numbers.
    pub(crate) fn all(&self) -> impl Iterator<Item = Atom> {
        (0..self.texts.len() as u32).map(Atom).filter(|&atom| !self.is_free(atom))
    }

    /// The text of an atom, shared, so that the table can be changed meanwhile.
    #[must_use]
    pub(crate) fn shared_text(&self, atom: Atom) -> Rc<str> {
        Rc::clone(&self.texts[atom.0 as usize])
    }
}

impl Default for Atoms {
    fn default() -> Self {
        Self::new()
    }
}

macro_rules! known_atoms {
    ($($name:ident = $text:literal),* $(,)?) => {
        /// The atoms that the engine itself speaks of.
        pub mod atom {
            #![allow(missing_docs, reason = "the constants are named after their texts")]
            #![allow(clippy::allow_attributes, reason = "whether every constant is used may change")]
            use super::Atom;

            #[allow(non_camel_case_types, clippy::upper_case_acronyms, reason = "only counts the constants")]
            #[derive(Clone, Copy)]
            enum Number { $($name),* }

            $(pub const $name: Atom = Atom(Number::$name as u32);)*

            pub(super) const ALL: &[&str] = &[$($text),*];
        }
    };
}

known_atoms! {
    NIL = "[]",
    CURLY = "{}",
    DOT = ".",
    COMMA = ",",
    SEMICOLON = ";",
    BAR = "|",
    DOUBLE_BAR = "||",
    ARROW = "->",
    SOFT_ARROW = "*->",
    NECK = ":-",
    QUERY = "?-",
    DCG_ARROW = "-->",
    MATCHING_DCG_ARROW = "==>",
    CUT = "!",
    NOT = "\\+",
    MINUS = "-",
    PLUS = "+",
    STAR = "*",
    SLASH = "/",
    INT_DIVIDE = "//",
    POWER = "**",
    CARET = "^",
    SHIFT_LEFT = "<<",
    SHIFT_RIGHT = ">>",
    BIT_AND = "/\\",
    BIT_OR = "\\/",
    BIT_NOT = "\\",
    EQUALS = "=",
    NOT_EQUALS = "\\=",
    IDENTICAL = "==",
    NOT_IDENTICAL = "\\==",
    TERM_LESS = "@<",
    TERM_GREATER = "@>",
    TERM_LESS_EQUAL = "@=<",
    TERM_GREATER_EQUAL = "@>=",
    UNIV = "=..",
    IS = "is",
    ARITH_EQUAL = "=:=",
    ARITH_NOT_EQUAL = "=\\=",
    LESS = "<",
    GREATER = ">",
    LESS_EQUAL = "=<",
    GREATER_EQUAL = ">=",
    IMPLIES = "=>",
    COLON = ":",
    DOUBLE_COLON = "::",
    HASH = "#",
    AT = "@",
    QUESTION = "?",
    DOLLAR = "$",
    EMPTY = "",
    TRUE = "true",
    FALSE = "false",
    FAIL = "fail",
    CALL = "call",
    CATCH = "catch",
    ERROR = "error",
    RTCHECK = "rtcheck",
    VAR = "var",
    NONVAR = "nonvar",
    ATOM = "atom",
    INTEGER = "integer",
    FLOAT = "float",
    NUMBER = "number",
    ATOMIC = "atomic",
    COMPOUND = "compound",
    CALLABLE = "callable",
    IS_LIST = "is_list",
    GROUND = "ground",
    LIST = "list",
    MOD = "mod",
    REM = "rem",
    DIV = "div",
    MIN = "min",
    MAX = "max",
    ABS = "abs",
    SIGN = "sign",
    GCD = "gcd",
    LCM = "lcm",
    RDIV = "rdiv",
    RATIONAL = "rational",
    RATIONALIZE = "rationalize",
    NUMERATOR = "numerator",
    DENOMINATOR = "denominator",
    MSB = "msb",
    XOR = "xor",
    PI = "pi",
    E = "e",
    INF = "inf",
    NAN = "nan",
    EPSILON = "epsilon",
    MAX_TAGGED_INTEGER = "max_tagged_integer",
    MIN_TAGGED_INTEGER = "min_tagged_integer",
    RANDOM = "random",
    CPUTIME = "cputime",
    REALTIME = "realtime",
    SQRT = "sqrt",
    SIN = "sin",
    COS = "cos",
    TAN = "tan",
    ASIN = "asin",
    ACOS = "acos",
    ATAN = "atan",
    ATAN2 = "atan2",
    EXP = "exp",
    LOG = "log",
    LOG2 = "log2",
    LOG10 = "log10",
    COPYSIGN = "copysign",
    CEILING = "ceiling",
    FLOOR = "floor",
    ROUND = "round",
    TRUNCATE = "truncate",
    FLOAT_INTEGER_PART = "float_integer_part",
    FLOAT_FRACTIONAL_PART = "float_fractional_part",
    SUCC = "succ",
    PLUS_FUNCTION = "plus",
    TRUNC = "trunc",
    LSB = "lsb",
    POPCOUNT = "popcount",
    GETBIT = "getbit",
    POWM = "powm",
    ROUNDTOWARD = "roundtoward",
    ERF = "erf",
    ERFC = "erfc",
    LGAMMA = "lgamma",
    COT = "cot",
    ACOT = "acot",
    SINH = "sinh",
    COSH = "cosh",
    TANH = "tanh",
    ASINH = "asinh",
    ACOSH = "acosh",
    ATANH = "atanh",
    NEXTTOWARD = "nexttoward",
    RANDOM_FLOAT = "random_float",
    MAX_INTEGER = "max_integer",
    MIN_INTEGER = "min_integer",
    INFINITE = "infinite",
    INSTANTIATION_ERROR = "instantiation_error",
    TYPE_ERROR = "type_error",
    DOMAIN_ERROR = "domain_error",
    EXISTENCE_ERROR = "existence_error",
    PERMISSION_ERROR = "permission_error",
    REPRESENTATION_ERROR = "representation_error",
    EVALUATION_ERROR = "evaluation_error",
    RESOURCE_ERROR = "resource_error",
    SYNTAX_ERROR = "syntax_error",
    EVALUABLE = "evaluable",
    ZERO_DIVISOR = "zero_divisor",
    UNDEFINED = "undefined",
    FLOAT_OVERFLOW = "float_overflow",
    PROCEDURE = "procedure",
    MODIFY = "modify",
    ACCESS = "access",
    STATIC_PROCEDURE = "static_procedure",
    PRIVATE_PROCEDURE = "private_procedure",
    MEMORY = "memory",
    CHARACTER = "character",
    CHARACTER_CODE = "character_code",
    CHARACTER_CODE_LIST = "character_code_list",
    PREDICATE_INDICATOR = "predicate_indicator",
    MAX_ARITY = "max_arity",
    END_OF_FILE = "end_of_file",
    VAR_FUNCTOR = "$VAR",
    STREAM_FUNCTOR = "$stream",
    PORTRAYED_FUNCTOR = "$portrayed",
    DICT_FUNCTOR = "$dict",
    NULLARY_FUNCTOR = "$nullary",
    UNINSTANTIATION_ERROR = "uninstantiation_error",
    EXEC = "$exec",
    TRACE = "$trace",
    AUTOLOAD = "$autoload",
    CHECKS = "calls",
    SUCCESS = "success",
    COMP = "comp",
    MAIN = "main",
    SYSTEM = "system",
    USER = "user",
    CODES = "codes",
    CHARS = "chars",
    USER_INPUT = "user_input",
    USER_OUTPUT = "user_output",
    USER_ERROR = "user_error",
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn known_atoms_have_the_numbers_of_their_constants() {
        let atoms = Atoms::new();
        assert_eq!(atoms.text(atom::NIL), "[]");
        assert_eq!(atoms.text(atom::USER_ERROR), "user_error");
    }

    #[test]
    fn to_watch_an_atom_does_not_name_it_for_others_who_watch_it() {
        let mut atoms = Atoms::new();
        atoms.watch(Watch::Arguments, &["setarg", "nb_setarg"]);
        atoms.watch(Watch::Proofs, &["intercept", "nb_setarg"]);
        assert!(!atoms.has_watched(Watch::Arguments) && !atoms.has_watched(Watch::Proofs));
        atoms.intern("nb_setarg");
        assert!(atoms.has_watched(Watch::Arguments) && atoms.has_watched(Watch::Proofs));
    }
}
