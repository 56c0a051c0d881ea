// Messages between threads that travel in the background (see Transfer).
#pragma once

#include <cstddef>
#include <deque>
#include <map>
#include <memory>
#include <span>
#include <tuple>

#include "convoy/base/mutex.h"
#include "convoy/comm/transport.h"

namespace convoy {

// Threads: any rank calls anything; one mutex guards everything. A message stays in its sender's memory until its
// receiver has copied it, the strictest behaviour that MPI allows.
class ThreadParcels {
 public:
  struct Route {
    int from;
    int to;
    int channel;

    bool operator<(const Route& other) const {
      return std::tie(from, to, channel) < std::tie(other.from, other.to, other.channel);
    }
  };

  // This must outlive the transfers.
  [[nodiscard]] std::unique_ptr<Transfer> send(const Route& route, std::span<const std::byte> bytes);
  [[nodiscard]] std::unique_ptr<Transfer> receive(const Route& route, std::span<std::byte> bytes);

 private:
  class Sending;
  class Receiving;

  struct Parcel {
    std::span<const std::byte> bytes;
    bool taken = false;
  };

  Mutex mutex_;
  std::map<Route, std::deque<std::shared_ptr<Parcel>>> waiting_ CONVOY_GUARDED_BY(mutex_);
};

}  // namespace convoy
