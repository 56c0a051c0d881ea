#include "convoy/comm/solo/solo_transport.h"

#include <array>

#include "convoy/comm/node_memory.h"

namespace convoy {
namespace {

NodeMap one_rank() {
  constexpr std::array kKeys = {0};
  return {kKeys, {"this host"}};
}

}  // namespace

SoloTransport::SoloTransport() : Transport(0, one_rank(), std::chrono::milliseconds{0}) {}

NodeMemory SoloTransport::share_in_node(std::size_t bytes) { return heap_node_memory(1, bytes); }

void SoloTransport::wait_for(const Awaited& /*awaited*/) {}

void SoloTransport::library_all_reduce(std::span<float> /*values*/) {}

void SoloTransport::do_send(int /*to*/, std::span<const std::byte> /*bytes*/) {}

void SoloTransport::do_receive(int /*from*/, std::span<std::byte> /*bytes*/) {}

void SoloTransport::do_exchange(int /*to*/, std::span<const std::byte> /*out*/, int /*from*/,
                                std::span<std::byte> /*in*/) {}

std::unique_ptr<Transfer> SoloTransport::do_start_send(int /*to*/, int /*channel*/,
                                                       std::span<const std::byte> /*bytes*/) {
  return nullptr;
}

std::unique_ptr<Transfer> SoloTransport::do_start_receive(int /*from*/, int /*channel*/,
                                                          std::span<std::byte> /*bytes*/) {
  return nullptr;
}

}  // namespace convoy
