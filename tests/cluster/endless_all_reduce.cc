// All-reduces until it is stopped or a rank is lost, and then ends as a run of Convoy does: with the error and code 5.
// cluster_test cuts off a host while it runs.
//
//   endless_all_reduce ALGORITHM DEADLINE_SECONDS
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <span>

#include "convoy/base/error.h"
#include "convoy/comm/communicator.h"
#include "convoy/comm/mpi/mpi_session.h"

namespace convoy {
namespace {

constexpr std::size_t kBytes = std::size_t{4} << 20U;
constexpr int kRankLost = 5;

[[noreturn]] void reduce_forever(Communicator& communicator, Algorithm algorithm) {
  const std::span<std::byte> memory = communicator.allocate_shared(kBytes);
  const std::span<float> values(reinterpret_cast<float*>(memory.data()), kBytes / sizeof(float));
  for (int step = 1;; ++step) {
    communicator.all_reduce(values, algorithm);
    if (communicator.rank() == 0) {
      std::printf("step %d\n", step);
      std::fflush(stdout);
    }
  }
}

}  // namespace
}  // namespace convoy

int main(int argc, char** argv) {
  if (argc != 3) {
    std::fprintf(stderr, "usage: endless_all_reduce ALGORITHM DEADLINE_SECONDS\n");
    return 2;
  }
  try {
    const convoy::Algorithm algorithm = convoy::algorithm_named(argv[1]);
    convoy::MpiSession session({.deadline = std::chrono::seconds(std::atoi(argv[2]))});
    convoy::Communicator communicator(session.transport());
    convoy::reduce_forever(communicator, algorithm);
  } catch (const std::exception& error) {
    std::fprintf(stderr, "error: %s\n", error.what());
    convoy::MpiSession::abort(convoy::kRankLost);
  }
}
