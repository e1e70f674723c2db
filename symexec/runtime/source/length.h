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

#endif
