#include "convoy/data/source/idx_file.h"

#include "convoy/base/error.h"

namespace convoy::data {

namespace {

constexpr std::uint8_t kUnsignedByte = 0x08;

void check_magic(const Bytes& bytes, std::string_view name, int rank) {
  if (bytes.size() < 4) {
    throw DataError("{}: is no IDX file: it has {} bytes, not even a magic number", name, bytes.size());
  }
  if (bytes[0] != 0 || bytes[1] != 0 || bytes[2] != kUnsignedByte || bytes[3] != rank) {
    throw DataError("{}: byte 0: wrong magic number {:02x}{:02x}{:02x}{:02x}, expected 000008{:02x} ({})", name,
                    bytes[0], bytes[1], bytes[2], bytes[3], rank, rank == 1 ? "labels" : "images");
  }
}

std::vector<std::int64_t> read_dims(const Bytes& bytes, std::string_view name, int rank) {
  const std::size_t header_bytes = 4 + 4 * static_cast<std::size_t>(rank);
  if (bytes.size() < header_bytes) {
    throw DataError("{}: byte {}: the header is cut short, expected {} bytes", name, bytes.size(), header_bytes);
  }
  std::vector<std::int64_t> dims;
  for (std::size_t at = 4; at < header_bytes; at += 4) {
    const std::int64_t extent =
        std::int64_t{bytes[at]} << 24 | bytes[at + 1] << 16 | bytes[at + 2] << 8 | bytes[at + 3];
    if (extent == 0) throw DataError("{}: byte {}: extent {} is zero", name, at, dims.size());
    dims.push_back(extent);
  }
  return dims;
}

// The bytes of one entry along the first dimension; at most `limit`, which no file reaches.
std::int64_t entry_bytes(const std::vector<std::int64_t>& dims, std::int64_t limit) {
  std::int64_t count = 1;
  for (std::size_t i = 1; i < dims.size(); ++i) {
    if (dims[i] > limit / count) return limit;
    count *= dims[i];
  }
  return count;
}

}  // namespace

IdxArray parse_idx(Bytes bytes, std::string_view name, const IdxOptions& options) {
  check_magic(bytes, name, options.rank);
  IdxArray array{.dims = read_dims(bytes, name, options.rank)};
  const std::size_t header_bytes = 4 + 4 * array.dims.size();
  const std::int64_t present_bytes = static_cast<std::int64_t>(bytes.size() - header_bytes);
  const std::int64_t entry = entry_bytes(array.dims, std::int64_t{1} << 31);
  const std::int64_t whole = present_bytes / entry;
  if (whole < array.dims[0]) {
    if (!options.allow_missing || whole == 0) {
      throw DataError("{}: byte {}: is cut short: holds {} of {} entries of {} bytes", name, bytes.size(), whole,
                      array.dims[0], entry);
    }
    array.missing = array.dims[0] - whole;
    array.dims[0] = whole;
  } else if (present_bytes > array.dims[0] * entry) {
    throw DataError("{}: byte {}: {} bytes more than its header announces", name, header_bytes + array.dims[0] * entry,
                    present_bytes - array.dims[0] * entry);
  }
  bytes.erase(bytes.begin(), bytes.begin() + static_cast<std::ptrdiff_t>(header_bytes));
  bytes.resize(static_cast<std::size_t>(array.dims[0] * entry));
  array.values = std::move(bytes);
  return array;
}

}  // namespace convoy::data
