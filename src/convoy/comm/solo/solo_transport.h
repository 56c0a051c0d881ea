// A world of one rank.
#pragma once

#include <chrono>

#include "convoy/comm/transport.h"

namespace convoy {

class SoloTransport final : public Transport {
 public:
  SoloTransport();

  [[nodiscard]] NodeMemory share_in_node(std::size_t bytes) override;
  void wait_for(const Awaited& awaited) override;
  [[nodiscard]] bool has_library_all_reduce() const override { return false; }
  void library_all_reduce(std::span<float> values) override;

 private:
  // Never called: Endpoint refuses every peer before.
  void do_send(int to, std::span<const std::byte> bytes) override;
  void do_receive(int from, std::span<std::byte> bytes) override;
  void do_exchange(int to, std::span<const std::byte> out, int from, std::span<std::byte> in) override;
  [[nodiscard]] std::unique_ptr<Transfer> do_start_send(int to, int channel, std::span<const std::byte> bytes) override;
  [[nodiscard]] std::unique_ptr<Transfer> do_start_receive(int from, int channel, std::span<std::byte> bytes) override;
};

}  // namespace convoy
