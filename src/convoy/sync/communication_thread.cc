#include "convoy/sync/communication_thread.h"

#include <utility>

namespace convoy {

CommunicationThread::CommunicationThread() : thread_([this] { run(); }) {}

CommunicationThread::~CommunicationThread() {
  {
    const MutexLock lock(mutex_);
    stopping_ = true;
  }
  changed_.notify_all();
  thread_.join();
}

std::uint64_t CommunicationThread::post(std::function<void()> task) {
  const MutexLock lock(mutex_);
  throw_if_failed();
  tasks_.push_back(std::move(task));
  changed_.notify_all();
  return ++posted_;
}

std::uint64_t CommunicationThread::done() {
  const MutexLock lock(mutex_);
  throw_if_failed();
  return done_;
}

void CommunicationThread::wait_for(std::uint64_t number) {
  MutexLock lock(mutex_);
  while (done_ < number && !error_) changed_.wait(lock);
  throw_if_failed();
}

void CommunicationThread::throw_if_failed() const {
  if (error_) std::rethrow_exception(error_);
}

void CommunicationThread::run() {
  MutexLock lock(mutex_);
  for (;;) {
    while (!stopping_ && tasks_.empty()) changed_.wait(lock);
    if (stopping_) return;
    const std::function<void()> task = std::move(tasks_.front());
    tasks_.pop_front();
    lock.unlock();
    std::exception_ptr error;
    try {
      task();
    } catch (...) {
      error = std::current_exception();
    }
    lock.lock();
    ++done_;
    if (error) {
      error_ = error;
      tasks_.clear();
    }
    changed_.notify_all();
    if (error) return;
  }
}

}  // namespace convoy
