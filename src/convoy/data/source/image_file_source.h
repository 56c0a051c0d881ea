// A source that decodes an image file each time a sample is asked for.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "convoy/data/source/channel_statistics.h"
#include "convoy/data/source/image_files.h"
#include "convoy/data/source/source.h"

namespace convoy::data {

class ImageFileSource : public Source {
 public:
  // Images become 3 x size x size. The statistics are cached in `cache_dir` and measured by `threads` threads.
  ImageFileSource(std::string name, ImageFiles files, std::int64_t size, const std::filesystem::path& cache_dir,
                  int threads);

  [[nodiscard]] std::string name() const override { return name_; }
  [[nodiscard]] Shape shape() const override { return {3, size_, size_}; }
  [[nodiscard]] const std::vector<std::string>& classes() const override { return files_.classes; }
  [[nodiscard]] std::int64_t size(Split split) const override;
  [[nodiscard]] std::int32_t label(Split split, std::int64_t i) const override { return file(split, i).label; }
  void read(Split split, std::int64_t i, std::span<std::uint8_t> pixels) const override;
  [[nodiscard]] ChannelStatistics statistics() const override { return statistics_.get(*this); }

  [[nodiscard]] const ImageFiles& files() const { return files_; }
  [[nodiscard]] std::string path(Split split, std::int64_t i) const;

 private:
  [[nodiscard]] const ImageFile& file(Split split, std::int64_t i) const {
    require_sample(split, i);
    return files_.of(split)[static_cast<std::size_t>(i)];
  }

  std::string name_;
  ImageFiles files_;
  std::int64_t size_;
  RememberedStatistics statistics_;
};

struct UnreadableFile {
  std::string path;    // as in ImageFile
  std::string reason;  // the message of the error
};

// Decodes every file once; removes those that cannot be decoded from the list and returns them. Throws DataError when a
// class has no training images left.
[[nodiscard]] std::vector<UnreadableFile> remove_unreadable(ImageFiles& files, int threads);

}  // namespace convoy::data
