// Exchanges something else than gradients between nodes, for dense layers.
//
// Factors: the weight gradient of a dense layer is the product of two matrices with a row for each sample: the layer's
// input, and the gradient of its output. If there are few samples and the layer is large, ranks exchange their rows of
// both, and each rank multiplies all rows itself (factor_product.h). Every rank computes the same product of the same
// numbers in the same order, so all have the same bits; compared with the sum of the ranks' own products, only rounding
// differs. The gradient of the bias is computed along with it. (The idea is that of "sufficient factors": Poseidon,
// USENIX ATC 2017.)
//
// Activations: the layer itself is divided between the ranks (divided_dense.h).
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "convoy/comm/communicator.h"
#include "convoy/engine/network.h"
#include "convoy/optim/optimizer_options.h"
#include "convoy/sync/block_gather.h"
#include "convoy/sync/gradient_reducer.h"
#include "convoy/train/dense_costs.h"
#include "convoy/train/dense_exchange_options.h"
#include "convoy/train/divided_dense.h"
#include "convoy/train/factor_product.h"

namespace convoy {

class DenseExchange {
 public:
  // Collective. Decides what layers exchange and takes over their work from `network` and `reducer`. `compression` is
  // that of gradients: bf16 and int8 are used for factors too; with others factors stay exact, and activations always
  // do. `optimizer` is what updates are measured by. Throws UserError when something else than gradients is asked for
  // but ranks would multiply differently. A layer that cannot be divided exchanges gradients instead of activations.
  // Everything except the graph must outlive it.
  DenseExchange(Communicator& communicator, const Graph& graph, Network& network, GradientReducer& reducer,
                const DenseExchangeOptions& options, const CompressionOptions& compression,
                const OptimizerOptions& optimizer);
  DenseExchange(const DenseExchange&) = delete;
  DenseExchange& operator=(const DenseExchange&) = delete;
  ~DenseExchange();

  // The decision, in the form of DenseExchangeOptions::how.
  [[nodiscard]] std::string decision() const;
  // One line per layer, for people.
  [[nodiscard]] const std::vector<std::string>& notes() const { return notes_; }

 private:
  // A dense layer, with what each way needs; what the decision does not need is dropped.
  struct DenseLayer {
    std::shared_ptr<FactorProduct> product;
    std::shared_ptr<DividedDense> divided;  // null if it cannot be divided
    DenseWay way = DenseWay::gradients;
  };

  [[nodiscard]] std::vector<DenseLayer> find_layers(const Graph& graph, const DenseExchangeOptions& options);
  [[nodiscard]] bool ranks_multiply_alike() const;
  void decide(const DenseExchangeOptions& options, const OptimizerOptions& optimizer);
  [[nodiscard]] DenseCosts costs_of(const DenseLayer& layer, const OptimizerOptions& optimizer) const;
  void take_over_products(GradientReducer& reducer);
  void take_over_layers(GradientReducer& reducer);
  [[nodiscard]] const DenseLayer& layer_of(LayerId id) const;

  Communicator& communicator_;
  Network& network_;
  CompressionOptions compression_;
  std::int64_t block_rows_;  // rows per rank; those that it does not fill are zero
  // It and the products are shared with the reducer, whose thread may still use them when training fails.
  std::shared_ptr<BlockGather> gather_;
  std::vector<DenseLayer> layers_;  // in the order of the arena
  std::vector<std::string> notes_;
};

}  // namespace convoy
