/* Classes of characters in the "C" locale, as functions.
 *
 * Each is one expression without a branch, so asking about an unknown character does not fork; only
 * what the program does with the answer may. Arguments outside unsigned char and EOF, which the
 * standard leaves undefined, belong to no class and map to themselves (glibc reads past its table).
 */
#include "runtime.h"

int isdigit(int c) { return is_digit(c); }
int isupper(int c) { return is_upper(c); }
int islower(int c) { return is_lower(c); }
int isalpha(int c) { return is_alpha(c); }
int isalnum(int c) { return is_alnum(c); }
int isspace(int c) { return is_space(c); }
int isprint(int c) { return is_print(c); }
int isblank(int c) { return (c == ' ') | (c == '\t'); }
int iscntrl(int c) { return ((unsigned)c < ' ') | (c == 127); }
int isgraph(int c) { return (unsigned)c - '!' < 94; }
int ispunct(int c) { return ((unsigned)c - '!' < 94) & !is_alnum(c); }
int isxdigit(int c) { return is_digit(c) | (((unsigned)c | 32) - 'a' < 6); }
int isascii(int c) { return (unsigned)c < 128; }
int toascii(int c) { return c & 127; }
int tolower(int c) { return to_lower(c); }
int toupper(int c) { return to_upper(c); }
