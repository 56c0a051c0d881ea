// Messages over MPI. Every wait for a message polls, so that it can have a deadline; MPI's own collective calls have
// none.
#pragma once

#include <mpi.h>

#include <chrono>
#include <cstddef>
#include <memory>
#include <span>

#include "convoy/comm/mpi/mpi_alarm.h"
#include "convoy/comm/mpi/mpi_frames.h"
#include "convoy/comm/mpi/mpi_groups.h"
#include "convoy/comm/patience.h"
#include "convoy/comm/transport.h"

namespace convoy {

class MpiTransport final : public Transport {
 public:
  // Takes ownership of the groups. MPI must stay initialised as long as this lives.
  MpiTransport(const MpiGroups& groups, std::chrono::milliseconds deadline);
  ~MpiTransport() override;

  // Memory in a shared window of MPI. Here and below, all ranks are first waited for with the deadline, because MPI's
  // collective call has none.
  [[nodiscard]] NodeMemory share_in_node(std::size_t bytes) override;

  [[nodiscard]] bool has_library_all_reduce() const override { return true; }
  // MPI_Allreduce. MPI_Iallreduce could be polled, but would not use the algorithm that MPI chooses otherwise: in
  // place, Open MPI 4.1 then sums at one rank and broadcasts.
  void library_all_reduce(std::span<float> values) override;

  void wait_for(const Awaited& awaited) override;

  // Whether a rank was lost; collective calls of MPI would then never return.
  [[nodiscard]] bool broken() const { return *broken_; }

 private:
  void do_send(int to, std::span<const std::byte> bytes) override;
  void do_receive(int from, std::span<std::byte> bytes) override;
  void do_exchange(int to, std::span<const std::byte> out, int from, std::span<std::byte> in) override;
  [[nodiscard]] std::unique_ptr<Transfer> do_start_send(int to, int channel, std::span<const std::byte> bytes) override;
  [[nodiscard]] std::unique_ptr<Transfer> do_start_receive(int from, int channel, std::span<std::byte> bytes) override;

  // Works until both messages are done; either may be null.
  void finish(MpiFrames* sending, MpiFrames* receiving);
  // Waits a moment between two polls. False when the deadline has passed or another rank has given up.
  [[nodiscard]] bool may_look_again(Patience& patience) const;
  [[noreturn]] void give_up(std::span<const int> awaited);

  MpiGroups groups_;
  MpiAlarm alarm_;
  std::shared_ptr<bool> broken_;  // shared with windows, which must not be freed collectively once a rank is lost
};

}  // namespace convoy
