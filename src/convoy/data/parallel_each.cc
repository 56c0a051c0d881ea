#include "convoy/data/parallel_each.h"

#include <algorithm>
#include <atomic>
#include <exception>
#include <limits>
#include <mutex>
#include <thread>
#include <vector>

namespace convoy::data {

namespace {

// The failure with the lowest index, so that a user sees the same one every time with one thread and nearly so with
// several.
struct FirstFailure {
  std::mutex mutex;
  std::int64_t index = std::numeric_limits<std::int64_t>::max();
  std::exception_ptr error;

  void offer(std::int64_t i) {
    const std::scoped_lock lock(mutex);
    if (i < index) {
      index = i;
      error = std::current_exception();
    }
  }
};

}  // namespace

void parallel_each(std::int64_t count, int threads, const std::function<void(std::int64_t)>& body) {
  std::atomic<std::int64_t> next{0};
  FirstFailure failure;
  const auto work = [&] {
    for (std::int64_t i = next++; i < count; i = next++) {
      try {
        body(i);
      } catch (...) {
        failure.offer(i);
        next = count;
      }
    }
  };
  {
    std::vector<std::jthread> others;
    for (std::int64_t t = 1; t < std::min<std::int64_t>(threads, count); ++t) {
      others.emplace_back(work);
    }
    work();
  }
  if (failure.error) std::rethrow_exception(failure.error);
}

}  // namespace convoy::data
