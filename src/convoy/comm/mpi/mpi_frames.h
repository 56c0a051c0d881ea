// Sends or receives a message over MPI as a sequence of frames, a few of them in flight at a time.
#pragma once

#include <mpi.h>

#include <array>
#include <cstddef>
#include <span>

namespace convoy {

// Frames are short enough for MPI to send them without asking the receiver. For longer messages MPI asks first; when
// two ranks send to each other over TCP, the answer then waits behind the data that goes the other way, which cost half
// the line's rate. Both sides know a message's length and so cut it into the same frames. An empty message is one empty
// frame.
class MpiFrames {
 public:
  // The bytes must outlive it. It must not be destroyed before the message is done, unless the rank gives up.
  // Messages of different tags do not meet.
  [[nodiscard]] static MpiFrames sending(MPI_Comm group, int to, std::span<const std::byte> bytes, int tag = 0);
  [[nodiscard]] static MpiFrames receiving(MPI_Comm group, int from, std::span<std::byte> bytes, int tag = 0);

  // Starts further frames in place of the oldest ones that have been completed. Returns whether any had been completed
  // since the last call.
  [[nodiscard]] bool advance();
  [[nodiscard]] bool done() const { return finished_ == count_; }
  [[nodiscard]] int peer() const { return peer_; }

 private:
  static constexpr std::size_t kInFlight = 8;

  MpiFrames(MPI_Comm group, int peer, int tag, std::byte* begin, std::size_t bytes, bool receives);
  [[nodiscard]] std::size_t bytes_of(std::size_t frame) const;
  void start_next();
  void check_length(std::size_t frame, const MPI_Status& status) const;

  MPI_Comm group_;
  int peer_;
  int tag_;
  std::byte* begin_;
  std::size_t bytes_;
  bool receives_;
  std::size_t count_;
  std::size_t started_ = 0;
  std::size_t finished_ = 0;
  std::array<MPI_Request, kInFlight> requests_;  // frame i is at i % kInFlight
};

}  // namespace convoy
