#include "convoy/data/source/image_survey.h"

#include <algorithm>
#include <mutex>

#include "convoy/base/error.h"
#include "convoy/base/file/input_file.h"
#include "convoy/data/parallel_each.h"

namespace convoy::data {

namespace {

struct Seen {
  std::mutex mutex;
  std::vector<ImageSize> sizes;
  ImageSurvey survey;

  void add(const ImageSize& size, ImageFormat format) {
    const std::scoped_lock lock(mutex);
    sizes.push_back(size);
    (format == ImageFormat::jpeg ? survey.jpeg : survey.png) += 1;
  }
};

void look_at(const std::vector<ImageFile>& files, const std::filesystem::path& root, int threads, Seen& seen) {
  parallel_each(static_cast<std::int64_t>(files.size()), threads, [&](std::int64_t i) {
    try {
      const std::filesystem::path path = root / files[static_cast<std::size_t>(i)].path;
      const Bytes bytes = read_bytes(path);
      seen.add(read_image_size(bytes, path.string()), image_format(bytes));
    } catch (const DataError&) {
      return;  // remove_unreadable() tells of these
    }
  });
}

}  // namespace

ImageSurvey survey_images(const ImageFiles& files, int threads) {
  Seen seen;
  look_at(files.train, files.root, threads, seen);
  look_at(files.test, files.root, threads, seen);
  if (seen.sizes.empty()) return seen.survey;
  std::sort(seen.sizes.begin(), seen.sizes.end(), [](const ImageSize& a, const ImageSize& b) {
    return std::pair(std::int64_t{a.width} * a.height, a.width) < std::pair(std::int64_t{b.width} * b.height, b.width);
  });
  seen.survey.smallest = seen.sizes.front();
  seen.survey.median = seen.sizes[seen.sizes.size() / 2];
  seen.survey.largest = seen.sizes.back();
  return seen.survey;
}

}  // namespace convoy::data
