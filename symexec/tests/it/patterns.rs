//! Patterns of names and forms of dates, as glibc reads and writes them.

use crate::world::holds;

#[test]
fn dangling_links_are_found_and_flags_of_glob_heeded() {
    holds(
        "glob_t g; mkdir(\"d\", 0755); close(creat(\"x\", 0600)); symlink(\"nowhere\", \"dangling\"); symlink(\"d\", \"ld\");\n\
         klee_assert(glob(\"*\", GLOB_MARK, 0, &g) == 0 && g.gl_pathc == 4 && !strcmp(g.gl_pathv[0], \"d/\"));\n\
         klee_assert(!strcmp(g.gl_pathv[1], \"dangling\") && !strcmp(g.gl_pathv[2], \"ld/\") && !strcmp(g.gl_pathv[3], \"x\"));\n\
         globfree(&g); klee_assert(glob(\"dangling\", 0, 0, &g) == 0 && glob(\"dangling/\", 0, 0, &g) == 0 && !strcmp(g.gl_pathv[0], \"dangling\"));\n\
         klee_assert(glob(\"{x,d{,angling},no}\", GLOB_BRACE, 0, &g) == 0 && g.gl_pathc == 3 && !strcmp(g.gl_pathv[0], \"x\"));\n\
         klee_assert(!strcmp(g.gl_pathv[1], \"d\") && !strcmp(g.gl_pathv[2], \"dangling\") && glob(\"{n,o}\", GLOB_BRACE, 0, &g) == GLOB_NOMATCH);\n\
         klee_assert(glob(\"{n,o}\", GLOB_BRACE | GLOB_NOCHECK, 0, &g) == 0 && !strcmp(g.gl_pathv[0], \"{n,o}\"));\n\
         klee_assert(glob(\"zz\", GLOB_NOMAGIC, 0, &g) == 0 && !strcmp(g.gl_pathv[0], \"zz\") && glob(\"z*\", GLOB_NOMAGIC, 0, &g) == GLOB_NOMATCH);\n\
         klee_assert(glob(\"*\", GLOB_ONLYDIR, 0, &g) == 0 && g.gl_pathc == 2); char home[200]; getcwd(home, 180); strcat(home, \"/d\"); setenv(\"HOME\", home, 1);\n\
         klee_assert(glob(\"~\", GLOB_TILDE, 0, &g) == 0 && !strcmp(g.gl_pathv[0], home));\n\
         klee_assert(glob(\"~/../x\", GLOB_TILDE, 0, &g) == 0 && !strcmp(g.gl_pathv[0], strcat(home, \"/../x\")));\n\
         klee_assert(glob(\"~no-one\", GLOB_TILDE_CHECK, 0, &g) == GLOB_NOMATCH && glob(\"~no-one\", GLOB_TILDE | GLOB_NOCHECK, 0, &g) == 0);\n\
         close(creat(\".h\", 0600)); klee_assert(glob(\"*h\", 0, 0, &g) == GLOB_NOMATCH && glob(\"*h\", GLOB_PERIOD, 0, &g) == 0);\n\
         klee_assert(glob(\"*/*\", GLOB_PERIOD, 0, &g) == 0 && !strcmp(g.gl_pathv[0], \"d/.\") && glob(\"[\", GLOB_NOMAGIC, 0, &g) == GLOB_NOMATCH);\n\
         klee_assert(glob(\"no*//\", GLOB_NOCHECK, 0, &g) == 0 && !strcmp(g.gl_pathv[0], \"no*\") && glob(\"l*/\", GLOB_MARK, 0, &g) == 0);\n\
         klee_assert(!strcmp(g.gl_pathv[0], \"ld/\") && glob(\"~no-one\", GLOB_TILDE, 0, &g) == 0 && !strcmp(g.gl_pathv[0], \"~no-one\"));",
    );
}

#[test]
fn what_glob_cannot_do_is_named() {
    let folder = tempfile::tempdir().unwrap();
    let ran = crate::world::run(
        &folder,
        "int main(void) { glob_t g; return glob(\"*\", GLOB_ALTDIRFUNC, 0, &g); }",
        &[],
    );
    assert!(ran.stderr.contains("glob with GLOB_ALTDIRFUNC is not modelled"), "{}", ran.stderr);
}

#[test]
fn constants_have_a_last_part() {
    holds(
        "char p[] = \"a/b//\"; klee_assert(!strcmp(basename(\"a/b\"), \"b\") && !strcmp(basename(\"b\"), \"b\"));\n\
         klee_assert(!strcmp(basename(\"x\"), \"x\") && !strcmp(basename(p), \"b\") && !strcmp(basename(\"//\"), \"/\"));",
    );
}

