//! Random C programs whose branches depend on where objects lie, on which object a pointer meets, and on
//! plain symbolic bytes: how they are chosen, written, and made smaller.
//!
//! A program allocates a table of rows after a few symbolic branches that allocate as well, so that
//! sibling states lay out the same objects at other addresses. Some conditions mean the same in every
//! layout (which row, equal pointers, differences inside an object), some do not (bits of an address,
//! order across objects, truncation): a cache that takes the second kind for the first answers wrongly.

use std::fmt::Write as _;

use super::super::random::Random;

/// A program.
#[derive(Debug, Clone)]
pub(crate) struct Case {
    /// Rows of the table, and bytes of a row.
    rows: usize,
    columns: usize,
    /// Whether sizes of rows differ, by which a bijection of objects must not go wrong.
    uneven: bool,
    statements: Vec<Statement>,
}

/// One statement of `main`. Numbers name symbolic bytes, symbolic indices and constants.
#[derive(Debug, Clone)]
enum Statement {
    /// Branches on a symbolic byte and allocates on one side.
    Allocate { byte: usize, below: usize, size: usize },
    /// Puts a constant into the table.
    Put { row: usize, column: usize, value: usize },
    /// Stores a symbolic byte at a symbolic place.
    Store { row: usize, column: usize, byte: usize },
    /// Makes a row of the table another name for a row.
    Share { row: usize, of: usize },
    /// Frees a row, whose later use is an error on the paths that reach it.
    Free { row: usize },
    /// Branches on a condition and remembers the side.
    Branch(Condition),
}

#[derive(Debug, Clone)]
enum Condition {
    Byte {
        byte: usize,
        value: usize,
    },
    /// What is at a symbolic row and column.
    Content {
        row: usize,
        column: usize,
        value: usize,
    },
    /// Two symbolic rows are the same object.
    SameRow {
        row: usize,
        other: usize,
    },
    /// A symbolic row is a certain one.
    IsRow {
        row: usize,
        of: usize,
    },
    IsNull {
        row: usize,
    },
    /// Distances inside one row.
    Inside {
        row: usize,
        column: usize,
        other: usize,
    },
    /// Bits of an address.
    Bits {
        row: usize,
        mask: usize,
        value: usize,
    },
    /// An address as a number, against a symbolic byte.
    Truncated {
        row: usize,
        byte: usize,
    },
    /// Order across objects.
    Before {
        row: usize,
        other: usize,
    },
    /// What is at a symbolic row and perhaps behind its end.
    Beyond {
        row: usize,
        byte: usize,
        value: usize,
    },
    /// A pointer moved by a symbolic distance meets another row, or leaves its own.
    Moved {
        row: usize,
        byte: usize,
        other: usize,
    },
}

const BYTES: usize = 3;
/// Symbolic indices: the first two are rows, the others columns.
const INDICES: usize = 4;
/// Statements that branch multiply the paths.
const BRANCHES: usize = 5;

/// A random program.
pub(super) fn case(random: &mut Random) -> Case {
    let (rows, columns) = (random.from(2..=4), random.from(2..=5));
    let uneven = random.chance(1, 3);
    let mut branches = BRANCHES;
    let mut statements = Vec::new();
    for _ in 0..random.from(4..=9) {
        let row = random.below(rows);
        let column = random.below(columns);
        let value = random.from(1..=9);
        let (any_row, any_column) = (random.below(2), 2 + random.below(INDICES - 2));
        let byte = random.below(BYTES);
        let statement = match random.weighted(&[3, 4, 2, 1, 1, 9]) {
            0 => Statement::Allocate {
                byte,
                below: random.from(20..=200),
                size: if random.chance(1, 2) { columns } else { random.from(1..=64) },
            },
            1 => Statement::Put { row, column, value },
            2 => Statement::Store { row: any_row, column: any_column, byte },
            3 => Statement::Share { row, of: random.below(rows) },
            4 => Statement::Free { row },
            _ => Statement::Branch(condition(random, rows)),
        };
        if statement.branches() {
            if branches == 0 {
                continue;
            }
            branches -= 1;
        }
        statements.push(statement);
    }
    Case { rows, columns, uneven, statements }
}

fn condition(random: &mut Random, rows: usize) -> Condition {
    let (row, other) = (random.below(2), random.below(2));
    let column = 2 + random.below(INDICES - 2);
    let (byte, value) = (random.below(BYTES), random.from(0..=9));
    match random.weighted(&[2, 5, 2, 2, 1, 2, 2, 1, 2, 2, 2]) {
        0 => Condition::Byte { byte, value },
        1 => Condition::Content { row, column, value },
        2 => Condition::SameRow { row, other: 1 - row },
        3 => Condition::IsRow { row, of: random.below(rows) },
        4 => Condition::IsNull { row },
        5 => Condition::Inside { row, column, other: 2 + random.below(INDICES - 2) },
        6 => {
            Condition::Bits { row, mask: random.one(&[0x10, 0x30, 0xf0, 0xff8]), value: random.below(4) * 16 }
        }
        7 => Condition::Truncated { row, byte },
        8 => Condition::Before { row, other: if random.chance(1, 4) { other } else { 1 - row } },
        9 => Condition::Beyond { row, byte, value },
        _ => Condition::Moved { row, byte, other: random.below(rows) },
    }
}

