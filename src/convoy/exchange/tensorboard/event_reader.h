// Reads curves from event files of TensorBoard, whoever wrote them.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace convoy {

struct EventPoint {
  std::string tag;
  std::int64_t step = 0;
  double wall_time = 0;  // seconds since 1970
  double value = 0;
};

struct Events {
  double begin = 0;                // time of the first event, in seconds since 1970
  std::vector<EventPoint> points;  // in order, without those that a restart took back
};

// Whether the bytes begin as an event file does.
[[nodiscard]] bool is_event_file(std::string_view bytes);

// Takes scalars of both forms, simple values and tensors of one number (float or double); other summaries are passed
// over. A run that was resumed has several files: `before` is what those before this one said. Throws DataError with
// name and offset where a checksum is wrong, the file is cut, or a message is none.
[[nodiscard]] Events read_events(std::string_view bytes, const std::string& name, Events before = {});

}  // namespace convoy
