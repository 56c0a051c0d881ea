#include "convoy/study/plan/run_outcome.h"

#include <nlohmann/json.hpp>

#include "convoy/record/json_fields.h"

namespace convoy::study {

nlohmann::ordered_json to_json(const RunOutcome& outcome) {
  nlohmann::ordered_json json = {{"id", outcome.run.id},
                                 {"point", outcome.run.point},
                                 {"repeat", outcome.run.repeat},
                                 {"oversubscribed", outcome.run.oversubscribed ? 1 : 0},
                                 {"epochs", outcome.epochs},
                                 {"exit_code", outcome.exit_code},
                                 {"turnaround_seconds", json_number(outcome.turnaround_seconds)},
                                 {"message", outcome.message},
                                 {"finished", outcome.finished}};
  if (outcome.run.attempt > 1) json["attempt"] = outcome.run.attempt;
  return json;
}

RunOutcome run_outcome_from(const nlohmann::ordered_json& json) {
  RunOutcome outcome;
  std::int64_t repeat = 0;
  std::int64_t oversubscribed = 0;
  std::int64_t exit_code = 0;
  read_field(json, "id", outcome.run.id);
  read_field(json, "point", outcome.run.point);
  read_field(json, "repeat", repeat);
  read_field(json, "oversubscribed", oversubscribed);
  read_field(json, "epochs", outcome.epochs);
  read_field(json, "exit_code", exit_code);
  read_field(json, "turnaround_seconds", outcome.turnaround_seconds);
  read_field(json, "message", outcome.message);
  read_field(json, "finished", outcome.finished);
  outcome.run.repeat = static_cast<int>(repeat);
  outcome.run.oversubscribed = oversubscribed != 0;
  outcome.exit_code = static_cast<int>(exit_code);
  std::int64_t attempt = 1;
  if (json.contains("attempt")) read_field(json, "attempt", attempt);
  outcome.run.attempt = static_cast<int>(attempt);
  return outcome;
}

}  // namespace convoy::study
