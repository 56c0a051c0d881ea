#include <pybind11/stl.h>

#include <algorithm>
#include <atomic>
#include <csignal>
#include <nlohmann/json.hpp>

#include "arrays.h"
#include "bindings.h"
#include "convoy/base/error.h"
#include "convoy/record/run_record.h"
#include "convoy/run/settings/kept_settings.h"
#include "convoy/run/settings/setting_names.h"
#include "convoy/run/train_run.h"
#include "convoy/run/training_plan.h"
#include "convoy/study/analysis/analysis_json.h"
#include "convoy/study/analysis/study_analysis.h"
#include "convoy/study/run/study_results.h"
#include "ranks.h"

namespace py = pybind11;

namespace convoy::python {

py::object from_json(const nlohmann::ordered_json& json) {
  return py::module_::import("json").attr("loads")(json.dump());
}

namespace {

// A record, or a column of records, as Python's own objects.
template <typename Record>
py::dict record_of(const Record& record) {
  py::dict fields;
  visit_fields(record, [&](const char* name, const auto& value) { fields[name] = py::cast(value); });
  return fields;
}

template <typename Record>
py::dict columns_of(const std::vector<Record>& records) {
  py::dict columns;
  const Record first{};
  visit_fields(first, [&](const char* name, const auto&) { columns[name] = py::list(); });
  for (const Record& record : records) {
    visit_fields(record, [&](const char* name, const auto& value) { py::list(columns[name]).append(py::cast(value)); });
  }
  return columns;
}

using Raised = std::optional<py::error_already_set>;

// Calls a script's functions for steps and epochs. Keeps only handles of them, as reference counts may not change while
// the interpreter's lock is released; so the functions must outlive this object. Ctrl-C may arrive while such a
// function runs or between steps: in both cases the run ends with a checkpoint.
class Callbacks : public Observer {
 public:
  Callbacks(py::handle on_step, py::handle on_epoch, std::atomic<bool>& stops, Raised& raised)
      : on_step_(on_step), on_epoch_(on_epoch), stops_(stops), raised_(raised) {}

  void on_step(const Trainer& /*trainer*/, const StepEvent& event) override {
    if (on_step_.is_none()) return;
    const py::gil_scoped_acquire held;
    py::dict fields = record_of(event.record);
    fields["step_of_epoch"] = event.step_of_epoch;
    fields["steps_per_epoch"] = event.steps_per_epoch;
    fields["epoch_loss"] = event.epoch_loss;
    fields["epoch_accuracy"] = event.epoch_top1;
    fields["gradient_norm"] = py::cast(event.gradient_norm);
    call(on_step_, fields);
  }
  void on_epoch(const Trainer& /*trainer*/, const EpochEvent& event) override {
    if (on_epoch_.is_none()) return;
    const py::gil_scoped_acquire held;
    py::dict fields = record_of(event.record);
    fields["is_best"] = event.is_best;
    call(on_epoch_, fields);
  }

 private:
  void call(py::handle callback, const py::dict& fields) {
    try {
      if (callback(fields).cast<bool>()) stops_ = true;
    } catch (const py::error_already_set& error) {
      if (!error.matches(PyExc_KeyboardInterrupt)) throw;
      if (!raised_) raised_.emplace(error);
      stops_ = true;
    }
  }

