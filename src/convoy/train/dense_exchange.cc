#include "convoy/train/dense_exchange.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <sstream>
#include <utility>
#include <variant>

#include "convoy/base/check.h"
#include "convoy/base/clock.h"
#include "convoy/base/error.h"
#include "convoy/base/number_text.h"
#include "convoy/kernels/backend_info.h"
#include "convoy/sync/codec/coding_time.h"

namespace convoy {
namespace {

using kernels::Role;

constexpr const char* kGradients = "gradients";
constexpr const char* kFactors = "factors";
constexpr const char* kAutomatic = "auto";

std::vector<std::string> names_in(const std::string& list) {
  std::vector<std::string> names;
  std::istringstream text(list);
  for (std::string name; std::getline(text, name, ',');) names.push_back(name);
  return names;
}

// What other codecs lose of a factor is lost for good: there is no error to keep, and fp16 rounds small gradients to 0.
std::unique_ptr<Codec> codec_for(const CompressionOptions& compression) {
  const bool will_do = compression.codec == CodecKind::bf16 || compression.codec == CodecKind::int8;
  return will_do ? make_codec(compression) : nullptr;
}

const Operand* operand_of(const Instruction& instruction, Role role) {
  const auto found = std::ranges::find(instruction.operands, role, &Operand::role);
  return found == instruction.operands.end() ? nullptr : &*found;
}

// Whether it computes the weight gradient of a dense layer whose weights are trained; its bias may be frozen.
bool is_trained_dense(const Graph& graph, const Instruction& instruction) {
  if (instruction.phase != Phase::backward_weights) return false;
  if (!std::holds_alternative<op::Dense>(graph.layer(instruction.layer).op)) return false;
  const Operand* const weights = operand_of(instruction, Role::diff_weights);
  return weights != nullptr && weights->space == Space::gradient;
}

// From the first parameter that the instruction completes to the beginning of the next one; in between is only padding.
ArenaSlice slice_of(const Instruction& instruction, const ParameterTable& table) {
  std::size_t begin = table.trainable_floats;
  std::size_t last = 0;
  for (const int index : instruction.ready) {
    const ArenaSlice& slice = table.entries[static_cast<std::size_t>(index)].slice;
    begin = std::min(begin, slice.offset);
    last = std::max(last, slice.offset);
  }
  std::size_t end = table.trainable_floats;
  for (const ParameterEntry& entry : table.entries) {
    if (entry.slice.offset > last) end = std::min(end, entry.slice.offset);
  }
  return {.offset = begin, .count = end - begin};
}

constexpr std::array kFactorRoles = {Role::source, Role::diff_destination};

// Whether the factors are single precision, as codecs need.
bool holds_floats(const kernels::Prepared& prepared) {
  return std::ranges::all_of(kFactorRoles, [&](Role role) { return prepared.layout(role).type() == DataType::fp32; });
}

// Messages consist of floats, so a rank's rows must not have an odd number of bf16 values.
bool is_in_whole_floats(const kernels::Prepared& prepared, int ranks) {
  return std::ranges::all_of(kFactorRoles, [&](Role role) {
    return prepared.bytes(role) % (sizeof(float) * static_cast<std::size_t>(ranks)) == 0;
  });
}

std::string note_of(const std::string& layer, bool by_factors, const DenseCosts& costs, double wire_rate) {
  std::string note = fmt::format(
      "{} exchanges {}: a worker sends {} of factors or {} of gradients a step, at {}/s; the product takes {:.1f} ms",
      layer, by_factors ? kFactors : kGradients, bytes_text(costs.factor_bytes), bytes_text(costs.gradient_bytes),
      bytes_text(wire_rate), 1e3 * costs.product_seconds);
  if (costs.coding_seconds > 0) note += fmt::format(", compressing gradients {:.1f} ms", 1e3 * costs.coding_seconds);
  return note;
}

}  // namespace

// For one layer: all ranks' rows of its factors, and the kernel that multiplies them.
struct DenseExchange::Product {
  Product(const Instruction& instruction, std::string of_layer, const Plan& plan, ParameterStore& store)
      : device(plan.device),
        layer(instruction.layer),
        name(std::move(of_layer)),
        slice(slice_of(instruction, plan.parameters)),
        weights(plan.parameters.entries[static_cast<std::size_t>(operand_of(instruction, Role::diff_weights)->index)]
                    .parameter.shape),
        is_single_precision(holds_floats(*instruction.prepared)),
        factors{AlignedBuffer(instruction.prepared->bytes(Role::source)),
                AlignedBuffer(instruction.prepared->bytes(Role::diff_destination))},
        scratchpad(instruction.prepared->bytes(Role::scratchpad)),
        unused(instruction.prepared->bytes(Role::diff_bias)) {
    kernels::Bindings memory;
    memory.set(Role::source, factors[0].data());
    memory.set(Role::diff_destination, factors[1].data());
    memory.set(Role::scratchpad, scratchpad.data());
    for (const Role role : {Role::diff_weights, Role::diff_bias}) {
      const Operand* const operand = operand_of(instruction, role);
      if (operand == nullptr) continue;
      const ArenaSlice& place = store.table().entries[static_cast<std::size_t>(operand->index)].slice;
      void* const gradients = store.gradients().data() + place.offset;
      memory.set(role, operand->space == Space::gradient ? gradients : unused.data());
    }
    kernel = instruction.prepared->bind(memory);
  }

