// Threads of C++ with unknown inputs: sums behind locks, a queue, a future with an exception, variables of threads. What
// natively depends on the order of threads is not looked at.
#include <atomic>
#include <condition_variable>
#include <future>
#include <klee/klee.h>
#include <mutex>
#include <queue>
#include <stdexcept>
#include <thread>
#include <vector>

static std::atomic<int> ended;
struct Counted {
  int count = 3;
  ~Counted() { ended += count; }
};
static thread_local Counted mine;
static int made() {
  static int value = [] {
    std::this_thread::yield();
    return 2;
  }();
  return value;
}

int main() {
  signed char in[3];
  klee_make_symbolic(in, sizeof in, "in");
  std::mutex mutex;
  int sum = 0;
  std::vector<std::thread> threads;
  for (int i = 0; i < 3; i++)
    threads.emplace_back([&, i] {
      std::lock_guard<std::mutex> guard(mutex);
      if (in[i] > 0)
        sum += made();
      mine.count++;
    });
  for (auto &thread : threads)
    thread.join();
  if (ended != 12 || mine.count != 3)
    return 100;

  std::condition_variable changed;
  std::queue<int> queue;
  bool over = false;
  int got = 0;
  std::thread taker([&] {
    std::unique_lock<std::mutex> lock(mutex);
    for (;;) {
      changed.wait(lock, [&] { return !queue.empty() || over; });
      if (queue.empty())
        return;
      got += queue.front();
      queue.pop();
    }
  });
  for (int i = 0; i < 3; i++) {
    {
      std::lock_guard<std::mutex> guard(mutex);
      queue.push(in[i] > 0);
    }
    changed.notify_one();
  }
  {
    std::lock_guard<std::mutex> guard(mutex);
    over = true;
  }
  changed.notify_all();
  taker.join();
  if (got * 2 != sum)
    return 101;

  auto later = std::async(std::launch::async, [&]() -> int {
    if (in[0] == 7)
      throw std::runtime_error("seven");
    return 10;
  });
  try {
    return later.get() + got;
  } catch (const std::exception &) {
    return 50 + got;
  }
}