  py::handle on_step_;
  py::handle on_epoch_;
  std::atomic<bool>& stops_;
  Raised& raised_;
};

// Sets the given settings; they have the names of the flags.
void take_settings(const std::map<std::string, std::string>& given, const std::vector<Setting>& list) {
  std::vector<std::string> keys;
  for (const Setting& setting : list) keys.push_back(setting.key);
  for (const auto& [key, text] : given) {
    const auto found = std::ranges::find(list, key, &Setting::key);
    if (found != list.end()) {
      found->parse(text);
      continue;
    }
    const auto meant = names_meant(key, keys);
    throw UserError("there is no setting {}{}", key, meant.empty() ? "" : "; did you mean " + meant.front() + "?");
  }
}

// Runs Python's signal handlers now. What they raise is kept for the end of the run.
bool is_signalled(const SignalsWait& signals, Raised& raised) {
  signals.let_in();
  const py::gil_scoped_acquire held;
  if (!raised && PyErr_CheckSignals() != 0) raised.emplace();
  return raised.has_value();
}

py::dict finished_dict(const FinishedRun& run) {
  return py::dict(py::arg("folder") = run.folder.string(), py::arg("summary") = from_json(to_json(run.summary)),
                  py::arg("interrupted") = run.interruption.has_value());
}

py::object train(const std::map<std::string, std::string>& given, const std::string& resume, const py::object& on_step,
                 const py::object& on_epoch, const py::object& on_news) {
  TrainSettings settings;
  const std::vector<Setting> list = train_setting_list(settings);
  if (!resume.empty()) {
    read_run_settings(
        resume, list, [&](const std::string& key) { return given.contains(key); }, Altered::refused,
        [](const std::string&) {});
    settings.run_dir = resume;
  }
  take_settings(given, list);
  std::atomic<bool> stops = false;
  Raised raised;
  const auto say = [&](const std::string& line) {
    const py::gil_scoped_acquire held;
    if (!on_news.is_none()) on_news(line);
  };
  RunRequest request{.command_line = {"python", "convoy.train"},
                     .resumes = !resume.empty(),
                     .threads = {.exactly = settings.threads},
                     .remarks = {.on_note = say, .on_news = say}};
  request.make_observer = [&](std::int64_t, std::int64_t) {
    return std::make_unique<Callbacks>(on_step, on_epoch, stops, raised);
  };
  FinishedRun finished;
  {
    Communicator& communicator = ranks();
    const py::gil_scoped_release released;
    const SignalsWait signals;
    request.asked_to_stop = [&] { return is_signalled(signals, raised) || stops ? SIGINT : 0; };
    finished = train_run(settings, list, request, communicator);
  }
  py::dict result = finished_dict(finished);
  if (raised) {
    PyErr_Clear();
    result["raised"] = raised->value();
  }
  return result;
}

py::dict read_run_dict(const std::string& folder) {
  const RunRecord run = read_run(folder);
  return py::dict(py::arg("info") = from_json(to_json(run.info)), py::arg("summary") = from_json(to_json(run.summary)),
                  py::arg("steps") = columns_of(run.steps), py::arg("epochs") = columns_of(run.epochs),
                  py::arg("notes") = run.notes);
}

py::object read_study_object(const std::string& folder) {
  return from_json(study::to_json(study::analyse(study::read_results(study::StudyFolder::open(folder)))));
}

std::unique_ptr<data::Source> open_data(const std::map<std::string, std::string>& given) {
  TrainSettings settings;
  const std::vector<Setting> list = train_setting_list(settings);
  take_settings(given, list);
  settings.model = "none";  // nothing is trained
  return open_training_source(settings, {});
}

void read_data(const data::Source& source, bool is_test, const py::buffer& images, const py::buffer& labels) {
  const data::Split split = is_test ? data::Split::test : data::Split::train;
  const py::buffer_info pixel_info = images.request(/*writable=*/true);
  const py::buffer_info label_info = labels.request(/*writable=*/true);
  const std::int64_t count = source.shape().count();
  const std::int64_t rows = source.size(split);
  if (pixel_info.itemsize != 1 || pixel_info.size != rows * count || label_info.itemsize != 8 ||
      label_info.size != rows) {
    throw UserError("images are uint8, {} x {}, and labels int64", rows, source.shape().to_string());
  }
  const py::gil_scoped_release released;
  const std::span<std::uint8_t> pixels(static_cast<std::uint8_t*>(pixel_info.ptr),
                                       static_cast<std::size_t>(rows * count));
  auto* const classes = static_cast<std::int64_t*>(label_info.ptr);
  for (std::int64_t i = 0; i < rows; ++i) {
    source.read(split, i, pixels.subspan(static_cast<std::size_t>(i * count), static_cast<std::size_t>(count)));
    classes[i] = source.label(split, i);
  }
}

}  // namespace

void add_runs(py::module_& module) {
  module.def("train", &train);
  module.def("read_run", &read_run_dict);
  module.def("read_study", &read_study_object);
  module.def("settings", [] {
    TrainSettings settings;
    py::dict described;
    for (const Setting& setting : train_setting_list(settings)) described[py::str(setting.key)] = setting.help;
    return described;
  });
  py::class_<data::Source>(module, "Source")
      .def_static("open", &open_data)
      .def("read", &read_data)
      .def("size", [](const data::Source& source,
                      bool is_test) { return source.size(is_test ? data::Split::test : data::Split::train); })
      .def_property_readonly("name", &data::Source::name)
      .def_property_readonly("classes", &data::Source::classes)
      .def_property_readonly("mean", [](const data::Source& source) { return source.statistics().mean; })
      .def_property_readonly("deviation", [](const data::Source& source) { return source.statistics().deviation; })
      .def_property_readonly("shape", [](const data::Source& source) {
        const Shape shape = source.shape();
        return py::make_tuple(shape[0], shape[1], shape[2]);
      });
}

}  // namespace convoy::python
