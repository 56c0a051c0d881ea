// The thread that communicates while the training thread computes.
#pragma once

#include <cstdint>
#include <exception>
#include <functional>
#include <map>
#include <thread>

#include "convoy/base/mutex.h"

namespace convoy {

// Runs tasks one after the other, always the most urgent of those that are posted. The first task that throws ends the
// work: later tasks are dropped, and from then on every call throws that error.
//
// Tasks communicate, so all ranks must run them in the same order, although at any moment different tasks may be posted
// on different ranks. `agree` is collective and runs on the thread: it gets the number of the task that would be next
// on this rank and returns the number of the one that is next on all ranks, as the first rank decides. All ranks post
// the same tasks in the same order.
//
// Thread rule: only one thread calls this class.
class CommunicationThread {
 public:
  using Agree = std::function<std::uint64_t(std::uint64_t)>;

  explicit CommunicationThread(Agree agree = [](std::uint64_t own) { return own; });
  CommunicationThread(const CommunicationThread&) = delete;
  CommunicationThread& operator=(const CommunicationThread&) = delete;
  // Waits for the running task, but runs no other.
  ~CommunicationThread();

  // Returns the task's number, counted from 1. Among equally urgent tasks, the first posted runs first.
  std::uint64_t post(std::function<void()> task, int urgency = 0);

  [[nodiscard]] bool is_done(std::uint64_t number);
  // Returns when that task is done.
  void wait_for(std::uint64_t number);

  // How many tasks are done.
  [[nodiscard]] std::uint64_t done_count();
  // Returns when at least that many tasks are done.
  void wait_for_count(std::uint64_t count);

 private:
  struct Task {
    int urgency;
    std::function<void()> run;
  };

  void run();
  [[nodiscard]] std::uint64_t most_urgent() const CONVOY_REQUIRES(mutex_);
  void throw_if_failed() const CONVOY_REQUIRES(mutex_);

  Agree agree_;
  Mutex mutex_;
  ConditionVariable changed_;
  std::map<std::uint64_t, Task> tasks_ CONVOY_GUARDED_BY(mutex_);  // by number; those that are not done
  std::uint64_t posted_ CONVOY_GUARDED_BY(mutex_) = 0;
  std::uint64_t done_ CONVOY_GUARDED_BY(mutex_) = 0;
  std::exception_ptr error_ CONVOY_GUARDED_BY(mutex_);
  bool stopping_ CONVOY_GUARDED_BY(mutex_) = false;

  std::thread thread_;  // last member, because it uses all of the above
};

}  // namespace convoy
