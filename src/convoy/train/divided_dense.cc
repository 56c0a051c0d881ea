#include "convoy/train/divided_dense.h"

#include <algorithm>
#include <cstring>
#include <utility>

#include "convoy/base/check.h"
#include "convoy/base/clock.h"
#include "convoy/data/loader/sampler.h"
#include "convoy/engine/fusion.h"
#include "convoy/kernels/convolution.h"
#include "convoy/kernels/own_dense.h"

namespace convoy {
namespace {

using kernels::DenseProblem;
using kernels::Layout;
using kernels::Pass;
using kernels::PreparedPtr;
using kernels::Role;

// Outputs are dealt out in groups, so that every part of weights and biases begins at a cache line.
constexpr std::int64_t kGroup = 16;

// The parameter of the layer in that role, or null.
const ParameterEntry* entry_of(const ParameterTable& table, LayerId layer, ParameterRole role) {
  const auto found = std::ranges::find_if(table.entries, [&](const ParameterEntry& entry) {
    return entry.parameter.layer == layer && entry.parameter.role == role;
  });
  return found == table.entries.end() ? nullptr : &*found;
}

bool is_trained(const ParameterTable& table, const ParameterEntry& entry) {
  return table.trainable(static_cast<int>(&entry - table.entries.data()));
}

// The layer's forward, for its layouts.
const Instruction& forward_of(const Plan& plan, LayerId layer) {
  return *std::ranges::find_if(plan.program.instructions, [&](const Instruction& instruction) {
    return instruction.layer == layer && instruction.phase == Phase::forward && instruction.has(Role::weights);
  });
}

kernels::Activation activation_of(const Graph& graph, const Plan& plan, LayerId layer) {
  const std::vector<Unit> units = make_units(graph, plan.fuse);
  return std::ranges::find(units, layer, &Unit::layer)->activation;
}

// Whether the weights of an output are together, in the order in which the elements of a row are.
bool is_by_rows(const Layout& weights, const Layout& source) {
  const bool is_image = source.dims().size() == 4;
  const auto rows = [&](const Layout& layout) {
    return layout ==
           (is_image ? Layout::blocked(layout.dims(), layout.type()) : Layout::plain(layout.dims(), layout.type()));
  };
  return weights.dims().size() == source.dims().size() && rows(weights) && rows(source);
}

// The first that reads and writes plain rows.
PreparedPtr plain_kernel(const kernels::Device& device, const DenseProblem& problem, Pass pass) {
  const kernels::DenseLayouts plain(problem);
  const auto fits = [&](const PreparedPtr& candidate) {
    const auto has = [&](Role role, const Layout& wanted) {
      const Layout layout = candidate->layout(role);
      return layout.empty() || layout == wanted;
    };
    return has(Role::source, plain.source) && has(Role::weights, plain.weights) &&
           has(Role::diff_weights, plain.weights.with(DataType::fp32)) && has(Role::destination, plain.destination) &&
           has(Role::diff_source, plain.source) && has(Role::diff_destination, plain.gradient);
  };
  const std::vector<PreparedPtr> all = kernels::candidates(device, problem, pass);
  const auto found = std::ranges::find_if(all, fits);
  return found == all.end() ? nullptr : *found;
}

struct Prepared {
  PreparedPtr forward, backward_data, backward_weights;

  [[nodiscard]] bool is_complete() const { return forward && backward_data && backward_weights; }
};

// Adds rows to sums; the first ones start the sums.
template <typename Element>
void add_rows(std::span<const std::byte> rows, std::span<float> sums, bool is_first) {
  const auto* const values = reinterpret_cast<const Element*>(rows.data());
  for (std::size_t i = 0; i < sums.size(); ++i) sums[i] = (is_first ? 0.0F : sums[i]) + to_float(values[i]);
}

}  // namespace

// Who has which columns of the output, and how many bytes rows have.
struct DividedDense::Shape {
  Shape(const Communicator& communicator, const Graph& graph, const Network& network, LayerId of_layer,
        std::int64_t rows_of_rank);

  LayerId layer;
  const ParameterEntry* weights;
  const ParameterEntry* bias;  // may be null
  bool trains_bias;
  bool is_possible = false;
  std::int64_t block_rows;        // for each rank; those that it does not fill are zero
  std::int64_t columns;           // of all ranks
  std::vector<ArenaSlice> parts;  // of each rank, in columns
  DenseProblem problem;           // of this rank: the rows of all ranks, its own columns

