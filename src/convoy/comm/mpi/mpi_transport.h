// Messages over MPI. Every wait for a message polls, so that it can have a deadline; MPI's collective calls have none.
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
  // Takes the groups; MPI is initialised as long as this lives.
  MpiTransport(const MpiGroups& groups, std::chrono::milliseconds deadline);
  ~MpiTransport() override;

  // A window of MPI's shared memory. All ranks are waited for with the deadline before, here and below.
  [[nodiscard]] NodeMemory share_in_node(std::size_t bytes) override;

  [[nodiscard]] bool has_library_all_reduce() const override { return true; }
  // MPI_Allreduce; the call itself has no deadline. MPI_Iallreduce could be polled, but is not the algorithm that MPI
  // would choose: in place, Open MPI 4.1 then sums at one rank and broadcasts.
  void library_all_reduce(std::span<float> values) override;

  void wait_for(const Awaited& awaited) override;

  // Whether a rank was lost: collective calls of MPI would not return any more.
  [[nodiscard]] bool broken() const { return *broken_; }

 private:
  void do_send(int to, std::span<const std::byte> bytes) override;
  void do_receive(int from, std::span<std::byte> bytes) override;
  void do_exchange(int to, std::span<const std::byte> out, int from, std::span<std::byte> in) override;

  // Until both are done; either may be null.
  void finish(MpiFrames* sending, MpiFrames* receiving);
  // Lets a moment pass between two looks. False when patience is at its end or another rank has given up.
  [[nodiscard]] bool may_look_again(Patience& patience) const;
  [[noreturn]] void give_up(std::span<const int> awaited);

  MpiGroups groups_;
  MpiAlarm alarm_;
  std::shared_ptr<bool> broken_;  // windows outlive neither MPI nor a lost rank
};

}  // namespace convoy
