/* What formatted input of bytes does for that of wide characters (wide_scan.c). */
#ifndef SYMEXEC_SCAN_H
#define SYMEXEC_SCAN_H

#include "stream.h"

#define scan_wide __symexec_scan_wide

/* Scans a stream, or a wide string if there is none, by a format of bytes. */
int scan_wide(FILE *stream, const wchar_t *text, const char *format, va_list arguments);

#endif
