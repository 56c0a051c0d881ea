// Exchanges factors instead of gradients between nodes, for dense layers.
//
// The weight gradient of a dense layer is the product of two matrices with a row for each sample: the layer's input,
// and the gradient of its output. If there are few samples and the layer is large, ranks exchange their rows of both,
// and each rank multiplies all rows itself. Every rank computes the same product of the same numbers in the same order,
// so all have the same bits; compared with the sum of the ranks' own products, only rounding differs. The gradient of
// the bias is computed along with it.
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
  // Collective. Decides which layers exchange factors and takes over their products from `network` and `reducer`.
  // `compression` is that of gradients: bf16 and int8 are used for factors too; with others factors stay exact. Throws
  // UserError when factors are asked for but ranks would multiply differently. Everything except the graph must outlive
  // it.
  DenseExchange(Communicator& communicator, const Graph& graph, Network& network, GradientReducer& reducer,
                const DenseExchangeOptions& options, const CompressionOptions& compression);
  DenseExchange(const DenseExchange&) = delete;
  DenseExchange& operator=(const DenseExchange&) = delete;
  ~DenseExchange();

  // The decision, in the form of DenseExchangeOptions::how: "gradients", or names of layers.
  [[nodiscard]] std::string decision() const;
  // One line per layer, for people.
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
  std::int64_t block_rows_;  // rows per rank; those that it does not fill are zero
  // Both are shared with the reducer, whose thread may still use them when training fails.
  std::shared_ptr<BlockGather> gather_;
  Products products_;  // of the layers that exchange factors, in the order of the arena
  std::vector<std::string> notes_;
};

}  // namespace convoy
