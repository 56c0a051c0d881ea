#include "convoy/data/parallel_each.h"

#include <algorithm>
#include <atomic>
#include <exception>
#include <limits>
#include <thread>
#include <vector>

#include "convoy/base/mutex.h"

namespace convoy::data {

namespace {

// Keeps the failure with the lowest index. With one thread a user then always sees the same one, and with several
// nearly always.
class FirstFailure {
 public:
  void offer(std::int64_t i) {
    const MutexLock lock(mutex_);
    if (i < index_) {
      index_ = i;
      error_ = std::current_exception();
    }
  }
  void rethrow() {
    const MutexLock lock(mutex_);
    if (error_) std::rethrow_exception(error_);
  }

 private:
  Mutex mutex_;
  std::int64_t index_ CONVOY_GUARDED_BY(mutex_) = std::numeric_limits<std::int64_t>::max();
  std::exception_ptr error_ CONVOY_GUARDED_BY(mutex_);
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
  failure.rethrow();
}

}  // namespace convoy::data
