#include "convoy/comm/communicator.h"

#include <algorithm>
#include <cstdint>
#include <functional>
#include <limits>
#include <utility>

#include "convoy/base/check.h"
#include "convoy/base/error.h"
#include "convoy/comm/chunks.h"
#include "convoy/comm/flat_all_reduce.h"
#include "convoy/comm/group.h"
#include "convoy/comm/hierarchical.h"
#include "convoy/comm/shared_arena.h"

namespace convoy {
namespace {

// Values that are not in shared memory are copied through it in chunks of this many floats: 1 MiB, or 8 MiB where the
// network between nodes would be idle between two chunks.
constexpr std::size_t kStaged = std::size_t{1} << 18;
constexpr std::size_t kStagedBetweenNodes = std::size_t{1} << 21;
// From this size on, shared memory is worth copying the values in and out.
constexpr std::size_t kWorthStaging = std::size_t{4} << 10U;
// A delegate sums and exchanges this many floats at a time for each node there is: 1 MiB.
constexpr std::size_t kDelegateChunk = std::size_t{1} << 18;

std::span<std::byte> bytes_of(auto& value) { return std::as_writable_bytes(std::span(&value, 1)); }

std::span<std::byte> bytes_of(std::string& text) { return std::as_writable_bytes(std::span(text)); }

}  // namespace

// The memory that all-reduces work with. Defined here so that users of the communicator need not see it.
struct Communicator::Memory {
  Scratch scratch;
  BetweenNodes between;
  std::optional<Group> delegates;  // the delegates of the same local rank on all nodes; set on delegates only
  std::vector<std::unique_ptr<SharedArena>> arenas;
  std::unique_ptr<SharedArena> staging;
};

Communicator::Communicator(Transport& transport, const CommunicatorOptions& options)
    : transport_(transport), options_(options), memory_(std::make_unique<Memory>()) {
  if (!is_flat(options.between_nodes) && options.between_nodes != Algorithm::automatic) {
    throw UserError("the all-reduce between nodes cannot be \"{}\"; choose one made of messages, such as \"{}\"",
                    name_of(options.between_nodes), name_of(Algorithm::ring));
  }
  CONVOY_CHECK(!options.table || options.table->topology == topology_of(nodes()));
  if (nodes().node_count() > 1) join_nodes();
}

Communicator::~Communicator() = default;

void Communicator::join_nodes() {
  std::size_t delegates = nodes().ranks_of(0).size();
  for (int node = 1; node < nodes().node_count(); ++node) {
    delegates = std::min(delegates, nodes().ranks_of(node).size());
  }
  const auto local_rank = static_cast<std::size_t>(nodes().local_rank_of(rank()));
  if (local_rank < delegates) {
    std::vector<int> peers;
    for (int node = 0; node < nodes().node_count(); ++node) {
      peers.push_back(nodes().ranks_of(node)[local_rank]);
    }
    memory_->delegates.emplace(transport_, std::move(peers));
  }
  memory_->between = {.delegates = static_cast<int>(delegates),
                      .chunk = kDelegateChunk * static_cast<std::size_t>(nodes().node_count()),
                      .all_reduce = [this](std::span<float> values) {
                        const bool by_size = options_.between_nodes == Algorithm::automatic;
                        flat_all_reduce(*memory_->delegates, values,
                                        by_size ? usual_algorithm(memory_->delegates->size(), values.size_bytes())
                                                : options_.between_nodes,
                                        memory_->scratch);
                      }};
  // With one rank per node there is nothing to sum or hand out inside nodes, so chunks would gain nothing.
  if (nodes().node_count() == size()) memory_->between.chunk = std::numeric_limits<std::size_t>::max();
}

// A binomial tree: in each round, every rank that has the bytes sends them to one that has not. `place` counts ranks
// from the root.
void Communicator::broadcast(std::span<std::byte> bytes, int root) {
  const int place = (rank() - root + size()) % size();
  for (int distance = 1; distance < size(); distance *= 2) {
    if (place < distance && place + distance < size()) {
      transport_.send((rank() + distance) % size(), bytes);
    } else if (place >= distance && place < 2 * distance) {
      transport_.receive((rank() + size() - distance) % size(), bytes);
    }
  }
}

std::string Communicator::broadcast(std::string text, int root) {
  std::uint64_t length = text.size();
  broadcast(bytes_of(length), root);
  text.resize(length);
  broadcast(bytes_of(text), root);
  return text;
}

std::vector<std::string> Communicator::gather(const std::string& record, int root) {
  if (rank() != root) {
    std::uint64_t length = record.size();
    transport_.send(root, bytes_of(length));
    transport_.send(root, std::as_bytes(std::span(record)));
    return {};
  }
  std::vector<std::string> records(size());
  for (int from = 0; from < size(); ++from) {
    if (from == root) {
      records[from] = record;
      continue;
    }
    std::uint64_t length = 0;
    transport_.receive(from, bytes_of(length));
    records[from].resize(length);
    transport_.receive(from, bytes_of(records[from]));
  }
  return records;
}

void Communicator::all_gather(std::span<const std::byte> record, std::span<std::byte> records) {
  CONVOY_CHECK_EQ(records.size(), record.size() * static_cast<std::size_t>(size()));
  const auto place = [&](int of) {
    return records.subspan(record.size() * static_cast<std::size_t>(of), record.size());
  };
  if (rank() != 0) {
    transport_.send(0, record);
  } else {
    std::ranges::copy(record, place(0).begin());
    for (int from = 1; from < size(); ++from) transport_.receive(from, place(from));
  }
  broadcast(records);
}

double Communicator::min(double value) { return -max(-value); }

double Communicator::max(double value) {
  if (rank() != 0) {
    transport_.send(0, std::as_bytes(std::span(&value, 1)));
  } else {
    for (int from = 1; from < size(); ++from) {
      double other = 0;
      transport_.receive(from, bytes_of(other));
      value = std::max(value, other);
    }
  }
  broadcast(bytes_of(value));
  return value;
}

double Communicator::sum(double value) {
  sum(std::span(&value, 1));
  return value;
}

void Communicator::sum(std::span<double> values) {
  if (rank() != 0) {
    transport_.send(0, std::as_bytes(values));
  } else if (size() > 1) {
    std::vector<double> other(values.size());
    for (int from = 1; from < size(); ++from) {
      transport_.receive(from, std::as_writable_bytes(std::span(other)));
      std::ranges::transform(values, other, values.begin(), std::plus<>());
    }
  }
  broadcast(std::as_writable_bytes(values));
}

std::span<std::byte> Communicator::allocate_shared(std::size_t bytes) { return allocate_arena(bytes).memory(); }

SharedArena& Communicator::allocate_arena(std::size_t bytes) {
  memory_->arenas.push_back(std::make_unique<SharedArena>(transport_, bytes));
  return *memory_->arenas.back();
}

void Communicator::all_reduce(std::span<float> values, Algorithm algorithm) {
  if (size() == 1 || values.empty()) return;
  if (algorithm == Algorithm::automatic) algorithm = chosen_for(values);
  if (algorithm == Algorithm::mpi) {
    transport_.library_all_reduce(values);
  } else if (algorithm == Algorithm::hierarchical) {
    reduce_hierarchically(values);
  } else {
    flat_all_reduce(transport_, values, algorithm, memory_->scratch);
  }
}

void Communicator::all_reduce(std::span<float> values, const SumBetweenNodes& between, bool whole) {
  BetweenNodes own = between_by(between);
  if (whole) own.unit = own.chunk = values.size();
  reduce_in_arena(values, own);
}

void Communicator::hand_out(std::span<float> values, const SumBetweenNodes& between) {
  BetweenNodes own = between_by(between);
  own.sums = false;
  reduce_in_arena(values, own);
}

BetweenNodes Communicator::between_by(const SumBetweenNodes& between) const {
  BetweenNodes own = memory_->between;
  own.all_reduce = [this, &between](std::span<float> part) { between(*memory_->delegates, part); };
  return own;
}

void Communicator::reduce_in_arena(std::span<float> values, const BetweenNodes& between) {
  if (values.empty()) return;
  SharedArena* const arena = arena_of(values);
  CONVOY_CHECK(arena != nullptr && nodes().node_count() > 1);
  hierarchical_all_reduce(*arena, arena->offset_of(values).value(), values.size(), between);
}

Algorithm Communicator::chosen_for(std::span<const float> values) const {
  const bool shared = arena_of(values) != nullptr;
  const bool nodes_have_several = nodes().node_count() < size();
  const bool hierarchical = nodes_have_several && (shared || values.size_bytes() >= kWorthStaging);
  const Algorithm usual = hierarchical ? Algorithm::hierarchical : usual_algorithm(size(), values.size_bytes());
  return options_.table ? options_.table->choose(values.size_bytes(), shared, usual) : usual;
}

SharedArena* Communicator::arena_of(std::span<const float> values) const {
  for (const std::unique_ptr<SharedArena>& arena : memory_->arenas) {
    if (arena->offset_of(values)) return arena.get();
  }
  return nullptr;
}

void Communicator::reduce_hierarchically(std::span<float> values) {
  if (SharedArena* const arena = arena_of(values)) {
    hierarchical_all_reduce(*arena, arena->offset_of(values).value(), values.size(), memory_->between);
  } else {
    reduce_through_staging(values);
  }
}

void Communicator::reduce_through_staging(std::span<float> values) {
  const std::size_t most = nodes().node_count() > 1 ? kStagedBetweenNodes : kStaged;
  if (!memory_->staging) memory_->staging = std::make_unique<SharedArena>(transport_, most * sizeof(float));
  for (std::size_t begin = 0; begin < values.size(); begin += most) {
    const std::span<float> chunk = values.subspan(begin, std::min(most, values.size() - begin));
    const std::span<float> staged = memory_->staging->floats_of(memory_->staging->local_rank(), 0, chunk.size());
    std::ranges::copy(chunk, staged.begin());
    hierarchical_all_reduce(*memory_->staging, 0, chunk.size(), memory_->between);
    std::ranges::copy(staged, chunk.begin());
  }
}

}  // namespace convoy
