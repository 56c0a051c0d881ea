#include "convoy/cli/launch/world.h"

#include <cstdio>
#include <cstdlib>
#include <future>
#include <optional>
#include <thread>
#include <utility>

#include "convoy/base/error.h"
#include "convoy/cli/launch/interrupt.h"
#include "convoy/cli/launch/rank_environment.h"
#include "convoy/comm/launcher.h"
#include "convoy/comm/mpi/mpi_session.h"
#include "convoy/comm/solo/solo_transport.h"

namespace convoy::cli {
namespace {

void require_match(int mpi_size) {
  if (const auto mismatch = launcher_mismatch(environment_variable, mpi_size)) throw UserError("{}", *mismatch);
}

// Open MPI learns of other ranks only through PMIx. Without it, it would believe that it is alone, or end the process
// with a message that helps nobody.
void require_a_way_to_the_others() {
  constexpr int kAlone = 1;
  if (!environment_variable("PMIX_RANK")) require_match(kAlone);
}

// Containers forbid ranks to read each other's memory, and Open MPI would complain at length about it; it has other
// ways.
void quieten_mpi() { (void)setenv("OMPI_MCA_btl_vader_single_copy_mechanism", "none", /*overwrite=*/0); }

}  // namespace

World::World(std::chrono::milliseconds deadline) {
  if (started_as_rank()) {
    join(deadline);
  } else {
    alone_ = std::make_unique<SoloTransport>();
  }
}

World::~World() = default;

void World::join(std::chrono::milliseconds deadline) {
  if (launched_rank(environment_variable)->size != 1) MpiSession::require_built();
  require_a_way_to_the_others();
  quieten_mpi();
  session_ = std::make_unique<MpiSession>(MpiOptions{.deadline = deadline});
  rank_ = session_->transport().rank();
  size_ = session_->transport().size();
  require_match(size_);
}

Transport& World::transport() { return session_ ? session_->transport() : *alone_; }

bool join_to_fail() {
  constexpr std::chrono::seconds kPatience{20};
  if (MpiSession::is_active()) return true;
  if (!started_as_rank() || MpiSession::is_over() || !environment_variable("PMIX_RANK")) return false;
  quieten_mpi();
  // MPI may wait for the other ranks for ever, so a separate thread does the waiting.
  std::promise<bool> joined;
  std::future<bool> result = joined.get_future();
  std::thread([](std::promise<bool> done) { done.set_value(MpiSession::initialise()); }, std::move(joined)).detach();
  return result.wait_for(kPatience) == std::future_status::ready && result.get();
}

void in_world(std::chrono::milliseconds deadline, const std::function<void(World&)>& body) {
  std::optional<Interrupted> interrupted;
  {
    World world(deadline);
    try {
      body(world);
    } catch (const Interrupted& signal) {
      interrupted = signal;
    }
    // Waits for all ranks, because the first one to end may make the launcher end the others.
    (void)std::fflush(nullptr);
    world.transport().barrier();
  }
  if (interrupted) throw Interrupted(*interrupted);
}

}  // namespace convoy::cli
