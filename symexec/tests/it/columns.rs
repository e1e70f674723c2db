//! Arrays of structures that are written at unknown places: fields are apart, and pointers stay pointers.

use tempfile::TempDir;

use crate::program::{Ran, explore_files};

const MODELS: [&str; 2] = ["forking", "segmented"];

/// Explores a program of C with `body` in `main`, where `i`, `j` and `k` are unknown numbers below 6. The first of the
/// two paths allocates something before `body`, so that objects lie elsewhere on the second.
fn explored(folder: &TempDir, globals: &str, body: &str, options: &[&str]) -> Ran {
    let number = std::fs::read_dir(folder.path()).unwrap().count();
    let file = folder.path().join(format!("p{number}.c"));
    let text = format!(
        "#include <klee/klee.h>\n#include <stdlib.h>\n#include <string.h>\n{globals}\nint main(void) {{\n\
         unsigned i, j, k; unsigned char z;\n\
         klee_make_symbolic(&z, 1, \"z\"); klee_make_symbolic(&i, 4, \"i\"); klee_make_symbolic(&j, 4, \"j\");\n\
         klee_make_symbolic(&k, 4, \"k\"); klee_assume((i < 6) & (j < 6) & (k < 6));\n\
         if (z & 1) {{ char *volatile extra = malloc(40); extra[0] = 1; }}\n{body}\n}}\n"
    );
    std::fs::write(&file, &text).unwrap();
    explore_files(folder, &[file], options)
}

/// Explores a program in every model with every cache: no error, no question that depends on the layout, and of two
/// paths that differ in their layout the second asks the solver nothing about addresses.
fn check(globals: &str, body: &str) {
    let folder = tempfile::tempdir().unwrap();
    for model in MODELS {
        let run = |cache: &[&str]| {
            explored(
                &folder,
                globals,
                body,
                &[&["--memory-model", model, "--no-enumeration"], cache].concat(),
            )
        };
        let aware = run(&["--audit", "always"]);
        assert_eq!(aware.errors(), [], "{model}: {body}\n{}", aware.stderr);
        assert_eq!(aware.code, 0, "{model}: {body}\n{}", aware.stderr);
        assert_eq!(aware.engine("layout_dependent_queries"), 0, "{model}: {body}");
        let plain = run(&["--query-cache", "plain", "--allocation", "shared"]);
        let aware = run(&["--allocation", "shared"]);
        assert_eq!(aware.result("completed"), plain.result("completed"), "{model}: {body}");
        let (asked, without) = (aware.engine("solver_queries"), plain.engine("solver_queries"));
        let less =
            if plain.engine("address_dependent_queries") > 0 { asked < without } else { asked == without };
        assert!(less, "{model}: {asked} and {without} in {body}");
    }
}

#[test]
fn rows_of_pointers_and_numbers_keep_both_apart() {
    check(
        "struct row { int *to; long number; short few; char c; };",
        "struct row *table = calloc(6, sizeof *table); int *a = malloc(4), *b = malloc(8); *a = 1; b[1] = 2;
         table[i].to = a; table[i].number = 7; table[j].to = b + 1; table[j].number = 9; table[j].c = 3;
         if (!table[k].to) klee_assert(table[k].number == 0 && table[k].c == 0);
         else if (*table[k].to == 1) klee_assert(k == i && table[k].number == 7 && table[k].to == a);
         else klee_assert(k == j && table[k].number == 9 && table[k].c == 3 && table[k].few == 0);",
    );
}

#[test]
fn a_hash_table_of_entries_with_chains_depends_on_no_layout() {
    // As libxml2's dictionary: the first entry of a chain lies in the table itself.
    check(
        "struct entry { struct entry *next; const char *name; unsigned length; int valid; unsigned long key; };
         static struct entry *table; static char *pool;
         static const char *add(const char *name, unsigned long key) {
           struct entry *last = 0, *in = &table[key % 4];
           if (in->valid)
             for (last = in; ; last = last->next) {
               if (last->key == key && last->length == 1 && !memcmp(last->name, name, 1)) return last->name;
               if (!last->next) break;
             }
           *pool = *name;
           struct entry *own = last ? calloc(1, sizeof *own) : in;
           own->name = pool++; own->length = 1; own->valid = 1; own->key = key; own->next = 0;
           if (last) last->next = own;
           return own->name;
         }",
        "table = calloc(4, sizeof *table); pool = malloc(16); char a = 'a' + i, b = 'a' + j;
         const char *first = add(&a, a), *second = add(&b, b);
         klee_assert((first == second) == (a == b)); klee_assert(*first == a && *second == b);
         klee_assert(add(&a, a) == first);",
    );
}

