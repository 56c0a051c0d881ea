// Any bytes are read as a pack or refused with a DataError. The checksums are corrected first, so that the bytes get
// past them to the code that could have defects.
#include <xxhash.h>

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <vector>

#include "convoy/base/error.h"
#include "convoy/data/pack/pack_file.h"

namespace {

void repair(std::vector<std::uint8_t>& bytes) {
  convoy::data::PackHeader header;
  if (bytes.size() < sizeof(header)) return;
  std::memcpy(&header, bytes.data(), sizeof(header));
  header.magic = convoy::data::kPackMagic;
  header.version = convoy::data::kPackVersion;
  header.file_bytes = bytes.size();
  if (header.index_offset <= bytes.size()) {
    header.index_checksum = XXH3_64bits(bytes.data() + header.index_offset, bytes.size() - header.index_offset);
  }
  header.header_checksum = XXH3_64bits(&header, offsetof(convoy::data::PackHeader, header_checksum));
  std::memcpy(bytes.data(), &header, sizeof(header));
}

void open(const std::vector<std::uint8_t>& bytes) {
  try {
    const convoy::data::PackFile pack(bytes, "fuzz");
    pack.verify();
  } catch (const convoy::DataError&) {
    return;
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  std::vector<std::uint8_t> bytes(data, data + size);
  open(bytes);
  repair(bytes);
  open(bytes);
  return 0;
}