  // The memory for a rank's rows.
  [[nodiscard]] std::span<std::byte> block(int factor, int rank, int ranks) {
    AlignedBuffer& all = factors[static_cast<std::size_t>(factor)];
    const std::size_t bytes = all.size_bytes() / static_cast<std::size_t>(ranks);
    return {all.data() + static_cast<std::size_t>(rank) * bytes, bytes};
  }

  void exchange(BlockGather& gather, bool may_lose) {
    const std::array<std::span<float>, 2> all = {factors[0].floats(), factors[1].floats()};
    gather.gather(all, may_lose && is_single_precision, static_cast<std::uint64_t>(layer));
  }

  std::shared_ptr<const kernels::Device> device;  // first: the kernel refers to it
  LayerId layer;
  std::string name;
  ArenaSlice slice;  // of its gradients
  Shape weights;
  bool is_single_precision;
  std::array<AlignedBuffer, 2> factors;  // what the layer read, and the gradient of its output
  AlignedBuffer scratchpad;
  AlignedBuffer unused;  // takes the gradient of a frozen bias
  std::unique_ptr<kernels::Kernel> kernel;
};

void check_options(const DenseExchangeOptions& options, const Graph& graph) {
  if (options.how == kGradients || options.how == kFactors || options.how == kAutomatic) return;
  for (const std::string& name : names_in(options.how)) {
    const bool is_dense = std::ranges::any_of(graph.layers(), [&](const Layer& layer) {
      return layer.name == name && std::holds_alternative<op::Dense>(layer.op);
    });
    if (is_dense) continue;
    throw UserError("--dense-exchange is auto, gradients, factors or names of dense layers, got \"{}\"", name);
  }
}

DenseExchange::DenseExchange(Communicator& communicator, const Graph& graph, Network& network, GradientReducer& reducer,
                             const DenseExchangeOptions& options, const CompressionOptions& compression)
    : communicator_(communicator),
      network_(network),
      compression_(compression),
      block_rows_((options.rows + communicator.size() - 1) / communicator.size()),
      gather_(std::make_shared<BlockGather>(communicator, codec_for(compression))) {
  check_options(options, graph);
  if (options.how == kGradients || communicator.nodes().node_count() == 1) return;
  if (!ranks_multiply_alike()) {
    constexpr const char* kWhy = "ranks with other threads or instruction sets round products differently";
    if (options.how != kAutomatic) throw UserError("--dense-exchange {}: {}", options.how, kWhy);
    notes_.push_back(fmt::format("dense layers exchange gradients: {}", kWhy));
    return;
  }
  try {
    products_ = find_products(graph);
  } catch (const UserError& error) {
    // A kernel that was chosen for the rows of one rank need not exist for those of all.
    if (options.how != kAutomatic) throw;
    notes_.push_back(fmt::format("dense layers exchange gradients: {}", error.what()));
    return;
  }
  const std::vector<std::string> chosen = names_in(decide(options.how));
  std::erase_if(products_, [&](const auto& product) { return !std::ranges::count(chosen, product->name); });
  if (!products_.empty()) take_over(reducer);
}

DenseExchange::~DenseExchange() {
  if (!products_.empty()) network_.leave_products_to({});
}

std::string DenseExchange::decision() const {
  std::vector<std::string> names;
  for (const auto& product : products_) names.push_back(product->name);
  return names.empty() ? kGradients : fmt::format("{}", fmt::join(names, ","));
}

DenseExchange::Products DenseExchange::find_products(const Graph& graph) const {
  const Plan plan = compile(graph, options_like(network_.plan(), block_rows_ * communicator_.size()));
  Products products;
  for (const Instruction& instruction : plan.program.instructions) {
    if (!is_trained_dense(graph, instruction)) continue;
    if (!is_in_whole_floats(*instruction.prepared, communicator_.size())) continue;
    products.push_back(
        std::make_shared<Product>(instruction, graph.layer(instruction.layer).name, plan, network_.parameters()));
  }
  return products;
}

// The number of threads and the instruction set decide how sums inside a product are divided.
bool DenseExchange::ranks_multiply_alike() const {
  const std::string own = fmt::format("{} {}", network_.plan().device->threads(), kernels::backend_info().isa);
  const bool differs = communicator_.broadcast(own) != own;
  return communicator_.max(differs ? 1 : 0) == 0;
}

// The names of the layers that exchange factors. The first rank measures and decides for all.
std::string DenseExchange::decide(const std::string& how) {
  const std::vector<std::string> told = names_in(how);
  std::vector<std::string> chosen;
  if (communicator_.rank() == 0) {
    const double rate = wire_rate(communicator_.table(), communicator_.nodes().node_count());
    for (const auto& product : products_) {
      const DenseCosts costs = costs_of(*product);
      const bool by_factors = how == kFactors || std::ranges::count(told, product->name) > 0 ||
                              (how == kAutomatic && factors_pay(costs, rate, communicator_.size()));
      if (by_factors) chosen.push_back(product->name);
      notes_.push_back(note_of(product->name, by_factors, costs, rate));
    }
  }
  return communicator_.broadcast(fmt::format("{}", fmt::join(chosen, ",")));
}

DenseCosts DenseExchange::costs_of(Product& product) const {
  const int ranks = communicator_.size();
  const int nodes = communicator_.nodes().node_count();
  DenseCosts costs;
  for (const int factor : {0, 1}) {
    const std::size_t floats = product.block(factor, 0, ranks).size() / sizeof(float);
    costs.factor_bytes +=
        static_cast<double>(gather_->message_bytes(floats, product.is_single_precision) * (ranks - 1));
  }
  const auto rows = static_cast<std::size_t>(product.weights[0]);
  const auto columns = static_cast<std::size_t>(product.weights.count()) / rows;
  costs.gradient_bytes = 2.0 * (nodes - 1) / nodes * static_cast<double>(encoded_bytes(compression_, rows, columns));
  costs.coding_seconds = coding_seconds(compression_, rows, columns, nodes);
  multiply(product);  // the first time is slower and does not count
  const auto begin = Clock::now();
  multiply(product);
  costs.product_seconds = seconds_since(begin);
  return costs;
}

void DenseExchange::take_over(GradientReducer& reducer) {
  FactorTaking taking;
  std::vector<MadeSlice> slices;
  for (const auto& product : products_) {
    taking.layers.insert(product->layer);
    slices.push_back({.name = product->name,
                      .slice = product->slice,
                      .exchange = [product, gather = gather_](bool may_lose) { product->exchange(*gather, may_lose); },
                      .make = [this, product] { multiply(*product); }});
  }
  taking.take = [this](LayerId layer, std::span<const std::byte> source, std::span<const std::byte> diff_destination) {
    const auto product = std::ranges::find(products_, layer, [](const auto& one) { return one->layer; });
    take(**product, source, diff_destination);
  };
  network_.leave_products_to(std::move(taking));
  reducer.make_instead(std::move(slices));
}

// If this rank has fewer rows than usual, in the last batch of an epoch, the other rows have been zero since the last
// product.
void DenseExchange::take(Product& product, std::span<const std::byte> source,
                         std::span<const std::byte> diff_destination) const {
  const auto copy = [&](int factor, std::span<const std::byte> rows) {
    const std::span<std::byte> block = product.block(factor, communicator_.rank(), communicator_.size());
    CONVOY_CHECK_LE(rows.size(), block.size());
    std::ranges::copy(rows, block.begin());
  };
  copy(0, source);
  copy(1, diff_destination);
}

void DenseExchange::multiply(Product& product) const {
  product.device->use();
  product.kernel->run();
  for (const int factor : {0, 1}) {
    std::ranges::fill(product.block(factor, communicator_.rank(), communicator_.size()), std::byte{0});
  }
}

}  // namespace convoy
