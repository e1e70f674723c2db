//! Tables and lists of texts that few programs use.

use crate::world::run;

#[test]
fn tables_and_lists_of_texts_are_kept() {
    let folder = tempfile::tempdir().unwrap();
    let ran = run(
        &folder,
        "#include <argz.h>\n#include <search.h>\n\
         const char *strerrorname_np(int);\n\
         int main(void) {\n\
           char key[2]; klee_make_symbolic(key, sizeof key, \"key\"); klee_assume(key[1] == 0);\n\
           ENTRY one = {\"a\", (void *)1}, two = {\"b\", (void *)2}, asked = {key, 0}, *found;\n\
           klee_assert(hcreate(2) && hsearch(one, ENTER) && hsearch(two, ENTER) && !hcreate(5)); found = hsearch(asked, FIND);\n\
           klee_assert(found ? (long)found->data == key[0] - 'a' + 1 : key[0] != 'a' && key[0] != 'b' && errno == ESRCH); int has = found != 0;\n\
           hsearch((ENTRY){\"c\", 0}, ENTER); errno = 0; klee_assert(!hsearch((ENTRY){\"d\", 0}, ENTER) && errno == ENOMEM); hdestroy();\n\
           char *t = 0; size_t n; klee_assert(argz_create_sep(\":a::b\", ':', &t, &n) == 0 && n == 4 && !memcmp(t, \"a\\0b\", 4));\n\
           argz_add(&t, &n, \"cc\"); klee_assert(n == 7 && argz_count(t, n) == 3 && !strcmp(argz_next(t, n, t + 2), \"cc\"));\n\
           argz_insert(&t, &n, t + 2, \"x\"); argz_delete(&t, &n, t); argz_stringify(t, n, ','); klee_assert(!strcmp(t, \"x,b,cc\"));\n\
           argz_stringify(t, n, 0); argz_stringify(0, 0, ',');\n\
           unsigned hits = 1; char *r = 0; argz_create_sep(\"ab.b.bbab\", '.', &r, &n); klee_assert(argz_replace(&r, &n, \"b\", \"xy\", &hits) == 0 && hits == 4 && n == 15 && !memcmp(r, \"axy\\0xy\\0xyxyaxy\", 15));\n\
           klee_assert(argz_replace(&r, &n, \"xy\", \"\", 0) == 0 && n == 5 && !memcmp(r, \"a\\0\\0a\", 5) && argz_replace(&r, &n, \"q\", \"z\", &hits) == 0 && argz_replace(&r, &n, \"\", \"z\", &hits) == 0 && hits == 4);\n\
           char s[4] = \"abc\"; swab(s, s, 3); klee_assert(!strcmp(s, \"bac\") && !strcmp(strerrorname_np(EINTR), \"EINTR\"));\n\
           klee_assert(strerrorname_np(999) == 0 && strerrorname_np(41) == 0); return has; }",
        &[],
    );
    // `a`, `b`, and what is neither.
    assert_eq!(ran.errors(), vec![], "{}", ran.stderr);
    assert_eq!(ran.result("completed"), 3, "{}", ran.stderr);
}
