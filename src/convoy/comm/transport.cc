#include "convoy/comm/transport.h"

namespace convoy {

std::unique_ptr<Transfer> Transport::start_send(int to, int channel, std::span<const std::byte> bytes) {
  check_peer(to);
  if (is_on_wire(to)) count_wire_bytes(bytes.size());
  return do_start_send(to, channel, bytes);
}

std::unique_ptr<Transfer> Transport::start_receive(int from, int channel, std::span<std::byte> bytes) {
  check_peer(from);
  return do_start_receive(from, channel, bytes);
}

}  // namespace convoy
