// A text of settings, with strings, a map and the library's exceptions.
#include "klee/klee.h"
#include <map>
#include <stdexcept>
#include <string>

static std::map<std::string, std::string> parse(const std::string &text) {
  std::map<std::string, std::string> settings;
  size_t at = 0;
  while (at < text.size()) {
    size_t end = text.find(';', at);
    if (end == std::string::npos)
      end = text.size();
    std::string item = text.substr(at, end - at);
    size_t equal = item.find('=');
    if (equal == std::string::npos)
      throw std::invalid_argument("no value: " + item);
    settings[item.substr(0, equal)] = item.substr(equal + 1);
    at = end + 1;
  }
  return settings;
}

int main() {
  char text[5];
  klee_make_symbolic(text, sizeof text, "text");
  for (int i = 0; i < 4; i++)
    klee_assume((text[i] == '=') | (text[i] == ';') | (text[i] == 'a'));
  text[4] = 0;
  try {
    return (int)parse(text).size();
  } catch (const std::invalid_argument &error) {
    klee_assert(std::string(error.what()).rfind("no value: ", 0) == 0);
    return 10;
  }
}