#[test]
fn a_table_behind_a_header_has_columns_of_its_own() {
    check(
        "struct map { struct map *up; long count; struct { long key; void *value; } slots[6]; };",
        "struct map *map = calloc(1, sizeof *map); map->up = map; map->count = 2; int *x = malloc(4), *y = malloc(4);
         map->slots[i].value = x; map->slots[i].key = 4; map->slots[j].value = y; map->slots[j].key = 5;
         klee_assert(map->up == map && map->count == 2);
         if (map->slots[k].value == y) klee_assert(k == j && map->slots[k].key == 5);
         if (map->slots[k].value == x) klee_assert(k == i && k != j && map->slots[k].key == 4);",
    );
}

#[test]
fn fields_that_overlap_see_each_other() {
    check(
        "struct row { void *to; union { long wide; struct { int low, high; } half; char bytes[8]; } is; };",
        "struct row *table = calloc(6, sizeof *table);
         table[i].is.wide = 0x1122334455667788; table[i].to = table; table[j].is.half.high = 7;
         if (i == j) klee_assert(table[k].is.wide == (k == i ? 0x0000000755667788 : 0));
         table[k].is.bytes[1] = 3;
         if (i == k) klee_assert(table[i].is.half.low == 0x55660388);
         klee_assert(table[i].to == table);",
    );
}

#[test]
fn tables_are_copied_cleared_and_made_larger_with_their_columns() {
    check(
        "struct row { int *to; long number; };",
        "struct row *table = calloc(6, sizeof *table), one; int *x = malloc(4); *x = 3;
         table[i].to = x; table[i].number = 4; table = realloc(table, 9 * sizeof *table);
         klee_assert(table[i].to == x && table[i].number == 4);
         one = table[j]; klee_assert(one.to ? i == j && one.number == 4 && *one.to == 3 : i != j);
         memset(table, 0, 6 * sizeof *table); klee_assert(!table[i].to && !table[j].number);
         table[7] = one; table[k].number = 5; klee_assert(table[7].to == one.to && table[k].number == 5);",
    );
}

/// Explores a program as [`check`] does, in one path for each of two layouts.
fn check_one_path(globals: &str, body: &str) {
    check(globals, body);
    let folder = tempfile::tempdir().unwrap();
    for model in MODELS {
        let ran = explored(&folder, globals, body, &["--memory-model", model]);
        assert_eq!(ran.result("completed"), 2, "{model}: {body}");
    }
}

const ROW: &str = "struct row { int *to; long number; short few; char c; };
    static struct row *table; static int *a, *b;
    static void make(void) {
      table = calloc(6, sizeof *table); a = malloc(4); b = malloc(8); *a = 1; b[1] = 2;
      for (int n = 0; n < 6; n++) { table[n].to = n % 2 ? b + 1 : a; table[n].number = n; table[n].c = 7; }
      table[3].to = 0;
    }";

#[test]
fn rows_are_copied_as_a_whole_between_unknown_places_on_one_path() {
    check_one_path(
        ROW,
        "make(); struct row old = table[j]; table[i] = table[j];
         klee_assert(table[i].number == j); klee_assert(table[i].to == old.to);
         klee_assert((k != i) | (table[k].number == j)); klee_assert((k == i) | (table[k].number == k));
         klee_assert((k != i) | (table[k].to == old.to)); klee_assert((k == i) | (k != 1) | (table[k].to == b + 1));
         klee_assert((table[i].to == 0) == (j == 3)); klee_assert(table[k].c == 7 && table[k].few == 0);",
    );
}

