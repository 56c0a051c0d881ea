// Any bytes are read as the text of a network, which is the same after writing and reading it again, or refused with a
// UserError.
#include <cstddef>
#include <cstdint>
#include <string_view>

#include "convoy/base/error.h"
#include "convoy/graph/network_text.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  try {
    const std::string_view text(reinterpret_cast<const char*>(data), size);
    const std::string written = convoy::network_text(convoy::read_network(text, "fuzz"));
    if (convoy::network_text(convoy::read_network(written, "fuzz")) != written) __builtin_trap();
  } catch (const convoy::UserError&) {
    return 0;
  }
  return 0;
}
