// All ranks of a run as a command sees them: MPI's ranks if a launcher started this process as one of them, otherwise
// this process alone.
#pragma once

#include <chrono>
#include <functional>
#include <memory>

#include "convoy/comm/transport.h"

namespace convoy {
class MpiSession;
}

namespace convoy::cli {

class World {
 public:
  // Collective. `deadline` is how long a rank waits for another. MPI is initialised only if there are ranks, so that a
  // single process starts quickly. Throws UserError when the launcher does not match the linked MPI. Changes the
  // environment: no other thread may run yet.
  explicit World(std::chrono::milliseconds deadline);
  ~World();
  World(const World&) = delete;
  World& operator=(const World&) = delete;

  [[nodiscard]] Transport& transport();
  [[nodiscard]] int rank() const { return rank_; }
  [[nodiscard]] int size() const { return size_; }
  // Whether this is the rank that prints and writes.
  [[nodiscard]] bool is_first() const { return rank_ == 0; }

 private:
  void join(std::chrono::milliseconds deadline);

  std::unique_ptr<MpiSession> session_;
  std::unique_ptr<Transport> alone_;
  int rank_ = 0;
  int size_ = 1;
};

// For a rank that fails before it has joined the others: joins them, so that it can end them and they it, since some
// launchers (srun) do nothing when a rank ends by itself. False when that is impossible: there are no others, MPI is
// finalised, the launcher does not match, or the others do not come within some seconds.
[[nodiscard]] bool join_to_fail();

// Collective: runs `body` in a World. All ranks leave together, so that no launcher ends a rank that still writes
// because another is done. This also holds when `body` throws Interrupted, which either all ranks or none must do.
// After any other exception the rank is expected to end the run (app.cc).
void in_world(std::chrono::milliseconds deadline, const std::function<void(World&)>& body);

}  // namespace convoy::cli
