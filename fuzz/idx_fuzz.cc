// Any bytes are read as an IDX file, gzipped or not, or refused with a DataError.
#include <cstddef>
#include <cstdint>

#include "convoy/base/error.h"
#include "convoy/data/byte_file.h"
#include "convoy/data/source/mnist_source.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace convoy::data;
  const bool zipped = size >= 2 && data[0] == 0x1f && data[1] == 0x8b;
  for (const int rank : {1, 3}) {
    for (const bool allow_missing : {false, true}) {
      try {
        const Bytes bytes = zipped ? gunzip({data, size}, "fuzz", std::size_t{1} << 24) : Bytes(data, data + size);
        const IdxArray array = parse_idx(bytes, "fuzz", {.rank = rank, .allow_missing = allow_missing});
        std::int64_t count = 1;
        for (const std::int64_t dim : array.dims) {
          count *= dim;
        }
        if (count != static_cast<std::int64_t>(array.values.size())) __builtin_trap();
      } catch (const convoy::DataError&) {
        continue;
      }
    }
  }
  return 0;
}
