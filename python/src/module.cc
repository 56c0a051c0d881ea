// The module convoy._convoy. The package `convoy`, written in Python, is its interface, with the explanations.
#include <pybind11/pybind11.h>

#include "bindings.h"
#include "convoy/base/error.h"
#include "convoy/base/version.h"
#include "convoy/comm/mpi/mpi_session.h"
#include "ranks.h"

namespace py = pybind11;

namespace convoy::python {
namespace {

// Exception classes are defined in Python, where their explanations are.
void raise_as(const char* name, const std::exception& error) {
  const py::object type = py::module_::import("convoy.errors").attr(name);
  PyErr_SetString(type.ptr(), error.what());
}

void translate(std::exception_ptr thrown) {
  try {
    if (thrown) std::rethrow_exception(thrown);
  } catch (const DataError& error) {
    raise_as("DataError", error);
  } catch (const UserError& error) {
    raise_as("UserError", error);
  } catch (const SystemError& error) {
    raise_as("SystemError", error);
  } catch (const DivergedError& error) {
    raise_as("DivergedError", error);
  }
}

}  // namespace
}  // namespace convoy::python

PYBIND11_MODULE(_convoy, module) {
  using namespace convoy;
  using namespace convoy::python;
  module.doc() = "Convoy's library for the package convoy; see help(convoy).";
  py::register_exception_translator(translate);
  module.attr("version") = build_info().version;
  module.def("rank", [] { return ranks().rank(); });
  module.def("size", [] { return ranks().size(); });
  module.def("barrier", [] {
    const py::gil_scoped_release released;
    ranks().transport().barrier();
  });
  module.def("joined_size", &joined_size);
  module.def("leave_ranks", &leave_ranks);
  module.def("abort", [](int code) { MpiSession::abort(code); });
  add_graph(module);
  add_model(module);
  add_runs(module);
}
