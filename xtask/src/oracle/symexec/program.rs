//! Random C programs whose branches depend on where objects lie, on which object a pointer meets, and on
//! plain symbolic bytes: how they are chosen, written, and made smaller.
//!
//! A program allocates a table of rows after a few symbolic branches that allocate as well, so that
//! sibling states lay out the same objects at other addresses. Some conditions mean the same in every
//! layout (which row, equal pointers, differences inside an object), some do not (bits of an address,
//! order across objects, truncation): a cache that takes the second kind for the first answers wrongly.
//!
//! Length: each statement with how it is drawn and how it is written.

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
    /// Frees a row and puts another object in its place.
    Free { row: usize },
    /// Frees a row that stays in the table, on one side of a branch: later use is an error on the paths
    /// that reach it.
    Dangle { byte: usize, below: usize, row: usize },
    /// Writes a pointer at a symbolic place of the table.
    Place { row: usize, of: usize },
    /// Writes through a pointer to a pointer that is chosen by a symbolic index.
    Twice { cell: usize, column: usize, value: usize },
    /// Makes a cell point to another row, by a symbolic index.
    Aim { cell: usize, row: usize },
    /// Replaces a row by an object whose size is an input.
    Resize { row: usize, byte: usize },
    /// Replaces a row by an object whose size stays unknown, and writes near its end.
    Grow { row: usize, byte: usize },
    /// Writes through a pointer that is an unknown number, if that is a place in a row.
    Meet { row: usize, column: usize, value: usize },
    /// Copies the table, pointers and all, byte by byte or at once.
    Copy { bytewise: bool },
    /// Fills a part of a row whose length is an input.
    Fill { row: usize, byte: usize, value: usize },
    /// Writes a field, or a part of one, at a symbolic place of a table of structures with pointers; and in a copy.
    Slot { row: usize, of: usize, byte: usize, field: Field },
    /// The table of structures is what its copy says.
    Mirror { row: usize },
    /// Jumps back to where `setjmp` was called, from a function below if so wanted, where an input is small; says so if
    /// the call returns otherwise than that.
    Jump { byte: usize, below: usize, row: usize, deep: bool },
    /// Writes an input to a file of a folder, by its name or by a link to it, anew or behind what is there.
    Keep { byte: usize, linked: bool, append: bool },
    /// The file holds what was written to it, by whichever name.
    Look { linked: bool },
    /// Gives the file another name, or takes its link away, where an input is small; says so if that fails otherwise
    /// than it should.
    Rename { byte: usize, below: usize },
    /// Puts a node with a symbolic value before a list.
    Push { row: usize, byte: usize },
    /// Reads a number of so many digits from inputs, as a program or as the library does, and compares it with a bound;
    /// says so if another way to the number leads elsewhere.
    Parse { first: usize, digits: usize, octal: bool, library: bool, bound: usize, equal: bool },
    /// States that part by an input may become one again; says so if one has a value that none of them had.
    Merge { byte: usize, below: usize, row: usize, other: usize },
    /// Counts up to an unknown number of more than two bytes, which is seen with something added, and compares it once
    /// more with a bound.
    Count { signed: bool, start: usize, added: usize, bound: usize, below: bool },
    /// Reads long contents of unknown bytes at a place that is one of two, perhaps behind a write at an unknown place,
    /// and two bytes of it at once; says so if what is read is at neither place.
    Packet { byte: usize, other: usize, place: usize, written: bool },
    /// Branches on a condition and remembers the side.
    Branch(Condition),
}

/// What is written of a structure.
#[derive(Debug, Clone, Copy)]
enum Field {
    /// The pointer, and the number of the row that it points to.
    Pointer,
    /// A number of four bytes.
    Count,
    /// The same, then its upper two bytes at the other symbolic place, and what the table says then.
    Half,
    /// A number of two bytes.
    Few,
    /// The whole structure, zeros.
    Whole,
    /// The whole structure, a copy of the one at the other symbolic place.
    Copied,
    /// The same by way of a variable, with another number of two bytes.
    Taken,
}

