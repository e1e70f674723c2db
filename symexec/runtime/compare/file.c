/* Files: the same calls on a file of the system and on one in memory give the same results. */
#include "compare.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

OURS(open);
OURS(open64);
OURS(openat);
OURS(openat64);
OURS(creat);
OURS(creat64);
OURS(close);
OURS(read);
OURS(write);
OURS(lseek);
OURS(lseek64);
OURS(unlink);
OURS(remove);
OURS(access);
OURS(ftruncate);
OURS(dup);
OURS(dup2);
OURS(isatty);
OURS(fstat);
OURS(stat);
OURS(lstat);
OURS(fstat64);
OURS(stat64);
OURS(lstat64);
OURS(fopen);
OURS(fopen64);
OURS(fdopen);
OURS(freopen);
OURS(fclose);
OURS(fgetc);
OURS(getc);
OURS(fputs);
OURS(fputc);
OURS(fgetc_unlocked);
OURS(getc_unlocked);
OURS(getchar_unlocked);
OURS(ungetc);
OURS(fgets);
OURS(fgets_unlocked);
OURS(fread);
OURS(fread_unlocked);
OURS(fwrite);
OURS(getdelim);
OURS(getline);
OURS(ftell);
OURS(ftello);
OURS(fseek);
OURS(fseeko);
OURS(rewind);
OURS(feof);
OURS(ferror);
OURS(fileno);
OURS(stdin);

/* A name that no file of the system has yet, in the folder of the comparison: the runtime's files are in
 * memory anyhow. */
static char path[] = "compare-file-XXXXXX";

static void same_errno(int ours, const char *what) {
  if (ours < 0)
    same_number(ours_errno, errno, "errno of %s", what);
}

/* One random step on descriptors. */
static void step(int ours, int theirs) {
  char mine[200], their[200], text[100];
  size_t count = below(90);
  long offset = (long)below(300) - 60;
  int from = (int)below(4);
  switch (below(5)) {
  case 0:
    draw_text(text, count, "abc\n");
    same_number(ours_write(ours, text, count), write(theirs, text, count), "write of %zu bytes", count);
    break;
  case 1: {
    memset(mine, 1, sizeof mine);
    memset(their, 1, sizeof their);
    long got = ours_read(ours, mine, count);
    same_number(got, read(theirs, their, count), "read of %zu bytes", count);
    same_bytes(mine, their, sizeof mine, "the bytes that were read");
    break;
  }
  case 2: {
    long at = from == 3 ? ours_lseek64(ours, offset, SEEK_SET) : ours_lseek(ours, offset, from);
    same_number(at, lseek(theirs, offset, from == 3 ? SEEK_SET : from), "lseek %ld from %d", offset, from);
    same_errno((int)at, "lseek");
    break;
  }
  case 3: {
    int result = ours_ftruncate(ours, offset);
    same_number(result, ftruncate(theirs, offset), "ftruncate to %ld", offset);
    same_errno(result, "ftruncate");
    break;
  }
  default: {
    struct stat my, system;
    same_number(ours_fstat(ours, &my), fstat(theirs, &system), "fstat");
    same_number(my.st_size, system.st_size, "the size in fstat");
    same_number(S_ISREG(my.st_mode), S_ISREG(system.st_mode), "the kind in fstat");
  }
  }
}