  [[nodiscard]] std::size_t row_bytes() const {
    return static_cast<std::size_t>(problem.in_channels) * size_of(problem.type);
  }
  [[nodiscard]] const ArenaSlice& part(int rank) const { return parts[static_cast<std::size_t>(rank)]; }
  // The bytes of a block: the rows of one rank, the columns of another, with elements of that type.
  [[nodiscard]] std::size_t block_bytes(int columns_of, DataType type) const {
    return static_cast<std::size_t>(block_rows) * part(columns_of).count * size_of(type);
  }
  // Where a rank's part of the weights and of the bias begins in the arena.
  [[nodiscard]] std::size_t weights_at(int rank) const {
    return weights->slice.offset + part(rank).offset * static_cast<std::size_t>(problem.in_channels);
  }
  [[nodiscard]] std::size_t bias_at(int rank) const { return bias->slice.offset + part(rank).offset; }
};

DividedDense::Shape::Shape(const Communicator& communicator, const Graph& graph, const Network& network,
                           LayerId of_layer, std::int64_t rows_of_rank)
    : layer(of_layer),
      weights(entry_of(network.parameters().table(), layer, ParameterRole::weight)),
      bias(entry_of(network.parameters().table(), layer, ParameterRole::bias)),
      trains_bias(bias != nullptr && is_trained(network.parameters().table(), *bias)),
      block_rows(rows_of_rank),
      columns(std::get<op::Dense>(graph.layer(layer).op).out) {
  const int ranks = communicator.size();
  const std::int64_t groups = (columns + kGroup - 1) / kGroup;
  for (int rank = 0; rank < ranks; ++rank) {
    const data::Slice own = data::slice_of_rank(groups, rank, ranks);
    const std::int64_t begin = own.begin * kGroup;
    const std::int64_t end = std::min(columns, begin + own.count * kGroup);
    parts.push_back({.offset = static_cast<std::size_t>(begin), .count = static_cast<std::size_t>(end - begin)});
  }
  const kernels::Prepared& forward = *forward_of(network.plan(), layer).prepared;
  const Layout source = forward.layout(Role::source);
  problem = {.batch = block_rows * ranks,
             .in_channels = source.elements() / source.dims()[0],
             .out = static_cast<std::int64_t>(part(communicator.rank()).count),
             .bias = bias != nullptr,
             .activation = activation_of(graph, network.plan(), layer),
             .type = source.type(),
             .destination_type = forward.layout(Role::destination).type()};
  // Messages consist of floats.
  is_possible = groups >= ranks && is_trained(network.parameters().table(), *weights) &&
                is_by_rows(weights->layout, source) && row_bytes() % sizeof(float) == 0;
}

// This rank's kernels and the rows of all ranks.
struct DividedDense::Kernels {
  Kernels(const Shape& shape, const Prepared& prepared, const Plan& plan, ParameterStore& store, int rank);

  void run(kernels::Kernel& kernel) const {
    device->use();
    kernel.run();
  }

