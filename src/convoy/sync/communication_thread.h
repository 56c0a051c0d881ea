// The one thread that communicates while the training thread computes.
#pragma once

#include <cstdint>
#include <exception>
#include <functional>
#include <map>
#include <thread>

#include "convoy/base/mutex.h"

namespace convoy {

// Tasks run one after the other, of those that are posted the most urgent first. The first that throws ends the
// thread's work: what follows is dropped, and every call throws that error from then on.
//
// Tasks communicate, so all ranks run them in one order, and what is posted already differs from rank to rank. `agree`
// is collective and runs on the thread: it is given the number of the task that is next here and returns the number of
// the one that is next on all ranks, the first rank's. All ranks post the same tasks in the same order.
//
// Thread rule: one caller; the thread is its own.
class CommunicationThread {
 public:
  using Agree = std::function<std::uint64_t(std::uint64_t)>;

  explicit CommunicationThread(Agree agree = [](std::uint64_t own) { return own; });
  CommunicationThread(const CommunicationThread&) = delete;
  CommunicationThread& operator=(const CommunicationThread&) = delete;
  // Finishes the task it is at, and no other.
  ~CommunicationThread();

  // The task's number, counted from 1. Of equally urgent ones, the first posted goes first.
  std::uint64_t post(std::function<void()> task, int urgency = 0);

  [[nodiscard]] bool is_done(std::uint64_t number);
  // Returns when that one is done.
  void wait_for(std::uint64_t number);

  // How many are done.
  [[nodiscard]] std::uint64_t done_count();
  // Returns when at least so many are.
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
  std::map<std::uint64_t, Task> tasks_ CONVOY_GUARDED_BY(mutex_);  // that are not done, by number
  std::uint64_t posted_ CONVOY_GUARDED_BY(mutex_) = 0;
  std::uint64_t done_ CONVOY_GUARDED_BY(mutex_) = 0;
  std::exception_ptr error_ CONVOY_GUARDED_BY(mutex_);
  bool stopping_ CONVOY_GUARDED_BY(mutex_) = false;

  std::thread thread_;  // last: it uses all of the above
};

}  // namespace convoy
