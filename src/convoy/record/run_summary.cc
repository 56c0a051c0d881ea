#include "convoy/record/run_summary.h"

#include <algorithm>
#include <array>
#include <nlohmann/json.hpp>

#include "convoy/base/error.h"
#include "convoy/record/json_fields.h"
#include "convoy/record/run_info.h"

namespace convoy {

namespace {

using Json = nlohmann::ordered_json;

constexpr std::array kStatuses = {RunStatus::running, RunStatus::completed, RunStatus::interrupted, RunStatus::diverged,
                                  RunStatus::failed};

RunStatus status_from(const Json& json) {
  std::string text;
  read_field(json, "status", text);
  for (const RunStatus status : kStatuses) {
    if (text == to_text(status)) return status;
  }
  throw DataError("'status' is '{}', which is none that is known", text);
}

void put(Json& json, const char* name, const std::optional<double>& value) {
  if (value) json[name] = json_number(*value);
}

void put_classes(Json& json, const RunSummary& summary) {
  json["classes"] = summary.classes;
  Json& accuracy = json["class_accuracy"] = Json::array();
  for (const double value : summary.class_accuracy) accuracy.push_back(json_number(value));
  if (summary.confusion) json["confusion"] = *summary.confusion;
}

std::optional<std::vector<std::vector<std::int64_t>>> confusion_from(const Json& json) {
  if (!json.contains("confusion")) return std::nullopt;
  const Json& rows = json.at("confusion");
  if (!rows.is_array()) throw DataError("'confusion' is not a list");
  std::vector<std::vector<std::int64_t>> confusion(rows.size());
  for (std::size_t i = 0; i < rows.size(); ++i) {
    read_field(Json{{"confusion", rows[i]}}, "confusion", confusion[i]);
  }
  return confusion;
}

// The fields that are numbers or may be absent, in the order of the file.
void visit_metrics(auto& summary, auto&& visit) {
  visit("best_test_top1", summary.best_test_top1);
  visit("train_loss", summary.train_loss);
  visit("train_accuracy", summary.train_accuracy);
  visit("test_loss", summary.test_loss);
  visit("test_top1", summary.test_top1);
  visit("test_top5", summary.test_top5);
  visit("cpu_seconds", summary.cpu_seconds);
  visit("others_cpu_seconds", summary.others_cpu_seconds);
  visit("steal_seconds", summary.steal_seconds);
  visit("wire_bytes", summary.wire_bytes);
}

// The sum over all epochs, if all of them have the value.
std::optional<double> total_of(std::span<const EpochRecord> epochs, std::optional<double> EpochRecord::*member) {
  std::optional<double> total;
  for (const EpochRecord& epoch : epochs) {
    if (!(epoch.*member)) return std::nullopt;
    total = total.value_or(0) + *(epoch.*member);
  }
  return total;
}

void take_evaluation(const EpochRecord& epoch, RunSummary& summary) {
  summary.test_loss = epoch.test_loss;
  summary.test_top1 = epoch.test_top1;
  summary.test_top5 = epoch.test_top5;
  // Among equally good epochs the first is the best.
  if (epoch.test_top1 && (!summary.best_test_top1 || *epoch.test_top1 > *summary.best_test_top1)) {
    summary.best_test_top1 = epoch.test_top1;
    summary.best_epoch = epoch.epoch;
  }
}

}  // namespace

std::string_view to_text(RunStatus status) {
  switch (status) {
    case RunStatus::running:
      return "running";
    case RunStatus::completed:
      return "completed";
    case RunStatus::interrupted:
      return "interrupted";
    case RunStatus::diverged:
      return "diverged";
    case RunStatus::failed:
      return "failed";
  }
  return "unknown";
}

RunSummary summarize_epochs(std::span<const EpochRecord> epochs, std::int64_t skipped_epochs) {
  RunSummary summary;
  summary.throughput = throughput_of(epochs, skipped_epochs);
  summary.cpu_seconds = total_of(epochs, &EpochRecord::cpu_seconds);
  summary.others_cpu_seconds = total_of(epochs, &EpochRecord::others_cpu_seconds);
  summary.steal_seconds = total_of(epochs, &EpochRecord::steal_seconds);
  summary.wire_bytes = total_of(epochs, &EpochRecord::wire_bytes);
  for (const EpochRecord& epoch : epochs) {
    summary.epochs = epoch.epoch;
    summary.steps = epoch.end_step;
    summary.samples += epoch.samples;
    summary.train_loss = epoch.train_loss;
    summary.train_accuracy = epoch.train_accuracy;
    if (epoch.test_loss || epoch.test_top1) take_evaluation(epoch, summary);
    summary.peak_memory_bytes = std::max(summary.peak_memory_bytes, epoch.peak_memory_bytes);
    summary.total_seconds = epoch.elapsed_seconds;
  }
  return summary;
}

Json to_json(const RunSummary& summary) {
  Json json = {{"schema", kRecordSchema},      {"status", to_text(summary.status)}, {"reason", summary.reason},
               {"finished", summary.finished}, {"epochs", summary.epochs},          {"steps", summary.steps},
               {"samples", summary.samples}};
  if (summary.best_epoch) json["best_epoch"] = *summary.best_epoch;
  visit_metrics(summary, [&](const char* name, const auto& value) { put(json, name, value); });
  json["total_seconds"] = json_number(summary.total_seconds);
  json["throughput"] = to_json(summary.throughput);
  json["peak_memory_bytes"] = summary.peak_memory_bytes;
  put_classes(json, summary);
  return json;
}

RunSummary run_summary_from(const Json& json) {
  require_schema(json, kRecordSchema);
  RunSummary summary;
  summary.status = status_from(json);
  read_field(json, "reason", summary.reason);
  read_field(json, "finished", summary.finished);
  read_field(json, "epochs", summary.epochs);
  read_field(json, "steps", summary.steps);
  read_field(json, "samples", summary.samples);
  if (json.contains("best_epoch")) read_field(json, "best_epoch", summary.best_epoch.emplace());
  visit_metrics(summary, [&](const char* name, auto& value) { read_field(json, name, value); });
  read_field(json, "total_seconds", summary.total_seconds);
  summary.throughput = throughput_from(json_field(json, "throughput"));
  read_field(json, "peak_memory_bytes", summary.peak_memory_bytes);
  read_field(json, "classes", summary.classes);
  read_field(json, "class_accuracy", summary.class_accuracy);
  summary.confusion = confusion_from(json);
  return summary;
}

}  // namespace convoy
