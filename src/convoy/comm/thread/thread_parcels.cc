#include "convoy/comm/thread/thread_parcels.h"

#include <algorithm>
#include <utility>

#include "convoy/base/check.h"

namespace convoy {

class ThreadParcels::Sending final : public Transfer {
 public:
  Sending(ThreadParcels& parcels, std::shared_ptr<Parcel> parcel) : parcels_(parcels), parcel_(std::move(parcel)) {}
  // Withdraws a message that nobody has taken: the sender's memory may be gone afterwards.
  ~Sending() override {
    const MutexLock lock(parcels_.mutex_);
    for (auto& [route, waiting] : parcels_.waiting_) std::erase(waiting, parcel_);
  }

  [[nodiscard]] bool advance() override {
    const MutexLock lock(parcels_.mutex_);
    return !std::exchange(done_, parcel_->taken) && done_;
  }
  [[nodiscard]] bool done() const override { return done_; }

 private:
  ThreadParcels& parcels_;
  std::shared_ptr<Parcel> parcel_;
  bool done_ = false;
};

class ThreadParcels::Receiving final : public Transfer {
 public:
  Receiving(ThreadParcels& parcels, const Route& route, std::span<std::byte> bytes)
      : parcels_(parcels), route_(route), bytes_(bytes) {}

  [[nodiscard]] bool advance() override {
    if (done_) return false;
    const MutexLock lock(parcels_.mutex_);
    auto& waiting = parcels_.waiting_[route_];
    if (waiting.empty()) return false;
    CONVOY_CHECK_EQ(waiting.front()->bytes.size(), bytes_.size());
    std::ranges::copy(waiting.front()->bytes, bytes_.begin());
    waiting.front()->taken = true;
    waiting.pop_front();
    return done_ = true;
  }
  [[nodiscard]] bool done() const override { return done_; }

 private:
  ThreadParcels& parcels_;
  Route route_;
  std::span<std::byte> bytes_;
  bool done_ = false;
};

std::unique_ptr<Transfer> ThreadParcels::send(const Route& route, std::span<const std::byte> bytes) {
  auto parcel = std::make_shared<Parcel>(Parcel{.bytes = bytes});
  {
    const MutexLock lock(mutex_);
    waiting_[route].push_back(parcel);
  }
  return std::make_unique<Sending>(*this, std::move(parcel));
}

std::unique_ptr<Transfer> ThreadParcels::receive(const Route& route, std::span<std::byte> bytes) {
  return std::make_unique<Receiving>(*this, route, bytes);
}

}  // namespace convoy
