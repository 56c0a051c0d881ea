// Each function adds one part of the module; its file has the same name.
#pragma once

#include <pybind11/pybind11.h>

#include <memory>
#include <nlohmann/json_fwd.hpp>

#include "convoy/graph/graph.h"

namespace convoy::python {

void add_graph(pybind11::module_& module);
void add_model(pybind11::module_& module);
void add_runs(pybind11::module_& module);

// JSON as Python's own objects.
[[nodiscard]] pybind11::object from_json(const nlohmann::ordered_json& json);

}  // namespace convoy::python
