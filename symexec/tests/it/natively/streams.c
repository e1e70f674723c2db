/* Ends of files that grow, streams over descriptors that do not allow it, streams over memory and over functions. */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <wchar.h>

#define SHOW(what)                                   \
  do {                                               \
    errno = 0;                                       \
    long shown = (long)(what);                       \
    printf("%s: %ld, %d\n", #what, shown, errno);    \
  } while (0)

static void append(const char *text) {
  FILE *stream = fopen("grows", "a");
  fputs(text, stream);
  fclose(stream);
}

static ssize_t gives(void *cookie, char *to, size_t count) {
  int *left = cookie;
  printf("asked with %d left\n", *left);
  if (*left == 0)
    return 0;
  *to = 'a' + --*left;
  return 1;
}

static void ends(void) {
  char room[5000], *line = NULL;
  size_t size = 0;
  append("ab");
  FILE *in = fopen("grows", "r");
  SHOW(fread(room, 1, 9, in));
  append("cd");
  SHOW(fgetc(in));
  SHOW(fgets(room, 9, in) == NULL);
  SHOW(fread(room, 1, 9, in));
  SHOW(getline(&line, &size, in));
  SHOW(fscanf(in, "%8s", room));
  SHOW(feof(in));
  clearerr(in);
  SHOW(fgetc(in));
  SHOW(fread(room, 1, 9, in));
  append("ef");
  SHOW(ungetc('x', in));
  SHOW(feof(in));
  SHOW(fgetc(in));
  SHOW(fgetc(in));
  SHOW(fgetc(in));
  SHOW(fgetc(in));
  append("gh");
  SHOW(fread(room, 1, 9, in));
  SHOW(fread(room, 1, 5000, in));
  SHOW(fseek(in, 0, SEEK_CUR));
  SHOW(feof(in));
  fclose(in);
  int left = 2;
  in = fopencookie(&left, "r", (cookie_io_functions_t){gives});
  while (fgetc(in) != EOF)
    ;
  left = 1;
  SHOW(fgetc(in));
  fclose(in);
  in = fopencookie(NULL, "r", (cookie_io_functions_t){0});
  SHOW(fgetc(in));
  SHOW(feof(in));
  SHOW(ferror(in));
  fclose(in);
}

static void descriptors(void) {
  char array[8], *text;
  size_t length;
  SHOW(fdopen(77, "r") != NULL);
  SHOW(fdopen(-1, "w") != NULL);
  int reads = open("grows", O_RDONLY), writes = open("grows", O_WRONLY);
  SHOW(fdopen(reads, "w") != NULL);
  SHOW(fdopen(reads, "a") != NULL);
  SHOW(fdopen(reads, "r+") != NULL);
  SHOW(fdopen(writes, "r") != NULL);
  FILE *out = fdopen(writes, "a");
  SHOW(fputs("end", out));
  SHOW(fclose(out));
  SHOW(lseek(reads, 0, SEEK_END));
  FILE *memory = open_memstream(&text, &length), *over = fmemopen(array, 8, "w+");
  FILE *own = fopencookie(NULL, "r", (cookie_io_functions_t){0});
  SHOW(fileno(memory));
  SHOW(fileno(over));
  SHOW(fileno(own));
  SHOW(isatty(fileno(memory)));
  FILE *file = tmpfile();
  SHOW(fileno(file) > 2);
  SHOW(setvbuf(file, NULL, 77, 0) == 0);
}

static void wide_memory(void) {
  wchar_t *text;
  size_t length;
  FILE *out = open_wmemstream(&text, &length);
  fputws(L"hello", out);
  SHOW(ftell(out));
  SHOW(fseek(out, 1, SEEK_SET));
  SHOW(ftell(out));
  fputwc(L'E', out);
  SHOW(fflush(out));
  SHOW(length);
  SHOW(fseek(out, 8, SEEK_SET));
  SHOW(fwprintf(out, L"%d-%s", 7, "abc"));
  SHOW(fflush(out));
  SHOW(length);
  SHOW(fseek(out, -2, SEEK_CUR));
  fputws(L"yyy", out);
  SHOW(fclose(out));
  SHOW(length);
  for (size_t i = 0; i <= length; i++)
    printf("%x ", (unsigned)text[i]);
  puts("");
}

int main(void) {
  ends();
  descriptors();
  wide_memory();
  return 0;
}
