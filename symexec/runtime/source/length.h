/* The lengths of arguments in the formats of printf and scanf. */
#ifndef SYMEXEC_LENGTH_H
#define SYMEXEC_LENGTH_H

/* By size. Integers with the last two have eight bytes; L before them is an old way to write ll. */
enum length { CHAR, SHORT, INT, LONG, LONG_DOUBLE };

/* Reads the length that stands before a conversion, and goes on behind it. */
static inline enum length read_length(const char **format) {
  switch (*(*format)++) {
  case 'h':
    if (**format != 'h')
      return SHORT;
    ++*format;
    return CHAR;
  case 'l':
    *format += **format == 'l';
    return LONG;
  case 'j':
  case 'z':
  case 'Z':
  case 't':
  case 'q':
    return LONG;
  case 'L':
    return LONG_DOUBLE;
  default:
    --*format;
    return INT;
  }
}

/* The number of the argument that is named by its position ("2$"), which is gone behind; 0 where none is. */
static inline int read_position(const char **format) {
  const char *text = *format;
  int position = 0;
  for (; *text >= '0' && *text <= '9' && position < 10000; text++)
    position = position * 10 + (*text - '0');
  if (*text != '$')
    return 0;
  *format = text + 1;
  return position;
}

#endif
