/* Lists of programs' own elements, each of which begins with pointers to the next one and the one before: insque. */
#include "runtime.h"

struct element {
  struct element *next, *before;
};

void insque(void *element, void *behind) {
  struct element *new = element, *before = behind;
  new->before = before;
  new->next = before == NULL ? NULL : before->next;
  if (before != NULL)
    before->next = new;
  if (new->next != NULL)
    new->next->before = new;
}

void remque(void *element) {
  struct element *old = element;
  if (old->next != NULL)
    old->next->before = old->before;
  if (old->before != NULL)
    old->before->next = old->next;
}
