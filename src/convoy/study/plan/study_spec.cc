#include "convoy/study/plan/study_spec.h"

#include <algorithm>
#include <array>
#include <nlohmann/json.hpp>

#include "convoy/base/check.h"
#include "convoy/base/error.h"
#include "convoy/record/json_fields.h"

namespace convoy::study {
namespace {

using Json = nlohmann::ordered_json;

constexpr int kStudySchema = 1;

StudyKind kind_from(const std::string& text) {
  const KindRow* const row = kind_named(text);
  if (row == nullptr) throw DataError("'kind': there are no studies called '{}'", text);
  return row->kind;
}

template <typename Number>
void read_whole(const Json& json, const char* name, Number& value) {
  std::int64_t whole = 0;
  read_field(json, name, whole);
  value = static_cast<Number>(whole);
}

Json axes_json(const std::vector<Axis>& axes) {
  Json json = Json::array();
  for (const Axis& axis : axes) json.push_back({{"key", axis.key}, {"values", axis.values}});
  return json;
}

std::vector<Axis> axes_from(const Json& json) {
  if (!json.is_array()) throw DataError("'axes' is not a list");
  std::vector<Axis> axes;
  for (const Json& entry : json) {
    Axis& axis = axes.emplace_back();
    read_field(entry, "key", axis.key);
    read_field(entry, "values", axis.values);
  }
  return axes;
}

std::optional<HalvingSpec> halving_from(const Json& json) {
  if (!json.contains("halving")) return std::nullopt;
  HalvingSpec halving;
  read_field(json["halving"], "first_epochs", halving.first_epochs);
  read_whole(json["halving"], "eta", halving.eta);
  return halving;
}

void require_at_least(const char* name, double value, double least) {
  if (!(value >= least)) throw DataError("'{}' must be at least {}, is {}", name, least, value);
}

bool is_count(const std::string& text) {
  constexpr std::size_t kMostDigits = 18;
  return !text.empty() && text.size() <= kMostDigits &&
         std::ranges::all_of(text, [](char c) { return c >= '0' && c <= '9'; });
}

// The same for settings that studies compute with. Imported logs may not say them.
void check_counts(const StudySpec& spec) {
  if (kind_row(spec.kind).imported) return;
  const auto check = [](const std::string& key, const std::string& value) {
    const bool counts = key == "workers" || key == "threads" || key == "epochs" || key == "batch";
    if (counts && !is_count(value)) throw DataError("'{}' must be a whole number, got '{}'", key, value);
  };
  for (const auto& [key, value] : spec.settings) check(key, value);
  for (const Axis& axis : spec.axes) {
    for (const std::string& value : axis.values) check(axis.key, value);
  }
}

// Protects code that relies on these numbers from a file that was edited or damaged.
void check_numbers(const StudySpec& spec) {
  const int least = kind_row(spec.kind).imported ? 0 : 1;
  require_at_least("repeats", spec.repeats, least);
  require_at_least("random_points", spec.random_points, 0);
  require_at_least("skipped_epochs", static_cast<double>(spec.skipped_epochs), 0);
  require_at_least("retrain_epochs", static_cast<double>(spec.retrain_epochs), 0);
  require_at_least("price", spec.price, 0);
  require_at_least("stable_within", spec.stable_within, 0);
  require_at_least("cores", spec.cores, least);
  for (const std::int64_t size : spec.predicted_sizes) require_at_least("predict", static_cast<double>(size), 1);
  if (!spec.halving) return;
  require_at_least("first_epochs", static_cast<double>(spec.halving->first_epochs), 1);
  require_at_least("eta", spec.halving->eta, 2);
}

}  // namespace

std::string_view to_text(StudyKind kind) { return kind_row(kind).name; }

bool StudySpec::same_runs(const StudySpec& other) const {
  Json ours = to_json(*this);
  Json theirs = to_json(other);
  for (const char* const key : {"command", "predict"}) {
    ours.erase(key);
    theirs.erase(key);
  }
  return ours == theirs;
}

Json to_json(const StudySpec& spec) {
  Json json = {{"schema", kStudySchema},
               {"kind", to_text(spec.kind)},
               {"axes", axes_json(spec.axes)},
               {"settings", spec.settings},
               {"repeats", spec.repeats},
               {"order_seed", spec.order_seed},
               {"random_points", spec.random_points},
               {"skipped_epochs", spec.skipped_epochs},
               {"price", spec.price},
               {"target_accuracy", spec.target_accuracy},
               {"stable_within", spec.stable_within},
               {"cores", spec.cores},
               {"command", spec.command}};
  if (spec.retrain_epochs > 0) json["retrain_epochs"] = spec.retrain_epochs;
  if (!spec.currency.empty()) json["currency"] = spec.currency;
  if (!spec.predicted_sizes.empty()) json["predict"] = spec.predicted_sizes;
  if (spec.halving) json["halving"] = {{"first_epochs", spec.halving->first_epochs}, {"eta", spec.halving->eta}};
  return json;
}

StudySpec study_spec_from(const Json& json) {
  require_schema(json, kStudySchema);
  StudySpec spec;
  std::string kind;
  read_field(json, "kind", kind);
  spec.kind = kind_from(kind);
  spec.axes = axes_from(json_field(json, "axes"));
  read_field(json, "settings", spec.settings);
  read_whole(json, "repeats", spec.repeats);
  read_whole(json, "order_seed", spec.order_seed);
  read_whole(json, "random_points", spec.random_points);
  spec.halving = halving_from(json);
  // The field was called warm_up_epochs until version 0.1.0.
  read_field(json, json.contains("skipped_epochs") ? "skipped_epochs" : "warm_up_epochs", spec.skipped_epochs);
  if (json.contains("retrain_epochs")) read_field(json, "retrain_epochs", spec.retrain_epochs);
  read_field(json, "price", spec.price);
  if (json.contains("currency")) read_field(json, "currency", spec.currency);
  if (json.contains("predict")) read_field(json, "predict", spec.predicted_sizes);
  read_field(json, "target_accuracy", spec.target_accuracy);
  read_field(json, "stable_within", spec.stable_within);
  read_whole(json, "cores", spec.cores);
  read_field(json, "command", spec.command);
  check_numbers(spec);
  check_counts(spec);
  return spec;
}

namespace {

constexpr std::array kKinds = {
    KindRow{.kind = StudyKind::scale, .name = "scale", .title = "Scaling"},
    KindRow{.kind = StudyKind::batch, .name = "batch", .title = "Batch sizes"},
    KindRow{.kind = StudyKind::sweep,
            .name = "sweep",
            .title = "Sweep of settings",
            .resumable = true,
            .picks_points = true},
    KindRow{
        .kind = StudyKind::converge, .name = "converge", .title = "Convergence", .resumable = true, .has_target = true},
    KindRow{.kind = StudyKind::imported, .name = "import", .title = "Imported runs", .imported = true},
};

}  // namespace

const KindRow& kind_row(StudyKind kind) {
  const auto* const found = std::ranges::find(kKinds, kind, &KindRow::kind);
  CONVOY_CHECK(found != kKinds.end());
  return *found;
}

const KindRow* kind_named(std::string_view name) {
  const auto* const found = std::ranges::find(kKinds, name, &KindRow::name);
  return found == kKinds.end() ? nullptr : found;
}

}  // namespace convoy::study
