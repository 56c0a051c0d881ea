// Messages over MPI. Every wait polls, so that it can have a deadline.
#pragma once

#include <mpi.h>

#include <chrono>
#include <cstddef>
#include <memory>
#include <span>

#include "convoy/comm/mpi/mpi_alarm.h"
#include "convoy/comm/mpi/mpi_groups.h"
#include "convoy/comm/transport.h"

namespace convoy {

class MpiTransport final : public Transport {
 public:
  // Takes the groups; MPI is initialised as long as this lives.
  MpiTransport(const MpiGroups& groups, std::chrono::milliseconds deadline);
  ~MpiTransport() override;

  // A window of MPI's shared memory.
  [[nodiscard]] NodeMemory share_in_node(std::size_t bytes) override;

  // MPI_Allreduce. All ranks are waited for with the deadline before; the call itself has none.
  void library_all_reduce(std::span<float> values) override;

  // Whether a rank was lost: collective calls of MPI would not return any more.
  [[nodiscard]] bool broken() const { return *broken_; }

 private:
  void do_send(int to, std::span<const std::byte> bytes) override;
  void do_receive(int from, std::span<std::byte> bytes) override;
  void do_exchange(int to, std::span<const std::byte> out, int from, std::span<std::byte> in) override;

  [[nodiscard]] MPI_Request start_send(int to, std::span<const std::byte> bytes);
  [[nodiscard]] MPI_Request start_receive(int from, std::span<std::byte> bytes);
  void finish_send(MPI_Request request, const AwaitedRanks& awaited);
  void finish_receive(MPI_Request request, std::size_t expected_bytes, const AwaitedRanks& awaited);
  void wait(MPI_Request& request, MPI_Status& status, const AwaitedRanks& awaited);
  [[noreturn]] void give_up(const AwaitedRanks& awaited);

  MpiGroups groups_;
  MpiAlarm alarm_;
  std::shared_ptr<bool> broken_;  // windows outlive neither MPI nor a lost rank
};

}  // namespace convoy