static void compare_descriptors(void) {
  for (int round = 0; round < 300; round++) {
    int flags = (int)below(3) | (sometimes(2) ? O_CREAT : 0) | (sometimes(4) ? O_TRUNC : 0) |
                (sometimes(4) ? O_APPEND : 0) | (sometimes(6) ? O_EXCL : 0);
    /* Truncating without permission to write is not specified, nor is O_EXCL without O_CREAT. */
    if ((flags & 3) == O_RDONLY)
      flags &= ~O_TRUNC;
    if (!(flags & O_CREAT))
      flags &= ~O_EXCL;
    int ours = round % 2 ? ours_open(path, flags, 0600) : ours_open64(path, flags, 0600);
    if (ours >= 0 && sometimes(3)) {
      ours_close(ours);
      flags &= ~O_EXCL;
      ours = sometimes(2) ? ours_openat(AT_FDCWD, path, flags, 0600) : ours_openat64(AT_FDCWD, path, flags, 0600);
    }
    int theirs = open(path, flags, 0600);
    same_truth(ours >= 0, theirs >= 0, "open with %o", flags);
    same_errno(ours, "open");
    same_number(ours_access(path, F_OK), access(path, F_OK), "access");
    if (ours < 0 || theirs < 0)
      continue;
    for (int i = 0; i < 12; i++)
      step(ours, theirs);
    int second = sometimes(2) ? ours_dup(ours) : ours_dup2(ours, 40);
    int other = dup(theirs);
    step(second, other);
    step(ours, theirs);
    same_number(ours_close(ours), close(theirs), "close");
    step(second, other);
    same_number(ours_close(second), close(other), "close of the second");
    same_number(ours_close(second), -1, "close of what is closed");
    same_number(ours_errno, EBADF, "its errno");
    if (sometimes(3)) {
      int gone = sometimes(2) ? ours_unlink(path) : ours_remove(path);
      same_number(gone, unlink(path), "unlink");
    }
  }
  struct stat my, system;
  same_number(ours_stat(path, &my), stat(path, &system), "stat");
  same_number(ours_lstat("there is no such file", &my), -1, "lstat of nothing");
  same_number(ours_errno, ENOENT, "its errno");
  struct stat64 large;
  same_number(ours_creat(path, 0600) >= 0, 1, "creat");
  same_number(ours_stat64(path, &large) + ours_lstat64(path, &large) + ours_fstat64(0, &large), 0, "stat64");
  same_number(ours_isatty(0), 0, "isatty");
  same_number(ours_read(99, path, 1), -1, "read from no descriptor");
  int nothing = ours_open("/dev/null", O_RDWR);
  same_number(ours_write(nothing, "abc", 3) + ours_read(nothing, path, 0), 3, "/dev/null");
}

/* The file of both sides gets the same content, and both are opened. */
static FILE *both(const char *content, const char *mode, FILE **theirs) {
  FILE *mine = ours_fopen(path, "w");
  *theirs = fopen(path, "w");
  ours_fputs(content, mine);
  fputs(content, *theirs);
  fclose(*theirs);
  same_number(ours_fclose(mine), 0, "fclose");
  *theirs = fopen(path, mode);
  return sometimes(2) ? ours_fopen(path, mode) : ours_fopen64(path, mode);
}

