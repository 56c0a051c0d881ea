#include "convoy/sync/communication_thread.h"

#include <utility>

namespace convoy {
namespace {

std::exception_ptr error_of(const std::function<void()>& task) {
  try {
    task();
    return nullptr;
  } catch (...) {
    return std::current_exception();
  }
}

}  // namespace

CommunicationThread::CommunicationThread(Agree agree) : agree_(std::move(agree)), thread_([this] { run(); }) {}

CommunicationThread::~CommunicationThread() {
  {
    const MutexLock lock(mutex_);
    stopping_ = true;
  }
  changed_.notify_all();
  thread_.join();
}

std::uint64_t CommunicationThread::post(std::function<void()> task, int urgency) {
  const MutexLock lock(mutex_);
  throw_if_failed();
  tasks_.emplace(++posted_, Task{urgency, std::move(task)});
  changed_.notify_all();
  return posted_;
}

bool CommunicationThread::is_done(std::uint64_t number) {
  const MutexLock lock(mutex_);
  throw_if_failed();
  return number <= posted_ && !tasks_.contains(number);
}

void CommunicationThread::wait_for(std::uint64_t number) {
  MutexLock lock(mutex_);
  while ((number > posted_ || tasks_.contains(number)) && !error_) changed_.wait(lock);
  throw_if_failed();
}

std::uint64_t CommunicationThread::done_count() {
  const MutexLock lock(mutex_);
  throw_if_failed();
  return done_;
}

void CommunicationThread::wait_for_count(std::uint64_t count) {
  MutexLock lock(mutex_);
  while (done_ < count && !error_) changed_.wait(lock);
  throw_if_failed();
}

void CommunicationThread::throw_if_failed() const {
  if (error_) std::rethrow_exception(error_);
}

std::uint64_t CommunicationThread::most_urgent() const {
  auto best = tasks_.begin();
  for (auto task = tasks_.begin(); task != tasks_.end(); ++task) {
    if (task->second.urgency > best->second.urgency) best = task;
  }
  return best->first;
}

// On every rank the number of rounds equals the number of tasks, so a rank only enters agree_() when it has a task. The
// task that was agreed on may not have been posted here yet.
void CommunicationThread::run() {
  MutexLock lock(mutex_);
  while (!stopping_ && !error_) {
    if (tasks_.empty()) {
      changed_.wait(lock);
      continue;
    }
    std::uint64_t number = most_urgent();
    lock.unlock();
    std::exception_ptr error = error_of([&] { number = agree_(number); });
    lock.lock();
    while (!error && !stopping_ && !tasks_.contains(number)) changed_.wait(lock);
    if (stopping_) return;
    if (!error) {
      const std::function<void()> task = tasks_.at(number).run;
      lock.unlock();
      error = error_of(task);
      lock.lock();
    }
    ++done_;
    tasks_.erase(number);
    error_ = error;
    changed_.notify_all();
  }
}

}  // namespace convoy
