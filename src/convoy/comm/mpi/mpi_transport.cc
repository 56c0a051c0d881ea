#include "convoy/comm/mpi/mpi_transport.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <exception>
#include <limits>

#include "convoy/base/error.h"
#include "convoy/comm/lost_ranks.h"
#include "convoy/comm/mpi/mpi_error.h"
#include "convoy/comm/mpi/mpi_window.h"
#include "convoy/comm/node_memory.h"

namespace convoy {
namespace {

// How long to listen to other ranks after giving up.
constexpr std::chrono::milliseconds kRollCall{2000};

// MPI takes counts as int.
int count_of(std::size_t size) {
  if (size > static_cast<std::size_t>(std::numeric_limits<int>::max())) {
    throw SystemError(fmt::format("a message of {} bytes is too large for MPI", size));
  }
  return static_cast<int>(size);
}

class MpiTransfer final : public Transfer {
 public:
  explicit MpiTransfer(const MpiFrames& frames) : frames_(frames) {}

  [[nodiscard]] bool advance() override { return frames_.advance(); }
  [[nodiscard]] bool done() const override { return frames_.done(); }

 private:
  MpiFrames frames_;
};

// Messages that block have tag 0.
int tag_of(int channel) { return channel + 1; }

}  // namespace

MpiTransport::MpiTransport(const MpiGroups& groups, std::chrono::milliseconds deadline)
    : Transport(rank_in(groups.messages), node_map_of(groups), deadline),
      groups_(groups),
      alarm_(groups.alarms),
      broken_(std::make_shared<bool>(false)) {}

MpiTransport::~MpiTransport() {
  if (!broken() && std::uncaught_exceptions() == 0) groups_.free_all();
}

NodeMemory MpiTransport::share_in_node(std::size_t bytes) {
  barrier();
  // Memory of its own has large pages, which windows have on few systems.
  if (size_of(groups_.node) == 1) return heap_node_memory(1, bytes);
  return allocate_window(groups_.node, bytes, broken_);
}

void MpiTransport::library_all_reduce(std::span<float> values) {
  barrier();
  // MPI does not tell what it sends; counted as what a ring would send.
  if (nodes().node_count() > 1) count_wire_bytes(2 * values.size_bytes() * (size() - 1) / size());
  constexpr std::size_t kMost = std::size_t{1} << 30U;
  for (std::size_t begin = 0; begin < values.size(); begin += kMost) {
    const std::span<float> part = values.subspan(begin, std::min(kMost, values.size() - begin));
    check_mpi(MPI_Allreduce(MPI_IN_PLACE, part.data(), count_of(part.size()), MPI_FLOAT, MPI_SUM, groups_.messages),
              "MPI_Allreduce");
  }
}

void MpiTransport::do_send(int to, std::span<const std::byte> bytes) {
  MpiFrames sending = MpiFrames::sending(groups_.messages, to, bytes);
  finish(&sending, nullptr);
}

void MpiTransport::do_receive(int from, std::span<std::byte> bytes) {
  MpiFrames receiving = MpiFrames::receiving(groups_.messages, from, bytes);
  finish(nullptr, &receiving);
}

void MpiTransport::do_exchange(int to, std::span<const std::byte> out, int from, std::span<std::byte> in) {
  MpiFrames receiving = MpiFrames::receiving(groups_.messages, from, in);
  MpiFrames sending = MpiFrames::sending(groups_.messages, to, out);
  finish(&sending, &receiving);
}

std::unique_ptr<Transfer> MpiTransport::do_start_send(int to, int channel, std::span<const std::byte> bytes) {
  return std::make_unique<MpiTransfer>(MpiFrames::sending(groups_.messages, to, bytes, tag_of(channel)));
}

std::unique_ptr<Transfer> MpiTransport::do_start_receive(int from, int channel, std::span<std::byte> bytes) {
  return std::make_unique<MpiTransfer>(MpiFrames::receiving(groups_.messages, from, bytes, tag_of(channel)));
}

void MpiTransport::finish(MpiFrames* sending, MpiFrames* receiving) {
  Patience patience(deadline());
  for (;;) {
    const bool received = receiving != nullptr && receiving->advance();
    const bool sent = sending != nullptr && sending->advance();
    std::array<int, 2> awaited{};
    std::size_t count = 0;
    if (receiving != nullptr && !receiving->done()) awaited[count++] = receiving->peer();
    if (sending != nullptr && !sending->done()) awaited[count++] = sending->peer();
    if (count == 0) return;
    if (received || sent) {
      patience = Patience(deadline());
    } else if (!may_look_again(patience)) {
      give_up(std::span(awaited).first(count));
    }
  }
}

void MpiTransport::wait_for(const Awaited& awaited) {
  Patience patience(deadline());
  while (!awaited.all_arrived()) {
    if (!may_look_again(patience)) give_up(awaited.missing());
  }
}

bool MpiTransport::may_look_again(Patience& patience) const {
  const bool others_gave_up = patience.pausing() && alarm_.raised();
  return !others_gave_up && patience.wait();
}

// Pending messages are abandoned: their memory may be freed while MPI still uses it, but this process is about to end.
void MpiTransport::give_up(std::span<const int> awaited) {
  *broken_ = true;
  throw lost_ranks_error(rank(), alarm_.call_roll(awaited, std::min(kRollCall, deadline())), nodes(), deadline());
}

}  // namespace convoy
