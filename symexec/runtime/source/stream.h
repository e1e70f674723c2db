/* Streams, as the files that implement them share them. */
#ifndef SYMEXEC_STREAM_H
#define SYMEXEC_STREAM_H

#include "file.h"

#define stream_next __symexec_stream_next
#define stream_back __symexec_stream_back
#define stream_write __symexec_stream_write
#define stream_flags __symexec_stream_flags
#define stream_tell_text __symexec_stream_tell_text

enum { AT_END = 0x10, IN_ERROR = 0x20, EOF = -1 };

/* The layout begins as glibc's, because inlined getc_unlocked and putc_unlocked look into it: all its
 * pointers are null, which sends them to __uflow and __overflow. */
typedef struct stream {
  int flags; /* with glibc's bits for end and error */
  char *pointers[7];
  int descriptor;
  int pushed[4]; /* characters pushed back, the last one first to come */
  int pushed_count;
  char **text;    /* of open_memstream: where the text and its length are told */
  size_t *length;
  size_t unit;    /* how many bytes its characters have */
  bool is_nameless; /* whether programs do not see the descriptor: over memory, or functions of theirs */
  bool is_wide; /* whether wide characters were read or written, as fwide tells */
} FILE;

extern FILE *stdin, *stdout, *stderr;

/* The next character, or EOF with its flag. */
int stream_next(FILE *stream);

/* Pushes a character back; false if too many wait already. */
bool stream_back(FILE *stream, int character);

/* How many of the bytes were written; less than all marks the stream. */
size_t stream_write(FILE *stream, const void *bytes, size_t count);

/* The flags of a mode such as "r+b"; negative, with errno, if it is none. */
int stream_flags(const char *mode);

/* Tells whoever opened a stream over memory what is in it by now; -1 if there is no memory. */
int stream_tell_text(FILE *stream);

#endif
