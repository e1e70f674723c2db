/* Wide characters of the one locale, "C": a character is a byte below 128. */
#ifndef SYMEXEC_WIDE_H
#define SYMEXEC_WIDE_H

#include "runtime.h"

typedef uint32_t wide; /* wint_t */
typedef wchar_t wc;

#define NO_CHARACTER ((wide)-1) /* WEOF */

/* The byte of a character in a stream; a question mark for what has none. */
static inline char narrow(wide character) { return (char)(character < 128 ? character : '?'); }

#endif
