//! Numbers that a program reads digit by digit: what it learns of them holds of the digits, and the other way round.

use crate::klee::{klee, source};

#[test]
fn comparisons_of_numbers_are_known_of_their_digits() {
    let folder = tempfile::tempdir().unwrap();
    let program = source(
        &folder,
        "#include <klee/klee.h>\n\
         static unsigned long read(const char *s) {\n\
           unsigned long n = 0;\n\
           for (; (unsigned)(*s - '0') < 10; s++) n = n * 10 + (unsigned)(*s - '0');\n\
           return n;\n\
         }\n\
         int main(void) {\n\
           char s[3]; klee_make_symbolic(s, 3, \"s\"); klee_assume(s[2] == 0);\n\
           klee_assume((s[0] >= '0') & (s[0] <= '9') & (s[1] >= '0') & (s[1] <= '9'));\n\
           unsigned long n = read(s);\n\
           if (n < 37) {\n\
             klee_assert(s[0] < '3' | (s[0] == '3') & (s[1] < '7'));\n\
             return 1;\n\
           }\n\
           klee_assert(s[0] > '3' | (s[0] == '3') & (s[1] >= '7'));\n\
           if (n == 50) {\n\
             klee_assert(s[0] == '5' & s[1] == '0');\n\
             return n - 50;\n\
           }\n\
           klee_assert(s[0] != '5' | s[1] != '0');\n\
           if (n * 1024 > 98 * 1024) {\n\
             klee_assert(s[0] == '9' & s[1] == '9' & n == 99);\n\
             return 3;\n\
           }\n\
           klee_assert(n <= 98 & (s[0] != '9' | s[1] != '9'));\n\
           return 0;\n\
         }\n",
    );
    let ran = klee(&folder, &[], &program, &[]);
    assert!(!ran.stderr.contains("ASSERTION FAIL"), "{}", ran.stderr);
    assert_eq!(ran.done("completed paths"), 4, "{}", ran.stderr);
    assert_eq!(ran.done("partially completed paths"), 0, "{}", ran.stderr);
}
