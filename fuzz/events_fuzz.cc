// Any bytes, given as the message of one event with correct checksums, are read or refused with a DataError.
#include <cstddef>
#include <cstdint>
#include <string>

#include "convoy/base/error.h"
#include "convoy/exchange/tensorboard/event_file.h"
#include "convoy/exchange/tensorboard/event_reader.h"

namespace {

void append_number(std::string& bytes, std::uint64_t number, unsigned count) {
  for (unsigned i = 0; i < count; ++i) bytes += static_cast<char>(number >> (8 * i) & 0xFFU);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string message(reinterpret_cast<const char*>(data), size);
  std::string record;
  append_number(record, size, 8);
  append_number(record, convoy::masked_crc32c(record), 4);
  record += message;
  append_number(record, convoy::masked_crc32c(message), 4);
  try {
    (void)convoy::read_events(record, "fuzz");
    (void)convoy::read_events(message, "fuzz");
  } catch (const convoy::DataError&) {
    return 0;
  }
  return 0;
}
