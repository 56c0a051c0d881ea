// A rank's transport in a world of threads.
#pragma once

#include <chrono>

#include "convoy/comm/thread/thread_mail.h"
#include "convoy/comm/transport.h"

namespace convoy {

class ThreadTransport final : public Transport {
 public:
  // The mail must outlive it.
  ThreadTransport(ThreadMail& mail, int rank, const NodeMap& nodes, std::chrono::milliseconds deadline)
      : Transport(rank, nodes, deadline), mail_(mail) {}

  [[nodiscard]] NodeMemory share_in_node(std::size_t bytes) override;
  void wait_for(const Awaited& awaited) override;
  [[nodiscard]] bool has_library_all_reduce() const override { return false; }
  // Throws UserError: threads have no such library.
  void library_all_reduce(std::span<float> values) override;

 private:
  void do_send(int to, std::span<const std::byte> bytes) override;
  void do_receive(int from, std::span<std::byte> bytes) override;
  void do_exchange(int to, std::span<const std::byte> out, int from, std::span<std::byte> in) override;

  ThreadMail& mail_;
};

}  // namespace convoy
