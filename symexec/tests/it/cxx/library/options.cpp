// A program as people write them: options, and lines of standard input.
#include <iostream>
#include <string>
#include <vector>

int main(int argc, char **argv) {
  std::vector<std::string> arguments(argv + 1, argv + argc);
  bool verbose = false;
  for (const auto &argument : arguments) {
    if (argument == "-v")
      verbose = true;
    else if (!argument.empty() && argument[0] == '-') {
      std::cerr << "unknown option " << argument << "\n";
      return 9;
    }
  }
  std::string line;
  int comments = 0;
  while (std::getline(std::cin, line))
    comments += !line.empty() && line[0] == '#';
  if (verbose)
    std::cout << "comments: " << comments << '\n';
  return comments;
}
