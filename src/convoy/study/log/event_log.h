// Reads runs from TensorBoard's event files: those of Keras, PyTorch, TensorFlow or Convoy itself.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "convoy/exchange/tensorboard/event_reader.h"
#include "convoy/study/log/imported_log.h"

namespace convoy::study {

// Makes one run from its curves. Tags are recognised by their words: "loss" and "acc" or "accuracy", those of an
// evaluation also with "val", "validation", "test" or "eval" ("epoch_loss", "Loss/train", "accuracy/test"), and samples
// or images per second. Tags of steps ("step/loss", "batch_loss") and all others are skipped, with a note.
//
// An epoch ends at each point of the training curve. If that curve has a point for each of many steps (more than 20 for
// each evaluation), an epoch ends at each evaluation instead, and its value is the mean of the points since the
// evaluation before. Seconds are those between the times of the points, which include the evaluation. Throws DataError
// that lists the tags when none is recognised.
[[nodiscard]] ImportedLog log_of_curves(const Events& events, const std::string& name);

// Reads a file as one run. Throws what read_events() throws.
[[nodiscard]] std::vector<ImportedLog> parse_event_log(std::string_view bytes, const std::string& name);

// Reads the event files of a folder, and of the sub-folders train, validation and so on that Keras makes, as one run.
// Throws DataError when there are none.
[[nodiscard]] std::vector<ImportedLog> read_event_folder(const std::filesystem::path& folder);

}  // namespace convoy::study
