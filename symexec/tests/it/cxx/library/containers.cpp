// Containers, smart pointers and algorithms on unknown numbers.
#include "klee/klee.h"
#include <algorithm>
#include <deque>
#include <functional>
#include <list>
#include <memory>
#include <optional>
#include <queue>
#include <set>
#include <stdexcept>
#include <string>
#include <unordered_map>
#include <variant>
#include <vector>

struct Node {
  int key;
  std::unique_ptr<Node> left, right;
};

static void insert(std::unique_ptr<Node> &node, int key) {
  if (node == nullptr) {
    node = std::make_unique<Node>();
    node->key = key;
  } else {
    insert(key < node->key ? node->left : node->right, key);
  }
}

static int depth(const std::unique_ptr<Node> &node) {
  return node == nullptr ? 0 : 1 + std::max(depth(node->left), depth(node->right));
}

int main() {
  int keys[3];
  klee_make_symbolic(keys, sizeof keys, "keys");
  std::unique_ptr<Node> root;
  for (int key : keys)
    insert(root, key);
  int deep = depth(root);
  klee_assert(deep == 2 || deep == 3);
  std::vector<int> sorted(keys, keys + 3);
  std::sort(sorted.begin(), sorted.end());
  klee_assert(sorted[0] <= sorted[1] && sorted[1] <= sorted[2]);

  std::optional<int> least;
  if (sorted[0] > 0)
    least = sorted[0];
  std::variant<int, std::shared_ptr<int>> either = 3;
  if (least)
    either = std::make_shared<int>(*least);
  std::function<int(int)> plus = [&](int a) { return a + (int)either.index(); };
  int result = plus(1);
  try {
    if (least)
      (void)std::get<int>(either);
    else
      (void)least.value();
    klee_assert(0);
  } catch (const std::bad_variant_access &) {
    result += 10;
  } catch (const std::bad_optional_access &) {
    result += 20;
  }
  klee_assert(result == (least ? 12 : 21));

  std::set<int> set{3, 1, 2};
  std::deque<int> deque;
  std::list<int> list;
  for (int x : set) {
    deque.push_front(x);
    list.push_back(x);
  }
  list.sort(std::greater<int>());
  std::priority_queue<int, std::vector<int>, std::greater<>> queue(set.begin(), set.end());
  klee_assert(deque.front() == 3 && list.front() == 3 && queue.top() == 1 && set.count(2) == 1);
  std::unordered_map<std::string, int> numbers{{"one", 1}, {"two", 2}};
  try {
    klee_assert(numbers.at("two") == 2);
    return numbers.at("three");
  } catch (const std::out_of_range &) {
    return result;
  }
}
