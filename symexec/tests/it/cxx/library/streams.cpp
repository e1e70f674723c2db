// Streams of text.
#include "klee/klee.h"
#include <iomanip>
#include <iostream>
#include <sstream>
#include <stdexcept>
#include <string>

int main() {
  int n = klee_range(0, 3, "n");
  std::ostringstream out;
  out << "n=" << n << ' ' << 1.5 << ' ' << std::hex << 255 << std::setw(4) << std::setfill('.') << 7;
  klee_assert(out.str().substr(3) == " 1.5 ff...7" && out.str()[2] == '0' + n);
  std::istringstream in("12 abc 3.5 x");
  int a;
  std::string b;
  double c;
  in >> a >> b >> c;
  klee_assert(in && a == 12 && b == "abc" && c == 3.5);
  in >> a;
  klee_assert(in.fail());
  in.clear();
  in.exceptions(std::ios::failbit);
  try {
    in >> a;
    klee_assert(0);
  } catch (const std::ios_base::failure &) {
  }
  std::cout << "n is " << n << std::endl;
  if (n == 2)
    throw std::runtime_error("two: " + std::to_string(n * 0 + 2));
  return n;
}
