/* Folders, links and names: random calls on two trees, one of the system and one in memory. */
#include "compare.h"

#include <dirent.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

OURS(open);
OURS(openat);
OURS(close);
OURS(write);
OURS(fstat);
OURS(stat);
OURS(lstat);
OURS(stat64);
OURS(lstat64);
OURS(fstatat);
OURS(fstatat64);
OURS(access);
OURS(faccessat);
OURS(chmod);
OURS(fchmod);
OURS(fchmodat);
OURS(umask);
OURS(mkdir);
OURS(mkdirat);
OURS(rmdir);
OURS(symlink);
OURS(symlinkat);
OURS(link);
OURS(linkat);
OURS(readlink);
OURS(readlinkat);
OURS(unlink);
OURS(unlinkat);
OURS(remove);
OURS(rename);
OURS(renameat);
OURS(renameat2);
OURS(chdir);
OURS(fchdir);
OURS(getcwd);
OURS(get_current_dir_name);
OURS(realpath);
OURS(canonicalize_file_name);
OURS(opendir);
OURS(fdopendir);
OURS(readdir);
OURS(readdir64);
extern int ours_readdir_r(DIR *, struct dirent *, struct dirent **);
extern int ours_readdir64_r(DIR *, struct dirent64 *, struct dirent64 **);
OURS(rewinddir);
OURS(telldir);
OURS(seekdir);
OURS(closedir);
OURS(dirfd);

/* Both trees begin so deep that no path of links leaves what both made. */
static const char deep[] = "/1/2/3/4/5/6/7/8/9";
static char base[64] = "/tmp" "/compare-names-XXXXXX";
static char theirs_at[128], ours_at[128];
static size_t above; /* how long the part of a path is in which both differ */

static void same_result(long ours, long theirs, const char *what, const char *path, const char *other) {
  int error = errno;
  same_number(ours, theirs, "%s of '%s' and '%s'", what, path, other);
  if (ours < 0 && theirs < 0)
    same_number(ours_errno, error, "errno of %s of '%s' and '%s'", what, path, other);
}

static void draw_path(char *to) {
  static const char *const parts[] = {"a", "b", "c", ".", "..", "a/", "a//b", "b/../c", "./a", "c/a/b", "a/.", "b/..", NULL};
  strcpy(to, pick(parts));
  for (int i = 0; i < 2 && sometimes(3); i++) {
    strcat(to, "/");
    strcat(to, pick(parts));
  }
  if (sometimes(40))
    *to = 0;
}

static void same_status(const struct stat *mine, const struct stat *system, const char *path) {
  same_number(mine->st_mode, system->st_mode, "the mode of '%s'", path);
  if (!S_ISDIR(mine->st_mode))
    same_number(mine->st_size, system->st_size, "the size of '%s'", path);
  /* Not every file system counts the folders in a folder. */
  if (!S_ISDIR(mine->st_mode))
    same_number((long long)mine->st_nlink, (long long)system->st_nlink, "the links of '%s'", path);
}

static int by_name(const void *left, const void *right) {
  return strcmp(*(char *const *)left, *(char *const *)right);
}

