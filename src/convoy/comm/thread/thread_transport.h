// A rank's transport in a world of threads.
#pragma once

#include <chrono>

#include "convoy/comm/thread/thread_mail.h"
#include "convoy/comm/thread/thread_parcels.h"
#include "convoy/comm/transport.h"

namespace convoy {

class ThreadTransport final : public Transport {
 public:
  // Mail and parcels must outlive it.
  ThreadTransport(ThreadMail& mail, ThreadParcels& parcels, int rank, const NodeMap& nodes,
                  std::chrono::milliseconds deadline)
      : Transport(rank, nodes, deadline), mail_(mail), parcels_(parcels) {}

  [[nodiscard]] NodeMemory share_in_node(std::size_t bytes) override;
  void wait_for(const Awaited& awaited) override;
  [[nodiscard]] bool has_library_all_reduce() const override { return false; }
  // Throws UserError: threads have no such library.
  void library_all_reduce(std::span<float> values) override;

 private:
  void do_send(int to, std::span<const std::byte> bytes) override;
  void do_receive(int from, std::span<std::byte> bytes) override;
  void do_exchange(int to, std::span<const std::byte> out, int from, std::span<std::byte> in) override;
  [[nodiscard]] std::unique_ptr<Transfer> do_start_send(int to, int channel, std::span<const std::byte> bytes) override;
  [[nodiscard]] std::unique_ptr<Transfer> do_start_receive(int from, int channel, std::span<std::byte> bytes) override;

  ThreadMail& mail_;
  ThreadParcels& parcels_;
};

}  // namespace convoy
