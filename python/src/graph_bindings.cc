#include <fmt/format.h>
#include <pybind11/stl.h>

#include <algorithm>
#include <variant>

#include "arrays.h"
#include "bindings.h"
#include "convoy/base/error.h"
#include "convoy/base/nearest.h"
#include "convoy/graph/analysis.h"
#include "convoy/graph/network_layers.h"
#include "convoy/graph/network_text.h"
#include "convoy/graph/operator_fields.h"
#include "convoy/graph/parameters.h"
#include "convoy/run/named_network.h"

namespace py = pybind11;

namespace convoy::python {
namespace {

void take(const py::handle& given, int& value) { value = given.cast<int>(); }
void take(const py::handle& given, bool& value) { value = given.cast<bool>(); }
void take(const py::handle& given, float& value) { value = given.cast<float>(); }

// Takes one number, or height and width.
void take(const py::handle& given, Extent& value) {
  if (py::isinstance<py::int_>(given)) {
    value = given.cast<int>();
    return;
  }
  const auto both = given.cast<std::pair<int, int>>();
  value = {both.first, both.second};
}

// Takes one number for all sides, or vertical and horizontal, or top, left, bottom and right.
void take(const py::handle& given, Padding& value) {
  if (py::isinstance<py::int_>(given)) {
    value = given.cast<int>();
    return;
  }
  const auto sides = given.cast<std::vector<int>>();
  if (sides.size() == 2) value = {sides[0], sides[1], sides[0], sides[1]};
  if (sides.size() == 4) value = {sides[0], sides[1], sides[2], sides[3]};
  if (sides.size() != 2 && sides.size() != 4) {
    throw UserError("pad is a number, two (vertical, horizontal) or four (top, left, bottom, right)");
  }
}

class AttributeTaker {
 public:
  AttributeTaker(std::string layer, const py::dict& given) : layer_(std::move(layer)), given_(given) {}

  template <typename Value>
  void required(const char* name, Value& value) {
    if (!given_.contains(name)) throw UserError("{}: {} is missing", layer_, name);
    (*this)(name, value);
  }

  template <typename Value>
  void operator()(const char* name, Value& value) {
    known_.emplace_back(name);
    if (!given_.contains(name)) return;
    try {
      take(given_[name], value);
    } catch (const py::cast_error&) {
      throw py::type_error(
          fmt::format("{}: {} cannot be {}", layer_, name, py::repr(given_[name]).cast<std::string>()));
    }
  }

  void require_known() const {
    for (const auto& [key, value] : given_) {
      const auto name = key.cast<std::string>();
      if (std::ranges::find(known_, name) == known_.end()) {
        throw UserError("{}: unknown attribute {}{}", layer_, name, suggestion(name, known_));
      }
    }
  }

 private:
  std::string layer_;
  const py::dict& given_;
  std::vector<std::string> known_;
};

int add_layer(Graph& graph, const std::string& kind, const std::vector<int>& inputs, const py::dict& attributes,
              const std::string& name) {
  const auto& all = operator_prototypes();
  const auto found = std::ranges::find_if(all, [&](const Operator& op) { return kind == kind_of(op); });
  if (found == all.end()) throw UserError("there is no layer {}{}", kind, suggestion(kind, layer_kinds()));
  Operator op = *found;
  AttributeTaker taker(name.empty() ? kind : fmt::format("{} \"{}\"", kind, name), attributes);
  std::visit([&](auto& each) { visit_attributes(each, taker); }, op);
  taker.require_known();
  return graph.add(std::move(op), inputs, name);
}

py::tuple tuple_of(const Shape& shape) {
  py::list sizes;
  for (int i = 0; i < shape.rank(); ++i) sizes.append(shape[i]);
  return py::tuple(sizes);
}

py::list layers_of(const Graph& graph) {
  py::list layers;
  for (const Layer& layer : graph.layers()) {
    layers.append(py::dict(py::arg("name") = layer.name, py::arg("kind") = kind_of(layer.op),
                           py::arg("inputs") = layer.inputs, py::arg("shape") = tuple_of(layer.shape)));
  }
  return layers;
}

py::list parameter_list(const Graph& graph) {
  py::list list;
  for (const Parameter& parameter : parameters_of(graph)) {
    list.append(py::make_tuple(parameter.name, tuple_of(parameter.shape)));
  }
  return list;
}

py::dict costs_of(const Graph& graph) {
  const Analysis analysis = analyse(graph);
  return py::dict(py::arg("parameters") = analysis.parameters(), py::arg("multiply_adds") = analysis.multiply_adds,
                  py::arg("activations") = analysis.activations);
}

std::pair<Graph, std::string> named_graph(const std::string& model, const py::sequence& input, int classes,
                                          const std::string& loss, float label_smoothing) {
  const NamedNetwork network = open_network(model);
  return {build_network(network, {.input = shape_from(input),
                                  .classes = classes,
                                  .loss = loss_named(loss),
                                  .label_smoothing = label_smoothing}),
          network.text.empty() ? network.name : ""};
}

}  // namespace

void add_graph(py::module_& module) {
  py::class_<Graph, std::shared_ptr<Graph>>(module, "Graph")
      .def(py::init<>())
      .def("add", &add_layer)
      .def("add_input",
           [](Graph& graph, const py::sequence& shape, const std::string& name) {
             return graph.add(op::Input{.shape = shape_from(shape)}, {}, name);
           })
      .def("layers", &layers_of)
      .def("shape", [](const Graph& graph, int id) { return tuple_of(graph.layer(id).shape); })
      .def("parameters", &parameter_list)
      .def("costs", &costs_of)
      .def("text", &network_text)
      .def_static("from_text",
                  [](const std::string& text, const std::string& file, const py::sequence& input, int classes) {
                    return read_network(text, file, {.input = shape_from(input), .classes = classes});
                  })
      .def_static("named", &named_graph);
}

}  // namespace convoy::python