  std::shared_ptr<const kernels::Device> device;  // first: the kernels refer to it
  AlignedBuffer source, destination, diff_destination, diff_source;
  AlignedBuffer scratchpad;
  AlignedBuffer unused;     // takes the gradient of a frozen bias
  std::vector<float> sums;  // of the ranks' shares of the input's gradient
  std::unique_ptr<kernels::Kernel> forward, backward_data, backward_weights;
};

DividedDense::Kernels::Kernels(const Shape& shape, const Prepared& prepared, const Plan& plan, ParameterStore& store,
                               int rank)
    : device(plan.device),
      source(prepared.forward->bytes(Role::source)),
      destination(prepared.forward->bytes(Role::destination)),
      diff_destination(prepared.backward_data->bytes(Role::diff_destination)),
      diff_source(prepared.backward_data->bytes(Role::diff_source)),
      scratchpad(std::max({prepared.forward->bytes(Role::scratchpad), prepared.backward_data->bytes(Role::scratchpad),
                           prepared.backward_weights->bytes(Role::scratchpad)})),
      unused(prepared.backward_weights->bytes(Role::diff_bias)),
      sums(static_cast<std::size_t>(shape.block_rows * shape.problem.in_channels)) {
  kernels::Bindings memory;
  memory.set(Role::source, source.data());
  memory.set(Role::destination, destination.data());
  memory.set(Role::diff_destination, diff_destination.data());
  memory.set(Role::diff_source, diff_source.data());
  memory.set(Role::scratchpad, scratchpad.data());
  void* const parameters = store.parameters().data() + shape.weights_at(rank);
  memory.set(Role::weights, shape.weights->copied ? store.copies().data() + shape.weights_at(rank) : parameters);
  memory.set(Role::diff_weights, store.gradients().data() + shape.weights_at(rank));
  if (shape.bias != nullptr) {
    void* const gradients = store.gradients().data() + shape.bias_at(rank);
    memory.set(Role::bias, store.parameters().data() + shape.bias_at(rank));
    memory.set(Role::diff_bias, shape.trains_bias ? gradients : unused.data());
  }
  forward = prepared.forward->bind(memory);
  backward_data = prepared.backward_data->bind(memory);
  backward_weights = prepared.backward_weights->bind(memory);
}

std::unique_ptr<DividedDense> DividedDense::make(Communicator& communicator, const Graph& graph, Network& network,
                                                 LayerId layer, std::int64_t block_rows) {
  auto shape = std::make_unique<Shape>(communicator, graph, network, layer, block_rows);
  const kernels::Device& device = *network.plan().device;
  Prepared prepared;
  if (shape->is_possible) {
    prepared = {.forward = plain_kernel(device, shape->problem, Pass::forward),
                .backward_data = plain_kernel(device, shape->problem, Pass::backward_data),
                .backward_weights = plain_kernel(device, shape->problem, Pass::backward_weights)};
  }
  if (communicator.max(prepared.is_complete() ? 0 : 1) > 0) return nullptr;
  auto with = std::make_unique<Kernels>(*shape, prepared, network.plan(), network.parameters(), communicator.rank());
  return std::unique_ptr<DividedDense>(new DividedDense(communicator, std::move(shape), std::move(with)));
}

DividedDense::DividedDense(Communicator& communicator, std::unique_ptr<Shape> shape, std::unique_ptr<Kernels> kernels)
    : communicator_(communicator),
      shape_(std::move(shape)),
      kernels_(std::move(kernels)),
      gather_(communicator, nullptr),
      swap_(communicator) {}

DividedDense::~DividedDense() = default;

std::vector<std::vector<ArenaSlice>> DividedDense::parts() const {
  std::vector<std::vector<ArenaSlice>> all;
  const auto row = static_cast<std::size_t>(shape_->problem.in_channels);
  for (int rank = 0; rank < communicator_.size(); ++rank) {
    const std::size_t columns = shape_->part(rank).count;
    auto& slices = all.emplace_back();
    slices.push_back({.offset = shape_->weights_at(rank), .count = columns * row});
    if (shape_->trains_bias) slices.push_back({.offset = shape_->bias_at(rank), .count = columns});
  }
  return all;
}

// The input's rows to all others, both ways, and one's rows of the output in parts to the others, both ways.
double DividedDense::sent_bytes() const {
  const int ranks = communicator_.size();
  const auto rows = static_cast<double>(shape_->block_rows);
  const double input = rows * static_cast<double>(shape_->row_bytes());
  const double output = rows * static_cast<double>(shape_->columns) / ranks;
  const DenseProblem& problem = shape_->problem;
  return (ranks - 1) *
         (2 * input + output * static_cast<double>(size_of(problem.destination_type) + size_of(problem.type)));
}

double DividedDense::measured_seconds() {
  double seconds = 0;
  for (const auto& kernel : {&Kernels::forward, &Kernels::backward_data, &Kernels::backward_weights}) {
    kernels::Kernel& one = *((*kernels_).*kernel);
    kernels_->run(one);  // the first time is slower and does not count
    const auto begin = Clock::now();
    kernels_->run(one);
    seconds += seconds_since(begin);
  }
  return seconds;
}

std::uint64_t DividedDense::subject(int exchange) const {
  constexpr std::uint64_t kExchanges = 4;
  return static_cast<std::uint64_t>(shape_->layer) * kExchanges + static_cast<std::uint64_t>(exchange);
}

void DividedDense::forward(GradientReducer& reducer, std::span<const std::byte> source,
                           std::span<std::byte> destination) {
  has_columns_ = has_weights_ = false;
  const std::size_t block = static_cast<std::size_t>(shape_->block_rows) * shape_->row_bytes();
  CONVOY_CHECK_LE(source.size(), block);
  const std::span<std::byte> own(kernels_->source.data() + static_cast<std::size_t>(communicator_.rank()) * block,
                                 block);
  std::ranges::fill(std::ranges::copy(source, own.begin()).out, own.end(), std::byte{0});
  reducer.exchange_now([&] {
    const std::array<std::span<float>, 1> rows = {kernels_->source.floats()};
    gather_.gather(rows, false, subject(0));
  });
  kernels_->run(*kernels_->forward);
  const DataType type = shape_->problem.destination_type;
  const std::size_t row_bytes = static_cast<std::size_t>(shape_->columns) * size_of(type);
  const std::size_t own_bytes = shape_->block_bytes(communicator_.rank(), type);
  const SwappedBlocks blocks{
      .bytes_to = [&](int /*rank*/) { return own_bytes; },
      .bytes_from = [&](int rank) { return shape_->block_bytes(rank, type); },
      .write =
          [&](int rank, std::span<std::byte> rows) {
            std::memcpy(rows.data(), kernels_->destination.data() + static_cast<std::size_t>(rank) * own_bytes,
                        own_bytes);
          },
      .read =
          [&](int rank, std::span<const std::byte> rows) {
            const std::size_t width = shape_->part(rank).count * size_of(type);
            std::byte* to = destination.data() + shape_->part(rank).offset * size_of(type);
            for (std::size_t row = 0; row < destination.size() / row_bytes; ++row) {
              std::memcpy(to + row * row_bytes, rows.data() + row * width, width);
            }
          },
  };
  reducer.exchange_now([&] { swap_.swap(blocks, subject(1)); });
  CONVOY_CHECK_EQ(destination.size() / row_bytes, source.size() / shape_->row_bytes());
}

// Own columns of the gradient of the output, for the rows of all ranks.
void DividedDense::gather_columns(GradientReducer& reducer, std::span<const std::byte> diff_destination) {
  const DataType type = shape_->problem.type;
  const std::size_t row_bytes = static_cast<std::size_t>(shape_->columns) * size_of(type);
  const std::size_t rows = diff_destination.size() / row_bytes;
  const std::size_t own_bytes = shape_->block_bytes(communicator_.rank(), type);
  const SwappedBlocks blocks{
      .bytes_to = [&](int rank) { return shape_->block_bytes(rank, type); },
      .bytes_from = [&](int /*rank*/) { return own_bytes; },
      .write =
          [&](int rank, std::span<std::byte> block) {
            const std::size_t width = shape_->part(rank).count * size_of(type);
            const std::byte* from = diff_destination.data() + shape_->part(rank).offset * size_of(type);
            for (std::size_t row = 0; row < rows; ++row) {
              std::memcpy(block.data() + row * width, from + row * row_bytes, width);
            }
            std::ranges::fill(block.subspan(rows * width), std::byte{0});
          },
      .read =
          [&](int rank, std::span<const std::byte> block) {
            std::byte* const to = kernels_->diff_destination.data() + static_cast<std::size_t>(rank) * own_bytes;
            std::memcpy(to, block.data(), own_bytes);
          },
  };
  reducer.exchange_now([&] { swap_.swap(blocks, subject(2)); });
  has_columns_ = true;
}

// The gradient of the weights is computed while shares of the input's are on their way.
void DividedDense::backward_data(GradientReducer& reducer, std::span<const std::byte> diff_destination,
                                 std::span<std::byte> diff_source) {
  gather_columns(reducer, diff_destination);
  kernels_->run(*kernels_->backward_data);
  reducer.exchange_now([&] { sum_shares(diff_source); }, [&] { kernels_->run(*kernels_->backward_weights); });
  has_weights_ = true;
}

void DividedDense::sum_shares(std::span<std::byte> diff_source) {
  const bool is_bf16 = shape_->problem.type == DataType::bf16;
  const std::size_t block = static_cast<std::size_t>(shape_->block_rows) * shape_->row_bytes();
  const SwappedBlocks blocks{
      .bytes_to = [&](int /*rank*/) { return block; },
      .bytes_from = [&](int /*rank*/) { return block; },
      .write =
          [&](int rank, std::span<std::byte> rows) {
            std::memcpy(rows.data(), kernels_->diff_source.data() + static_cast<std::size_t>(rank) * block, block);
          },
      .read =
          [&](int rank, std::span<const std::byte> rows) {
            is_bf16 ? add_rows<BFloat16>(rows, kernels_->sums, rank == communicator_.rank())
                    : add_rows<float>(rows, kernels_->sums, rank == communicator_.rank());
          },
  };
  swap_.swap(blocks, subject(3));
  const std::span<const float> sums =
      std::span(kernels_->sums).first(diff_source.size() / size_of(shape_->problem.type));
  if (is_bf16) {
    std::ranges::transform(sums, reinterpret_cast<BFloat16*>(diff_source.data()), from_float<BFloat16>);
  } else {
    std::memcpy(diff_source.data(), sums.data(), diff_source.size());
  }
}

void DividedDense::backward_weights(GradientReducer& reducer, std::span<const std::byte> diff_destination) {
  if (!has_columns_) gather_columns(reducer, diff_destination);
  if (!has_weights_) kernels_->run(*kernels_->backward_weights);
  has_columns_ = has_weights_ = false;
}

}  // namespace convoy
