/* What is unknown of files besides their content (metadata.c). */
#ifndef SYMEXEC_METADATA_H
#define SYMEXEC_METADATA_H

#include "tree.h"

/* Names that programs may have too. */
#define metadata_begin __symexec_metadata_begin
#define metadata_add __symexec_metadata_add
#define metadata_of __symexec_metadata_of
#define metadata_is __symexec_metadata_is
#define metadata_behind __symexec_metadata_behind
#define metadata_is_terminal __symexec_metadata_is_terminal
#define metadata_volume __symexec_metadata_volume
#define metadata_are_unknown __symexec_metadata_are_unknown
#define metadata_lets __symexec_metadata_lets
#define metadata_is_own __symexec_metadata_is_own

/* glibc's struct stat on x86_64. */
struct status {
  uint64_t device, inode, links;
  uint32_t mode, user, group, unused;
  uint64_t special;
  int64_t size, block_size, blocks;
  int64_t times[6], spare[3];
};
_Static_assert(sizeof(struct status) == 144, "glibc's size of struct stat");

/* From here on, files that are added have unknown metadata, and so has standard output. */
void metadata_begin(void);

/* Whether that was so. */
bool metadata_are_unknown(void);

/* Whether the permissions of a file let the program's user read or write it, as these bits (4, 2, 1) say; of a file
 * whose metadata are known, they do. */
bool metadata_lets(struct file *file, uint32_t bits);

/* Whether a file is the program's user's, who alone may change its permissions. */
bool metadata_is_own(struct file *file);

/* Lets the metadata of a file be unknown, where that was begun; its content is the input of this name. */
void metadata_add(struct file *file, const char *input);

/* What is not known of a file, made when it is first asked for; null if all is known. */
struct status *metadata_of(struct file *file);

/* Whether a file whose metadata is unknown is of this kind; a file that is known is what its mode says. */
bool metadata_is(struct file *file, uint32_t kind);

/* The file that a descriptor leads to, where standard output may be one with unknown metadata. */
struct file *metadata_behind(int descriptor);

/* The type of the volume that all files are on: unknown where metadata are, and the given one elsewhere. */
long metadata_volume(long type);

/* Whether a descriptor leads to a terminal: a device of unknown metadata. */
bool metadata_is_terminal(int descriptor);

#endif
