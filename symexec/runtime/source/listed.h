/* What a folder is told as, entry by entry. */
#ifndef SYMEXEC_LISTED_H
#define SYMEXEC_LISTED_H

#include "runtime.h"

/* glibc's struct dirent on x86_64. */
struct listed {
  uint64_t inode;
  int64_t offset;
  uint16_t length;
  uint8_t type;
  char name[256];
};

#endif
