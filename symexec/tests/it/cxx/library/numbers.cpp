// Numbers in an unknown text.
#include "klee/klee.h"
#include <charconv>
#include <stdexcept>
#include <string>

int main() {
  char text[3];
  klee_make_symbolic(text, sizeof text, "text");
  text[2] = 0;
  int value = -1;
  auto [end, error] = std::from_chars(text, text + 2, value);
  if (error == std::errc()) {
    klee_assert(value >= -9 && value <= 99);
    if (end == text + 2 && value == 42)
      return 0;
    return 1;
  }
  try {
    int other = std::stoi(text);
    klee_assert(other >= 0 && other <= 9);
    return 2;
  } catch (const std::invalid_argument &) {
    return 3;
  }
}