/* The names in a folder, sorted, in one text. */
#define LIST(to, prefix, entry_type, path)                                  \
  do {                                                                      \
    char *names[64];                                                        \
    size_t count = 0;                                                       \
    DIR *listing = prefix##opendir(path);                                   \
    for (entry_type *entry; listing && (entry = prefix##readdir(listing));) \
      names[count++] = strdup(entry->d_name);                               \
    qsort(names, count, sizeof *names, by_name);                            \
    for (size_t i = 0; i < count; i++) {                                    \
      strcat(strcat(to, names[i]), " ");                                    \
      free(names[i]);                                                       \
    }                                                                       \
    if (listing)                                                            \
      prefix##closedir(listing);                                            \
  } while (0)

static void compare_listings(const char *path) {
  char mine[512] = "", system[512] = "";
  LIST(mine, ours_, struct dirent, path);
  LIST(system, , struct dirent, path);
  same_bytes(mine, system, sizeof mine, "the names in '%s': '%s' and '%s'", path, mine, system);
  DIR *listing = ours_opendir(path);
  if (listing == NULL)
    return;
  struct stat status;
  same_number(ours_fstat(ours_dirfd(listing), &status) == 0 && S_ISDIR(status.st_mode), 1, "dirfd of '%s'", path);
  ours_readdir64(listing);
  long place = ours_telldir(listing);
  ours_readdir64(listing);
  ours_rewinddir(listing);
  same_number(ours_telldir(listing), 0, "telldir at the start");
  ours_seekdir(listing, place);
  same_number(ours_telldir(listing), place, "telldir behind seekdir");
  /* Into room of the caller's: the same names in the same order as after the start. */
  struct dirent room, *told = NULL, *known;
  struct dirent64 other, *again = NULL;
  DIR *third = ours_opendir(path);
  ours_rewinddir(listing);
  while ((known = ours_readdir(third)) != NULL) {
    int result = sometimes(2) ? ours_readdir_r(listing, &room, &told) : (ours_readdir64_r(listing, &other, &again), told = (struct dirent *)again, 0);
    same_truth(result == 0 && told != NULL && strcmp(told->d_name, known->d_name) == 0, 1, "readdir_r in '%s'", path);
  }
  same_truth(ours_readdir_r(listing, &room, &told) == 0 && told == NULL, 1, "readdir_r at the end");
  ours_closedir(third);
  ours_closedir(listing);
}

/* What is behind the part in which the paths of both differ; the number stands for what is not below it. */
static const char *below_base(const char *path, size_t length) {
  return path == NULL || strlen(path) < length ? "(none)" : path + length;
}

static void step(void) {
  char path[64], other[64];
  draw_path(path);
  draw_path(other);
  bool beside = sometimes(3);
  int mine = beside ? ours_open(".", O_RDONLY | O_DIRECTORY) : AT_FDCWD;
  int system = beside ? open(".", O_RDONLY | O_DIRECTORY) : AT_FDCWD;
  struct stat my_status, their_status;
  char to[64] = "", their_to[64] = "";
  switch (below(18)) {
  case 0:
  case 1:
    same_result(beside ? ours_mkdirat(mine, path, 0755) : ours_mkdir(path, 0755), mkdirat(system, path, 0755), "mkdir", path, "");
    break;
  case 2:
    same_result(beside ? ours_unlinkat(mine, path, AT_REMOVEDIR) : ours_rmdir(path), unlinkat(system, path, AT_REMOVEDIR), "rmdir", path, "");
    break;
  case 3:
    same_result(beside ? ours_unlinkat(mine, path, 0) : ours_unlink(path), unlinkat(system, path, 0), "unlink", path, "");
    break;
  case 4:
    same_result(ours_remove(path), remove(path), "remove", path, "");
    break;
  case 5:
  case 6:
    same_result(beside ? ours_renameat(mine, path, mine, other) : ours_rename(path, other), renameat(system, path, system, other), "rename", path, other);
    break;
  case 7:
    same_result(ours_renameat2(mine, path, mine, other, RENAME_NOREPLACE), renameat2(system, path, system, other, RENAME_NOREPLACE), "renameat2", path, other);
    break;
  case 8: {
    int flags = sometimes(3) ? AT_SYMLINK_FOLLOW : 0;
    if (flags == 0 && !beside)
      same_result(ours_link(path, other), link(path, other), "link", path, other);
    else
      same_result(ours_linkat(mine, path, mine, other, flags), linkat(system, path, system, other, flags), "linkat", path, other);
    break;
  }
  case 9:
    same_result(beside ? ours_symlinkat(other, mine, path) : ours_symlink(other, path), symlinkat(other, system, path), "symlink", path, other);
    break;
  case 10: {
    size_t size = below(20);
    same_result(beside ? ours_readlinkat(mine, path, to, size) : ours_readlink(path, to, size), readlinkat(system, path, their_to, size), "readlink", path, "");
    same_bytes(to, their_to, sizeof to, "the text of '%s'", path);
    break;
  }
  case 11: {
    int flags = (int)below(3) | (sometimes(2) ? O_CREAT : 0) | (sometimes(5) ? O_DIRECTORY : 0) | (sometimes(5) ? O_NOFOLLOW : 0);
    if ((flags & O_CREAT) != 0)
      flags = (flags & ~O_DIRECTORY) | (sometimes(4) ? O_EXCL : 0);
    int ours = ours_openat(mine, path, flags, 0640), theirs = openat(system, path, flags, 0640);
    same_result(ours < 0 ? -1 : 0, theirs < 0 ? -1 : 0, "open", path, flags & O_CREAT ? "(made)" : "");
    if (ours >= 0 && theirs >= 0) {
      same_result(ours_write(ours, "hello", 3), write(theirs, "hello", 3), "write", path, "");
      if (sometimes(4) && (flags & O_ACCMODE) != O_RDONLY)
        same_result(ours_fchmod(ours, 0711), fchmod(theirs, 0711), "fchmod", path, "");
    }
    if (ours >= 0)
      ours_close(ours);
    if (theirs >= 0)
      close(theirs);
    break;
  }
  case 12:
  case 13: {
    int flags = sometimes(2) ? AT_SYMLINK_NOFOLLOW : 0;
    int ours = beside ? ours_fstatat(mine, path, &my_status, flags) : flags ? ours_lstat(path, &my_status) : ours_stat(path, &my_status);
    same_result(ours, fstatat(system, path, &their_status, flags), "stat", path, flags ? "(itself)" : "");
    if (ours == 0)
      same_status(&my_status, &their_status, path);
    struct stat64 large;
    same_number(flags ? ours_lstat64(path, &large) : ours_stat64(path, &large), ours_fstatat64(AT_FDCWD, path, &large, flags), "stat64 of '%s'", path);
    break;
  }
  case 14:
    same_result(beside ? ours_faccessat(mine, path, X_OK, 0) : ours_access(path, X_OK), faccessat(system, path, X_OK, 0), "access", path, "");
    break;
  case 15:
    same_result(beside ? ours_fchmodat(mine, path, 0750, 0) : ours_chmod(path, 0750), fchmodat(system, path, 0750, 0), "chmod", path, "");
    break;
  case 16: {
    char *ours = sometimes(2) ? ours_realpath(path, NULL) : ours_canonicalize_file_name(path);
    char *theirs = realpath(path, NULL);
    same_result(ours == NULL ? -1 : 0, theirs == NULL ? -1 : 0, "realpath", path, "");
    const char *mine_left = below_base(ours, strlen(ours_at)), *theirs_left = below_base(theirs, above);
    same_truth(strcmp(mine_left, theirs_left) == 0, 1, "realpath of '%s': '%s' and '%s'", path, mine_left, theirs_left);
    free(ours);
    free(theirs);
    break;
  }
  default:
    compare_listings(path);
    if (sometimes(2)) {
      int ours, theirs;
      if (beside && sometimes(2)) {
        ours = ours_fchdir(mine);
        theirs = fchdir(system);
      } else {
        ours = ours_chdir(path);
        theirs = chdir(path);
      }
      same_result(ours, theirs, "chdir", path, "");
      char place[256], their_place[256];
      char *here = ours_getcwd(place, sizeof place), *there = getcwd(their_place, sizeof their_place);
      same_result(here == NULL ? -1 : 0, there == NULL ? -1 : 0, "getcwd", path, "");
      if (here != NULL && there != NULL) {
        same_truth(strcmp(below_base(here, strlen(ours_at)), below_base(there, above)) == 0, 1, "getcwd '%s' and '%s'", here, there);
        char *named = ours_get_current_dir_name();
        same_truth(strcmp(named, here) == 0 && ours_getcwd(place, strlen(here)) == NULL && ours_errno == ERANGE, 1, "getcwd");
        free(named);
      }
    }
  }
  if (beside) {
    ours_close(mine);
    close(system);
  }
}

/* Folders from `from` on, one in the other. */
static void make_both(void) {
  strcpy(ours_at, "/tmp" "/names");
  strcpy(theirs_at, base);
  above = strlen(base);
  char mine[128], system[128];
  same_number(ours_mkdir(ours_at, 0755), 0, "the first folder");
  for (size_t i = 1; i <= strlen(deep); i++)
    if (deep[i] == '/' || deep[i] == 0) {
      snprintf(mine, sizeof mine, "%s%.*s", ours_at, (int)i, deep);
      snprintf(system, sizeof system, "%s%.*s", theirs_at, (int)i, deep);
      same_number(ours_mkdir(mine, 0755), mkdir(system, 0755), "mkdir %s", mine);
    }
}

void compare_names(void) {
  char *start = getcwd(NULL, 0), deepest[128], their_deepest[128], clean[128];
  if (start == NULL || mkdtemp(base) == NULL) {
    same_number(0, 1, "a folder of the system could not be made");
    return;
  }
  mode_t mask = umask(027);
  same_number(ours_umask(027), 022, "umask");
  make_both();
  snprintf(deepest, sizeof deepest, "%s%s", ours_at, deep);
  snprintf(their_deepest, sizeof their_deepest, "%s%s", theirs_at, deep);
  for (int round = 0; round < 5000; round++) {
    if (round % 16 == 0)
      same_number(ours_chdir(deepest), chdir(their_deepest), "the way back in round %d", round);
    step();
  }
  umask(mask);
  same_number(ours_umask(022), 027, "umask");
  if (chdir(start) == 0) {
    snprintf(clean, sizeof clean, "rm -rf '%s'", base);
    same_number(system(clean), 0, "cleaning up");
  }
  free(start);
  DIR *none = ours_fdopendir(0);
  same_number(none == NULL && ours_errno == ENOTDIR, 1, "fdopendir of standard input");
}
