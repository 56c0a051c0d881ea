#include "convoy/comm/thread/thread_mail.h"

#include <algorithm>

#include "convoy/base/check.h"
#include "convoy/comm/lost_ranks.h"

namespace convoy {
namespace {

// Withdraws a posted message at the end of a transfer, however it ends: the caller's memory may be gone afterwards.
struct Withdrawal {
  bool* full;
  ~Withdrawal() {
    if (full != nullptr) *full = false;
  }
};

}  // namespace

ThreadMail::ThreadMail(const NodeMap& nodes, std::chrono::milliseconds deadline, std::optional<int> late_when_waiting)
    : nodes_(nodes),
      deadline_(deadline),
      late_when_waiting_(late_when_waiting),
      wake_(nodes.rank_count()),
      slots_(static_cast<std::size_t>(nodes.rank_count()) * nodes.rank_count()),
      left_(nodes.rank_count()),
      awaited_by_(nodes.rank_count()) {}

ThreadMail::Slot& ThreadMail::slot(int from, int to) {
  return slots_[static_cast<std::size_t>(from) * wake_.size() + static_cast<std::size_t>(to)];
}

void ThreadMail::transfer(int rank, const std::optional<Outgoing>& out, const std::optional<Incoming>& in) {
  MutexLock lock(mutex_);
  const Clock::time_point deadline = Clock::now() + deadline_;
  if (out) post(rank, *out);
  const Withdrawal withdrawal{out ? &slot(rank, out->to).full : nullptr};
  bool received = !in;
  for (;;) {
    received = received || take(rank, *in);
    const bool sent = !out || !slot(rank, out->to).full;
    if (received && sent) break;
    std::vector<int>& awaited = awaited_by_[rank].emplace();
    if (!received) awaited.push_back(in->from);
    if (!sent) awaited.push_back(out->to);
    wait(rank, lock, deadline);
  }
  awaited_by_[rank].reset();
}

void ThreadMail::post(int rank, const Outgoing& out) {
  slot(rank, out.to) = {.full = true, .bytes = out.bytes};
  satisfy(out.to, rank);
}

void ThreadMail::satisfy(int peer, int rank) {
  std::optional<std::vector<int>>& awaited = awaited_by_[peer];
  if (!awaited || std::ranges::find(*awaited, rank) == awaited->end()) return;
  // The peer has something to do now; if it has to wait again, it will say for whom.
  awaited.reset();
  wake_[peer].notify_one();
}

bool ThreadMail::take(int rank, const Incoming& in) {
  Slot& message = slot(in.from, rank);
  if (!message.full) return false;
  CONVOY_CHECK_EQ(message.bytes.size(), in.bytes.size());
  std::ranges::copy(message.bytes, in.bytes.begin());
  message.full = false;
  satisfy(in.from, rank);
  return true;
}

// Nobody announces the arrival of the ranks that are missing, so this polls.
void ThreadMail::wait_for(int rank, const Awaited& awaited) {
  constexpr std::chrono::microseconds kPause{50};
  const Clock::time_point deadline = Clock::now() + deadline_;
  MutexLock lock(mutex_);
  while (!awaited.all_arrived()) {
    awaited_by_[rank] = awaited.missing();
    check_awaited(rank, deadline);
    wake_[rank].wait_for(lock, kPause);
  }
  awaited_by_[rank].reset();
}

void ThreadMail::check_awaited(int rank, Clock::time_point deadline) {
  if (broken_) throw PeerError(*broken_);
  for (const int peer : *awaited_by_[rank]) {
    if (left_[peer]) give_up(rank, {peer});
  }
  if (is_late(deadline)) give_up(rank, missing_ranks(rank, awaited_by_));
}

void ThreadMail::wait(int rank, MutexLock& lock, Clock::time_point deadline) {
  check_awaited(rank, deadline);
  wake_[rank].wait_until(lock, deadline);
}

bool ThreadMail::is_late(Clock::time_point deadline) const {
  const auto waiting = std::ranges::count_if(awaited_by_, [](const auto& awaited) { return awaited.has_value(); });
  return late_when_waiting_ ? waiting >= *late_when_waiting_ : Clock::now() >= deadline;
}

void ThreadMail::give_up(int rank, const std::vector<int>& missing) {
  broken_ = lost_ranks_error(rank, missing, nodes_, deadline_);
  for (ConditionVariable& wake : wake_) {
    wake.notify_one();
  }
  throw PeerError(*broken_);
}

void ThreadMail::leave(int rank) {
  const MutexLock lock(mutex_);
  left_[rank] = true;
  for (ConditionVariable& wake : wake_) {
    wake.notify_one();
  }
}

}  // namespace convoy
