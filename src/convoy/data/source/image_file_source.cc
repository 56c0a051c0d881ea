#include "convoy/data/source/image_file_source.h"

#include <fmt/format.h>

#include <algorithm>

#include "convoy/base/error.h"
#include "convoy/base/file/input_file.h"
#include "convoy/data/byte_file.h"
#include "convoy/data/image/image_decoder.h"
#include "convoy/data/image/image_resize.h"
#include "convoy/data/parallel_each.h"

namespace convoy::data {

namespace fs = std::filesystem;

namespace {

// Memory that a thread reuses from image to image.
struct Workspace {
  Bytes bytes;
  Image image;
  ImageResizer resizer;
};

Workspace& workspace() {
  thread_local Workspace kept;
  // Frees the memory of a huge photograph, so that it is not held for the rest of the run.
  constexpr std::size_t kMostBytes = std::size_t{64} << 20;
  if (kept.image.rgb.capacity() > kMostBytes) kept.image.rgb = Bytes();
  if (kept.bytes.capacity() > kMostBytes) kept.bytes = Bytes();
  return kept;
}

fs::path statistics_file(const fs::path& cache_dir, const ImageFiles& files, std::int64_t size) {
  if (cache_dir.empty()) return {};
  return cache_dir / "statistics" / fmt::format("{:016x}-{}.txt", fingerprint(files), size);
}

void try_decode(const fs::path& root, const std::vector<ImageFile>& files, int threads,
                std::vector<std::string>& reasons) {
  reasons.assign(files.size(), "");
  parallel_each(static_cast<std::int64_t>(files.size()), threads, [&](std::int64_t i) {
    const auto at = static_cast<std::size_t>(i);
    Workspace& work = workspace();
    try {
      const std::string path = root / files[at].path;
      read_bytes(path, work.bytes);
      // Asking for size 1 lets a JPEG be decoded at an eighth of its size, which is faster but still reads all of it.
      decode_image(work.bytes, path, 1, 1, work.image);
    } catch (const DataError& error) {
      reasons[at] = error.what();
    }
  });
}

void check_classes_left(const ImageFiles& files) {
  std::vector<bool> seen(files.classes.size());
  for (const ImageFile& file : files.train) {
    seen[static_cast<std::size_t>(file.label)] = true;
  }
  const auto empty = std::find(seen.begin(), seen.end(), false);
  if (empty != seen.end()) {
    throw DataError("{}: class '{}' has no readable training image", files.root.string(),
                    files.classes[static_cast<std::size_t>(empty - seen.begin())]);
  }
}

}  // namespace

ImageFileSource::ImageFileSource(std::string name, ImageFiles files, std::int64_t size, const fs::path& cache_dir,
                                 int threads)
    : name_(std::move(name)),
      files_(std::move(files)),
      size_(size),
      statistics_(statistics_file(cache_dir, files_, size), threads) {}

std::int64_t ImageFileSource::size(Split split) const { return static_cast<std::int64_t>(files_.of(split).size()); }

std::string ImageFileSource::path(Split split, std::int64_t i) const {
  return files_.root.native() + "/" + file(split, i).path;
}

void ImageFileSource::read(Split split, std::int64_t i, std::span<std::uint8_t> pixels) const {
  Workspace& work = workspace();
  const std::string name = path(split, i);
  const int size = static_cast<int>(size_);
  read_bytes(name, work.bytes);
  decode_image(work.bytes, name, size, size, work.image);
  work.resizer.resize_and_crop(work.image.view(), size, size, pixels);
}

std::vector<UnreadableFile> remove_unreadable(ImageFiles& files, int threads) {
  std::vector<UnreadableFile> removed;
  std::vector<std::string> reasons;
  for (auto* const list : {&files.train, &files.test}) {
    try_decode(files.root, *list, threads, reasons);
    std::vector<ImageFile> kept;
    for (std::size_t i = 0; i < list->size(); ++i) {
      if (reasons[i].empty()) {
        kept.push_back((*list)[i]);
      } else {
        removed.push_back({.path = (*list)[i].path, .reason = reasons[i]});
      }
    }
    *list = std::move(kept);
  }
  check_classes_left(files);
  return removed;
}

}  // namespace convoy::data
