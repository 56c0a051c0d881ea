// One rank's end of the messages between ranks. The all-reduce algorithms use only this interface, so they run over MPI
// and over threads alike.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <span>

namespace convoy {

// Messages between two ranks arrive in the order in which they were sent. Every call blocks: a send may wait for its
// receiver, so two ranks that send to each other use exchange(). Both sides know the length of a message; a receiver
// that expects another length is a defect (InternalError). A peer that does not answer within the deadline causes a
// PeerError that names the missing ranks; the endpoint cannot be used afterwards. One thread at a time.
class Endpoint {
 public:
  Endpoint(const Endpoint&) = delete;
  Endpoint& operator=(const Endpoint&) = delete;
  virtual ~Endpoint() = default;

  [[nodiscard]] int rank() const { return rank_; }
  [[nodiscard]] int size() const { return size_; }

  void send(int to, std::span<const std::byte> bytes);
  void receive(int from, std::span<std::byte> bytes);
  // Sends and receives at the same time. The spans must not overlap.
  void exchange(int to, std::span<const std::byte> out, int from, std::span<std::byte> in);

  void send(int to, std::span<const float> values) { send(to, std::as_bytes(values)); }
  void receive(int from, std::span<float> values) { receive(from, std::as_writable_bytes(values)); }
  void exchange(int to, std::span<const float> out, int from, std::span<float> in) {
    exchange(to, std::as_bytes(out), from, std::as_writable_bytes(in));
  }

  // The peer's rank among all ranks of the run; different from `peer` where a group numbers its ranks anew.
  [[nodiscard]] virtual int world_rank(int peer) const { return peer; }

  // How many bytes this rank has sent to ranks on other nodes since the start. May be called from any thread.
  [[nodiscard]] std::uint64_t wire_bytes() const { return wire_bytes_; }

  // Collective: returns when every rank has called it. ceil(log2(size)) messages for each rank.
  void barrier();

 protected:
  Endpoint(int rank, int size);

  void count_wire_bytes(std::uint64_t bytes) { wire_bytes_ += bytes; }
  // Throws InternalError unless that is another rank.
  void check_peer(int peer) const;

 private:
  // Whether a message to that rank leaves the node.
  [[nodiscard]] virtual bool is_on_wire(int /*to*/) const { return false; }
  virtual void do_send(int to, std::span<const std::byte> bytes) = 0;
  virtual void do_receive(int from, std::span<std::byte> bytes) = 0;
  virtual void do_exchange(int to, std::span<const std::byte> out, int from, std::span<std::byte> in) = 0;

  int rank_;
  int size_;
  std::atomic<std::uint64_t> wire_bytes_ = 0;
};

}  // namespace convoy
