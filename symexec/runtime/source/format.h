/* Formatted output: what the conversions share. */
#ifndef SYMEXEC_FORMAT_H
#define SYMEXEC_FORMAT_H

#include "decimal.h"

/* As in decimal.h: names that programs may have too. */
#define output_character __symexec_output_character
#define output_wide __symexec_output_wide
#define output_many __symexec_output_many
#define output_text __symexec_output_text
#define output_flush __symexec_output_flush
#define sign_of __symexec_sign_of
#define format_binary __symexec_format_binary
#define unseen_integer __symexec_unseen_integer
#define unseen_float __symexec_unseen_float
#define unseen_text __symexec_unseen_text
#define format __symexec_format

/* Where characters go: into an array, as far as they fit, or to a file descriptor. */
struct output {
  char *array; /* null for a descriptor */
  size_t size; /* of the array */
  int descriptor; /* negative: only count */
  bool is_sink;   /* whether only the engine sees what the descriptor takes */
  size_t count;   /* how many characters there were, but for those of `unseen` */
  uint64_t unseen;      /* how many more there were: an unknown number, of a sink */
  uint64_t unseen_most; /* which is no more than this */
  char pending[64];
  size_t waiting; /* how many of `pending` are to be written */
  bool failed;    /* whether the descriptor did not take everything */
  const wchar_t *literals; /* of a stream of wide characters: its format, which is put in bytes for `format` */
  wchar_t *wide_array;     /* in the place of `array` */
};

/* A conversion specification, without its argument. */
struct specification {
  bool left, plus, space, alternate, zero, upper;
  int width;
  int precision; /* -1 if not given */
  char conversion; /* in lower case */
};

void output_character(struct output *out, char c);
/* What has no byte is a question mark in a stream. */
void output_wide(struct output *out, wchar_t c);
void output_many(struct output *out, char c, long long count);
void output_text(struct output *out, const char *text, size_t length);

/* Writes what a descriptor's output still holds. */
void output_flush(struct output *out);

/* To a sink (unseen.c): an unknown integer with a sign or none, a
 * floating-point number, and a text. */
void unseen_integer(struct output *out, const struct specification *spec, unsigned base, uint64_t magnitude,
                    uint64_t signs);
void unseen_float(struct output *out, const struct specification *spec);
void unseen_text(struct output *out, const struct specification *spec, const char *text, size_t length);

/* The sign that stands before a number, or 0. */
char sign_of(const struct specification *spec, bool negative);

/* A floating-point number, in a room for decimal.h. */
void format_binary(struct output *out, const struct specification *spec, const struct binary *number,
                   uint32_t *words, int front);

/* Formats into an output; -1 with errno if that cannot be done. */
int format(struct output *out, const char *text, va_list arguments);

#endif
