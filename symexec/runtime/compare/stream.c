/* Output through streams: what arrives at the engine is what the system writes into memory. */
#include "compare.h"

#include <unistd.h>

OURS(stdin);
OURS(stdout);
OURS(stderr);
OURS(fwrite);
OURS(fputc);
OURS(putc);
OURS(putchar);
OURS(fputs);
OURS(puts);
OURS(printf);
OURS(fprintf);
OURS(dprintf);
OURS(vprintf);
OURS(vfprintf);
OURS(vdprintf);
OURS(perror);
OURS(fflush);
OURS(feof);
OURS(ferror);
OURS(clearerr);
OURS(fileno);
OURS(setbuf);
OURS(setvbuf);
OURS(fgetc);
OURS(getc);
OURS(getchar);
OURS(fgets);
OURS(fread);
OURS_AS(__uflow, fgetc);
OURS(fputc_unlocked);
OURS(putc_unlocked);
OURS(putchar_unlocked);
OURS(fputs_unlocked);
OURS(fwrite_unlocked);
OURS(fflush_unlocked);
OURS(feof_unlocked);
OURS(ferror_unlocked);
int ours___overflow(FILE *, int);
OURS(__errno_location);

/* Both sides by the variadic function and by its list. */
static int print(int which, const char *text, ...) {
  va_list arguments;
  va_start(arguments, text);
  int length = which == 0   ? ours_vprintf(text, arguments)
               : which == 1 ? ours_vfprintf(ours_stderr, text, arguments)
                            : ours_vdprintf(2, text, arguments);
  va_end(arguments);
  return length;
}

static void arrived(const char *expected, size_t length, const char *what) {
  same_number((long long)written_size, (long long)length, "the length after %s", what);
  same_bytes(written, expected, length < written_size ? length : written_size, "the bytes after %s", what);
  written_size = 0;
}

void compare_stream(void) {
  for (int round = 0; round < 500; round++) {
    char text[300], expected[700];
    draw_text(text, below(290), "abc %\n");
    int number = (int)draw();
    int length = snprintf(expected, sizeof expected, "%d|%300s|%g", number, text, 2.5);
    int ours = round % 6 == 0   ? ours_printf("%d|%300s|%g", number, text, 2.5)
               : round % 6 == 1 ? ours_fprintf(ours_stdout, "%d|%300s|%g", number, text, 2.5)
               : round % 6 == 2 ? ours_dprintf(1, "%d|%300s|%g", number, text, 2.5)
                                : print(round % 6 - 3, "%d|%300s|%g", number, text, 2.5);
    same_number(ours, length, "the result of printing");
    arrived(expected, (size_t)length, "printing");

    same_truth(ours_fputs(text, ours_stderr) >= 0, 1, "fputs");
    arrived(text, strlen(text), "fputs");
    same_truth(ours_puts(text) >= 0, 1, "puts");
    length = snprintf(expected, sizeof expected, "%s\n", text);
    arrived(expected, (size_t)length, "puts");
    size_t size = below(5), count = below(20);
    same_number((long long)ours_fwrite(text, size, count, ours_stdout), (long long)(size == 0 ? 0 : count), "fwrite");
    arrived(text, size * count, "fwrite");
    int c = (int)below(256);
    same_number(ours_putchar(c), c, "putchar");
    same_number(ours_fputc(c, ours_stdout), c, "fputc");
    same_number(ours_putc(c + 256, ours_stderr), c, "putc");
    same_number(ours___overflow(ours_stdout, c), c, "__overflow");
    memset(expected, c, 4);
    arrived(expected, 4, "four characters");
    same_number(ours_putchar_unlocked(c), c, "putchar_unlocked");
    same_number(ours_fputc_unlocked(c, ours_stdout), c, "fputc_unlocked");
    same_number(ours_putc_unlocked(c, ours_stderr), c, "putc_unlocked");
    same_number((long long)ours_fwrite_unlocked(expected, 1, 1, ours_stdout), 1, "fwrite_unlocked");
    arrived(expected, 4, "four characters without locks");
    ours_fputs_unlocked(text, ours_stdout);
    arrived(text, strlen(text), "fputs_unlocked");
    ours_errno = round % 140;
    ours_perror(round % 3 == 0 ? NULL : round % 3 == 1 ? "" : text);
    length = round % 3 == 2 ? snprintf(expected, sizeof expected, "%s: %s\n", text, strerror(round % 140))
                            : snprintf(expected, sizeof expected, "%s\n", strerror(round % 140));
    arrived(expected, (size_t)length, "perror");
  }
  /* A descriptor that takes nothing, and one that is for reading. */
  same_number(ours_dprintf(12, "abc"), -1, "dprintf to what takes nothing");
  same_number(ours_dprintf(-1, "abc"), -1, "dprintf to no descriptor");
  same_number(ours_fputs("abc", ours_stdin), EOF, "fputs to stdin");
  same_truth(ours_ferror(ours_stdin), 1, "ferror after it");
  ours_clearerr(ours_stdin);
  same_truth(ours_ferror(ours_stdin), 0, "ferror after clearerr");
  same_number(ours_fprintf(ours_stdin, "abc"), -1, "fprintf to stdin");
  same_truth(ours_ferror_unlocked(ours_stdin), 1, "ferror_unlocked");
  same_truth(ours_feof_unlocked(ours_stdin), 0, "feof_unlocked");
  same_number(ours_fflush_unlocked(ours_stdin), 0, "fflush_unlocked");
  ours_clearerr(ours_stdin);
  char line[8];
  for (int i = 0; i < 5; i++) {
    same_truth(ours_feof(ours_stdin), 0, "feof at first");
    switch (i) {
    case 0: same_number(ours_getchar(), EOF, "getchar"); break;
    case 1: same_number(ours_fgetc(ours_stdin) + ours_getc(ours_stdin), 2 * EOF, "getc"); break;
    case 2: same_number(ours_fgets(line, 8, ours_stdin) == NULL, 1, "fgets"); break;
    case 3: same_number((long long)ours_fread(line, 1, 8, ours_stdin), 0, "fread"); break;
    default: same_number(ours___uflow(ours_stdin), EOF, "__uflow");
    }
    same_truth(ours_feof(ours_stdin), 1, "feof after reading");
    ours_clearerr(ours_stdin);
  }
  same_number(ours_fileno(ours_stderr), fileno(stderr), "fileno");
  same_number(ours_fflush(NULL), 0, "fflush");
  ours_setbuf(ours_stdout, NULL);
  same_number(ours_setvbuf(ours_stdout, NULL, _IONBF, 0), 0, "setvbuf");
  /* glibc's inlined functions look at the pointers of its own layout. */
  same_number(ours_stdout->_IO_write_ptr >= ours_stdout->_IO_write_end, 1, "the layout sends output to __overflow");
  same_number(ours_stdin->_IO_read_ptr >= ours_stdin->_IO_read_end, 1, "the layout sends input to __uflow");
}
