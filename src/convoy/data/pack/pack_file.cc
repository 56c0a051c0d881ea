#include "convoy/data/pack/pack_file.h"

#include <xxhash.h>

#include <algorithm>
#include <cstddef>
#include <cstring>
#include <limits>

#include "convoy/base/check.h"
#include "convoy/base/error.h"

namespace convoy::data {
namespace {

constexpr std::uint64_t kMostPixels = std::uint64_t{1} << 32;  // of an image, so that every product below fits 64 bits

std::uint64_t image_bytes(const PackHeader& header) {
  return std::uint64_t{header.channels} * header.height * header.width;
}

std::uint64_t padded_label_bytes(std::uint64_t count) { return (count * sizeof(std::int32_t) + 7) / 8 * 8; }

}  // namespace

PackFile::PackFile(const std::filesystem::path& path)
    : file_(std::in_place, path), bytes_(file_->bytes()), name_(path.string()) {
  read_header();
  read_index();
  read_names();
}

PackFile::PackFile(std::span<const std::uint8_t> bytes, std::string_view name) : bytes_(bytes), name_(name) {
  read_header();
  read_index();
  read_names();
}

std::span<const std::uint8_t> PackFile::part(std::uint64_t offset, std::uint64_t count) const {
  return bytes_.subspan(static_cast<std::size_t>(offset), static_cast<std::size_t>(count));
}

void PackFile::read_header() {
  if (bytes_.size() >= kPackMagic.size() && std::memcmp(bytes_.data(), kPackMagic.data(), kPackMagic.size()) != 0) {
    throw DataError("{}: byte 0: is not a pack", name_);
  }
  if (bytes_.size() < kPackPixelsOffset) {
    throw DataError("{}: byte {}: is not a pack or is cut short", name_, bytes_.size());
  }
  std::memcpy(&header_, bytes_.data(), sizeof(header_));
  if (header_.version != kPackVersion) {
    throw DataError("{}: byte 8: has version {} of the format, expected {}; pack the data again", name_,
                    header_.version, kPackVersion);
  }
  if (header_.header_checksum != XXH3_64bits(&header_, offsetof(PackHeader, header_checksum))) {
    throw DataError("{}: byte 0: the header is corrupt: its checksum does not match", name_);
  }
  if (header_.file_bytes != bytes_.size()) {
    throw DataError("{}: byte {}: is cut short or has grown: expected {} bytes", name_, bytes_.size(),
                    header_.file_bytes);
  }
  check_layout();
}

// A matching checksum does not prove good intentions, so sizes are checked before they are used.
void PackFile::check_layout() const {
  const PackHeader& h = header_;
  const auto fits = [](std::uint32_t extent, std::uint32_t most) { return extent >= 1 && extent <= most; };
  bool good = fits(h.channels, kPackMostChannels) && fits(h.height, 1 << 16) && fits(h.width, 1 << 16) &&
              image_bytes(h) < kMostPixels && h.train_count <= h.file_bytes && h.test_count <= h.file_bytes &&
              h.index_offset <= h.file_bytes && h.names_offset <= h.file_bytes && h.class_count <= h.file_bytes;
  if (good) {
    const std::uint64_t count = h.train_count + h.test_count;
    good = count <= (h.file_bytes - kPackPixelsOffset) / image_bytes(h) &&
           h.index_offset == kPackPixelsOffset + count * image_bytes(h) &&
           h.names_offset == h.index_offset + padded_label_bytes(count) + count * sizeof(std::uint64_t) &&
           h.names_bytes == h.file_bytes - h.names_offset;
  }
  if (!good) throw DataError("{}: byte 12: the header's sizes and offsets do not fit together", name_);
}

void PackFile::read_index() {
  const auto index = part(header_.index_offset, header_.file_bytes - header_.index_offset);
  if (header_.index_checksum != XXH3_64bits(index.data(), index.size())) {
    throw DataError("{}: byte {}: the index is corrupt: its checksum does not match", name_, header_.index_offset);
  }
  const std::uint64_t count = header_.train_count + header_.test_count;
  labels_.resize(count);
  checksums_.resize(count);
  // Copied because the offsets may not be aligned. Skipped when empty, because memcpy takes no null pointers.
  if (count > 0) {
    std::memcpy(labels_.data(), index.data(), count * sizeof(std::int32_t));
    std::memcpy(checksums_.data(), index.data() + padded_label_bytes(count), count * sizeof(std::uint64_t));
  }
  for (std::size_t i = 0; i < labels_.size(); ++i) {
    if (labels_[i] < 0 || static_cast<std::uint64_t>(labels_[i]) >= header_.class_count) {
      throw DataError("{}: byte {}: label {} is out of range 0..{}", name_, header_.index_offset + 4 * i, labels_[i],
                      static_cast<std::int64_t>(header_.class_count) - 1);
    }
  }
  verified_ = std::make_unique<std::atomic<bool>[]>(count);
}

void PackFile::read_names() {
  info_.shape = {header_.channels, header_.height, header_.width};
  info_.train_count = static_cast<std::int64_t>(header_.train_count);
  info_.test_count = static_cast<std::int64_t>(header_.test_count);
  info_.skipped = static_cast<std::int64_t>(header_.skipped);
  info_.fingerprint = header_.fingerprint;
  info_.statistics.mean.assign(header_.mean.begin(), header_.mean.begin() + header_.channels);
  info_.statistics.deviation.assign(header_.deviation.begin(), header_.deviation.begin() + header_.channels);
  std::span<const std::uint8_t> rest = part(header_.names_offset, header_.names_bytes);
  for (std::uint64_t i = 0; i <= header_.class_count; ++i) {
    std::uint32_t size = 0;
    if (rest.size() >= sizeof(size)) std::memcpy(&size, rest.data(), sizeof(size));
    if (rest.size() < sizeof(size) || rest.size() - sizeof(size) < size) {
      throw DataError("{}: byte {}: the names are cut short", name_, bytes_.size() - rest.size());
    }
    const std::string text(reinterpret_cast<const char*>(rest.data()) + sizeof(size), size);
    rest = rest.subspan(sizeof(size) + size);
    if (i == 0) {
      info_.source = text;
    } else {
      info_.classes.push_back(text);
    }
  }
}

std::size_t PackFile::place(Split split, std::int64_t i) const {
  CONVOY_CHECK(i >= 0 && i < (split == Split::train ? info_.train_count : info_.test_count));
  return static_cast<std::size_t>(split == Split::train ? i : info_.train_count + i);
}

std::int32_t PackFile::label(Split split, std::int64_t i) const { return labels_[place(split, i)]; }

std::uint64_t PackFile::offset_of(std::size_t place) const { return kPackPixelsOffset + place * image_bytes(header_); }

bool PackFile::is_whole(Split split, std::int64_t i) const {
  const std::size_t at = place(split, i);
  // Two threads may both check the same image; that is cheaper than a lock.
  if (verified_[at].load(std::memory_order_relaxed)) return true;
  const auto image = part(offset_of(at), image_bytes(header_));
  if (XXH3_64bits(image.data(), image.size()) != checksums_[at]) return false;
  verified_[at].store(true, std::memory_order_relaxed);
  return true;
}

std::span<const std::uint8_t> PackFile::pixels(Split split, std::int64_t i) const {
  const std::size_t at = place(split, i);
  if (!is_whole(split, i)) {
    throw DataError(
        "{}: byte {}: image {} is corrupt: its checksum does not match; pack the data again, or give --skip-corrupt",
        name_, offset_of(at), at);
  }
  return part(offset_of(at), image_bytes(header_));
}

void PackFile::verify() const {
  for (std::int64_t i = 0; i < info_.train_count; ++i) {
    (void)pixels(Split::train, i);
  }
  for (std::int64_t i = 0; i < info_.test_count; ++i) {
    (void)pixels(Split::test, i);
  }
}

void PackSource::read(Split split, std::int64_t i, std::span<std::uint8_t> pixels) const {
  const auto image = view(split, i);
  require_room(pixels.size());
  std::copy(image.begin(), image.end(), pixels.begin());
}

}  // namespace convoy::data
