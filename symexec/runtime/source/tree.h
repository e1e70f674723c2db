/* Files, folders and links, and the paths that lead to them (tree.c). */
#ifndef SYMEXEC_TREE_H
#define SYMEXEC_TREE_H

#include "runtime.h"

/* Names that programs may have too. */
#define tree_root __symexec_tree_root
#define tree_current __symexec_tree_current
#define tree_new __symexec_tree_new
#define tree_walk __symexec_tree_walk
#define tree_goes_on __symexec_tree_goes_on
#define tree_enter __symexec_tree_enter
#define tree_leave __symexec_tree_leave
#define tree_path __symexec_tree_path

/* The kinds of files, as in st_mode. */
enum {
  KIND = 0170000,
  A_PIPE = 010000,
  A_DEVICE = 020000,
  A_FOLDER = 040000,
  AN_ORDINARY_FILE = 0100000,
  A_LINK = 0120000,
  A_SOCKET = 0140000,
};

/* What an inode is to Linux. */
struct file {
  unsigned char *bytes; /* an ordinary file's content, which may be unknown; a link's text, with a final zero */
  size_t size, room;    /* how much of it there is, which is always known */
  uint64_t number;      /* what tells files apart */
  uint32_t mode;        /* kind and permissions, as in st_mode */
  uint32_t links;       /* how many names lead here */
  uint32_t mapped;      /* how many mappings are the content itself, which then does not move */
  struct name *names;   /* of a folder: what is in it, the newest first */
  struct file *parent;  /* of a folder: the one that it is in; the root is in itself */
  const char *unknown;  /* the input that its metadata are, where these are unknown (metadata.c) */
  struct status *status; /* these, once somebody looked */
  int64_t times[4];     /* that a program gave it: of last access and change, as in struct status */
  const struct handlers *handlers; /* of a stream that the program itself reads and writes (fopencookie) */
  bool fixed;           /* whether there is room for no more, as the content is the program's own array */
};

/* Functions of a program in the place of a file, and what they are called with; glibc's order. */
struct handlers {
  void *cookie;
  ptrdiff_t (*read)(void *cookie, char *to, size_t count);
  ptrdiff_t (*write)(void *cookie, const char *from, size_t count);
  int (*seek)(void *cookie, long *place, int from);
  int (*close)(void *cookie);
};

/* A file's name in a folder. */
struct name {
  const char *text;
  struct file *file;
  struct name *next;
};

/* Where a path leads. */
struct place {
  struct file *file;   /* what is there; null if nothing is */
  struct file *folder; /* where its last name is, or would be; null for the root and for "." and ".." */
  struct name **name;  /* the name in this folder; null if there is none */
  const char *last;    /* the last name, as long as there is nothing */
  const char *dots;    /* "." or "..", if the path ends with them */
  bool slash;          /* whether a slash is behind the last name, which may still be no folder's */
};

static inline bool is_folder(const struct file *file) { return (file->mode & KIND) == A_FOLDER; }
static inline bool is_link(const struct file *file) { return (file->mode & KIND) == A_LINK; }
static inline bool is_device(const struct file *file) { return (file->mode & KIND) == A_DEVICE; }
static inline bool is_pipe(const struct file *file) { return (file->mode & KIND) == A_PIPE; }
static inline bool is_socket(const struct file *file) { return (file->mode & KIND) == A_SOCKET; }
static inline bool is_ordinary(const struct file *file) { return (file->mode & KIND) == AN_ORDINARY_FILE; }

/* The folder in which all are, and the one that the program is in. */
extern struct file tree_root;
extern struct file *tree_current;

/* A new file without a name; null if there is no memory. */
struct file *tree_new(uint32_t mode, size_t size);

/* What a path is followed for: what is there, behind a link that is its last name or not; or where something is
 * made, changed or taken away. Then a slash behind the last name is the caller's to judge, and a link in front of
 * it is not followed. */
enum purpose { FOLLOW, ITSELF, MAKE, FOLLOW_TO_MAKE };

/* Follows a path from a folder. Gives an error's number, or 0: then there is something, or perhaps a folder in
 * which it could be made. */
int tree_walk(struct file *from, const char *path, enum purpose purpose, struct place *to);

/* Whether a path goes on behind the name that a place lacks, so that nothing can be made there. */
bool tree_goes_on(const struct place *place);

/* Gives a file the name that a place lacks; an error's number, or 0. Only folders may be made with a slash
 * behind their name. */
int tree_enter(const struct place *place, struct file *file);

/* Takes the name at a place away. Whoever has the file open goes on using it. */
void tree_leave(const struct place *place);

/* The path of a folder from the root, in memory of its own; null, with errno, if nothing leads to it. */
char *tree_path(struct file *folder);

#endif
