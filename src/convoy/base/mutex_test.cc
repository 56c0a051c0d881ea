#include "convoy/base/mutex.h"

#include <gtest/gtest.h>

#include <thread>
#include <vector>

namespace convoy {
namespace {

class Counter {
 public:
  void add() {
    const MutexLock lock(mutex_);
    ++count_;
    changed_.notify_all();
  }
  // Releases the lock and takes it again between the two additions.
  void add_twice() {
    MutexLock lock(mutex_);
    ++count_;
    lock.unlock();
    changed_.notify_all();
    lock.lock();
    ++count_;
    changed_.notify_all();
  }
  void wait_for(int count) {
    MutexLock lock(mutex_);
    while (count_ < count) changed_.wait(lock);
  }
  [[nodiscard]] int count() {
    const MutexLock lock(mutex_);
    return count_;
  }

 private:
  Mutex mutex_;
  ConditionVariable changed_;
  int count_ CONVOY_GUARDED_BY(mutex_) = 0;
};

TEST(Mutex, OneThreadAtATimeHoldsIt) {
  constexpr int kThreads = 4;
  constexpr int kTimes = 1000;
  Counter counter;
  {
    std::vector<std::jthread> threads;
    for (int i = 0; i < kThreads; ++i) {
      threads.emplace_back([&] {
        for (int k = 0; k < kTimes; ++k) k % 2 == 0 ? counter.add() : counter.add_twice();
      });
    }
    counter.wait_for(kThreads * kTimes * 3 / 2);
  }
  EXPECT_EQ(counter.count(), kThreads * kTimes * 3 / 2);
}

TEST(ConditionVariable, WaitsNoLongerThanItIsTold) {
  Mutex mutex;
  ConditionVariable never;
  MutexLock lock(mutex);
  never.wait_for(lock, std::chrono::milliseconds(1));
  never.wait_until(lock, std::chrono::steady_clock::now() + std::chrono::milliseconds(1));
}

}  // namespace
}  // namespace convoy