impl Statement {
    fn branches(&self) -> bool {
        matches!(self, Statement::Allocate { .. } | Statement::Branch(_))
    }
}

impl Case {
    /// The program in C, with KLEE's intrinsics declared.
    pub(super) fn text(&self) -> String {
        let Case { rows, columns, uneven, statements } = self;
        let mut text = format!(
            "typedef unsigned char byte;\n\
             void *malloc(unsigned long);\nvoid *calloc(unsigned long, unsigned long);\nvoid free(void *);\n\
             void klee_make_symbolic(void *, unsigned long, const char *);\nvoid klee_assume(unsigned long);\n\n\
             int main(void) {{\n  byte z[{BYTES}];\n  unsigned i[{INDICES}];\n  unsigned seen = 0;\n\
             \x20 klee_make_symbolic(z, sizeof z, \"z\");\n  klee_make_symbolic(i, sizeof i, \"i\");\n"
        );
        for index in 0..INDICES {
            let bound = if index < 2 { rows } else { columns };
            writeln!(text, "  klee_assume(i[{index}] < {bound});").ok();
        }
        // Branches that come before the table come from the front of the list.
        let (early, late): (Vec<_>, Vec<_>) = statements
            .iter()
            .enumerate()
            .partition(|(at, one)| *at < 3 && matches!(one, Statement::Allocate { .. }));
        for (_, statement) in early {
            statement.write(&mut text);
        }
        writeln!(text, "  byte **rows = calloc({rows}, sizeof(byte *));").ok();
        for row in 0..*rows {
            let bytes = if *uneven { columns + row } else { *columns };
            writeln!(text, "  rows[{row}] = calloc({bytes}, 1);").ok();
        }
        for (_, statement) in late {
            statement.write(&mut text);
        }
        text.push_str("  return seen & 127;\n}\n");
        text
    }

    /// One statement less, in every way.
    pub(super) fn smaller(&self) -> Vec<Case> {
        let without = |at: usize| {
            let mut less = self.clone();
            less.statements.remove(at);
            less
        };
        let mut smaller: Vec<Case> = (0..self.statements.len()).rev().map(without).collect();
        if self.uneven {
            smaller.push(Case { uneven: false, ..self.clone() });
        }
        smaller
    }
}

impl Statement {
    fn write(&self, text: &mut String) {
        match self {
            Statement::Allocate { byte, below, size } => writeln!(
                text,
                "  if (z[{byte}] < {below}) {{\n    byte *volatile extra = malloc({size});\n    extra[0] = 1;\n  }}"
            ),
            Statement::Put { row, column, value } => writeln!(text, "  rows[{row}][{column}] = {value};"),
            Statement::Store { row, column, byte } => writeln!(text, "  rows[i[{row}]][i[{column}]] = z[{byte}];"),
            Statement::Share { row, of } => writeln!(text, "  rows[{row}] = rows[{of}];"),
            Statement::Free { row } => writeln!(text, "  free(rows[{row}]);\n  rows[{row}] = calloc(8, 1);"),
            Statement::Branch(condition) => writeln!(text, "  if ({})\n    seen = seen * 2 + 1;", condition.text()),
        }
        .ok();
    }
}

impl Condition {
    fn text(&self) -> String {
        match self {
            Condition::Byte { byte, value } => format!("z[{byte}] == {value}"),
            Condition::Content { row, column, value } => format!("rows[i[{row}]][i[{column}]] == {value}"),
            Condition::SameRow { row, other } => format!("rows[i[{row}]] == rows[i[{other}]]"),
            Condition::IsRow { row, of } => format!("rows[i[{row}]] == rows[{of}]"),
            Condition::IsNull { row } => format!("rows[i[{row}]] == (byte *)0"),
            Condition::Inside { row, column, other } => {
                format!("(rows[i[{row}]] + i[{column}]) - rows[i[{row}]] == (long)i[{other}] + 1")
            }
            Condition::Bits { row, mask, value } => {
                format!("((unsigned long)rows[i[{row}]] & {mask}) == {value}")
            }
            Condition::Truncated { row, byte } => format!("(byte)(unsigned long)rows[i[{row}]] == z[{byte}]"),
            Condition::Before { row, other } => {
                format!("(unsigned long)rows[i[{row}]] < (unsigned long)rows[i[{other}]]")
            }
            Condition::Beyond { row, byte, value } => format!("rows[i[{row}]][z[{byte}] & 7] == {value}"),
            Condition::Moved { row, byte, other } => format!("rows[i[{row}]] + z[{byte}] == rows[{other}]"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{Random, case};

    #[test]
    fn programs_are_the_same_for_the_same_seed_and_shrink_to_nothing() {
        let one = case(&mut Random::of_case(3, 4));
        assert_eq!(one.text(), case(&mut Random::of_case(3, 4)).text());
        let mut least = one;
        while let Some(smaller) = least.smaller().into_iter().next() {
            least = smaller;
        }
        assert!(!least.text().contains("if ("));
    }
}
