// All ranks of a run as a command sees them: MPI's when a launcher started this process as one of them, this process
// alone otherwise.
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
  // Collective. `deadline` is how long a rank waits for another. MPI is initialised only where there are ranks, so a
  // process alone starts as fast as ever. Throws UserError when the launcher does not fit the linked MPI. Changes the
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

// For a rank that fails before it has joined the others: joins them, so that it can end them and they it, whatever the
// launcher does about a rank that ends by itself (srun: nothing). False where that cannot be: there are no others, MPI
// is over, the launcher does not fit, or they do not come within some seconds.
[[nodiscard]] bool join_to_fail();

// Collective: runs `body` in a World. All ranks leave together, so that no launcher ends a rank that still writes
// because another is done: also when `body` throws Interrupted, which all ranks have to do or none. After any other
// exception the rank is expected to end the run (app.cc).
void in_world(std::chrono::milliseconds deadline, const std::function<void(World&)>& body);

}  // namespace convoy::cli
