/* Other processes: what the program starts, if that is followed (world/children.c). */
#ifndef SYMEXEC_CHILDREN_H
#define SYMEXEC_CHILDREN_H

#include "runtime.h"

/* Names that programs may have too. */
#define children_followed __symexec_children_followed
#define children_self __symexec_children_self
#define children_parent __symexec_children_parent
#define children_has __symexec_children_has

/* The number of the process that the program is started as. */
enum { FIRST_PROCESS = 4242 };

/* Which processes are followed where the program makes one, as bits. */
enum { FOLLOWS_CHILD = 1, FOLLOWS_PARENT = 2 };

/* Those that are followed (source/followed.c). */
extern unsigned children_followed;

/* The numbers of the running process and of the one that made it. */
extern int children_self, children_parent;

/* Whether the running process has made one of this number that it has not waited for. */
bool children_has(int process);

#endif
