/* Which processes are followed, as the start of the program says it (start.c) and the model of the system knows it. */
#include "children.h"

unsigned children_followed;
