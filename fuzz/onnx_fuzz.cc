// Any bytes are imported as an ONNX model, which can be written as text and read again, or refused with a UserError.
#include <cstddef>
#include <cstdint>

#include "convoy/base/error.h"
#include "convoy/exchange/onnx/onnx_import.h"
#include "convoy/graph/network_text.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  try {
    const convoy::ImportedNetwork imported = convoy::import_onnx({data, size}, "fuzz", "/nonexistent");
    const std::string text = convoy::network_text(imported.graph);
    if (convoy::network_text(convoy::read_network(text, "fuzz")) != text) __builtin_trap();
  } catch (const convoy::UserError&) {
    return 0;
  }
  return 0;
}
