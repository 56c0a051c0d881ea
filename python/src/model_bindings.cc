#include <pybind11/functional.h>
#include <pybind11/stl.h>

#include "bindings.h"
#include "convoy/base/error.h"
#include "convoy/base/file/atomic_file.h"
#include "model.h"
#include "ranks.h"

namespace py = pybind11;

namespace convoy::python {
namespace {

// While it lives, other threads of Python can run, and signals wait.
struct Computing {
  py::gil_scoped_release released;
  SignalsWait signals;
};

ModelSettings settings_from(const py::kwargs& given) {
  ModelSettings settings;
  const auto set = [&](const char* name, auto& value) {
    if (given.contains(name)) value = given[name].cast<std::remove_reference_t<decltype(value)>>();
  };
  std::string optimizer = "momentum";
  set("batch", settings.batch);
  set("threads", settings.threads);
  set("precision", settings.precision);
  set("exact", settings.exact);
  set("seed", settings.seed);
  set("initialiser", settings.initialiser);
  set("optimizer", optimizer);
  settings.optimizer.kind = optimizer_named(optimizer);
  set("momentum", settings.optimizer.momentum);
  set("beta1", settings.optimizer.beta1);
  set("beta2", settings.optimizer.beta2);
  set("rho", settings.optimizer.rho);
  set("weight_decay", settings.optimizer.weight_decay);
  set("decay_all", settings.decay_all);
  check_options(settings.optimizer);
  return settings;
}

// Keeps a tensor's values in place for a NumPy array that views them.
struct Values {
  std::vector<float> values;
  Shape shape;
};

py::dict as_dict(std::vector<NamedTensor> tensors) {
  py::dict found;
  for (NamedTensor& tensor : tensors) {
    if (auto* const values = std::get_if<std::vector<float>>(&tensor.values)) {
      found[py::str(tensor.name)] = Values{std::move(*values), tensor.shape};
    }
  }
  return found;
}

void set_weights(Model& model, const py::dict& arrays) {
  std::vector<NamedTensor> tensors = model.weights();
  for (NamedTensor& tensor : tensors) {
    if (!arrays.contains(tensor.name)) continue;
    const py::buffer_info info = arrays[py::str(tensor.name)].cast<py::buffer>().request();
    const std::span<float> values = floats(info, tensor.shape, tensor.name.c_str());
    tensor.values = std::vector<float>(values.begin(), values.end());
  }
  for (const auto& [name, array] : arrays) {
    if (find_tensor(tensors, name.cast<std::string>()) == nullptr) {
      throw UserError("the network has no parameter {}", name.cast<std::string>());
    }
  }
  model.set_weights(tensors);
}

// Labels or float targets, whichever the loss takes, from the array that `info` describes.
Truth truth_of(const Model& model, const py::buffer_info& info, std::int64_t rows) {
  if (model.has_targets()) return {.labels = {}, .targets = floats(info, {rows, model.classes()}, "targets")};
  return {.labels = whole_numbers(info, rows, "labels"), .targets = {}};
}

double step(Model& model, const py::buffer& images, const py::buffer& labels, const py::buffer& rows,
            double learning_rate) {
  const Images checked(images, model.card().input);
  const py::buffer_info label_info = labels.request();
  const py::buffer_info row_info = rows.request();
  const Truth truth = truth_of(model, label_info, checked.rows());
  const auto chosen = whole_numbers(row_info, -1, "rows");
  const Computing computing;
  return model.step(checked, truth, chosen, learning_rate);
}

py::tuple gradients(Model& model, const py::buffer& images, const py::buffer& labels) {
  const Images checked(images, model.card().input);
  const py::buffer_info info = labels.request();
  const Truth truth = truth_of(model, info, checked.rows());
  std::vector<NamedTensor> found;
  double loss = 0;
  {
    const Computing computing;
    loss = model.gradients(checked, truth, found);
  }
  return py::make_tuple(loss, as_dict(std::move(found)));
}

void input_gradient(Model& model, const py::buffer& images, const py::buffer& labels, const py::buffer& gradient) {
  const Images checked(images, model.card().input);
  const py::buffer_info info = labels.request();
  const py::buffer_info out = gradient.request(/*writable=*/true);
  const Truth truth = truth_of(model, info, checked.rows());
  std::vector<std::int64_t> dims = model.card().input.dims();
  dims.insert(dims.begin(), checked.rows());
  const std::span<float> to = floats(out, Shape(dims), "out");
  const Computing computing;
  model.input_gradient(checked, truth, to);
}

py::dict outputs(Model& model, const py::buffer& images, const std::set<std::string>& layers) {
  const Images checked(images, model.card().input);
  std::vector<NamedTensor> found;
  {
    const Computing computing;
    found = model.outputs(checked, layers);
  }
  return as_dict(std::move(found));
}

void predict(Model& model, const py::buffer& images, bool as_probabilities, const py::buffer& scores) {
  const Images checked(images, model.card().input);
  const py::buffer_info info = scores.request(/*writable=*/true);
  const std::span<float> to = floats(info, {checked.rows(), model.classes()}, "out");
  const Computing computing;
  model.predict(checked, as_probabilities, to);
}

py::tuple evaluate(Model& model, const py::buffer& images, const py::buffer& labels) {
  const Images checked(images, model.card().input);
  const py::buffer_info info = labels.request();
  const auto classes = whole_numbers(info, checked.rows(), "labels");
  Score score;
  {
    const Computing computing;
    score = model.evaluate(checked, classes);
  }
  return py::make_tuple(score.loss, score.accuracy);
}

ModelCard card_from(const std::string& name, std::vector<std::string> classes) {
  return {.model = name, .classes = std::move(classes)};
}

}  // namespace

void add_model(py::module_& module) {
  py::class_<Values>(module, "Values", py::buffer_protocol()).def_buffer([](Values& tensor) {
    std::vector<py::ssize_t> sizes;
    for (int i = 0; i < tensor.shape.rank(); ++i) sizes.push_back(tensor.shape[i]);
    std::vector<py::ssize_t> strides = py::detail::c_strides(sizes, sizeof(float));
    return py::buffer_info(tensor.values.data(), sizeof(float), "f", std::ssize(sizes), sizes, strides);
  });
  py::class_<Model>(module, "Model")
      .def(py::init(
          [](const Graph& graph, const std::string& name, std::vector<std::string> classes, const py::kwargs& given) {
            const ModelSettings settings = settings_from(given);
            const Computing computing;
            return std::make_unique<Model>(graph, card_from(name, std::move(classes)), settings);
          }))
      .def_static("load",
                  [](const std::string& path, const py::kwargs& given) {
                    const ModelSettings settings = settings_from(given);
                    const Computing computing;
                    return load_model(path, settings, [](const std::string&) {});
                  })
      .def("step", &step)
      .def("gradients", &gradients)
      .def("input_gradient", &input_gradient)
      .def("outputs", &outputs)
      .def("predict", &predict)
      .def("evaluate", &evaluate)
      .def("weights", [](const Model& model) { return as_dict(model.weights()); })
      .def("set_weights", &set_weights)
      .def("take_weights",
           [](Model& model, const std::string& path) {
             const WeightTransfer transfer = model.take_weights(path);
             return py::dict(py::arg("taken") = transfer.taken, py::arg("kept_fresh") = transfer.kept_fresh,
                             py::arg("unused") = transfer.unused);
           })
      .def("save", &Model::save)
      .def("export_onnx",
           [](const Model& model, const std::string& path, int opset, bool fold_batch_norm, bool normalise) {
             write_file_atomically(
                 path, model.onnx({.fold_batch_norm = fold_batch_norm, .normalise = normalise, .opset = opset}));
           })
      .def("set_normalisation",
           [](Model& model, std::vector<float> mean, std::vector<float> deviation) {
             model.set_statistics({std::move(mean), std::move(deviation)});
           })
      .def_property_readonly("graph", [](const Model& model) { return std::make_shared<Graph>(model.graph()); })
      .def_property_readonly("input",
                             [](const Model& model) {
                               const Shape& shape = model.card().input;
                               py::list sizes;
                               for (int i = 0; i < shape.rank(); ++i) sizes.append(shape[i]);
                               return py::tuple(sizes);
                             })
      .def_property_readonly("class_names", [](const Model& model) { return model.card().classes; })
      .def_property_readonly("name", [](const Model& model) { return model.card().model; })
      .def_property_readonly("mean", [](const Model& model) { return model.card().statistics.mean; })
      .def_property_readonly("deviation", [](const Model& model) { return model.card().statistics.deviation; })
      .def_property_readonly("has_targets", &Model::has_targets)
      .def_property_readonly("classes", &Model::classes)
      .def_property_readonly("batch", &Model::batch)
      .def_property_readonly("threads", &Model::threads)
      .def_property_readonly("steps", &Model::steps);
}

}  // namespace convoy::python
