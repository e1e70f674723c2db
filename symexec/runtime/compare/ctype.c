/* Classes of characters: functions for every value the standard allows, tables entry by entry. */
#include "compare.h"

#include <ctype.h>

OURS(isdigit);
OURS(isupper);
OURS(islower);
OURS(isalpha);
OURS(isalnum);
OURS(isspace);
OURS(isprint);
OURS(isblank);
OURS(iscntrl);
OURS(isgraph);
OURS(ispunct);
OURS(isxdigit);
OURS(isascii);
OURS(toascii);
OURS(tolower);
OURS(toupper);
OURS(__ctype_b_loc);
OURS(__ctype_tolower_loc);
OURS(__ctype_toupper_loc);
OURS(__ctype_get_mb_cur_max);

#define TRUTH(name, c) same_truth(ours_##name(c), (name)(c), #name "(%d)", c)

void compare_ctype(void) {
  for (int c = -1; c < 256; c++) {
    TRUTH(isdigit, c);
    TRUTH(isupper, c);
    TRUTH(islower, c);
    TRUTH(isalpha, c);
    TRUTH(isalnum, c);
    TRUTH(isspace, c);
    TRUTH(isprint, c);
    TRUTH(isblank, c);
    TRUTH(iscntrl, c);
    TRUTH(isgraph, c);
    TRUTH(ispunct, c);
    TRUTH(isxdigit, c);
    TRUTH(isascii, c);
    same_number(ours_toascii(c), toascii(c), "toascii(%d)", c);
    same_number(ours_tolower(c), (tolower)(c), "tolower(%d)", c);
    same_number(ours_toupper(c), (toupper)(c), "toupper(%d)", c);
  }
  for (int c = -128; c < 256; c++) {
    same_number((*ours___ctype_b_loc())[c], (*__ctype_b_loc())[c], "the class table at %d", c);
    same_number((*ours___ctype_tolower_loc())[c], (*__ctype_tolower_loc())[c], "the lower-case table at %d", c);
    same_number((*ours___ctype_toupper_loc())[c], (*__ctype_toupper_loc())[c], "the upper-case table at %d", c);
  }
  same_number((long long)ours___ctype_get_mb_cur_max(), (long long)__ctype_get_mb_cur_max(), "MB_CUR_MAX");
}
