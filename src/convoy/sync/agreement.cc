#include "convoy/sync/agreement.h"

#include <fmt/format.h>
#include <xxhash.h>

#include <algorithm>
#include <map>
#include <vector>

#include "convoy/base/error.h"

namespace convoy {
namespace {

std::string names(const std::vector<int>& ranks, const NodeMap& nodes) {
  std::string text;
  for (const int rank : ranks) {
    text += fmt::format("{}rank {} on {}", text.empty() ? "" : ", ", rank, nodes.host_of(rank));
  }
  return text;
}

// The hash that most ranks have; if several are equally frequent, the one of the lowest rank.
std::uint64_t usual_hash(std::span<const std::uint64_t> hashes) {
  std::map<std::uint64_t, std::ptrdiff_t> counts;
  for (const std::uint64_t hash : hashes) ++counts[hash];
  return std::ranges::max(hashes, {}, [&](std::uint64_t hash) { return counts[hash]; });
}

}  // namespace

void require_same(Communicator& communicator, const std::string& what, const std::string& text) {
  const std::string first = communicator.broadcast(text);
  const std::vector<std::string> verdicts = communicator.gather(text == first ? "" : "differs");
  std::string message;
  if (communicator.rank() == 0) {
    std::vector<int> differing;
    for (int rank = 0; rank < communicator.size(); ++rank) {
      if (!verdicts[rank].empty()) differing.push_back(rank);
    }
    if (!differing.empty()) {
      message = fmt::format(
          "{} differ between ranks: {} has others than rank 0 on {}; start all ranks with the same "
          "program, command line and files",
          what, names(differing, communicator.nodes()), communicator.nodes().host_of(0));
    }
  }
  message = communicator.broadcast(message);
  if (!message.empty()) throw UserError("{}", message);
}

void require_same_weights(std::span<const std::uint64_t> hashes, const NodeMap& nodes, std::int64_t step) {
  const std::uint64_t usual = usual_hash(hashes);
  std::vector<int> differing;
  for (std::size_t rank = 0; rank < hashes.size(); ++rank) {
    if (hashes[rank] != usual) differing.push_back(static_cast<int>(rank));
  }
  if (differing.empty()) return;
  throw SystemError(fmt::format("after step {} the weights of {} differ from those of the other ranks; memory or "
                                "processor may be faulty there; resume from the last checkpoint without it",
                                step, names(differing, nodes)),
                    differing.front());
}

std::uint64_t hash_of(std::span<const float> weights) {
  const std::uint64_t hash = XXH3_64bits(weights.data(), weights.size_bytes());
  return hash == 0 ? 1 : hash;
}

}  // namespace convoy