/// How long the contents of unknown bytes are that are read at unknown places.
const PACKET: usize = 520;

/// The file by its link, as long as that leads to it.
const LINK: &str = "(file[2] == 'f' ? \"l\" : file)";

/// What a program says, as the kind of an error, where a field of its table differs from the copy.
pub(super) const DIFFERS: &str = ".mirror.err";

#[derive(Debug, Clone)]
enum Condition {
    Byte {
        byte: usize,
        value: usize,
    },
    /// What a function that nobody defines would say, if it were there.
    Missing {
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
    /// What is behind a pointer to a pointer.
    Twice {
        cell: usize,
        column: usize,
        value: usize,
    },
    /// Two cells point to the same row, or to rows with the same contents.
    SameCell {
        row: usize,
    },
    /// What the copied table leads to.
    Copied {
        row: usize,
        column: usize,
        value: usize,
    },
    /// A node of the list, as many steps on as an input says.
    Listed {
        byte: usize,
        value: usize,
    },
    /// The distance between two rows as a number.
    Distance {
        row: usize,
        other: usize,
        byte: usize,
    },
    /// What a structure of the table points to, or holds.
    Slot {
        row: usize,
        of: usize,
        value: usize,
    },
    /// A function chosen by a symbolic index.
    Called {
        row: usize,
        byte: usize,
        value: usize,
    },
    /// A pointer whose lowest bit was set and taken away again.
    Tagged {
        row: usize,
        column: usize,
        value: usize,
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
    for _ in 0..random.from(4..=10) {
        let row = random.below(rows);
        let column = random.below(columns);
        let value = random.from(1..=9);
        let (any_row, any_column) = (random.below(2), 2 + random.below(INDICES - 2));
        let byte = random.below(BYTES);
        let cell = random.below(2);
        let statement =
            match random.weighted(&[6, 6, 4, 2, 2, 20, 1, 2, 2, 2, 1, 1, 1, 2, 2, 2, 8, 4, 4, 3, 3, 1]) {
                0 => Statement::Allocate {
                    byte,
                    below: random.from(20..=200),
                    size: if random.chance(1, 2) { columns } else { random.from(1..=64) },
                },
                1 => Statement::Put { row, column, value },
                2 => Statement::Store { row: any_row, column: any_column, byte },
                3 => Statement::Share { row, of: random.below(rows) },
                4 => Statement::Free { row },
                6 => Statement::Dangle { byte, below: random.from(20..=200), row },
                7 => Statement::Place { row: any_row, of: random.below(rows) },
                8 => Statement::Twice { cell, column: any_column, value },
                9 => Statement::Aim { cell, row: any_row },
                10 => Statement::Resize { row, byte },
                11 => Statement::Copy { bytewise: random.chance(1, 3) },
                12 => Statement::Fill { row, byte, value },
                13 => Statement::Push { row, byte },
                14 => Statement::Grow { row, byte },
                15 => Statement::Meet { row, column, value },
                16 => Statement::Slot {
                    row: any_row,
                    of: random.below(rows),
                    byte,
                    field: random.one(&[
                        Field::Pointer,
                        Field::Half,
                        Field::Count,
                        Field::Half,
                        Field::Few,
                        Field::Whole,
                        Field::Copied,
                        Field::Taken,
                    ]),
                },
                17 => Statement::Mirror { row: any_row },
                18 => Statement::Jump { byte, below: random.from(20..=200), row, deep: random.chance(1, 2) },
                19 => Statement::Keep { byte, linked: random.chance(1, 2), append: random.chance(1, 2) },
                20 => Statement::Look { linked: random.chance(1, 2) },
                21 => Statement::Rename { byte, below: random.from(20..=200) },
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
    // Drawn last, so that all else is what it was before there were such statements.
    if branches > 0 && random.chance(1, 3) {
        statements.push(Statement::Parse {
            first: random.below(BYTES),
            digits: random.from(1..=BYTES),
            octal: random.chance(1, 3),
            library: random.chance(1, 4),
            bound: random.one(&[7, 42, 64, 99, 100, 300, 512, 808]),
            equal: random.chance(1, 3),
        });
    }
    if branches > 0 && random.chance(1, 4) {
        let place = random.below(statements.len() + 1);
        let (byte, below) = (random.below(BYTES), random.from(20..=200));
        let (row, other) = (random.below(rows), random.below(rows));
        statements.insert(place, Statement::Merge { byte, below, row, other });
    }
    if branches > 0 && random.chance(1, 3) {
        statements.push(Statement::Count {
            signed: random.chance(1, 2),
            start: random.below(4),
            added: random.below(3),
            bound: random.one(&[0, 1, 2, 3, 5, 300, 0x7fff_ffff, 0x8000_0000, 0xffff_fffe]),
            below: random.chance(1, 2),
        });
        branches -= 1;
    }
    if branches > 0 && random.chance(1, 4) {
        let (byte, other) = (random.below(BYTES), random.below(BYTES));
        let (place, written) = (2 * random.below(100), random.chance(1, 3));
        statements.push(Statement::Packet { byte, other, place, written });
    }
    Case { rows, columns, uneven, statements }
}

fn condition(random: &mut Random, rows: usize) -> Condition {
    let (row, other) = (random.below(2), random.below(2));
    let column = 2 + random.below(INDICES - 2);
    let (byte, value) = (random.below(BYTES), random.from(0..=9));
    let cell = random.below(2);
    match random.weighted(&[2, 5, 2, 2, 1, 2, 2, 1, 2, 2, 2, 2, 1, 1, 2, 1, 1, 1, 3, 1]) {
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
        10 => Condition::Moved { row, byte, other: random.below(rows) },
        11 => Condition::Twice { cell, column, value },
        12 => Condition::SameCell { row },
        13 => Condition::Copied { row, column, value },
        14 => Condition::Listed { byte, value },
        15 => Condition::Distance { row, other: 1 - row, byte },
        16 => Condition::Called { row, byte, value },
        18 => Condition::Slot { row, of: random.below(rows), value },
        19 => Condition::Missing { byte, value },
        _ => Condition::Tagged { row, column, value },
    }
}

impl Statement {
    fn branches(&self) -> bool {
        use Statement as S;
        matches!(
            self,
            S::Allocate { .. }
                | S::Branch(_)
                | S::Dangle { .. }
                | S::Resize { .. }
                | S::Fill { .. }
                | S::Grow { .. }
                | S::Meet { .. }
                | S::Jump { .. }
                | S::Merge { .. }
                | S::Rename { .. }
                | S::Parse { .. }
                | S::Count { .. }
                | S::Packet { .. }
        )
    }
}

impl Case {
    /// The program in C, with KLEE's intrinsics declared.
    pub(super) fn text(&self) -> String {
        let Case { rows, columns, uneven, statements } = self;
        let mut text = format!(
            "typedef unsigned char byte;\n\
             void *malloc(unsigned long);\nvoid *calloc(unsigned long, unsigned long);\n\
             void *realloc(void *, unsigned long);\nvoid free(void *);\n\
             void klee_make_symbolic(void *, unsigned long, const char *);\nvoid klee_assume(unsigned long);\n\
             void klee_report_error(const char *, int, const char *, const char *);\n\n\
             struct node {{\n  struct node *next;\n  byte value;\n}};\n\
             struct slot {{\n  byte *to;\n  unsigned count;\n  unsigned short few;\n}};\n\
             typedef struct {{\n  long kept[32];\n}} buffer[1];\n\
             void klee_open_merge(void);\nvoid klee_close_merge(void);\n\
             int _setjmp(buffer) __attribute__((returns_twice));\n\
             void longjmp(buffer, int) __attribute__((noreturn));\n\
             static void jump(byte *to, int value) {{ longjmp((void *)to, value); }}\n\
             unsigned missing(byte) __attribute__((weak));\n\
             int open(const char *, int, ...);\nlong read(int, void *, unsigned long);\n\
             long write(int, const void *, unsigned long);\nint close(int);\n\
             int mkdir(const char *, unsigned);\nint symlink(const char *, const char *);\n\
             int rename(const char *, const char *);\n\
             unsigned long strtoul(const char *, char **, int);\n\n\
             static unsigned add(byte *a, byte b) {{ return a[0] + b; }}\n\
             static unsigned second(byte *a, byte b) {{ return a[1] ^ b; }}\n\
             static unsigned (*const functions[])(byte *, byte) = {{add, second}};\n\n\
             int main(void) {{\n  byte z[{BYTES}];\n  unsigned i[{INDICES}];\n  unsigned seen = 0;\n  byte *met;\n\
             \x20 klee_make_symbolic(&met, sizeof met, \"met\");\n\
             \x20 klee_make_symbolic(z, sizeof z, \"z\");\n  klee_make_symbolic(i, sizeof i, \"i\");\n"
        );
        for index in 0..INDICES {
            let bound = if index < 2 { rows } else { columns };
            writeln!(text, "  klee_assume(i[{index}] < {bound});").ok();
        }
        // A landing that no jump leads to.
        if statements.iter().any(|one| matches!(one, Statement::Jump { .. })) {
            text.push_str(
                "  buffer early;\n  if (_setjmp(early))\n    klee_report_error(\"case.c\", 99, \"a jump went to the wrong \
                 place\", \"mirror\");\n",
            );
        }
        // Branches that come before the table come from the front of the list.
        let (early, late): (Vec<_>, Vec<_>) = statements
            .iter()
            .enumerate()
            .partition(|(at, one)| *at < 3 && matches!(one, Statement::Allocate { .. }));
        for (_, statement) in early {
            statement.write(&mut text, *rows);
        }
        writeln!(text, "  byte **rows = calloc({rows}, sizeof(byte *));").ok();
        for row in 0..*rows {
            let bytes = if *uneven { columns + row } else { *columns };
            writeln!(text, "  rows[{row}] = calloc({bytes}, 1);").ok();
        }
        // Two cells with the addresses of places in the table, a copy of the table, and a list.
        writeln!(text, "  byte ***cells = calloc(2, sizeof(byte **));").ok();
        writeln!(text, "  cells[0] = &rows[0];\n  cells[1] = rows + {};", rows - 1).ok();
        writeln!(text, "  byte **copy = calloc({rows}, sizeof(byte *));\n  struct node *list = 0;").ok();
        writeln!(text, "  __builtin_memcpy(copy, rows, {rows} * sizeof(byte *));").ok();
        // A table of structures, and what is in it: rows by their numbers, from 1 on.
        writeln!(text, "  struct slot *slots = calloc({rows}, sizeof *slots);").ok();
        writeln!(text, "  byte *targets[{}] = {{0}};", rows + 1).ok();
        for row in 0..*rows {
            writeln!(text, "  targets[{}] = rows[{row}];", row + 1).ok();
        }
        writeln!(text, "  unsigned which[{rows}] = {{0}}, counts[{rows}] = {{0}}, fews[{rows}] = {{0}};")
            .ok();
        // A file in a folder, a link to it, and what is in it.
        if self.has_files() {
            text.push_str("  byte kept[16] = {0};\n  unsigned length = 0;\n  const char *file = \"d/f\";\n");
            text.push_str("  mkdir(\"d\", 0755);\n  symlink(\"d/f\", \"l\");\n");
        }
        for (_, statement) in late {
            statement.write(&mut text, *rows);
        }
        // Which sides were taken together is told as an error, so that it is compared.
        text.push_str("  switch (seen) {\n");
        for seen in 0..1 << BRANCHES {
            writeln!(
                text,
                "  case {seen}: klee_report_error(\"case.c\", {seen}, \"sides {seen}\", \"sides\");"
            )
            .ok();
        }
        text.push_str("  }\n  return 0;\n}\n");
        text
    }

    /// Whether it has files.
    fn has_files(&self) -> bool {
        use Statement as S;
        let is_file = |one: &Statement| matches!(one, S::Keep { .. } | S::Look { .. } | S::Rename { .. });
        self.statements.iter().any(is_file)
    }

    /// Whether states may become one.
    pub(super) fn merges(&self) -> bool {
        self.statements.iter().any(|one| matches!(one, Statement::Merge { .. }))
    }

    /// Whether it takes many more instructions than most.
    pub(super) fn is_long(&self) -> bool {
        let reads = |one: &Statement| matches!(one, Statement::Parse { library: true, .. });
        self.has_files() || self.statements.iter().any(reads)
    }

    /// A number that differs between cases and stays when one is made smaller, by which runs are divided
    /// among them.
    pub(super) fn number(&self) -> usize {
        self.rows + self.columns
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
    fn write(&self, text: &mut String, rows: usize) {
        match self {
            Statement::Allocate { byte, below, size } => writeln!(
                text,
                "  if (z[{byte}] < {below}) {{\n    byte *volatile extra = malloc({size});\n    extra[0] = 1;\n  }}"
            ),
            Statement::Put { row, column, value } => writeln!(text, "  rows[{row}][{column}] = {value};"),
            Statement::Store { row, column, byte } => writeln!(text, "  rows[i[{row}]][i[{column}]] = z[{byte}];"),
            Statement::Share { row, of } => writeln!(text, "  rows[{row}] = rows[{of}];"),
            Statement::Free { row } => writeln!(text, "  free(rows[{row}]);\n  rows[{row}] = calloc(8, 1);"),
            Statement::Dangle { byte, below, row } => writeln!(text, "  if (z[{byte}] < {below})\n    free(rows[{row}]);"),
            Statement::Place { row, of } => writeln!(text, "  rows[i[{row}]] = rows[{of}];"),
            Statement::Twice { cell, column, value } => {
                writeln!(text, "  (*cells[i[{cell}] & 1])[i[{column}]] = {value};")
            }
            Statement::Aim { cell, row } => writeln!(text, "  cells[{cell}] = rows + i[{row}];"),
            Statement::Resize { row, byte } => {
                writeln!(text, "  rows[{row}] = calloc((z[{byte}] & 3) + {rows}, 1);")
            }
            Statement::Grow { row, byte } => writeln!(
                text,
                "  rows[{row}] = realloc(rows[{row}], (z[{byte}] & 7) + 1);\n  rows[{row}][2] = 5;"
            ),
            Statement::Meet { row, column, value } => writeln!(
                text,
                "  if (met == rows[{row}] + {column} || met == rows[0])\n    *met = {value};"
            ),
            Statement::Copy { bytewise: false } => {
                writeln!(text, "  __builtin_memcpy(copy, rows, {rows} * sizeof(byte *));")
            }
            Statement::Copy { bytewise: true } => writeln!(
                text,
                "  for (unsigned k = 0; k < {rows} * sizeof(byte *); k++)\n    ((byte *)copy)[k] = ((byte *)rows)[k];"
            ),
            Statement::Fill { row, byte, value } => {
                writeln!(text, "  __builtin_memset(rows[{row}], {value}, z[{byte}] & 1);")
            }
            Statement::Push { row, byte } => writeln!(
                text,
                "  {{\n    struct node *node = malloc(sizeof *node);\n    node->next = i[{}] & 1 ? list : 0;\n    \
                 node->value = z[{byte}];\n    list = node;\n  }}",
                row % 2
            ),
            Statement::Slot { row, of, byte, field } => {
                let at = |row: usize, name: &str, old: &str, new: &str| {
                    format!(
                        "  for (unsigned k = 0; k < {rows}; k++)\n    {name}[k] = ({name}[k] & ({old} | -(unsigned)(k != \
                         i[{row}]))) | ({new} & -(unsigned)(k == i[{row}]));"
                    )
                };
                let put = |name: &str, old: &str, new: &str| at(*row, name, old, new);
                let slot = format!("slots[i[{row}]]");
                match field {
                    Field::Pointer => {
                        writeln!(text, "  {slot}.to = targets[{}];", of + 1).ok();
                        writeln!(text, "{}", put("which", "0", &format!("{}u", of + 1)))
                    }
                    Field::Count => {
                        writeln!(text, "  {slot}.count = z[{byte}] + 258;").ok();
                        writeln!(text, "{}", put("counts", "0", &format!("(z[{byte}] + 258u)")))
                    }
                    Field::Half => {
                        let (count, half) = (format!("(z[{byte}] + 258u)"), format!("((unsigned)z[{byte}] << 16)"));
                        let other = 1 - row;
                        writeln!(text, "  {slot}.count = z[{byte}] + 258;").ok();
                        writeln!(text, "{}", put("counts", "0", &count)).ok();
                        writeln!(text, "  ((unsigned short *)&slots[i[{other}]].count)[1] = z[{byte}];").ok();
                        writeln!(text, "{}", at(other, "counts", "0xffff", &half)).ok();
                        Statement::Mirror { row: *row }.write(text, rows);
                        Ok(())
                    }
                    Field::Few => {
                        writeln!(text, "  {slot}.few = z[{byte}];").ok();
                        writeln!(text, "{}", put("fews", "0", &format!("z[{byte}]")))
                    }
                    Field::Whole => {
                        writeln!(text, "  {slot} = (struct slot){{0}};").ok();
                        ["which", "counts", "fews"]
                            .into_iter()
                            .try_for_each(|name| writeln!(text, "{}", put(name, "0", "0u")))
                    }
                    Field::Copied | Field::Taken => {
                        let other = 1 - row;
                        writeln!(text, "  {{\n  unsigned own[3] = {{which[i[{other}]], counts[i[{other}]], fews[i[{other}]]}};").ok();
                        if matches!(field, Field::Copied) {
                            writeln!(text, "  {slot} = slots[i[{other}]];").ok();
                        } else {
                            writeln!(text, "  struct slot one = slots[i[{other}]];\n  one.few = z[{byte}];").ok();
                            writeln!(text, "  {slot} = one;\n  own[2] = z[{byte}];").ok();
                        }
                        for (number, name) in ["which", "counts", "fews"].into_iter().enumerate() {
                            writeln!(text, "{}", put(name, "0", &format!("own[{number}]"))).ok();
                        }
                        writeln!(text, "  }}")
                    }
                }
            }
            Statement::Jump { byte, below, row, deep } => {
                let value = row + 2;
                let jump = if *deep {
                    format!("jump((byte *)here, {value})")
                } else {
                    format!("longjmp(here, {value})")
                };
                writeln!(
                    text,
                    "  {{\n  buffer here;\n  int again = _setjmp(here);\n  if (again == 0 && z[{byte}] < {below})\n    \
                     {jump};\n  if (again != (z[{byte}] < {below} ? {value} : 0))\n    klee_report_error(\"case.c\", 99, \
                     \"setjmp returned otherwise\", \"mirror\");\n  }}"
                )
            }
            Statement::Merge { byte, below, row, other } => {
                let (low, high) = (row + 3, other + 40);
                let opened = format!(
                    "  {{\n  unsigned one = {low}, two = {high}, *at = &one;\n  byte text[5] = {{1, 2, 3, 4, 5}};\n  \
                     byte *kept = 0;\n  klee_open_merge();\n"
                );
                let sides = format!(
                    "  if (z[{byte}] < {below}) {{\n    one += z[{byte}];\n    at = &two;\n    text[2] = z[{byte}];\n  }} \
                     else if (z[{byte}] < {below} + 20) {{\n    two = 9;\n    text[3] = 0;\n  }} else if (z[{byte}] == 255) \
                     {{\n    kept = malloc(3);\n  }}\n  klee_close_merge();\n"
                );
                let checks = format!(
                    "  int first = z[{byte}] < {below}, second = !first && z[{byte}] < {below} + 20;\n  \
                     if (one != {low} + (first ? z[{byte}] : 0) || *at != (first ? {high} : one) || \
                     two != (second ? 9 : {high}) || text[2] != (first ? z[{byte}] : 3) || \
                     text[3] != (second ? 0 : 4) || (kept != 0 && z[{byte}] != 255))\n    \
                     klee_report_error(\"case.c\", 99, \"states that met have a value of none\", \"mirror\");\n  \
                     free(kept);\n  }}"
                );
                writeln!(text, "{opened}{sides}{checks}")
            }
            Statement::Keep { byte, linked, append } => {
                let name = if *linked { LINK } else { "file" };
                // O_WRONLY | O_CREAT, and O_APPEND or O_TRUNC.
                let flags = if *append { 0o2101 } else { 0o1101 };
                let start = if *append { "" } else { "length = 0; " };
                writeln!(
                    text,
                    "  {{\n  int out = open({name}, {flags}, 0644);\n  if (out >= 0) {{\n    {start}if (write(out, \
                     &z[{byte}], 1) == 1)\n      kept[length++ & 15] = z[{byte}];\n    close(out);\n  }} else\n    \
                     klee_report_error(\"case.c\", 99, \"a file cannot be written\", \"mirror\");\n  }}"
                )
            }
            Statement::Look { linked } => {
                let name = if *linked { LINK } else { "file" };
                writeln!(
                    text,
                    "  {{\n  byte found[16] = {{0}};\n  int in = open({name}, 0);\n  if (in >= 0) {{\n    long count = \
                     read(in, found, 16);\n    close(in);\n    if (count != length || __builtin_memcmp(found, kept, \
                     length))\n      klee_report_error(\"case.c\", 99, \"a file differs\", \"mirror\");\n  }} else if \
                     (length)\n    klee_report_error(\"case.c\", 99, \"a file is gone\", \"mirror\");\n  }}"
                )
            }
            Statement::Rename { byte, below } => writeln!(
                text,
                "  if (z[{byte}] < {below} && rename(file, \"d/g\") == 0)\n    file = \"d/g\";"
            ),
            Statement::Parse { first, digits, octal, library, bound, equal } => {
                let base = if *octal { 8 } else { 10 };
                let letters: Vec<String> =
                    (0..*digits).map(|place| format!("z[{}]", (first + place) % BYTES)).collect();
                let compared = if *equal { "==" } else { "<" };
                writeln!(
                    text,
                    "  {{\n  char text[] = {{{}, 0}}, *end;\n  unsigned long number = 0, again = 0, count = 0;\n  while \
                     (text[count] >= '0' && text[count] < '0' + {base})\n    number = number * {base} + (text[count++] \
                     - '0');\n  unsigned side = 0;\n  if (number {compared} {bound})\n    side = 1;\n  seen = seen * 2 + side;",
                    letters.join(", ")
                )
                .ok();
                // The other way to it has no factors.
                writeln!(
                    text,
                    "  for (unsigned k = 0; k < count; k++) {{\n    unsigned long before = again;\n    again = text[k] - \
                     '0';\n    for (unsigned n = 0; n < {base}; n++)\n      again += before;\n  }}"
                )
                .ok();
                if *library {
                    writeln!(
                        text,
                        "  if (count && (strtoul(text, &end, {base}) != number || end != text + count))\n    \
                         klee_report_error(\"case.c\", 99, \"the library reads another number\", \"mirror\");"
                    )
                    .ok();
                }
                writeln!(
                    text,
                    "  if ((again {compared} {bound}) != side)\n    klee_report_error(\"case.c\", 99, \"a number is \
                     another one\", \"mirror\");\n  }}"
                )
            }
            Statement::Count { signed, start, added, bound, below } => {
                let kind = if *signed { "int" } else { "unsigned" };
                let compared = if *below { "<" } else { "==" };
                writeln!(
                    text,
                    "  {{\n  {kind} n;\n  unsigned turns = 0;\n  klee_make_symbolic(&n, sizeof n, \"n\");\n  \
                     while (turns < 2 && {start} + (long)turns < (long)({kind})((unsigned)n + {added}))\n    turns++;\n  \
                     if (n {compared} ({kind}){bound}u)\n    turns ^= 1;\n  seen = seen * 2 + (turns & 1);\n  }}"
                )
            }
            Statement::Packet { byte, other, place, written } => {
                writeln!(
                    text,
                    "  {{\n  byte packet[{PACKET}];\n  klee_make_symbolic(packet, sizeof packet, \"packet\");\n  \
                     byte here = packet[z[{byte}]], kept = 0;"
                )
                .ok();
                if *written {
                    // Elsewhere than what is looked at.
                    writeln!(text, "  packet[z[{other}] | 256] = kept = z[{byte}];").ok();
                }
                writeln!(
                    text,
                    "  unsigned short both = *(unsigned short *)(packet + z[{other}]);\n  unsigned side = 0;\n  \
                     if (packet[z[{byte}]] < packet[z[{other}] + {place}])\n    side = 1;\n  \
                     seen = seen * 2 + side;\n  \
                     if ((((z[{byte}] | 1) == {place} + 1) & (here != packet[{place}]) & (here != packet[{place} + 1])) | \
                     (((z[{other}] | 1) == {place} + 1) & (both != (packet[{place}] | packet[{place} + 1] << 8)) & \
                     (both != (packet[{place} + 1] | packet[{place} + 2] << 8))))\n    \
                     klee_report_error(\"case.c\", 99, \"a byte is of another place\", \"mirror\");"
                )
                .ok();
                if *written {
                    writeln!(
                        text,
                        "  if (packet[z[{other}] | 256] != kept)\n    klee_report_error(\"case.c\", 99, \"what was \
                         written to a packet is gone\", \"mirror\");"
                    )
                    .ok();
                }
                writeln!(text, "  }}")
            }
            Statement::Mirror { row } => writeln!(
                text,
                "  if ((slots[i[{row}]].to != targets[which[i[{row}]]]) | (slots[i[{row}]].count != counts[i[{row}]]) | \
                 (slots[i[{row}]].few != fews[i[{row}]]))\n    klee_report_error(\"case.c\", 99, \"a field differs\", \
                 \"mirror\");"
            ),
            Statement::Branch(condition) => writeln!(
                text,
                "  if ({})\n    seen = seen * 2 + 1;\n  else\n    seen = seen * 2;",
                condition.text()
            ),
        }
        .ok();
    }
}

impl Condition {
    fn text(&self) -> String {
        match self {
            Condition::Byte { byte, value } => format!("z[{byte}] == {value}"),
            Condition::Missing { byte, value } => {
                format!("(missing ? missing(z[{byte}]) : z[{byte}]) == {value}")
            }
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
            Condition::Twice { cell, column, value } => {
                format!("(*cells[i[{cell}] & 1])[i[{column}]] == {value}")
            }
            Condition::SameCell { row } => {
                format!("cells[0] == cells[1] || *cells[0] == rows[i[{row}]]")
            }
            Condition::Copied { row, column, value } => format!("copy[i[{row}]][i[{column}]] > {value}"),
            Condition::Listed { byte, value } => {
                format!("list && (z[{byte}] & 1 && list->next ? list->next : list)->value > {value} * 20")
            }
            Condition::Distance { row, other, byte } => {
                format!("(byte)(rows[i[{row}]] - rows[i[{other}]]) == (z[{byte}] & 0x30)")
            }
            Condition::Slot { row, of, value } => {
                format!("slots[i[{row}]].to == targets[{}] || slots[i[{}]].count > {value}", of + 1, 1 - row)
            }
            Condition::Called { row, byte, value } => {
                format!("functions[z[{byte}] & 1](rows[i[{row}]], z[{byte}]) < {value} * 10")
            }
            Condition::Tagged { row, column, value } => {
                format!("((byte *)(((unsigned long)rows[i[{row}]] | 1) & ~1ul))[i[{column}]] < {value}")
            }
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
