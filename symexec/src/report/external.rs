//! The program in which declared external functions are called: written in C, compiled once per run.
//!
//! It is started for each call. Its arguments are the function's number, one word per argument (the bits
//! of a number, in two parts where they are more than 64, a buffer and a distance, or `-` for null) and the
//! buffers; its last line has the result, the buffer that a resulting pointer points into, `errno`, and the
//! buffers as they are then.

use std::ffi::OsString;
use std::fmt::Write as _;
use std::path::{Path, PathBuf};

use crate::base::system::System;
use crate::exec::{Declaration, External, MOST_PARAMETERS, Passed, by_parts};

/// How many seconds a call may take.
const SECONDS: u32 = 10;

/// What precedes the functions.
const HEAD: &str = r#"#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

extern int *__errno_location(void);
extern int printf(const char *, ...);
extern unsigned long strtoul(const char *, char **, int);
extern void *calloc(size_t, size_t);
extern size_t strlen(const char *);
extern unsigned alarm(unsigned);

enum { MOST = PARAMETERS };
static unsigned char *call_buffers[MOST];
static size_t call_sizes[MOST];
static int call_count;
static uint64_t call_bits[MOST];
static uint64_t call_more_bits[MOST]; /* of long double */
static void *call_pointers[MOST];
static uint64_t call_result, call_more_result;
static const void *call_pointer;

static double call_double(int place) {
  double number;
  __builtin_memcpy(&number, &call_bits[place], sizeof number);
  return number;
}

static float call_float(int place) {
  float number;
  __builtin_memcpy(&number, &call_bits[place], sizeof number);
  return number;
}

static long double call_extended(int place) {
  long double number = 0;
  __builtin_memcpy(&number, &call_bits[place], 8);
  __builtin_memcpy((char *)&number + 8, &call_more_bits[place], 2);
  return number;
}

static void call_gives(long double number) {
  __builtin_memcpy(&call_result, &number, 8);
  __builtin_memcpy(&call_more_result, (char *)&number + 8, 2);
}

"#;

/// What follows them.
const MAIN: &str = r#"
static int call_digit(char c) { return c <= '9' ? c - '0' : c - 'a' + 10; }

int main(int count, char **words) {
  int number = (int)strtoul(words[1], 0, 10);
  for (int i = 2; i < count; i++)
    if (words[i][0] == '=') {
      size_t size = strlen(words[i] + 1) / 2;
      unsigned char *bytes = calloc(size + 16, 1);
      for (size_t k = 0; k < size; k++)
        bytes[k] = (unsigned char)(call_digit(words[i][1 + 2 * k]) * 16 + call_digit(words[i][2 + 2 * k]));
      call_sizes[call_count] = size;
      call_buffers[call_count++] = bytes;
    }
  for (int i = 2; i < count && words[i][0] != '='; i++) {
    char *rest;
    call_bits[i - 2] = strtoul(words[i], &rest, 16);
    if (*rest == '.')
      call_more_bits[i - 2] = strtoul(rest + 1, 0, 16);
    if (*rest == ':')
      call_pointers[i - 2] = call_buffers[strtoul(words[i], 0, 10)] + strtoul(rest + 1, 0, 16);
  }
  alarm(SECONDS);
  *__errno_location() = 0;
  call_number(number);
  int error = *__errno_location(), inside = -1;
  for (int i = 0; i < call_count; i++) {
    const unsigned char *start = call_buffers[i], *at = call_pointer;
    if (call_pointer && (uintptr_t)at >= (uintptr_t)start && (uintptr_t)at <= (uintptr_t)start + call_sizes[i]) {
      inside = i;
      call_result = (uintptr_t)at - (uintptr_t)start;
    }
  }
  printf("\n\001%lx%016lx ", (unsigned long)call_more_result, (unsigned long)call_result);
  if (inside < 0)
    printf("-");
  else
    printf("%d", inside);
  printf(" %x", error);
  for (int i = 0; i < call_count; i++) {
    printf(" =");
    for (size_t k = 0; k < call_sizes[i]; k++)
      printf("%02x", call_buffers[i][k]);
  }
  printf("\n");
  return 0;
}
"#;

/// The program's text.
fn text(declarations: &[Declaration]) -> String {
    let mut text = HEAD.replace("PARAMETERS", &MOST_PARAMETERS.to_string());
    for declaration in declarations {
        let _ = match by_parts(declaration) {
            Some(definition) => writeln!(text, "{definition}"),
            None => writeln!(text, "extern {};", declaration.text),
        };
    }
    text.push_str("\nstatic void call_number(int number) {\n  switch (number) {\n");
    for (number, declaration) in declarations.iter().enumerate() {
        let arguments: Vec<String> = declaration
            .parameters
            .iter()
            .enumerate()
            .map(|(place, passed)| match passed {
                Passed::Integer => format!("(int64_t)call_bits[{place}]"),
                Passed::Single => format!("call_float({place})"),
                Passed::Double => format!("call_double({place})"),
                Passed::Extended => format!("call_extended({place})"),
                Passed::Pointer => format!("call_pointers[{place}]"),
            })
            .collect();
        let call = format!("{}({})", declaration.name, arguments.join(", "));
        let _ = match declaration.result {
            None => writeln!(text, "  case {number}: {call}; break;"),
            Some(Passed::Integer) => {
                writeln!(text, "  case {number}: call_result = (uint64_t){call}; break;")
            }
            Some(Passed::Single) => writeln!(
                text,
                "  case {number}: {{ float result = {call}; __builtin_memcpy(&call_result, &result, sizeof result); break; }}"
            ),
            Some(Passed::Double) => writeln!(
                text,
                "  case {number}: {{ double result = {call}; __builtin_memcpy(&call_result, &result, sizeof result); break; }}"
            ),
            Some(Passed::Extended) => writeln!(text, "  case {number}: call_gives({call}); break;"),
            Some(Passed::Pointer) => writeln!(
                text,
                "  case {number}: call_pointer = (const void *){call}; call_result = (uintptr_t)call_pointer; break;"
            ),
        };
    }
    text.push_str("  }\n}\n");
    text.push_str(&MAIN.replace("SECONDS", &SECONDS.to_string()));
    text
}

/// Compiles the program of declared functions into a folder; `libraries` are given to the linker.
pub(super) fn compile(
    system: &dyn System,
    clang: Option<&Path>,
    declarations: &[Declaration],
    libraries: &[PathBuf],
    folder: &Path,
) -> Result<Vec<External>, String> {
    let source = folder.join("external.c");
    let program = folder.join("external");
    system.write_file(&source, text(declarations).as_bytes()).map_err(|error| error.to_string())?;
    let clang = clang.unwrap_or(Path::new("clang-19"));
    // Without builtins a declaration may be any that C allows.
    let mut arguments: Vec<OsString> =
        ["-O1", "-w", "-fno-builtin", "-fno-color-diagnostics", "-o"].map(OsString::from).into();
    arguments.extend([program.clone().into(), source.into()]);
    arguments.extend(libraries.iter().map(OsString::from));
    arguments.push("-lm".into());
    let result = system
        .run(clang, &arguments)
        .map_err(|error| format!("the compiler `{}` could not be started ({error})", clang.display()))?;
    if !result.status.success() {
        return Err(String::from_utf8_lossy(&result.stderr).trim_end().to_owned());
    }
    let external = |(number, declaration): (usize, &Declaration)| External {
        declaration: declaration.clone(),
        program: program.clone(),
        number,
    };
    Ok(declarations.iter().enumerate().map(external).collect())
}
