#include "convoy/comm/patience.h"

#include <thread>

namespace convoy {
namespace {

// Spinning this often takes about as long as a message of a few bytes.
constexpr int kSpins = 200;
// Longer than a chunk of a large message takes inside a node.
constexpr std::chrono::milliseconds kYielding{2};
constexpr std::chrono::microseconds kPause{50};

}  // namespace

bool Patience::wait() {
  if (looks_ < kSpins) {
    if (looks_++ == 0) begin_ = Clock::now();
#if defined(__x86_64__)
    __builtin_ia32_pause();
#endif
    return true;
  }
  const Clock::duration waited = Clock::now() - begin_;
  if (waited >= limit_) return false;
  pausing_ = waited > kYielding;
  if (pausing_) {
    std::this_thread::sleep_for(kPause);
  } else {
    std::this_thread::yield();
  }
  return true;
}

}  // namespace convoy
