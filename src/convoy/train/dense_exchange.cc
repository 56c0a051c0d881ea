#include "convoy/train/dense_exchange.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>
#include <variant>

#include "convoy/base/check.h"
#include "convoy/base/clock.h"
#include "convoy/base/error.h"
#include "convoy/base/number_text.h"
#include "convoy/kernels/backend_info.h"
#include "convoy/sync/codec/coding_time.h"
#include "convoy/train/dense_measures.h"

namespace convoy {
namespace {

using kernels::Role;

// What other codecs lose of a factor is lost for good: there is no error to keep, and fp16 rounds small gradients to 0.
std::unique_ptr<Codec> codec_for(const CompressionOptions& compression) {
  const bool will_do = compression.codec == CodecKind::bf16 || compression.codec == CodecKind::int8;
  return will_do ? make_codec(compression) : nullptr;
}

// Whether it computes the weight gradient of a dense layer whose weights are trained; its bias may be frozen.
bool is_trained_dense(const Graph& graph, const Instruction& instruction) {
  if (instruction.phase != Phase::backward_weights) return false;
  if (!std::holds_alternative<op::Dense>(graph.layer(instruction.layer).op)) return false;
  const auto weights = std::ranges::find(instruction.operands, Role::diff_weights, &Operand::role);
  return weights != instruction.operands.end() && weights->space == Space::gradient;
}

std::string note_of(const std::string& layer, DenseWay chosen, const DenseCosts& costs, double wire_rate, int ranks) {
  const auto bytes_by = [&](DenseWay way) {
    if (way == DenseWay::gradients) return costs.gradient_bytes;
    return way == DenseWay::factors ? costs.factor_bytes : costs.activation_bytes;
  };
  std::string note = fmt::format("{} exchanges {}: a step of it takes about", layer, name_of(chosen));
  for (const DenseWay way : kDenseWays) {
    if (way == DenseWay::activations && !costs.can_divide) continue;
    note += fmt::format("{} {:.1f} ms by {} ({} sent)", way == DenseWay::gradients ? "" : ",",
                        1e3 * seconds_by(way, costs, wire_rate, ranks), name_of(way), bytes_text(bytes_by(way)));
  }
  return note + fmt::format(", at {}/s", bytes_text(wire_rate));
}

}  // namespace

DenseExchange::DenseExchange(Communicator& communicator, const Graph& graph, Network& network, GradientReducer& reducer,
                             const DenseExchangeOptions& options, const CompressionOptions& compression,
                             const OptimizerOptions& optimizer)
    : communicator_(communicator),
      network_(network),
      compression_(compression),
      block_rows_((options.rows + communicator.size() - 1) / communicator.size()),
      gather_(std::make_shared<BlockGather>(communicator, codec_for(compression))) {
  check_options(options, graph);
  if (options.how == name_of(DenseWay::gradients) || communicator.nodes().node_count() == 1) return;
  const bool is_automatic = options.how == "auto";
  if (!ranks_multiply_alike()) {
    constexpr const char* kWhy = "ranks with other threads or instruction sets round products differently";
    if (!is_automatic) throw UserError("--dense-exchange {}: {}", options.how, kWhy);
    notes_.push_back(fmt::format("dense layers exchange gradients: {}", kWhy));
    return;
  }
  try {
    layers_ = find_layers(graph, options);
  } catch (const UserError& error) {
    // A kernel that was chosen for the rows of one rank need not exist for those of all.
    if (!is_automatic) throw;
    notes_.push_back(fmt::format("dense layers exchange gradients: {}", error.what()));
    return;
  }
  decide(options, optimizer);
  take_over_products(reducer);
  take_over_layers(reducer);
}

DenseExchange::~DenseExchange() {
  network_.leave_products_to({});
  network_.leave_layers_to({});
}

std::string DenseExchange::decision() const {
  std::vector<std::pair<std::string, DenseWay>> decisions;
  for (const DenseLayer& layer : layers_) decisions.emplace_back(layer.product->name(), layer.way);
  return to_text(decisions);
}

std::vector<DenseExchange::DenseLayer> DenseExchange::find_layers(const Graph& graph,
                                                                  const DenseExchangeOptions& options) {
  const int ranks = communicator_.size();
  const std::set<std::string> to_divide = layers_to_divide(options, graph, communicator_.nodes().node_count());
  const Plan plan = compile(graph, options_like(network_.plan(), block_rows_ * ranks));
  std::vector<DenseLayer> layers;
  for (const Instruction& instruction : plan.program.instructions) {
    if (!is_trained_dense(graph, instruction) || !FactorProduct::is_possible(instruction, ranks)) continue;
    const std::string& name = graph.layer(instruction.layer).name;
    DenseLayer layer{.product = std::make_shared<FactorProduct>(instruction, name, plan, network_.parameters())};
    if (to_divide.contains(name)) {
      layer.divided = DividedDense::make(communicator_, graph, network_, instruction.layer, block_rows_);
    }
    layers.push_back(std::move(layer));
  }
  return layers;
}

// The number of threads and the instruction set decide how sums inside a product are divided.
bool DenseExchange::ranks_multiply_alike() const {
  const std::string own = fmt::format("{} {}", network_.plan().device->threads(), kernels::backend_info().isa);
  const bool differs = communicator_.broadcast(own) != own;
  return communicator_.max(differs ? 1 : 0) == 0;
}

// The first rank measures and decides for all.
void DenseExchange::decide(const DenseExchangeOptions& options, const OptimizerOptions& optimizer) {
  if (communicator_.rank() == 0) {
    const double rate = wire_rate(communicator_.table(), communicator_.nodes().node_count());
    for (DenseLayer& layer : layers_) {
      const DenseCosts costs = costs_of(layer, optimizer);
      const DenseWay fastest = fastest_way(costs, rate, communicator_.size());
      layer.way = way_told(options, layer.product->name()).value_or(fastest);
      const bool cannot = layer.way == DenseWay::activations && !layer.divided;
      if (cannot) layer.way = DenseWay::gradients;
      notes_.push_back(note_of(layer.product->name(), layer.way, costs, rate, communicator_.size()));
      if (cannot) notes_.back() += fmt::format("; it cannot be divided between {} workers", communicator_.size());
    }
  }
  const std::string decided = communicator_.broadcast(decision());
  for (DenseLayer& layer : layers_) {
    layer.way = way_told({.how = decided}, layer.product->name()).value();
    if (layer.way != DenseWay::activations) layer.divided = nullptr;
  }
}

DenseCosts DenseExchange::costs_of(const DenseLayer& layer, const OptimizerOptions& optimizer) const {
  const int rank = communicator_.rank();
  const int ranks = communicator_.size();
  const int nodes = communicator_.nodes().node_count();
  FactorProduct& product = *layer.product;
  DenseCosts costs;
  for (const std::size_t floats : product.block_floats(ranks)) {
    costs.factor_bytes +=
        static_cast<double>(gather_->message_bytes(floats, product.is_single_precision()) * (ranks - 1));
  }
  const auto rows = static_cast<std::size_t>(product.weights()[0]);
  const auto columns = static_cast<std::size_t>(product.weights().count()) / rows;
  costs.gradient_bytes = 2.0 * (nodes - 1) / nodes * static_cast<double>(encoded_bytes(compression_, rows, columns));
  costs.coding_seconds = coding_seconds(compression_, rows, columns, nodes);
  product.multiply(rank, ranks);  // the first time is slower and does not count
  const auto begin = Clock::now();
  product.multiply(rank, ranks);
  costs.product_seconds = seconds_since(begin);
  costs.passes_seconds = passes_seconds(network_, product.layer());
  costs.update_seconds = update_seconds(optimizer, product.slice().count);
  costs.can_divide = layer.divided != nullptr;
  if (layer.divided) {
    costs.activation_bytes = layer.divided->sent_bytes();
    costs.divided_seconds = layer.divided->measured_seconds();
  }
  return costs;
}

const DenseExchange::DenseLayer& DenseExchange::layer_of(LayerId id) const {
  return *std::ranges::find(layers_, id, [](const DenseLayer& layer) { return layer.product->layer(); });
}

void DenseExchange::take_over_products(GradientReducer& reducer) {
  const int rank = communicator_.rank();
  const int ranks = communicator_.size();
  FactorTaking taking;
  std::vector<MadeSlice> slices;
  for (const DenseLayer& layer : layers_) {
    if (layer.way != DenseWay::factors) continue;
    const std::shared_ptr<FactorProduct> product = layer.product;
    taking.layers.insert(product->layer());
    slices.push_back({.name = product->name(),
                      .slice = product->slice(),
                      .exchange = [product, gather = gather_](bool may_lose) { product->exchange(*gather, may_lose); },
                      .make = [product, rank, ranks] { product->multiply(rank, ranks); }});
  }
  if (slices.empty()) return;
  taking.take = [this, rank, ranks](LayerId layer, std::span<const std::byte> source,
                                    std::span<const std::byte> diff_destination) {
    layer_of(layer).product->take(source, diff_destination, rank, ranks);
  };
  network_.leave_products_to(std::move(taking));
  reducer.make_instead(std::move(slices));
}

void DenseExchange::take_over_layers(GradientReducer& reducer) {
  LayerTaking taking;
  std::vector<DividedSlice> slices;
  for (const DenseLayer& layer : layers_) {
    if (layer.way != DenseWay::activations) continue;
    taking.layers.insert(layer.product->layer());
    slices.push_back({.name = layer.product->name(), .slice = layer.product->slice(), .parts = layer.divided->parts()});
  }
  if (slices.empty()) return;
  taking.forward = [this, &reducer](LayerId layer, std::span<const std::byte> source,
                                    std::span<std::byte> destination) {
    layer_of(layer).divided->forward(reducer, source, destination);
  };
  taking.backward_data = [this, &reducer](LayerId layer, std::span<const std::byte> diff_destination,
                                          std::span<std::byte> diff_source) {
    layer_of(layer).divided->backward_data(reducer, diff_destination, diff_source);
  };
  taking.backward_weights = [this, &reducer](LayerId layer, std::span<const std::byte> diff_destination) {
    layer_of(layer).divided->backward_weights(reducer, diff_destination);
  };
  network_.leave_layers_to(std::move(taking));
  reducer.divide(std::move(slices));
}

}  // namespace convoy
