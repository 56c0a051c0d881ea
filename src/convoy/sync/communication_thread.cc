#include "convoy/sync/communication_thread.h"

#include <utility>

namespace convoy {

CommunicationThread::CommunicationThread() : thread_([this] { run(); }) {}

CommunicationThread::~CommunicationThread() {
  {
    const std::lock_guard lock(mutex_);
    stopping_ = true;
  }
  changed_.notify_all();
  thread_.join();
}

std::uint64_t CommunicationThread::post(std::function<void()> task) {
  const std::lock_guard lock(mutex_);
  throw_if_failed();
  tasks_.push_back(std::move(task));
  changed_.notify_all();
  return ++posted_;
}

std::uint64_t CommunicationThread::done() {
  const std::lock_guard lock(mutex_);
  throw_if_failed();
  return done_;
}

void CommunicationThread::wait_for(std::uint64_t number) {
  std::unique_lock lock(mutex_);
  changed_.wait(lock, [&] { return done_ >= number || error_; });
  throw_if_failed();
}

void CommunicationThread::throw_if_failed() const {
  if (error_) std::rethrow_exception(error_);
}

void CommunicationThread::run() {
  std::unique_lock lock(mutex_);
  for (;;) {
    changed_.wait(lock, [&] { return stopping_ || !tasks_.empty(); });
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