#[test]
fn rows_are_swapped_cleared_and_passed_at_unknown_places_on_one_path() {
    check_one_path(
        ROW,
        "make(); struct row one = table[i]; table[i] = table[j]; table[j] = one;
         klee_assert(table[i].number == j && table[j].number == i);
         memset(&table[k], 0, sizeof *table); klee_assert(!table[k].to && !table[k].number && !table[k].c);
         klee_assert((i == k) | (j == k) | (table[j].number == i));",
    );
    check_one_path(
        &format!("{ROW} static long sum(struct row r, int *to) {{ return r.number + r.c + (r.to == to); }}"),
        "make(); struct row own = {a, 40, 2, 3}; klee_assert(sum(table[i], table[i].to) == i + 8);
         table[j] = own; klee_assert(sum(table[j], a) == 44); klee_assert(table[k].few == 2 * (k == j));
         memmove(&table[i], &table[j], sizeof own); klee_assert(table[i].to == a && table[i].few == 2);",
    );
}

#[test]
fn rows_without_pointers_and_several_rows_at_once_are_copied_on_one_path() {
    check_one_path(
        "struct point { int x, y, z; } points[8]; struct point pair[2] = {{1, 2, 3}, {4, 5, 6}};",
        "memcpy(&points[i], pair, sizeof pair); klee_assert(points[i].y == 2 && points[i + 1].z == 6);
         points[k] = points[j]; klee_assert(points[k].x == (j == i) + 4 * (j == i + 1));
         memset(&points[j], 0xff, sizeof *points); klee_assert(points[j].x == -1 && points[j].z == -1);",
    );
}

#[test]
fn the_index_of_a_copied_row_is_one_that_the_path_found_out() {
    check_one_path(
        ROW,
        "make(); klee_assume(i == 4); table[i] = table[j]; klee_assert(table[4].number == j);",
    );
}

/// Explores a program whose table of 6,000 rows of three bytes is written at three unknown places, of a type.
fn large_packed(folder: &TempDir, index: &str, assumed: &str, table: &str) -> Ran {
    let file = folder.path().join("p.c");
    let text = format!(
        "#include <klee/klee.h>\n#include <assert.h>\nstruct __attribute__((packed)) row {{ unsigned char a; unsigned \
         short b; }};\n{table}\nint main(void) {{\n{index} i, j, k;\nklee_make_symbolic(&i, sizeof i, \"i\");\n\
         klee_make_symbolic(&j, sizeof j, \"j\");\nklee_make_symbolic(&k, sizeof k, \"k\");\n{assumed}\n\
         t[i].a = 1; t[j].b = 2; t[k].a = 3;\nif (t[5].a == 3) return 1;\nif (i != k && t[i].a != 1) return 2;\n\
         return 0;\n}}\n"
    );
    std::fs::write(&file, &text).unwrap();
    let ran = explore_files(folder, &[file], &["--solver-resource", "20000000", "--max-time", "300"]);
    assert!(!ran.stderr.contains("solver failure"), "{index} {assumed}: {}", ran.stderr);
    assert!(ran.report.as_ref().unwrap().result["stopped"].is_null(), "{index} {assumed}: {}", ran.stderr);
    ran
}

#[test]
fn a_large_packed_table_is_written_at_several_places_that_only_the_path_bounds() {
    let zeros = "struct row t[6000];";
    let below = "klee_assume(i < 6000); klee_assume(j < 6000); klee_assume(k < 6000);";
    // What is there else says that elements are not all the same.
    let filled = "struct row t[6000] = {[0 ... 99] = {7, 9}, [3] = {1, 1}, [4000 ... 4200] = {8, 8}};";
    for (index, assumed) in [
        ("unsigned long", below),
        ("long", "if (i < 0 || i >= 6000 || j < 0 || j >= 6000 || k < 0 || k > 5999) klee_silent_exit(0);"),
        ("unsigned", below),
    ] {
        for table in [zeros, filled] {
            let folder = tempfile::tempdir().unwrap();
            let ran = large_packed(&folder, index, assumed, table);
            assert_eq!(ran.errors(), [], "{index} {table}\n{}", ran.stderr);
            // The third one cannot be returned: no row is another one's.
            let ends = ran.result("completed");
            assert_eq!(ends, 3, "{index} {table}: {ends}\n{}", ran.stderr);
        }
    }
}

