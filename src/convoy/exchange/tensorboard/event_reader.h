// Reads curves from TensorBoard's event files, whichever program wrote them.
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

// Whether the bytes begin like an event file.
[[nodiscard]] bool is_event_file(std::string_view bytes);

// Reads scalars in both forms, simple values and tensors with one number (float or double); other summaries are
// skipped. A run that was resumed has several files: `before` is what the earlier ones contained. Throws DataError with
// name and offset if a checksum is wrong, the file is cut short, or a message is malformed.
[[nodiscard]] Events read_events(std::string_view bytes, const std::string& name, Events before = {});

}  // namespace convoy
