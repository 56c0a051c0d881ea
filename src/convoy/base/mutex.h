// Locks whose use clang checks when it compiles (-Wthread-safety, part of `make check`): a member that is marked
// CONVOY_GUARDED_BY a mutex is touched only while that mutex is held. Other compilers see plain locks.
//
//   Mutex mutex_;
//   ConditionVariable changed_;
//   bool done_ CONVOY_GUARDED_BY(mutex_) = false;
//   void take() CONVOY_REQUIRES(mutex_);  // the caller holds it
//   ...
//   MutexLock lock(mutex_);
//   while (!done_) changed_.wait(lock);
//
// A condition is written as such a loop: clang checks a lambda as a function of its own, which does not hold the lock.
#pragma once

#include <chrono>
#include <condition_variable>
#include <mutex>

#if defined(__clang__)
#define CONVOY_THREAD_ATTRIBUTE(...) __attribute__((__VA_ARGS__))
#else
#define CONVOY_THREAD_ATTRIBUTE(...)
#endif

// On a member: which mutex guards it.
#define CONVOY_GUARDED_BY(mutex) CONVOY_THREAD_ATTRIBUTE(guarded_by(mutex))
// On a function: which mutex its caller must hold.
#define CONVOY_REQUIRES(...) CONVOY_THREAD_ATTRIBUTE(requires_capability(__VA_ARGS__))

namespace convoy {

class CONVOY_THREAD_ATTRIBUTE(capability("mutex")) Mutex {
 public:
  Mutex() = default;
  Mutex(const Mutex&) = delete;
  Mutex& operator=(const Mutex&) = delete;

  void lock() CONVOY_THREAD_ATTRIBUTE(acquire_capability()) { mutex_.lock(); }
  void unlock() CONVOY_THREAD_ATTRIBUTE(release_capability()) { mutex_.unlock(); }

 private:
  friend class MutexLock;
  std::mutex mutex_;
};

// Holds a mutex as long as it lives, except between unlock() and lock().
class CONVOY_THREAD_ATTRIBUTE(scoped_lockable) MutexLock {
 public:
  explicit MutexLock(Mutex& mutex) CONVOY_THREAD_ATTRIBUTE(acquire_capability(mutex)) : lock_(mutex.mutex_) {}
  MutexLock(const MutexLock&) = delete;
  MutexLock& operator=(const MutexLock&) = delete;
  ~MutexLock() CONVOY_THREAD_ATTRIBUTE(release_capability()) {}  // NOLINT(modernize-use-equals-default): has a mark

  void unlock() CONVOY_THREAD_ATTRIBUTE(release_capability()) { lock_.unlock(); }
  void lock() CONVOY_THREAD_ATTRIBUTE(acquire_capability()) { lock_.lock(); }

 private:
  friend class ConditionVariable;
  std::unique_lock<std::mutex> lock_;
};

// wait() releases the mutex and takes it again before it returns. It may return without a reason, so callers wait in a
// loop.
class ConditionVariable {
 public:
  void notify_one() { condition_.notify_one(); }
  void notify_all() { condition_.notify_all(); }

  void wait(MutexLock& lock) { condition_.wait(lock.lock_); }
  template <typename Rep, typename Period>
  void wait_for(MutexLock& lock, const std::chrono::duration<Rep, Period>& time) {
    (void)condition_.wait_for(lock.lock_, time);
  }
  template <typename Clock, typename Duration>
  void wait_until(MutexLock& lock, const std::chrono::time_point<Clock, Duration>& time) {
    (void)condition_.wait_until(lock.lock_, time);
  }

 private:
  std::condition_variable condition_;
};

}  // namespace convoy
