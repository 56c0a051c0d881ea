#include "convoy/data/source/image_files.h"

#include <sys/stat.h>
#include <xxhash.h>

#include <algorithm>
#include <memory>
#include <new>
#include <utility>

#include "convoy/base/error.h"
#include "convoy/base/file/input_file.h"
#include "convoy/base/mutex.h"
#include "convoy/data/parallel_each.h"

namespace convoy::data {
namespace {

class Hash {
 public:
  Hash() : state_(XXH3_createState()) {
    if (!state_) throw std::bad_alloc();
    XXH3_64bits_reset(state_.get());
  }

  void add(const std::string& text) {
    add(static_cast<std::int64_t>(text.size()));
    XXH3_64bits_update(state_.get(), text.data(), text.size());
  }
  void add(std::int64_t number) { XXH3_64bits_update(state_.get(), &number, sizeof(number)); }

  [[nodiscard]] std::uint64_t digest() const { return XXH3_64bits_digest(state_.get()); }

 private:
  struct Free {
    void operator()(XXH3_state_t* state) const { XXH3_freeState(state); }
  };
  std::unique_ptr<XXH3_state_t, Free> state_;
};

void add_files(Hash& hash, const std::filesystem::path& root, const std::vector<ImageFile>& files) {
  hash.add(static_cast<std::int64_t>(files.size()));
  for (const ImageFile& file : files) {
    hash.add(file.path);
    hash.add(file.label);
    struct stat status {};
    if (stat((root / file.path).c_str(), &status) == 0) {
      hash.add(status.st_size);
      hash.add(status.st_mtim.tv_sec);
      hash.add(status.st_mtim.tv_nsec);
    }
  }
}

}  // namespace

std::uint64_t fingerprint(const ImageFiles& files) {
  Hash hash;
  for (const std::string& name : files.classes) {
    hash.add(name);
  }
  add_files(hash, files.root, files.train);
  add_files(hash, files.root, files.test);
  return hash.digest();
}

namespace {

class Seen {
 public:
  void add(const ImageSize& size, ImageFormat format) {
    const MutexLock lock(mutex_);
    sizes_.push_back(size);
    (format == ImageFormat::jpeg ? survey_.jpeg : survey_.png) += 1;
  }

  // The survey of all files that were added.
  [[nodiscard]] ImageSurvey survey() {
    const MutexLock lock(mutex_);
    if (sizes_.empty()) return survey_;
    std::ranges::sort(sizes_, {}, [](const ImageSize& size) {
      return std::pair(std::int64_t{size.width} * size.height, size.width);
    });
    survey_.smallest = sizes_.front();
    survey_.median = sizes_[sizes_.size() / 2];
    survey_.largest = sizes_.back();
    return survey_;
  }

 private:
  Mutex mutex_;
  std::vector<ImageSize> sizes_ CONVOY_GUARDED_BY(mutex_);
  ImageSurvey survey_ CONVOY_GUARDED_BY(mutex_);
};

void look_at(const std::vector<ImageFile>& files, const std::filesystem::path& root, int threads, Seen& seen) {
  parallel_each(static_cast<std::int64_t>(files.size()), threads, [&](std::int64_t i) {
    try {
      const std::filesystem::path path = root / files[static_cast<std::size_t>(i)].path;
      const Bytes bytes = read_bytes(path);
      seen.add(read_image_size(bytes, path.string()), image_format(bytes));
    } catch (const DataError&) {
      return;  // remove_unreadable() reports these
    }
  });
}

}  // namespace

ImageSurvey survey_images(const ImageFiles& files, int threads) {
  Seen seen;
  look_at(files.train, files.root, threads, seen);
  look_at(files.test, files.root, threads, seen);
  return seen.survey();
}

}  // namespace convoy::data
