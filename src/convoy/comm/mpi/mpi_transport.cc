#include "convoy/comm/mpi/mpi_transport.h"

#include <fmt/format.h>

#include <algorithm>
#include <exception>
#include <limits>

#include "convoy/base/check.h"
#include "convoy/comm/lost_ranks.h"
#include "convoy/comm/mpi/mpi_error.h"
#include "convoy/comm/mpi/mpi_window.h"
#include "convoy/comm/patience.h"

namespace convoy {
namespace {

constexpr int kTag = 0;
// How long to listen for other ranks after having given up.
constexpr std::chrono::milliseconds kRollCall{2000};

// MPI counts in int.
int count_of(std::size_t size) {
  if (size > static_cast<std::size_t>(std::numeric_limits<int>::max())) {
    throw SystemError(fmt::format("a message of {} bytes is too large for MPI", size));
  }
  return static_cast<int>(size);
}

}  // namespace

MpiTransport::MpiTransport(const MpiGroups& groups, std::chrono::milliseconds deadline)
    : Transport(rank_in(groups.messages), node_map_of(groups), deadline),
      groups_(groups),
      alarm_(groups.alarms),
      broken_(std::make_shared<bool>(false)) {}

MpiTransport::~MpiTransport() {
  if (!broken() && std::uncaught_exceptions() == 0) groups_.free_all();
}

NodeMemory MpiTransport::share_in_node(std::size_t bytes) { return allocate_window(groups_.node, bytes, broken_); }

void MpiTransport::library_all_reduce(std::span<float> values) {
  barrier();
  constexpr std::size_t kMost = std::size_t{1} << 30U;
  for (std::size_t begin = 0; begin < values.size(); begin += kMost) {
    const std::span<float> part = values.subspan(begin, std::min(kMost, values.size() - begin));
    check_mpi(MPI_Allreduce(MPI_IN_PLACE, part.data(), count_of(part.size()), MPI_FLOAT, MPI_SUM, groups_.messages),
              "MPI_Allreduce");
  }
}

MPI_Request MpiTransport::start_send(int to, std::span<const std::byte> bytes) {
  MPI_Request request = MPI_REQUEST_NULL;
  check_mpi(MPI_Isend(bytes.data(), count_of(bytes.size()), MPI_BYTE, to, kTag, groups_.messages, &request),
            "MPI_Isend");
  return request;
}

MPI_Request MpiTransport::start_receive(int from, std::span<std::byte> bytes) {
  MPI_Request request = MPI_REQUEST_NULL;
  check_mpi(MPI_Irecv(bytes.data(), count_of(bytes.size()), MPI_BYTE, from, kTag, groups_.messages, &request),
            "MPI_Irecv");
  return request;
}

void MpiTransport::do_send(int to, std::span<const std::byte> bytes) {
  finish_send(start_send(to, bytes), {kNobody, to});
}

void MpiTransport::do_receive(int from, std::span<std::byte> bytes) {
  finish_receive(start_receive(from, bytes), bytes.size(), {from, kNobody});
}

void MpiTransport::do_exchange(int to, std::span<const std::byte> out, int from, std::span<std::byte> in) {
  const MPI_Request receiving = start_receive(from, in);
  const MPI_Request sending = start_send(to, out);
  finish_receive(receiving, in.size(), {from, to});
  finish_send(sending, {kNobody, to});
}

void MpiTransport::finish_send(MPI_Request request, const AwaitedRanks& awaited) {
  MPI_Status status{};
  wait(request, status, awaited);
}

void MpiTransport::finish_receive(MPI_Request request, std::size_t expected_bytes, const AwaitedRanks& awaited) {
  MPI_Status status{};
  wait(request, status, awaited);
  int arrived_bytes = 0;
  check_mpi(MPI_Get_count(&status, MPI_BYTE, &arrived_bytes), "MPI_Get_count");
  CONVOY_CHECK_EQ(static_cast<std::size_t>(arrived_bytes), expected_bytes);
}

void MpiTransport::wait(MPI_Request& request, MPI_Status& status, const AwaitedRanks& awaited) {
  Patience patience(deadline());
  for (;;) {
    int done = 0;
    check_mpi(MPI_Test(&request, &done, &status), "MPI_Test");
    if (done != 0) return;
    const bool others_gave_up = patience.pausing() && alarm_.raised();
    if (others_gave_up || !patience.wait()) give_up(awaited);
  }
}

// The pending messages are left to themselves: their memory may go, but so will this process.
void MpiTransport::give_up(const AwaitedRanks& awaited) {
  *broken_ = true;
  throw lost_ranks_error(rank(), alarm_.call_roll(awaited, std::min(kRollCall, deadline())), nodes(), deadline());
}

}  // namespace convoy
