// Factors instead of gradients between nodes, for dense layers.
//
// A dense layer's weight gradient is the product of two matrices with a row for each sample: what the layer read, and
// the gradient of what it gave. Where samples are few and the layer is large, ranks exchange their rows of both and
// each multiplies all rows itself: every rank computes the same product of the same numbers in the same order, so all
// have the same bits, and against the sum of the ranks' own products it differs by rounding only. The bias comes with
// it.
//
// (The idea is that of "sufficient factors": Poseidon, USENIX ATC 2017.)
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "convoy/comm/communicator.h"
#include "convoy/engine/network.h"
#include "convoy/sync/block_gather.h"
#include "convoy/sync/gradient_reducer.h"
#include "convoy/train/dense_costs.h"
#include "convoy/train/dense_exchange_options.h"

namespace convoy {

class DenseExchange {
 public:
  // Collective. Decides which layers go by factors and takes their products over from `network` and from `reducer`.
  // `compression` is that of gradients: bf16 and int8 are used for factors too, others leave them exact. Throws
  // UserError when factors are asked for and ranks would multiply differently. All but the graph outlive it.
  DenseExchange(Communicator& communicator, const Graph& graph, Network& network, GradientReducer& reducer,
                const DenseExchangeOptions& options, const CompressionOptions& compression);
  DenseExchange(const DenseExchange&) = delete;
  DenseExchange& operator=(const DenseExchange&) = delete;
  ~DenseExchange();

  // What was decided, as DenseExchangeOptions::how takes it: "gradients", or layers.
  [[nodiscard]] std::string decision() const;
  // One line a layer, for people.
  [[nodiscard]] const std::vector<std::string>& notes() const { return notes_; }

 private:
  struct Product;
  using Products = std::vector<std::shared_ptr<Product>>;
  [[nodiscard]] Products find_products(const Graph& graph) const;
  [[nodiscard]] bool ranks_multiply_alike() const;
  [[nodiscard]] std::string decide(const std::string& how);
  [[nodiscard]] DenseCosts costs_of(Product& product) const;
  void take_over(GradientReducer& reducer);
  void take(Product& product, std::span<const std::byte> source, std::span<const std::byte> diff_destination) const;
  void multiply(Product& product) const;

  Communicator& communicator_;
  Network& network_;
  CompressionOptions compression_;
  std::int64_t block_rows_;  // of a rank; what it does not fill is zero
  // Both are shared with the reducer, whose thread may be at work on them when training fails.
  std::shared_ptr<BlockGather> gather_;
  Products products_;  // of the layers that go by factors, in the order of the arena
  std::vector<std::string> notes_;
};

}  // namespace convoy
