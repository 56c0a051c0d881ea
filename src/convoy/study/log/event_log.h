// Reads runs from event files of TensorBoard: those of Keras, PyTorch, TensorFlow or Convoy itself.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "convoy/exchange/tensorboard/event_reader.h"
#include "convoy/study/log/imported_log.h"

namespace convoy::study {

// One run from its curves. Tags are understood by their words: "loss" and "acc" or "accuracy", those of an evaluation
// with "val", "validation", "test" or "eval" ("epoch_loss", "Loss/train", "accuracy/test"), and samples or images per
// second. Tags of steps ("step/loss", "batch_loss") and everything else are passed over, with a note.
//
// An epoch ends with each step of the training curve; where that has a point for each of many steps (over 20 for each
// of the evaluation's), with each evaluation, and the epoch's value is the mean of the points since the one before.
// Seconds are those between the times of the points, which include the evaluation. Throws DataError with the tags there
// are when none is understood.
[[nodiscard]] ImportedLog log_of_curves(const Events& events, const std::string& name);

// A file as one run. Throws what read_events() does.
[[nodiscard]] std::vector<ImportedLog> parse_event_log(std::string_view bytes, const std::string& name);

// The event files of a folder, and of the sub-folders train, validation and the like that Keras makes, as one run.
// Throws DataError when there are none.
[[nodiscard]] std::vector<ImportedLog> read_event_folder(const std::filesystem::path& folder);

}  // namespace convoy::study
