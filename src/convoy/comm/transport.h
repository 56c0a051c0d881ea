// What connects all ranks of a run: messages between any two of them, shared memory, and the all-reduce of the
// message-passing library. Implemented by comm/mpi (processes), comm/thread (threads of one process, for tests) and
// comm/solo (one rank).
#pragma once

#include <chrono>
#include <cstddef>
#include <memory>
#include <span>
#include <utility>
#include <vector>

#include "convoy/comm/endpoint.h"
#include "convoy/comm/node_map.h"

namespace convoy {

// Memory that the ranks of one node share: parts[local rank] is the part of that rank, which all of them can read and
// write. It lives as long as `owner` and its copies.
struct NodeMemory {
  std::vector<std::span<std::byte>> parts;
  std::shared_ptr<void> owner;
};

// A condition that depends on other ranks but not on messages, such as a counter in shared memory.
class Awaited {
 public:
  Awaited() = default;
  Awaited(const Awaited&) = delete;
  Awaited& operator=(const Awaited&) = delete;
  virtual ~Awaited() = default;

  [[nodiscard]] virtual bool all_arrived() const = 0;
  [[nodiscard]] virtual std::vector<int> missing() const = 0;
};

// A message that travels while its sender or receiver does something else. Its memory must stay as it is until done().
// Ranks that never finish it must not go on: it may be destroyed before only where the run fails.
class Transfer {
 public:
  Transfer() = default;
  Transfer(const Transfer&) = delete;
  Transfer& operator=(const Transfer&) = delete;
  virtual ~Transfer() = default;

  // Lets the message travel on, which it need not do between the calls. Returns whether anything has moved.
  [[nodiscard]] virtual bool advance() = 0;
  [[nodiscard]] virtual bool done() const = 0;
};

class Transport : public Endpoint {
 public:
  [[nodiscard]] const NodeMap& nodes() const { return nodes_; }
  // How long a rank waits for another before it gives up.
  [[nodiscard]] std::chrono::milliseconds deadline() const { return deadline_; }
  // Must be called on all ranks alike, before one of them works for long while the others wait.
  void set_deadline(std::chrono::milliseconds deadline) { deadline_ = deadline; }

  // Messages that travel in the background. Those of a channel between two ranks arrive in the order in which they were
  // started; channels, from 0 on, know nothing of each other or of the messages that block. Both sides know the length.
  [[nodiscard]] std::unique_ptr<Transfer> start_send(int to, int channel, std::span<const std::byte> bytes);
  [[nodiscard]] std::unique_ptr<Transfer> start_receive(int from, int channel, std::span<std::byte> bytes);

  // Collective: zeroed memory of `bytes` (the same on all ranks) for each rank, at least 64-byte aligned. All ranks of
  // the node must free it together.
  [[nodiscard]] virtual NodeMemory share_in_node(std::size_t bytes) = 0;

  // Polls `awaited` until all have arrived. The deadline and the error are the same as for messages.
  virtual void wait_for(const Awaited& awaited) = 0;

  [[nodiscard]] virtual bool has_library_all_reduce() const = 0;
  // Collective: the all-reduce of the message-passing library itself. Throws UserError if there is no such library.
  virtual void library_all_reduce(std::span<float> values) = 0;

 protected:
  Transport(int rank, NodeMap nodes, std::chrono::milliseconds deadline)
      : Endpoint(rank, nodes.rank_count()), nodes_(std::move(nodes)), deadline_(deadline) {}

 private:
  [[nodiscard]] virtual std::unique_ptr<Transfer> do_start_send(int to, int channel,
                                                                std::span<const std::byte> bytes) = 0;
  [[nodiscard]] virtual std::unique_ptr<Transfer> do_start_receive(int from, int channel,
                                                                   std::span<std::byte> bytes) = 0;
  [[nodiscard]] bool is_on_wire(int to) const override { return nodes_.node_of(to) != nodes_.node_of(rank()); }

  NodeMap nodes_;
  std::chrono::milliseconds deadline_;
};

}  // namespace convoy
