/* Files and descriptors, as the runtime's other files use them (file.c). */
#ifndef SYMEXEC_FILE_H
#define SYMEXEC_FILE_H

#include "runtime.h"

/* Names that programs may have too. */
#define file_add __symexec_file_add
#define file_of_input __symexec_file_of_input
#define file_open __symexec_file_open
#define file_close __symexec_file_close
#define file_read __symexec_file_read
#define file_write __symexec_file_write
#define file_seek __symexec_file_seek
#define file_remove __symexec_file_remove
#define file_is_sink __symexec_file_is_sink
#define file_flags __symexec_file_flags
#define file_set_flags __symexec_file_set_flags
#define file_duplicate __symexec_file_duplicate
#define file_pipe __symexec_file_pipe
#define file_first __symexec_file_first
#define file_rename __symexec_file_rename
#define file_is_folder __symexec_file_is_folder
#define file_failures __symexec_file_failures
#define file_fails __symexec_file_fails

/* A file's content, which may be unknown; its size is always known. */
struct file {
  const char *name;
  unsigned char *bytes;
  size_t size, room;
  uint64_t number; /* what tells files apart, as an inode's does */
  struct file *next;
};

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
};

enum { FROM_START, FROM_HERE, FROM_END };

/* Adds a file of so many bytes, all zero; null if there is no memory. */
struct file *file_add(const char *name, size_t size);

/* Makes a file the content of standard input. */
void file_of_input(struct file *file);

/* The system calls behind open, close, read, write, lseek and unlink, under names that no program
 * replaces. */
int file_open(const char *path, int flags);
int file_close(int descriptor);
ptrdiff_t file_read(int descriptor, void *to, size_t count);
ptrdiff_t file_write(int descriptor, const void *from, size_t count);
long file_seek(int descriptor, long offset, int from);
int file_remove(const char *path);

/* The flags that a descriptor was opened with, and new ones. */
int file_flags(int descriptor);
int file_set_flags(int descriptor, int flags);

/* Another descriptor, of this number or above, for the same open file. */
int file_duplicate(int descriptor, int from);

/* A file without a name that is read at one descriptor and written at another. */
int file_pipe(int *ends);

/* The files that have names, as a list. */
struct file *file_first(void);

/* Whether a path leads to the folder in which everything is. */
bool file_is_folder(const char *path);

/* Gives a file another name; a file that had it is gone. */
int file_rename(const char *from, const char *to);

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
