#include "convoy/data/image/png_writer.h"

#include <fmt/core.h>
#include <png.h>

#include "convoy/base/error.h"
#include "convoy/base/file/atomic_file.h"

namespace convoy::data {

// libpng's simplified interface: it reports by value and needs no setjmp around C++ objects.
std::string encode_png(const RgbImage& image) {
  png_image header{};
  header.version = PNG_IMAGE_VERSION;
  header.width = static_cast<png_uint_32>(image.width);
  header.height = static_cast<png_uint_32>(image.height);
  header.format = PNG_FORMAT_RGB;
  png_alloc_size_t size = PNG_IMAGE_PNG_SIZE_MAX(header);
  std::string file(size, '\0');
  if (png_image_write_to_memory(&header, file.data(), &size, 0, image.bytes.data(), 0, nullptr) == 0) {
    throw SystemError(
        fmt::format("cannot encode a picture of {}x{} pixels as PNG: {}", image.width, image.height, header.message));
  }
  file.resize(size);
  return file;
}

void write_png(const std::filesystem::path& path, const RgbImage& image) {
  write_file_atomically(path, encode_png(image));
}

}  // namespace convoy::data
