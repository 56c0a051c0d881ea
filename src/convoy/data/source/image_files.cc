#include "convoy/data/source/image_files.h"

#include <sys/stat.h>
#include <xxhash.h>

#include <memory>
#include <new>

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

}  // namespace convoy::data
