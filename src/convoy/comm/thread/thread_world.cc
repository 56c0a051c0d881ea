#include "convoy/comm/thread/thread_world.h"

#include <fmt/format.h>

#include <exception>
#include <string>
#include <thread>

#include "convoy/base/check.h"
#include "convoy/base/mutex.h"
#include "convoy/comm/thread/thread_mail.h"
#include "convoy/comm/thread/thread_parcels.h"
#include "convoy/comm/thread/thread_transport.h"

namespace convoy {
namespace {

NodeMap node_map(const ThreadWorldOptions& options) {
  const std::vector<int> keys = options.node_of_rank.empty() ? std::vector<int>(options.ranks) : options.node_of_rank;
  CONVOY_CHECK_EQ(static_cast<int>(keys.size()), options.ranks);
  std::vector<std::string> hosts;
  hosts.reserve(keys.size());
  for (const int key : keys) {
    hosts.push_back(fmt::format("node {}", key));
  }
  return {keys, hosts};
}

class FirstError {
 public:
  void keep(const std::exception_ptr& error) {
    const MutexLock lock(mutex_);
    if (!error_) error_ = error;
  }
  void rethrow() {
    const MutexLock lock(mutex_);
    if (error_) std::rethrow_exception(error_);
  }

 private:
  Mutex mutex_;
  std::exception_ptr error_ CONVOY_GUARDED_BY(mutex_);
};

}  // namespace

void run_as_threads(const ThreadWorldOptions& options, const std::function<void(Transport&)>& body) {
  const NodeMap nodes = node_map(options);
  ThreadMail mail(nodes, options.deadline, options.late_when_waiting);
  ThreadParcels parcels;
  FirstError first_error;
  const auto run_rank = [&](int rank) {
    try {
      ThreadTransport transport(mail, parcels, rank, nodes, options.deadline);
      body(transport);
    } catch (...) {
      first_error.keep(std::current_exception());
    }
    mail.leave(rank);
  };
  std::vector<std::jthread> threads;
  for (int rank = 0; rank < options.ranks; ++rank) {
    threads.emplace_back(run_rank, rank);
  }
  threads.clear();
  first_error.rethrow();
}

}  // namespace convoy
