#include "convoy/sync/async_shards.h"

#include <fmt/format.h>
#include <omp.h>

#include <algorithm>
#include <cstring>
#include <thread>
#include <utility>

#include "convoy/base/check.h"
#include "convoy/comm/cut.h"
#include "convoy/sync/message_stream.h"

namespace convoy {
namespace {

constexpr int kPushes = 0;   // the channel of gradients
constexpr int kAnswers = 1;  // the channel of parameters

// How long to pause when nothing moves and nobody waits: the cores are for the threads that compute.
constexpr std::chrono::microseconds kPause{100};

// Before the values of a message.
struct PushHead {
  double rate = 0;
  std::int64_t rows = 0;
};
struct AnswerHead {
  std::int64_t complete = 0;  // steps of all ranks that the parameters contain
};

// A message is a head and then floats.
template <typename Head>
std::size_t message_bytes(std::size_t floats) {
  return sizeof(Head) + floats * sizeof(float);
}

template <typename Head>
Head head_of(const CodedMessage& message) {
  Head head;
  std::memcpy(&head, message.contents().data(), sizeof head);
  return head;
}

template <typename Head>
std::span<const float> values_of(const CodedMessage& message) {
  const std::span<const std::byte> bytes = message.contents().subspan(sizeof(Head));
  return {reinterpret_cast<const float*>(bytes.data()), bytes.size() / sizeof(float)};
}

template <typename Head>
void write(CodedMessage& message, const Head& head, std::span<const float> values) {
  const std::span<std::byte> contents = message.resize(message_bytes<Head>(values.size()));
  std::memcpy(contents.data(), &head, sizeof head);
  std::ranges::copy(std::as_bytes(values), contents.begin() + sizeof head);
}

}  // namespace

// What goes between this rank and another, or itself. All numbers are since open().
struct AsyncShards::Peer {
  int rank = 0;
  bool is_self = false;

  // Of the shard that this rank owns.
  IncomingStream pushes;
  OutgoingStream answers_out;

  // Of the shard that the other owns. The training thread writes the next push while none is being sent.
  OutgoingStream pushes_out;
  IncomingStream answers;

  // The newest answer; guarded by AsyncShards::mutex_.
  CodedMessage latest;
  std::int64_t latest_complete = 0;
  bool is_new = false;
};

// The communication thread waits with the transport's deadline while the training thread cannot go on.
class AsyncShards::Waiting final : public Awaited {
 public:
  explicit Waiting(AsyncShards& shards) : shards_(shards) {}

  [[nodiscard]] bool all_arrived() const override {
    return shards_.turn() || shards_.has_ended() || !shards_.is_waited_for();
  }
  [[nodiscard]] std::vector<int> missing() const override { return shards_.missing(); }

