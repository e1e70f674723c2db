//! Memory by the page: files that are mapped, and parts of mappings.

use crate::world::{holds, run};

#[test]
fn a_private_mapping_is_a_copy_of_the_file() {
    holds(
        "int f = open(\"a\", O_RDWR | O_CREAT, 0600); char b[8] = {0}; klee_assert(write(f, \"hello\", 5) == 5);\n\
         char *m = mmap(0, 5, PROT_READ | PROT_WRITE, MAP_PRIVATE, f, 0); klee_assert(m != MAP_FAILED && !memcmp(m, \"hello\", 5));\n\
         klee_assert(m[5] == 0 && m[4095] == 0); m[0] = 'j'; klee_assert(pread(f, b, 5, 0) == 5 && !strcmp(b, \"hello\"));\n\
         klee_assert(madvise(m, 5, MADV_DONTNEED) == 0 && m[0] == 'h' && munmap(m, 5) == 0);\n\
         klee_assert(mmap(0, 5, PROT_READ, MAP_PRIVATE, f, 1) == MAP_FAILED && errno == EINVAL);\n\
         klee_assert(mmap(0, 0, PROT_READ, MAP_PRIVATE, f, 0) == MAP_FAILED && errno == EINVAL);\n\
         klee_assert(mmap(0, 5, PROT_READ, 0, f, 0) == MAP_FAILED && errno == EINVAL);\n\
         klee_assert(mmap(0, 5, PROT_READ, MAP_PRIVATE, 99, 0) == MAP_FAILED && errno == EBADF);\n\
         int p[2]; pipe(p); klee_assert(mmap(0, 5, PROT_READ, MAP_PRIVATE, p[0], 0) == MAP_FAILED && errno == ENODEV);\n\
         int w = open(\"a\", O_WRONLY), r = open(\"a\", O_RDONLY);\n\
         klee_assert(mmap(0, 5, PROT_READ, MAP_PRIVATE, w, 0) == MAP_FAILED && errno == EACCES);\n\
         klee_assert(mmap(0, 5, PROT_WRITE, MAP_SHARED, r, 0) == MAP_FAILED && errno == EACCES);\n\
         m = mmap(0, 5, PROT_READ | PROT_WRITE, MAP_PRIVATE, r, 0); klee_assert(m != MAP_FAILED && close(r) == 0 && unlink(\"a\") == 0 && m[4] == 'o');",
    );
}

#[test]
fn a_shared_mapping_is_the_file() {
    holds(
        "int f = open(\"a\", O_RDWR | O_CREAT, 0600); char b[8] = {0}; klee_assert(ftruncate(f, 9000) == 0);\n\
         char *m = mmap(0, 9000, PROT_READ | PROT_WRITE, MAP_SHARED, f, 0); char *n = mmap(0, 100, PROT_READ, MAP_SHARED, f, 8192);\n\
         klee_assert(m != MAP_FAILED && n != MAP_FAILED && m[8999] == 0); m[8194] = 'x'; klee_assert(n[2] == 'x');\n\
         klee_assert(pread(f, b, 1, 8194) == 1 && b[0] == 'x' && pwrite(f, \"yz\", 2, 8195) == 2 && n[3] == 'y' && m[8196] == 'z');\n\
         klee_assert(msync(m, 9000, MS_SYNC) == 0 && munmap(m, 9000) == 0 && n[4] == 'z' && munmap(n, 100) == 0);\n\
         klee_assert(pwrite(f, \"end\", 3, 20000) == 3 && pread(f, b, 3, 8194) == 3 && !memcmp(b, \"xyz\", 3));\n\
         int d = memfd_create(\"d\", 0); klee_assert(ftruncate(d, 10) == 0); m = mmap(0, 10, 3, MAP_SHARED, d, 0);\n\
         strcpy(m, \"memory\"); klee_assert(read(d, b, 7) == 7 && !strcmp(b, \"memory\"));",
    );
}

#[test]
fn memory_of_ones_own_has_whole_pages_and_gives_parts_back() {
    holds(
        "char *m = mmap(0, 100, 3, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0); klee_assert(m[4095] == 0 && munmap(m, 100) == 0);\n\
         m = mmap(0, 8 * 4096, 3, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0); m[3 * 4096] = 7;\n\
         klee_assert(munmap(m, 4096) == 0 && munmap(m + 7 * 4096, 4096) == 0 && m[3 * 4096] == 7);\n\
         klee_assert(mmap(m + 3 * 4096, 4096, 3, MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED, -1, 0) == m + 3 * 4096 && m[3 * 4096] == 0);\n\
         m[5000] = 9; klee_assert(madvise(m + 4096, 4096, MADV_DONTNEED) == 0 && m[5000] == 0);\n\
         char *g = mmap(0, 4096, 3, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0); g[9] = 4; g = mremap(g, 4096, 3 * 4096, MREMAP_MAYMOVE);\n\
         klee_assert(g != MAP_FAILED && g[9] == 4 && g[3 * 4096 - 1] == 0 && munmap(g, 3 * 4096) == 0);",
    );
}

/// Those behind the end of a private mapping's file, which end a program on Linux too.
#[test]
fn pages_that_a_file_does_not_have_cannot_be_read() {
    let folder = tempfile::tempdir().unwrap();
    let body = "int main(void) { int f = open(\"a\", O_RDWR | O_CREAT, 0600); write(f, \"hello\", 5);\n\
         char *m = mmap(0, 3 * 4096, PROT_READ, MAP_PRIVATE, f, 0); return m[klee_int(\"i\") & 8191]; }";
    let ran = run(&folder, body, &[]);
    assert_eq!((ran.errors().len(), ran.result("completed")), (1, 1), "{}", ran.stderr);
    assert_eq!(ran.errors()[0].0, "ptr");
}

#[test]
fn unknown_content_is_unknown_where_it_is_mapped() {
    for model in ["forking", "segmented"] {
        for sharing in ["MAP_SHARED", "MAP_PRIVATE"] {
            let folder = tempfile::tempdir().unwrap();
            let body = format!(
                "int main(int c, char **v) {{ int f = open(v[1], O_RDONLY); char b = 0; struct stat s; fstat(f, &s);\n\
                 char *m = mmap(0, s.st_size, PROT_READ, {sharing}, f, 0); if (m == MAP_FAILED) return 9;\n\
                 if (m[2] == 'x') {{ pread(f, &b, 1, 2); klee_assert(b == 'x'); return 1; }} if (m[0] == m[1]) return 2; return 3; }}"
            );
            let ran = run(&folder, &body, &["--memory-model", model, "--", "A", "--sym-files", "1", "4"]);
            assert_eq!((ran.errors(), ran.result("completed")), (vec![], 3), "{}", ran.stderr);
        }
    }
}
