// A pack: images that were decoded and resized once, in one memory-mapped file with an index and checksums.
#pragma once

#include <atomic>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "convoy/base/file/mapped_file.h"
#include "convoy/data/pack/pack_format.h"
#include "convoy/data/source/source.h"

namespace convoy::data {

struct PackInfo {
  std::string source;  // Source::name() of what was packed
  Shape shape;
  std::vector<std::string> classes;
  std::int64_t train_count = 0;
  std::int64_t test_count = 0;
  std::int64_t skipped = 0;
  std::uint64_t fingerprint = 0;
  ChannelStatistics statistics;
};

// Reads a pack. Header, index and names are checked when it is opened, each sample when it is first used.
//
// Thread rule: everything is const and may be called from several threads at once.
class PackFile {
 public:
  // Throws DataError with the path and the offset when the file is not a pack, is corrupt or is cut short.
  explicit PackFile(const std::filesystem::path& path);
  // Reads a pack in memory of the caller, which must outlive it.
  PackFile(std::span<const std::uint8_t> bytes, std::string_view name);

  [[nodiscard]] const PackInfo& info() const { return info_; }
  [[nodiscard]] std::int32_t label(Split split, std::int64_t i) const;
  // The image, in the mapped file. Throws DataError when it is corrupt.
  [[nodiscard]] std::span<const std::uint8_t> pixels(Split split, std::int64_t i) const;
  // Whether the image is as it was packed.
  [[nodiscard]] bool is_whole(Split split, std::int64_t i) const;
  // Checks every sample. Throws DataError.
  void verify() const;

 private:
  void read_header();
  void check_layout() const;
  void read_index();
  void read_names();
  [[nodiscard]] std::size_t place(Split split, std::int64_t i) const;
  [[nodiscard]] std::uint64_t offset_of(std::size_t place) const;
  [[nodiscard]] std::span<const std::uint8_t> part(std::uint64_t offset, std::uint64_t count) const;

  std::optional<MappedFile> file_;
  std::span<const std::uint8_t> bytes_;
  std::string name_;
  PackHeader header_;
  PackInfo info_;
  std::vector<std::int32_t> labels_;
  std::vector<std::uint64_t> checksums_;
  std::unique_ptr<std::atomic<bool>[]> verified_;
};

// A source over a pack, which hands out samples directly from the mapped file.
class PackSource : public Source {
 public:
  // Throws as PackFile does.
  explicit PackSource(const std::filesystem::path& path) : pack_(path) {}

  [[nodiscard]] std::string name() const override { return pack_.info().source; }
  [[nodiscard]] Shape shape() const override { return pack_.info().shape; }
  [[nodiscard]] const std::vector<std::string>& classes() const override { return pack_.info().classes; }
  [[nodiscard]] std::int64_t size(Split split) const override {
    return split == Split::train ? pack_.info().train_count : pack_.info().test_count;
  }
  [[nodiscard]] std::int32_t label(Split split, std::int64_t i) const override {
    require_sample(split, i);
    return pack_.label(split, i);
  }
  void read(Split split, std::int64_t i, std::span<std::uint8_t> pixels) const override;
  // Throws DataError when the image is corrupt.
  [[nodiscard]] std::span<const std::uint8_t> view(Split split, std::int64_t i) const override {
    require_sample(split, i);
    return pack_.pixels(split, i);
  }
  [[nodiscard]] ChannelStatistics statistics() const override { return pack_.info().statistics; }

  [[nodiscard]] const PackFile& pack() const { return pack_; }

 private:
  PackFile pack_;
};

}  // namespace convoy::data
