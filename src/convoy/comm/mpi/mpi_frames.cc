#include "convoy/comm/mpi/mpi_frames.h"

#include <algorithm>

#include "convoy/base/check.h"
#include "convoy/comm/mpi/mpi_error.h"

namespace convoy {
namespace {

// Over TCP, Open MPI sends up to 64 KiB, including a header of its own, without asking the receiver.
constexpr std::size_t kFrameBytes = std::size_t{60} << 10U;

}  // namespace

MpiFrames MpiFrames::sending(MPI_Comm group, int to, std::span<const std::byte> bytes, int tag) {
  // The class serves both directions; bytes that are sent are never written to.
  return {group, to, tag, const_cast<std::byte*>(bytes.data()), bytes.size(), false};
}

MpiFrames MpiFrames::receiving(MPI_Comm group, int from, std::span<std::byte> bytes, int tag) {
  return {group, from, tag, bytes.data(), bytes.size(), true};
}

MpiFrames::MpiFrames(MPI_Comm group, int peer, int tag, std::byte* begin, std::size_t bytes, bool receives)
    : group_(group),
      peer_(peer),
      tag_(tag),
      begin_(begin),
      bytes_(bytes),
      receives_(receives),
      count_(std::max<std::size_t>(1, (bytes + kFrameBytes - 1) / kFrameBytes)) {
  requests_.fill(MPI_REQUEST_NULL);
  while (started_ < std::min(count_, kInFlight)) {
    start_next();
  }
}

std::size_t MpiFrames::bytes_of(std::size_t frame) const { return std::min(kFrameBytes, bytes_ - frame * kFrameBytes); }

void MpiFrames::start_next() {
  std::byte* const begin = begin_ + started_ * kFrameBytes;
  const auto bytes = static_cast<int>(bytes_of(started_));
  MPI_Request& request = requests_[started_ % kInFlight];
  if (receives_) {
    check_mpi(MPI_Irecv(begin, bytes, MPI_BYTE, peer_, tag_, group_, &request), "MPI_Irecv");
  } else {
    check_mpi(MPI_Isend(begin, bytes, MPI_BYTE, peer_, tag_, group_, &request), "MPI_Isend");
  }
  ++started_;
}

bool MpiFrames::advance() {
  bool moved = false;
  while (!done()) {
    int there = 0;
    MPI_Status status{};
    check_mpi(MPI_Test(&requests_[finished_ % kInFlight], &there, &status), "MPI_Test");
    if (there == 0) break;
    if (receives_) check_length(finished_, status);
    ++finished_;
    if (started_ < count_) start_next();
    moved = true;
  }
  return moved;
}

void MpiFrames::check_length(std::size_t frame, const MPI_Status& status) const {
  int arrived_bytes = 0;
  check_mpi(MPI_Get_count(&status, MPI_BYTE, &arrived_bytes), "MPI_Get_count");
  CONVOY_CHECK_EQ(static_cast<std::size_t>(arrived_bytes), bytes_of(frame));
}

}  // namespace convoy
