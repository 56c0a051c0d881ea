#include "convoy/comm/mpi/mpi_alarm.h"

#include <algorithm>
#include <iterator>

#include "convoy/comm/lost_ranks.h"
#include "convoy/comm/mpi/mpi_error.h"
#include "convoy/comm/mpi/mpi_groups.h"
#include "convoy/comm/patience.h"

namespace convoy {
namespace {

constexpr int kTag = 0;

std::vector<int> without_nobody(const AwaitedRanks& awaited) {
  std::vector<int> ranks;
  std::ranges::copy_if(awaited, std::back_inserter(ranks), [](int rank) { return rank != kNobody; });
  return ranks;
}

}  // namespace

bool MpiAlarm::raised() const {
  int there = 0;
  check_mpi(MPI_Iprobe(MPI_ANY_SOURCE, kTag, group_, &there, MPI_STATUS_IGNORE), "MPI_Iprobe");
  return there != 0;
}

std::vector<int> MpiAlarm::call_roll(const AwaitedRanks& awaited, std::chrono::milliseconds patience) const {
  tell_everybody(awaited);
  std::vector<std::optional<std::vector<int>>> awaited_by(size_of(group_));
  awaited_by[rank_in(group_)] = without_nobody(awaited);
  Patience listening(patience);
  while (!std::ranges::all_of(awaited_by, [](const auto& ranks) { return ranks.has_value(); })) {
    if (!hear(awaited_by) && !listening.wait()) break;
  }
  return missing_ranks(rank_in(group_), awaited_by);
}

// A few bytes go out without the receiver's help. What becomes of them is nobody's business: the receiver may be dead.
void MpiAlarm::tell_everybody(const AwaitedRanks& awaited) const {
  for (int rank = 0; rank < size_of(group_); ++rank) {
    if (rank == rank_in(group_)) continue;
    MPI_Request request = MPI_REQUEST_NULL;
    if (MPI_Isend(awaited.data(), 2, MPI_INT, rank, kTag, group_, &request) == MPI_SUCCESS) MPI_Request_free(&request);
  }
}

std::optional<int> MpiAlarm::hear(std::vector<std::optional<std::vector<int>>>& awaited_by) const {
  int there = 0;
  MPI_Status status{};
  check_mpi(MPI_Iprobe(MPI_ANY_SOURCE, kTag, group_, &there, &status), "MPI_Iprobe");
  if (there == 0) return std::nullopt;
  AwaitedRanks awaited{};
  const int rank = status.MPI_SOURCE;
  check_mpi(MPI_Recv(awaited.data(), 2, MPI_INT, rank, kTag, group_, MPI_STATUS_IGNORE), "MPI_Recv");
  awaited_by[rank] = without_nobody(awaited);
  return rank;
}

}  // namespace convoy