 private:
  AsyncShards& shards_;
};

AsyncShards::AsyncShards(Communicator& communicator, ReplicaMemory& memory, std::int64_t staleness)
    : communicator_(communicator), memory_(memory), staleness_(staleness) {
  CONVOY_CHECK_LE(1, staleness);
  for (int rank = 0; rank < communicator.size(); ++rank) {
    auto& peer = peers_.emplace_back(std::make_unique<Peer>());
    peer->rank = rank;
    peer->is_self = rank == communicator.rank();
  }
}

AsyncShards::~AsyncShards() { abandon(); }

void AsyncShards::abandon() noexcept {
  {
    const MutexLock lock(mutex_);
    is_abandoned_ = true;
  }
  try {
    if (ticket_ != 0) thread_.wait_for(ticket_);
  } catch (const std::exception&) {  // NOLINT(bugprone-empty-catch): what went wrong first is what is reported
  }
}

std::span<float> AsyncShards::trained() const { return memory_.parameters().first(memory_.gradients().size()); }

ArenaSlice AsyncShards::shard_of(int rank) const {
  const std::size_t count = memory_.gradients().size();
  const std::size_t parts = peers_.size();
  const std::size_t begin = cut_point(count, parts, static_cast<std::size_t>(rank));
  return {.offset = begin, .count = cut_point(count, parts, static_cast<std::size_t>(rank) + 1) - begin};
}

void AsyncShards::open(std::int64_t steps, UpdateShard update) {
  CONVOY_CHECK_LE(1, steps);
  steps_ = steps;
  update_ = std::move(update);
  const ArenaSlice own = shard_of(communicator_.rank());
  const std::span<const float> parameters = trained().subspan(own.offset, own.count);
  master_.assign(parameters.begin(), parameters.end());
  {
    const MutexLock lock(mutex_);
    pushed_ = sent_ = 0;
    is_abandoned_ = false;
    for (const auto& peer : peers_) {
      const std::size_t answer_bytes = message_bytes<AnswerHead>(shard_of(peer->rank).count);
      peer->pushes.restart(message_bytes<PushHead>(own.count));
      peer->pushes_out.restart();
      peer->answers.restart(answer_bytes);
      peer->answers_out.restart();
      (void)peer->latest.resize(answer_bytes);
      peer->latest_complete = 0;
      peer->is_new = false;
    }
  }
  ticket_ = thread_.post([this] { serve(); });
}

std::int64_t AsyncShards::oldest_answer() const {
  std::int64_t oldest = steps_;
  for (const auto& peer : peers_) oldest = std::min(oldest, peer->latest_complete);
  return oldest;
}

bool AsyncShards::refresh() {
  MutexLock lock(mutex_);
  const std::int64_t needed = std::max<std::int64_t>(0, pushed_ - staleness_);
  while (oldest_answer() < needed && !has_failed_) {
    needed_ = needed;
    changed_.wait(lock);
  }
  needed_ = -1;
  if (has_failed_) {
    lock.unlock();
    thread_.wait_for(ticket_);  // throws
    return false;
  }
  bool changed = false;
  for (const auto& peer : peers_) {
    if (!std::exchange(peer->is_new, false)) continue;
    const ArenaSlice shard = shard_of(peer->rank);
    std::ranges::copy(values_of<AnswerHead>(peer->latest), trained().subspan(shard.offset, shard.count).begin());
    changed = true;
  }
  return changed;
}

void AsyncShards::wait_until_sent() {
  MutexLock lock(mutex_);
  while (sent_ < pushed_ && !has_failed_) {
    needed_ = 0;
    changed_.wait(lock);
  }
  needed_ = -1;
  if (!has_failed_) return;
  lock.unlock();
  thread_.wait_for(ticket_);  // throws
}

void AsyncShards::push(double rate, std::int64_t rows) {
  wait_until_sent();
  const std::span<const float> gradients = memory_.gradients();
  for (const auto& peer : peers_) {
    const ArenaSlice shard = shard_of(peer->rank);
    write(peer->pushes_out.message(), PushHead{.rate = rate, .rows = rows},
          gradients.subspan(shard.offset, shard.count));
  }
  const MutexLock lock(mutex_);
  CONVOY_CHECK_LT(pushed_, steps_);
  ++pushed_;
}

void AsyncShards::close() {
  {
    const MutexLock lock(mutex_);
    CONVOY_CHECK_EQ(pushed_, steps_);
    needed_ = steps_;
  }
  thread_.wait_for(ticket_);
  {
    const MutexLock lock(mutex_);
    needed_ = -1;
  }
  const ArenaSlice own = shard_of(communicator_.rank());
  std::ranges::copy(master_, trained().subspan(own.offset, own.count).begin());
  for (const auto& peer : peers_) {
    const ArenaSlice shard = shard_of(peer->rank);
    communicator_.broadcast(std::as_writable_bytes(trained().subspan(shard.offset, shard.count)), peer->rank);
  }
}

void AsyncShards::gather_to_first(std::span<float> values) {
  Transport& transport = communicator_.transport();
  const auto part_of = [&](int rank) { return values.subspan(shard_of(rank).offset, shard_of(rank).count); };
  if (transport.rank() != 0) return transport.send(0, std::span<const float>(part_of(transport.rank())));
  for (int rank = 1; rank < transport.size(); ++rank) transport.receive(rank, part_of(rank));
}

std::string AsyncShards::description() const {
  return fmt::format("asynchronously, at most {} step{} apart", staleness_, staleness_ == 1 ? "" : "s");
}

// From here on: the communication thread.

void AsyncShards::serve() {
  omp_set_num_threads(1);
  try {
    serve_until_end();
  } catch (...) {
    const MutexLock lock(mutex_);
    has_failed_ = true;
    changed_.notify_all();
    throw;
  }
}

void AsyncShards::serve_until_end() {
  while (!has_ended() && !is_abandoned()) {
    if (is_waited_for()) {
      communicator_.transport().wait_for(Waiting(*this));
    } else if (!turn()) {
      std::this_thread::sleep_for(kPause);
    }
  }
}

bool AsyncShards::has_ended() const {
  return std::ranges::all_of(peers_, [this](const auto& peer) {
    return peer->pushes.received() == steps_ && peer->pushes_out.sent() == steps_ &&
           peer->answers_out.sent() == steps_ - 1 && peer->answers.received() == steps_ - 1;
  });
}

bool AsyncShards::is_abandoned() {
  const MutexLock lock(mutex_);
  return is_abandoned_;
}

bool AsyncShards::is_waited_for() {
  const MutexLock lock(mutex_);
  return needed_ >= 0 && !is_abandoned_;
}

// Ranks that others wait for wait themselves, perhaps: the transport finds out who is really missing.
std::vector<int> AsyncShards::missing() {
  const MutexLock lock(mutex_);
  std::vector<int> ranks;
  for (const auto& peer : peers_) {
    const bool closes = needed_ == steps_;
    const bool owes_push = peer->pushes.received() < needed_;
    const bool owes_answer = closes ? peer->answers.received() < steps_ - 1 : peer->latest_complete < needed_;
    const bool owes_reading = peer->pushes_out.is_sending() || peer->answers_out.is_sending();
    if (!peer->is_self && (owes_push || owes_answer || owes_reading)) ranks.push_back(peer->rank);
  }
  return ranks;
}

bool AsyncShards::turn() {
  bool moved = false;
  for (const auto& peer : peers_) {
    moved |= send_push(*peer);
    moved |= take_push(*peer);
  }
  for (const auto& peer : peers_) {
    moved |= send_answer(*peer);
    moved |= take_answer(*peer);
  }
  std::int64_t sent = steps_;
  for (const auto& peer : peers_) sent = std::min(sent, peer->pushes_out.sent());
  const MutexLock lock(mutex_);
  if (std::exchange(sent_, sent) != sent) changed_.notify_all();
  return moved;
}

bool AsyncShards::send_push(Peer& peer) {
  if (!peer.pushes_out.is_sending()) {
    {
      const MutexLock lock(mutex_);
      if (peer.pushes_out.sent() == pushed_) return false;
    }
    if (peer.is_self) {
      peer.pushes_out.skip();
      peer.pushes.skip();
      update_by(peer.pushes_out.message());
      return true;
    }
    peer.pushes_out.send(communicator_.transport(), {peer.rank, kPushes});
  }
  return peer.pushes_out.advance();
}

bool AsyncShards::take_push(Peer& peer) {
  const std::int64_t before = peer.pushes.received();
  if (peer.is_self || before == steps_) return false;
  const bool moved = peer.pushes.advance(communicator_.transport(), {peer.rank, kPushes});
  if (peer.pushes.received() > before) update_by(peer.pushes.message());
  return moved;
}

void AsyncShards::update_by(const CodedMessage& push) {
  const auto head = head_of<PushHead>(push);
  if (head.rows > 0) update_(shard_of(communicator_.rank()), master_, values_of<PushHead>(push), head.rate);
}

// How many steps of all ranks the own shard contains.
std::int64_t AsyncShards::complete_steps() const {
  std::int64_t complete = steps_;
  for (const auto& peer : peers_) complete = std::min(complete, peer->pushes.received());
  return complete;
}

// The last push has no answer: close() brings all parameters together.
bool AsyncShards::send_answer(Peer& peer) {
  if (!peer.answers_out.is_sending()) {
    const std::int64_t next = peer.answers_out.sent();
    const bool is_due = next < std::min(peer.pushes.received(), steps_ - 1) && next - complete_steps() < staleness_;
    if (!is_due) return false;
    const AnswerHead head{.complete = complete_steps()};
    if (peer.is_self) {
      write(peer.answers.message(), head, master_);
      peer.answers_out.skip();
      peer.answers.skip();
      keep_answer(peer);
      return true;
    }
    write(peer.answers_out.message(), head, master_);
    peer.answers_out.send(communicator_.transport(), {peer.rank, kAnswers});
  }
  return peer.answers_out.advance();
}

bool AsyncShards::take_answer(Peer& peer) {
  const std::int64_t before = peer.answers.received();
  if (peer.is_self || before == steps_ - 1) return false;
  const bool moved = peer.answers.advance(communicator_.transport(), {peer.rank, kAnswers});
  if (peer.answers.received() > before) keep_answer(peer);
  return moved;
}

void AsyncShards::keep_answer(Peer& peer) {
  const MutexLock lock(mutex_);
  std::swap(peer.latest, peer.answers.message());
  peer.latest_complete = head_of<AnswerHead>(peer.latest).complete;
  peer.is_new = true;
  changed_.notify_all();
}

}  // namespace convoy
