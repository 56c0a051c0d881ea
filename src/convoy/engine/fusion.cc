#include "convoy/engine/fusion.h"

#include <algorithm>
#include <optional>

namespace convoy {
namespace {

using kernels::Activation;

std::optional<Activation> activation_of(const Operator& op) {
  if (std::holds_alternative<op::Relu>(op)) return Activation::relu;
  if (std::holds_alternative<op::Relu6>(op)) return Activation::relu6;
  return std::nullopt;
}

bool takes_activation(const Operator& op) {
  return std::holds_alternative<op::Convolution>(op) || std::holds_alternative<op::Dense>(op) ||
         std::holds_alternative<op::BatchNorm>(op) || std::holds_alternative<op::Add>(op);
}

class Fusion {
 public:
  Fusion(const Graph& graph, const std::set<LayerId>& kept) : graph_(graph), kept_(kept), readers_(graph.readers()) {}

  std::vector<Unit> run(bool fuse) {
    for (LayerId id = 0; id < graph_.size(); ++id) {
      Unit unit{.layer = id, .output = id, .inputs = graph_.layer(id).inputs};
      if (const auto activation = activation_of(graph_.layer(id).op)) unit.activation = *activation;
      if (!fuse || !(join_addition(unit) || join_activation(unit))) units_.push_back(unit);
    }
    return std::move(units_);
  }

 private:
  // The unit that computes the value, if only one layer reads it and it is not kept.
  Unit* sole_source(LayerId value) {
    if (readers_[static_cast<std::size_t>(value)].size() != 1 || kept_.contains(value)) return nullptr;
    const auto at = std::find_if(units_.begin(), units_.end(), [&](const Unit& u) { return u.output == value; });
    return at == units_.end() ? nullptr : &*at;
  }

  // A unit that takes over a later layer moves to the end, where everything that the layer reads has been computed.
  void extend(Unit& source, Unit extended) {
    units_.erase(units_.begin() + (&source - units_.data()));
    units_.push_back(std::move(extended));
  }

  bool join_activation(const Unit& unit) {
    if (unit.activation == Activation::none) return false;
    Unit* source = sole_source(unit.inputs[0]);
    if (source == nullptr || !takes_activation(graph_.layer(source->layer).op)) return false;
    if (source->activation != Activation::none) return false;
    Unit joined = *source;
    joined.output = unit.layer;
    joined.activation = unit.activation;
    extend(*source, std::move(joined));
    return true;
  }

  // An addition becomes part of the batch norm that computes one of its summands; if both do, of the later one.
  bool join_addition(const Unit& unit) {
    if (!std::holds_alternative<op::Add>(graph_.layer(unit.layer).op) || unit.inputs.size() != 2) return false;
    Unit* best = nullptr;
    for (LayerId input : unit.inputs) {
      Unit* source = sole_source(input);
      if (source == nullptr || !std::holds_alternative<op::BatchNorm>(graph_.layer(source->layer).op)) continue;
      if (source->activation != Activation::none || source->shortcut) continue;
      if (best == nullptr || source->output > best->output) best = source;
    }
    if (best == nullptr) return false;
    Unit joined = *best;
    joined.inputs.push_back(unit.inputs[0] == best->output ? unit.inputs[1] : unit.inputs[0]);
    joined.output = unit.layer;
    joined.shortcut = true;
    extend(*best, std::move(joined));
    return true;
  }

  const Graph& graph_;
  const std::set<LayerId>& kept_;
  std::vector<std::vector<LayerId>> readers_;
  std::vector<Unit> units_;
};

}  // namespace

std::vector<Unit> make_units(const Graph& graph, bool fuse, const std::set<LayerId>& kept) {
  return Fusion(graph, kept).run(fuse);
}

}  // namespace convoy
