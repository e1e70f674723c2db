/* Files and descriptors, as the runtime's other files use them (file.c). */
#ifndef SYMEXEC_FILE_H
#define SYMEXEC_FILE_H

#include "tree.h"

/* Names that programs may have too. */
#define file_add __symexec_file_add
#define file_of_input __symexec_file_of_input
#define file_open __symexec_file_open
#define file_close __symexec_file_close
#define file_read __symexec_file_read
#define file_write __symexec_file_write
#define file_seek __symexec_file_seek
#define file_place __symexec_file_place
#define file_is_sink __symexec_file_is_sink
#define file_flags __symexec_file_flags
#define file_set_flags __symexec_file_set_flags
#define file_duplicate __symexec_file_duplicate
#define file_closes __symexec_file_closes
#define file_set_closes __symexec_file_set_closes
#define file_pipe __symexec_file_pipe
#define file_failures __symexec_file_failures
#define file_fails __symexec_file_fails
#define file_of __symexec_file_of
#define file_over __symexec_file_over
#define file_maps __symexec_file_maps
#define file_make __symexec_file_make
#define file_mask __symexec_file_mask

/* Linux's flags of open. */
enum {
  READ_ONLY = 0,
  WRITE_ONLY = 1,
  READ_AND_WRITE = 2,
  ACCESS = 3,
  CREATE = 0100,
  EXCLUSIVE = 0200,
  TRUNCATE = 01000,
  APPEND = 02000,
  FOLDER = 0200000,
  CLOSE_ON_EXEC = 02000000,
  NO_LINK = 0400000,
};

/* In the place of a folder's descriptor: the folder that the program is in. */
enum { AT_HERE = -100 };

enum { FROM_START, FROM_HERE, FROM_END };

/* Adds a file of so many bytes, all zero, and the folders that lead to it; what had its name is gone. Null if
 * there is no memory. */
struct file *file_add(const char *name, size_t size);

/* Makes a file the content of standard input. */
void file_of_input(struct file *file);

/* The system calls behind openat, close, read, write and lseek, under names that no program replaces. */
int file_open(int folder, const char *path, int flags, unsigned mode);
int file_close(int descriptor);
ptrdiff_t file_read(int descriptor, void *to, size_t count);
ptrdiff_t file_write(int descriptor, const void *from, size_t count);
long file_seek(int descriptor, long offset, int from);

/* Follows a path from the folder of a descriptor; -1, with errno, if it leads nowhere. */
int file_place(int folder, const char *path, enum purpose purpose, struct place *to);

/* Makes a file of a kind, with permissions and without content, where nothing is (names.c); -1, with errno, if it cannot
 * be made. */
int file_make(int folder, const char *path, uint32_t mode);

/* A descriptor for a file, whatever leads to it; -1, with errno, if there is none left. */
int file_over(struct file *file, int flags);

/* One mapping more shows a file's content, which has room for so many bytes then and does not move as long as there is
 * one (mapped.c); false if there is no such room. */
bool file_maps(struct file *file, size_t room);

/* What a descriptor is open for: null for streams and what has no content. With errno EBADF if it is not open. */
struct file *file_of(int descriptor);

/* The permissions that new files do not get. */
extern unsigned file_mask;

/* The flags that a descriptor was opened with, and new ones. */
int file_flags(int descriptor);
int file_set_flags(int descriptor, int flags);

/* Whether a descriptor, which is open, does not outlive exec: its own, not its file's. */
bool file_closes(int descriptor);
void file_set_closes(int descriptor, bool closes);

/* Another descriptor, of this number or above, for the same open file. */
int file_duplicate(int descriptor, int from);

/* A file without a name that is read at one descriptor and written at another. */
int file_pipe(int *ends);

/* The calls that can be made to fail. */
enum call { READ, WRITE, CLOSE, TRUNCATE_FILE, FIND_FOLDER, CALLS };

/* Lets at most so many calls of a path fail: of each kind the one whose number an input of the test says, as
 * in KLEE (--max-fail). Whether there was memory for it. */
bool file_failures(unsigned most);

/* Counts a call of this kind, and says whether it fails; errno is set then. */
bool file_fails(enum call call);

/* Whether what a descriptor takes goes where the program cannot read it. */
bool file_is_sink(int descriptor);

#endif