static void compare_streams(void) {
  for (int round = 0; round < 400; round++) {
    char content[300];
    draw_text(content, below(290), "ab\n\n c");
    FILE *theirs, *mine = both(content, sometimes(3) ? "r+" : "r", &theirs);
    char *line = NULL, *their_line = NULL;
    size_t room = 0, their_room = 0;
    for (int i = 0; i < 30; i++) {
      char to[50], their[50];
      memset(to, 7, sizeof to);
      memset(their, 7, sizeof their);
      size_t size = below(4), count = below(12);
      int limit = 1 + (int)below(20), from = (int)below(3);
      long offset = (long)below(200) - 50;
      int c;
      switch (below(9)) {
      case 0:
        c = sometimes(2) ? ours_fgetc(mine) : sometimes(2) ? ours_fgetc_unlocked(mine) : ours_getc_unlocked(mine);
        same_number(c, fgetc(theirs), "fgetc");
        break;
      case 1: {
        char *got = sometimes(2) ? ours_fgets(to, limit, mine) : ours_fgets_unlocked(to, limit, mine);
        char *their_got = fgets(their, limit, theirs);
        same_truth(got != NULL, their_got != NULL, "fgets of %d", limit);
        if (got != NULL && their_got != NULL)
          same_bytes(to, their, sizeof to, "the line of fgets");
        break;
      }
      case 2:
        same_number((long long)(sometimes(2) ? ours_fread(to, size, count, mine)
                                             : ours_fread_unlocked(to, size, count, mine)),
                    (long long)fread(their, size, count, theirs), "fread of %zu times %zu", count, size);
        same_bytes(to, their, sizeof to, "the bytes of fread");
        break;
      case 3:
        c = ours_getc(mine);
        same_number(c, getc(theirs), "getc");
        if (c != EOF)
          same_number(ours_ungetc(c, mine), ungetc(c, theirs), "ungetc");
        break;
      case 4:
        same_number(sometimes(2) ? ours_ftell(mine) : ours_ftello(mine), ftell(theirs), "ftell");
        break;
      case 5:
        same_number(sometimes(2) ? ours_fseek(mine, offset, from) : ours_fseeko(mine, offset, from),
                    fseek(theirs, offset, from), "fseek %ld from %d", offset, from);
        break;
      case 6: {
        ssize_t length = sometimes(2) ? ours_getline(&line, &room, mine) : ours_getdelim(&line, &room, '\n', mine);
        same_number(length, getline(&their_line, &their_room, theirs), "getline");
        if (length > 0)
          same_bytes(line, their_line, (size_t)length + 1, "the line of getline");
        break;
      }
      case 7:
        same_truth(ours_feof(mine), feof(theirs), "feof");
        same_truth(ours_ferror(mine), ferror(theirs), "ferror");
        break;
      default:
        if (sometimes(4)) {
          ours_rewind(mine);
          rewind(theirs);
        }
      }
    }
    free(line);
    free(their_line);
    ours_fclose(mine);
    fclose(theirs);
  }
  same_number(ours_fopen(path, "q") == NULL, 1, "a mode that does not exist");
  same_number(ours_fopen("there is no such file", "r") == NULL, 1, "a file that does not exist");
  FILE *over = ours_fdopen(ours_open(path, O_RDONLY), "r");
  same_number(ours_fgetc(over) >= -1 && ours_fileno(over) > 2, 1, "fdopen");
  over = ours_freopen(path, "a+", over);
  same_number((long long)ours_fwrite("xyz", 1, 3, over), 3, "freopen");
  same_number(ours_fseek(over, -3, SEEK_END) + ours_fgetc(over), 'x', "what was appended");
  same_number(ours_getchar_unlocked(), EOF, "getchar_unlocked");
}

/* The same file under names with and without the folder in which it is; the folder is no file. */
static void compare_dotted_names(void) {
  char dotted[2][sizeof path + 8];
  snprintf(dotted[0], sizeof dotted[0], "./%s", path);
  snprintf(dotted[1], sizeof dotted[1], "././%s", path);
  const char *names[] = {path, dotted[0], dotted[1], ""};
  for (int i = 0; i < 4; i++)
    for (int j = 0; j < 4; j++) {
      int ours = ours_open(names[i], O_CREAT | O_RDWR, 0600), theirs = open(names[i], O_CREAT | O_RDWR, 0600);
      same_number(ours < 0, theirs < 0, "making %s", names[i]);
      same_errno(ours, "making a file");
      if (ours >= 0 && theirs >= 0) {
        same_number(ours_write(ours, "ab", 2), write(theirs, "ab", 2), "write to %s", names[i]);
        ours_close(ours), close(theirs);
      }
      struct stat status;
      int found = ours_open(names[j], O_RDONLY), expected = open(names[j], O_RDONLY);
      same_number(found < 0, expected < 0, "opening %s after %s", names[j], names[i]);
      same_errno(found, "opening a file");
      if (found >= 0)
        ours_close(found), close(expected);
      same_number(ours_access(names[j], R_OK), access(names[j], R_OK), "access to %s after %s", names[j], names[i]);
      same_number(ours_stat(names[j], &status), stat(names[j], &status), "stat of %s", names[j]);
      same_number(ours_unlink(names[j]), unlink(names[j]), "unlink of %s after %s", names[j], names[i]);
    }
}

void compare_file(void) {
  int made = mkstemp(path);
  if (made < 0) {
    same_number(0, 1, "a file of the system could not be made");
    return;
  }
  close(made);
  ours_close(ours_creat64(path, 0600));
  compare_descriptors();
  compare_streams();
  compare_dotted_names();
  unlink(path);
}