#[test]
fn patterns_have_groups_and_elements_in_words() {
    for (pattern, text, flags, matches) in [
        ("@(a|b).c", "a.c", "FNM_EXTMATCH", true),
        ("@(a|b).c", "c.c", "FNM_EXTMATCH", false),
        ("@(a|b).c", "a.c", "0", false),
        ("*(ab|c)", "abcab", "FNM_EXTMATCH", true),
        ("*(ab|c)", "", "FNM_EXTMATCH", true),
        ("+(ab|c)", "", "FNM_EXTMATCH", false),
        ("+(ab|?(c)d)x", "abcddx", "FNM_EXTMATCH", true),
        ("?(a)b", "aab", "FNM_EXTMATCH", false),
        ("!(*.c)", "a.h", "FNM_EXTMATCH", true),
        ("!(*.c)", "a.c", "FNM_EXTMATCH", false),
        ("!(a)*(b)", "abb", "FNM_EXTMATCH", true),
        ("*@(.c|.h)", "d/a.h", "FNM_EXTMATCH | FNM_PATHNAME", false),
        ("@(a", "@(a", "FNM_EXTMATCH", true),
        ("a", "a/b", "FNM_LEADING_DIR", true),
        ("a", "ab/b", "FNM_LEADING_DIR", false),
        ("*", "a/b", "FNM_LEADING_DIR | FNM_PATHNAME", true),
        ("@(a)", "a/b", "FNM_LEADING_DIR | FNM_EXTMATCH", true),
        ("[[=a=]]", "a", "0", true),
        ("[[.a.]-c]", "b", "0", true),
        ("[[.-.]]", "-", "0", true),
        ("[\\\\]]", "]", "0", true),
        ("[\\\\]]", "]", "FNM_NOESCAPE", false),
        ("[\\\\]]", "\\\\]", "FNM_NOESCAPE", true),
        ("a\\\\", "a\\\\", "0", false),
        ("a\\\\", "a\\\\", "FNM_NOESCAPE", true),
        ("*[a", "x[a", "0", true),
    ] {
        let matches = i32::from(matches);
        holds(&format!("klee_assert((fnmatch(\"{pattern}\", \"{text}\", {flags}) == 0) == {matches});"));
    }
}

#[test]
fn forms_of_dates_have_flags_and_widths() {
    holds(
        "struct tm t = {.tm_year = 124, .tm_mon = 1, .tm_mday = 3, .tm_wday = 6, .tm_yday = 33, .tm_hour = 15}; char b[90];\n\
         strftime(b, 90, \"%-d|%e|%_5d|%05d|%^B|%#p|%10a|%-5d|%_H|%-j|%3Y|%#Z|%P\", &t);\n\
         klee_assert(!strcmp(b, \"3| 3|    3|00003|FEBRUARY|pm|       Sat|    3|15|34|2024|utc|pm\"));\n\
         strftime(b, 90, \"%Q|%Ed|%Ey|%^Q|%08F|%012F|%z|%5%|%\", &t); klee_assert(!strcmp(b, \"%Q|%Ed|24|%^Q|2024-02-03|002024-02-03|+0000|    %|%\"));\n\
         klee_assert(strftime(b, 5, \"%Y-%m\", &t) == 0 && strftime(b, 8, \"%Y-%m\", &t) == 7); time_t z = 0;\n\
         strftime(b, 90, \"%Z\", gmtime(&z)); klee_assert(!strcmp(b, \"GMT\")); strftime(b, 90, \"%Z\", localtime(&z));\n\
         klee_assert(!strcmp(b, \"UTC\")); t.tm_year = -1900; strftime(b, 90, \"%C|%Y|%y\", &t); klee_assert(!strcmp(b, \"0|0|00\"));\n\
         t.tm_wday = 9; strftime(b, 90, \"%a\", &t); klee_assert(!strcmp(b, \"?\"));",
    );
}

#[test]
fn parts_of_dates_say_the_others() {
    holds(
        "struct tm t = {0}; klee_assert(strptime(\"60 2023\", \"%j %Y\", &t) != 0 && t.tm_mon == 2 && t.tm_mday == 1 && t.tm_wday == 3);\n\
         t.tm_mon = 4; klee_assert(strptime(\"13\", \"%m\", &t) == 0 && t.tm_mon == 4);\n\
         struct tm w = {0}; klee_assert(strptime(\"2023 10 1\", \"%Y %U %w\", &w) != 0 && w.tm_mon == 2 && w.tm_mday == 6 && w.tm_yday == 64);\n\
         struct tm d = {0}; char *e = strptime(\"45\", \"%d\", &d); klee_assert(*e == '5' && d.tm_mday == 4);\n\
         struct tm p = {0}; klee_assert(strptime(\"03 PM\", \"%I %p\", &p) != 0 && p.tm_hour == 15 && strptime(\"03 PM\", \"%H %p\", &p) != 0 && p.tm_hour == 3);\n\
         struct tm z = {0}; klee_assert(strptime(\"+05:30\", \"%z\", &z) != 0 && z.tm_gmtoff == 19800);",
    );
}

#[test]
fn the_text_of_a_stream_over_memory_ends_where_it_says() {
    holds(
        "char *p; size_t n; FILE *f = open_memstream(&p, &n); fputs(\"abc5\", f); fflush(f); klee_assert(n == 4 && !strcmp(p, \"abc5\"));\n\
         fseek(f, 1, SEEK_SET); fputc('Z', f); fclose(f); klee_assert(n == 2 && !strcmp(p, \"aZ\"));",
    );
}
