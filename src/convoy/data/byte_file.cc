#include "convoy/data/byte_file.h"

#include <zlib.h>

#include <algorithm>
#include <limits>
#include <new>

#include "convoy/base/error.h"
#include "convoy/base/file/input_file.h"

namespace convoy::data {

namespace {

class Inflater {
 public:
  explicit Inflater(std::span<const std::uint8_t> zipped, std::string_view name) : name_(name), size_(zipped.size()) {
    constexpr int kGzipOnly = 16;
    if (inflateInit2(&stream_, MAX_WBITS + kGzipOnly) != Z_OK) throw std::bad_alloc();
    if (zipped.size() > std::numeric_limits<uInt>::max()) fail("is larger than 4 GiB, more than can be unzipped");
    stream_.next_in = const_cast<Bytef*>(zipped.data());
    stream_.avail_in = static_cast<uInt>(zipped.size());
  }
  Inflater(const Inflater&) = delete;
  Inflater& operator=(const Inflater&) = delete;
  ~Inflater() { inflateEnd(&stream_); }

  // Fills `out` from the front and returns how many bytes it has filled; fewer than all only at the end of the data.
  std::size_t fill(std::span<std::uint8_t> out) {
    stream_.next_out = out.data();
    stream_.avail_out = static_cast<uInt>(out.size());
    while (stream_.avail_out > 0 && !ended_) {
      advance();
    }
    return out.size() - stream_.avail_out;
  }

  [[noreturn]] void fail(std::string_view what) const {
    throw DataError("{}: {} (gzip, byte {})", name_, what, size_ - stream_.avail_in);
  }

 private:
  void advance() {
    const int result = inflate(&stream_, Z_NO_FLUSH);
    if (result == Z_STREAM_END) {
      // Files from tapes and some mirrors are padded with zeros; anything else must be another gzip member.
      ended_ = stream_.avail_in == 0 || *stream_.next_in == 0;
      if (!ended_) inflateReset(&stream_);
    } else if (result == Z_BUF_ERROR || (result == Z_OK && stream_.avail_in == 0 && stream_.avail_out > 0)) {
      fail("is cut short");
    } else if (result != Z_OK) {
      fail(stream_.msg != nullptr ? stream_.msg : "is corrupt");
    }
  }

  z_stream stream_{};
  std::string_view name_;
  std::size_t size_;
  bool ended_ = false;
};

}  // namespace

Bytes gunzip(std::span<const std::uint8_t> zipped, std::string_view name, std::size_t limit_bytes) {
  Inflater inflater(zipped, name);
  Bytes bytes;
  std::size_t done = 0;
  std::size_t chunk = std::max<std::size_t>(zipped.size() * 4, 4096);
  while (true) {
    chunk = std::min<std::size_t>(chunk, std::size_t{1} << 28);
    bytes.resize(done + chunk);
    const std::size_t count = inflater.fill(std::span(bytes).subspan(done));
    done += count;
    if (done > limit_bytes) inflater.fail("unzips to more than any data set holds");
    if (count < chunk) break;
    chunk = done;
  }
  bytes.resize(done);
  return bytes;
}

Bytes read_unzipped_file(const std::filesystem::path& path) {
  Bytes bytes = read_bytes(path);
  const bool zipped = bytes.size() >= 2 && bytes[0] == 0x1f && bytes[1] == 0x8b;
  return zipped ? gunzip(bytes, path.string()) : bytes;
}

}  // namespace convoy::data
