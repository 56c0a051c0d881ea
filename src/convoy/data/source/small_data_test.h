// Small data for the tests of this folder: a temporary folder, and files of every format in it.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "convoy/data/byte_file.h"
#include "convoy/data/source/source.h"

namespace convoy::data {

// A folder that is deleted at the end of its scope.
class TemporaryFolder {
 public:
  TemporaryFolder();
  TemporaryFolder(const TemporaryFolder&) = delete;
  TemporaryFolder& operator=(const TemporaryFolder&) = delete;
  ~TemporaryFolder();

  [[nodiscard]] const std::filesystem::path& path() const { return path_; }
  [[nodiscard]] std::filesystem::path operator/(const std::string& name) const { return path_ / name; }

 private:
  std::filesystem::path path_;
};

void write_bytes(const std::filesystem::path& path, const Bytes& bytes);
[[nodiscard]] Bytes gzip(const Bytes& bytes);

// The dimensions, then `values`, which need not fit them.
[[nodiscard]] Bytes idx_bytes(const std::vector<std::uint32_t>& dims, const Bytes& values);
// Four files with `train` and `test` images of 4x4; image i has label i % 10 and pixels of value i.
void write_mnist(const std::filesystem::path& folder, int train, int test, bool zipped = false);

// Records with the given labels; the pixels of record i are i, i + 1 and i + 2 in the three planes.
[[nodiscard]] Bytes cifar_bytes(const std::vector<int>& labels, int label_bytes = 1);

// A single colour. `channels` is 1 to 4; `bits` 8 or 16.
struct PngColour {
  int channels = 3;
  int bits = 8;
  std::vector<int> values;
};
[[nodiscard]] Bytes png_bytes(int width, int height, const PngColour& colour);
[[nodiscard]] Bytes palette_png_bytes(int width, int height, const std::vector<int>& rgb);

[[nodiscard]] Bytes jpeg_bytes(int width, int height, const std::vector<int>& rgb);
[[nodiscard]] Bytes grey_jpeg_bytes(int width, int height, int value);
// A JPEG for print: inks are stored as 255 minus the value, as Adobe's programs do.
[[nodiscard]] Bytes cmyk_jpeg_bytes(int width, int height, const std::vector<int>& inks);
// A picture with texture: columns of noise that depend only on `seed`.
[[nodiscard]] Bytes textured_jpeg_bytes(int width, int height, int seed);

// Writes `images` JPEG files of 20x16 to root/NAME for each class.
void write_image_folder(const std::filesystem::path& root, const std::vector<std::string>& classes, int images);

[[nodiscard]] Bytes read_sample(const Source& source, Split split, std::int64_t i);

// The folder with real data that CONVOY_REAL_DATA names, or an empty path; tests that need it are then skipped.
[[nodiscard]] std::filesystem::path real_data_folder();

// The message of the DataError that `action` throws; fails the test if it does not throw one.
template <typename Action>
std::string data_error_of(Action action);

}  // namespace convoy::data

#include <gtest/gtest.h>

#include "convoy/base/error.h"

template <typename Action>
std::string convoy::data::data_error_of(Action action) {
  try {
    action();
  } catch (const DataError& error) {
    return error.what();
  }
  ADD_FAILURE() << "no DataError was thrown";
  return "";
}
