#include "convoy/data/pack/pack_writer.h"

#include <xxhash.h>

#include <algorithm>
#include <cstddef>
#include <cstring>

#include "convoy/base/error.h"
#include "convoy/base/file/atomic_file.h"
#include "convoy/base/file/folder.h"
#include "convoy/base/file/write_error.h"
#include "convoy/data/byte_file.h"
#include "convoy/data/pack/pack_format.h"
#include "convoy/data/parallel_each.h"
#include "convoy/data/source/channel_statistics.h"

namespace convoy::data {

namespace {

template <typename T>
void append_raw(Bytes& bytes, const T* values, std::size_t count) {
  const auto* const first = reinterpret_cast<const std::uint8_t*>(values);
  bytes.insert(bytes.end(), first, first + count * sizeof(T));
}

void append_name(Bytes& bytes, const std::string& name) {
  const auto size = static_cast<std::uint32_t>(name.size());
  append_raw(bytes, &size, 1);
  append_raw(bytes, name.data(), name.size());
}

class PackWriter {
 public:
  PackWriter(const std::filesystem::path& path, const Source& source, const PackOptions& options)
      : source_(source),
        options_(options),
        image_bytes_(static_cast<std::size_t>(source.shape().count())),
        total_(source.size(Split::train) + source.size(Split::test)),
        file_(path),
        sums_(source.shape()[0]) {
    if (source.shape()[0] > kPackMostChannels) {
      throw UserError("a pack holds images of at most {} channels, those of {} are {}", kPackMostChannels,
                      source.name(), source.shape().to_string());
    }
  }

  PackResult write() {
    append(Bytes(kPackPixelsOffset));
    header_.train_count = write_images(Split::train);
    header_.test_count = write_images(Split::test);
    write_index();
    write_header();
    file_.commit();
    result_.file_bytes = file_.size_bytes();
    result_.samples = static_cast<std::int64_t>(labels_.size());
    return std::move(result_);
  }

 private:
  // Returns how many images were written.
  std::uint64_t write_images(Split split) {
    constexpr std::size_t kChunkBytes = std::size_t{16} << 20;
    const auto chunk = static_cast<std::int64_t>(std::max<std::size_t>(1, kChunkBytes / image_bytes_));
    const std::int64_t count = source_.size(split);
    const std::size_t before = labels_.size();
    for (std::int64_t begin = 0; begin < count; begin += chunk) {
      write_chunk(split, begin, std::min(count, begin + chunk));
    }
    return labels_.size() - before;
  }

  // Reads in parallel, writes in order.
  void write_chunk(Split split, std::int64_t begin, std::int64_t end) {
    const auto count = static_cast<std::size_t>(end - begin);
    pixels_.resize(count * image_bytes_);
    std::vector<std::string> reasons(count);
    parallel_each(end - begin, options_.threads, [&](std::int64_t i) {
      try {
        source_.read(split, begin + i, image(static_cast<std::size_t>(i)));
      } catch (const DataError& error) {
        if (!options_.skip_corrupt) throw;
        reasons[static_cast<std::size_t>(i)] = error.what();
      }
    });
    for (std::size_t i = 0; i < count; ++i) {
      if (reasons[i].empty()) {
        add(split, begin + static_cast<std::int64_t>(i), image(i));
      } else {
        result_.skipped.push_back(reasons[i]);
      }
    }
    options_.on_progress(static_cast<std::int64_t>(labels_.size() + result_.skipped.size()), total_);
  }

  void add(Split split, std::int64_t i, std::span<const std::uint8_t> pixels) {
    append(pixels);
    labels_.push_back(source_.label(split, i));
    checksums_.push_back(XXH3_64bits(pixels.data(), pixels.size()));
    if (split == Split::train) sums_.add(pixels);
  }

  std::span<std::uint8_t> image(std::size_t i) { return std::span(pixels_).subspan(i * image_bytes_, image_bytes_); }

  void write_index() {
    header_.index_offset = file_.size_bytes();
    Bytes index;
    append_raw(index, labels_.data(), labels_.size());
    index.resize((index.size() + 7) / 8 * 8);
    append_raw(index, checksums_.data(), checksums_.size());
    header_.names_offset = header_.index_offset + index.size();
    append_name(index, source_.name());
    for (const std::string& name : source_.classes()) {
      append_name(index, name);
    }
    append(index);
    header_.names_bytes = file_.size_bytes() - header_.names_offset;
    header_.index_checksum = XXH3_64bits(index.data(), index.size());
  }

  void write_header() {
    const Shape shape = source_.shape();
    header_.channels = static_cast<std::uint32_t>(shape[0]);
    header_.height = static_cast<std::uint32_t>(shape[1]);
    header_.width = static_cast<std::uint32_t>(shape[2]);
    header_.file_bytes = file_.size_bytes();
    header_.fingerprint = options_.fingerprint;
    header_.skipped = result_.skipped.size();
    header_.class_count = source_.classes().size();
    const ChannelStatistics statistics = sums_.statistics();
    std::copy(statistics.mean.begin(), statistics.mean.end(), header_.mean.begin());
    std::copy(statistics.deviation.begin(), statistics.deviation.end(), header_.deviation.begin());
    header_.header_checksum = XXH3_64bits(&header_, offsetof(PackHeader, header_checksum));
    file_.overwrite(0, std::as_bytes(std::span(&header_, 1)));
  }

  void append(std::span<const std::uint8_t> bytes) { file_.append(std::as_bytes(bytes)); }

  const Source& source_;
  const PackOptions& options_;
  std::size_t image_bytes_;
  std::int64_t total_;
  AtomicFile file_;
  ChannelSums sums_;
  PackHeader header_;
  PackResult result_;
  Bytes pixels_;
  std::vector<std::int32_t> labels_;
  std::vector<std::uint64_t> checksums_;
};

}  // namespace

PackResult write_pack(const std::filesystem::path& path, const Source& source, const PackOptions& options) {
  try {
    make_folder(folder_of(path));
    return PackWriter(path, source, options).write();
  } catch (const WriteError& error) {
    throw StorageError("{}: cannot be written: {}; nothing was left behind", path.string(), error.reason());
  }
}

}  // namespace convoy::data
