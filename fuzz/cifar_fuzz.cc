// Any bytes are read as a batch of CIFAR or refused with a DataError.
#include <cstddef>
#include <cstdint>

#include "convoy/base/error.h"
#include "convoy/data/source/cifar_source.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace convoy::data;
  for (const CifarFormat& format : {kCifar10, kCifar100}) {
    for (const bool skip_corrupt : {false, true}) {
      Samples samples;
      try {
        parse_cifar({data, size}, "fuzz", format, skip_corrupt, samples);
      } catch (const convoy::DataError&) {
        continue;
      }
      if (samples.pixels.size() != samples.labels.size() * kCifarImageBytes) __builtin_trap();
    }
  }
  return 0;
}