#[test]
fn a_large_packed_table_is_written_at_several_places_whose_product_may_wrap_around() {
    let rows: Vec<String> =
        (0..6000).map(|row| format!("{{{}, {}}}", row * 7 % 251, row * 31 % 65521)).collect();
    let filled = format!("struct row t[6000] = {{{}}};", rows.join(", "));
    for table in ["struct row t[6000];", &filled] {
        let folder = tempfile::tempdir().unwrap();
        let ran = large_packed(&folder, "unsigned long", "", table);
        let errors = ran.errors();
        assert_eq!(errors.len(), 3, "{errors:?}");
        // A product that wraps around may fall between the rows, and then a row is written by two of them.
        assert!(ran.result("completed") >= 3, "{}", ran.stderr);
    }
}

/// Properties of characters are looked up in tables of tables, by what was put together from several bytes.
#[test]
fn tables_of_tables_are_read_at_what_several_unknown_bytes_say() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("t.c");
    let numbers = |count: u64, of: &dyn Fn(u64) -> u64| {
        (0..count).map(|place| of(place).to_string()).collect::<Vec<_>>().join(", ")
    };
    let text = format!(
        "#include <klee/klee.h>\nstatic const unsigned short pages[256] = {{{}}}, kinds[1024] = {{{}}};\n\
         static const struct {{ short class; int upper; }} all[400] = {{{}}};\n\
         int main(void) {{ unsigned char s[3]; klee_make_symbolic(s, 3, \"s\");\n\
         if ((s[0] & 0xf0) != 0xe0 || (s[1] & 0xc0) != 0x80 || (s[2] & 0xc0) != 0x80) return 0;\n\
         unsigned c = (s[0] & 15) << 12 | (s[1] & 63) << 6 | (s[2] & 63);\n\
         unsigned kind = kinds[pages[c >> 8] + (c & 255)];\n\
         if (all[kind].class == 77) return 1;\n if (all[kind].upper == (int)c + 1) return 2;\n return 3; }}\n",
        numbers(256, &|page| page * 256 % 768),
        numbers(1024, &|place| place * 2654435761 % 399),
        numbers(800, &|place| if place % 2 == 0 { place * 13 % 101 } else { place * 40503 % 65536 }),
    );
    std::fs::write(&file, &text).unwrap();
    let ran = explore_files(&folder, &[file], &["--solver-resource", "100000000", "--max-time", "300"]);
    assert!(!ran.stderr.contains("solver failure"), "{}", ran.stderr);
    assert!(ran.report.as_ref().unwrap().result["stopped"].is_null(), "{}", ran.stderr);
    // Three of other bytes, 684 characters of the class, and none whose entry names the next one.
    assert_eq!((ran.errors(), ran.result("completed")), (vec![], 5), "{}", ran.stderr);
}

#[test]
fn pointers_with_something_added_in_entries_of_one_object_depend_on_no_layout() {
    // As in sqlite's hash tables: what a bucket leads to is known by its place in a pool.
    check(
        "struct entry { long *to, number; };",
        "long *a = malloc(16), *b = malloc(16); a[1] = 1; b[1] = 2;
         struct entry *pool = calloc(8, sizeof *pool), *heads[6]; int places[] = {0, 3, 1, 5, 2, 4};
         for (int n = 0; n < 6; n++) { heads[n] = &pool[places[n]]; heads[n]->to = n & 1 ? a + 1 : b + 1; }
         pool[6].to = a + 1; heads[i] = &pool[6];
         long *to = heads[j]->to; klee_assert(*to == (j == i || j & 1 ? 1 : 2));
         *to = 7; klee_assert(to == a + 1 ? a[1] == 7 && b[1] == 2 : b[1] == 7 && a[1] == 1);",
    );
}
