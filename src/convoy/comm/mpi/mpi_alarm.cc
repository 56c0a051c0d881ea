#include "convoy/comm/mpi/mpi_alarm.h"

#include <algorithm>

#include "convoy/comm/lost_ranks.h"
#include "convoy/comm/mpi/mpi_error.h"
#include "convoy/comm/mpi/mpi_groups.h"
#include "convoy/comm/patience.h"

namespace convoy {
namespace {

constexpr int kAlarmTag = 0;

}  // namespace

bool MpiAlarm::raised() const {
  int there = 0;
  check_mpi(MPI_Iprobe(MPI_ANY_SOURCE, kAlarmTag, group_, &there, MPI_STATUS_IGNORE), "MPI_Iprobe");
  return there != 0;
}

std::vector<int> MpiAlarm::call_roll(std::span<const int> awaited, std::chrono::milliseconds patience) const {
  tell_everybody(awaited);
  std::vector<std::optional<std::vector<int>>> awaited_by(size_of(group_));
  awaited_by[rank_in(group_)].emplace(awaited.begin(), awaited.end());
  Patience listening(patience);
  while (!std::ranges::all_of(awaited_by, [](const auto& ranks) { return ranks.has_value(); })) {
    if (!hear(awaited_by) && !listening.wait()) break;
  }
  return missing_ranks(rank_in(group_), awaited_by);
}

// Messages of a few bytes are sent without the receiver's help. Nobody waits for their arrival: the receiver may be
// dead.
void MpiAlarm::tell_everybody(std::span<const int> awaited) const {
  for (int rank = 0; rank < size_of(group_); ++rank) {
    if (rank == rank_in(group_)) continue;
    MPI_Request request = MPI_REQUEST_NULL;
    const auto count = static_cast<int>(awaited.size());
    if (MPI_Isend(awaited.data(), count, MPI_INT, rank, kAlarmTag, group_, &request) == MPI_SUCCESS) {
      MPI_Request_free(&request);
    }
  }
}

bool MpiAlarm::hear(std::vector<std::optional<std::vector<int>>>& awaited_by) const {
  int there = 0;
  MPI_Status status{};
  check_mpi(MPI_Iprobe(MPI_ANY_SOURCE, kAlarmTag, group_, &there, &status), "MPI_Iprobe");
  if (there == 0) return false;
  int count = 0;
  check_mpi(MPI_Get_count(&status, MPI_INT, &count), "MPI_Get_count");
  std::vector<int>& awaited = awaited_by[status.MPI_SOURCE].emplace(count);
  check_mpi(MPI_Recv(awaited.data(), count, MPI_INT, status.MPI_SOURCE, kAlarmTag, group_, MPI_STATUS_IGNORE),
            "MPI_Recv");
  return true;
}

}  // namespace convoy
