// The one thread that communicates while the training thread computes.
#pragma once

#include <cstdint>
#include <deque>
#include <exception>
#include <functional>
#include <thread>

#include "convoy/base/mutex.h"

namespace convoy {

// Tasks run one after the other in the order of post(). The first that throws ends the thread's work: what follows is
// dropped, and every call throws that error from then on.
//
// Thread rule: one caller; the thread is its own.
class CommunicationThread {
 public:
  CommunicationThread();
  CommunicationThread(const CommunicationThread&) = delete;
  CommunicationThread& operator=(const CommunicationThread&) = delete;
  // Finishes the task it is at, and no other.
  ~CommunicationThread();

  // The task's number, counted from 1.
  std::uint64_t post(std::function<void()> task);

  // The number of the last task done; 0 before the first.
  [[nodiscard]] std::uint64_t done();
  // Returns when that one is done.
  void wait_for(std::uint64_t number);

 private:
  void run();
  void throw_if_failed() const CONVOY_REQUIRES(mutex_);

  Mutex mutex_;
  ConditionVariable changed_;
  std::deque<std::function<void()>> tasks_ CONVOY_GUARDED_BY(mutex_);
  std::uint64_t posted_ CONVOY_GUARDED_BY(mutex_) = 0;
  std::uint64_t done_ CONVOY_GUARDED_BY(mutex_) = 0;
  std::exception_ptr error_ CONVOY_GUARDED_BY(mutex_);
  bool stopping_ CONVOY_GUARDED_BY(mutex_) = false;

  std::thread thread_;  // last: it uses all of the above
};

}  // namespace convoy
