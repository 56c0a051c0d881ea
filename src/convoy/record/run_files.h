// The version of the record's form and the names of its files. Readers know this version and the ones before it; a
// change that an old reader would misunderstand raises the number.
#pragma once

namespace convoy {

inline constexpr int kRecordSchema = 1;

inline constexpr const char* kRunFile = "run.json";
inline constexpr const char* kStepsFile = "steps.jsonl";
inline constexpr const char* kStepsTable = "steps.csv";
inline constexpr const char* kEpochsFile = "epochs.jsonl";
inline constexpr const char* kEpochsTable = "epochs.csv";
inline constexpr const char* kSummaryFile = "summary.json";

}  // namespace convoy
