// Exceptions that are kept, nested and thrown again.
#include "klee/klee.h"
#include <exception>
#include <stdexcept>
#include <string>

static std::exception_ptr kept;

static void inner(int k) {
  if (k == 0)
    throw std::runtime_error("inner");
  if (k == 1)
    throw 5;
}

static void outer(int k) {
  try {
    inner(k);
  } catch (const std::exception &) {
    std::throw_with_nested(std::logic_error("outer"));
  } catch (...) {
    kept = std::current_exception();
    throw;
  }
}

int main() {
  int k = klee_range(0, 3, "k");
  try {
    outer(k);
    klee_assert(k == 2);
  } catch (const std::exception &error) {
    klee_assert(error.what() == std::string("outer"));
    try {
      std::rethrow_if_nested(error);
      klee_assert(0);
    } catch (const std::runtime_error &nested) {
      klee_assert(nested.what() == std::string("inner"));
      return 1;
    }
  } catch (int first) {
    klee_assert(first == 5);
    try {
      std::rethrow_exception(kept);
    } catch (int &again) {
      again = 6;
    }
    try {
      std::rethrow_exception(kept);
    } catch (int third) {
      klee_assert(third == 6);
    }
    kept = nullptr;
    return 2;
  }
  return 0;
}
