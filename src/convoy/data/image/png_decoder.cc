#include "convoy/data/image/format_decoders.h"

#include <png.h>

#include <csetjmp>
#include <cstring>
#include <new>
#include <string>
#include <vector>

#include "convoy/base/error.h"

namespace convoy::data {

namespace {

// libpng reports errors by longjmp, which skips destructors. So each function of this class that makes a call that may
// fail owns nothing itself; what is owned lives in the object.
class PngReader {
 public:
  PngReader(std::span<const std::uint8_t> bytes, std::string_view name) : bytes_(bytes), name_(name) {
    png_ = png_create_read_struct(PNG_LIBPNG_VER_STRING, this, on_error, on_warning);
    info_ = png_ == nullptr ? nullptr : png_create_info_struct(png_);
    if (info_ == nullptr) {
      png_destroy_read_struct(&png_, nullptr, nullptr);
      throw std::bad_alloc();
    }
    png_set_read_fn(png_, this, on_read);
  }
  PngReader(const PngReader&) = delete;
  PngReader& operator=(const PngReader&) = delete;
  ~PngReader() { png_destroy_read_struct(&png_, &info_, nullptr); }

  ImageSize read_size() {
    if (!read_info()) fail();
    const ImageSize size{.width = static_cast<int>(png_get_image_width(png_, info_)),
                         .height = static_cast<int>(png_get_image_height(png_, info_))};
    // zlib makes data at most 1032 times smaller. A header that promises more pixels than the file can hold would only
    // make us allocate memory.
    constexpr std::size_t kMostBytesPerByte = 1040;
    if (png_get_rowbytes(png_, info_) / kMostBytesPerByte * static_cast<std::size_t>(size.height) > bytes_.size()) {
      message_ = "far too short for the size in its header";
      fail();
    }
    return size;
  }

  // Reads the pixels as RGBA; called after read_size().
  void read_pixels(const ImageSize& size, Bytes& rgba) {
    const std::size_t pitch = 4 * static_cast<std::size_t>(size.width);
    rgba.resize(pitch * static_cast<std::size_t>(size.height));
    rows_.clear();
    for (std::size_t y = 0; y < static_cast<std::size_t>(size.height); ++y) {
      rows_.push_back(rgba.data() + y * pitch);
    }
    if (!read_rows()) fail();
  }

 private:
  static void on_error(png_structp png, png_const_charp message) {
    auto* const reader = static_cast<PngReader*>(png_get_error_ptr(png));
    std::strncpy(reader->reason_, message, sizeof(reader->reason_) - 1);
    png_longjmp(png, 1);
  }

  static void on_warning(png_structp, png_const_charp) {}

  static void on_read(png_structp png, png_bytep out, std::size_t count) {
    auto* const reader = static_cast<PngReader*>(png_get_io_ptr(png));
    if (count > reader->bytes_.size() - reader->position_) png_error(png, "is cut short");
    std::memcpy(out, reader->bytes_.data() + reader->position_, count);
    reader->position_ += count;
  }

  bool read_info() {
    if (setjmp(png_jmpbuf(png_)) != 0) return false;
    png_set_user_limits(png_, kMostPixels, kMostPixels);
    png_read_info(png_, info_);
    return true;
  }

  bool read_rows() {
    if (setjmp(png_jmpbuf(png_)) != 0) return false;
    png_set_expand(png_);
    png_set_scale_16(png_);
    png_set_gray_to_rgb(png_);
    png_set_filler(png_, 0xff, PNG_FILLER_AFTER);
    png_set_interlace_handling(png_);
    png_read_update_info(png_, info_);
    if (png_get_rowbytes(png_, info_) != 4 * static_cast<std::size_t>(png_get_image_width(png_, info_))) {
      png_error(png_, "unexpected layout of its rows");
    }
    png_read_image(png_, rows_.data());
    png_read_end(png_, nullptr);
    return true;
  }

  [[noreturn]] void fail() const {
    throw DataError("{}: byte {}: is a corrupt PNG: {}", name_, position_, message_.empty() ? reason_ : message_);
  }

  static constexpr png_uint_32 kMostPixels = 1 << 17;  // in each direction

  std::span<const std::uint8_t> bytes_;
  std::string_view name_;
  std::size_t position_ = 0;
  char reason_[128] = {};
  std::string message_;
  std::vector<png_bytep> rows_;
  png_structp png_ = nullptr;
  png_infop info_ = nullptr;
};

std::uint8_t over_white(std::uint8_t colour, std::uint8_t alpha) {
  return static_cast<std::uint8_t>((colour * alpha + 255 * (255 - alpha) + 127) / 255);
}

}  // namespace

ImageSize read_png_size(std::span<const std::uint8_t> bytes, std::string_view name) {
  return PngReader(bytes, name).read_size();
}

void decode_png(std::span<const std::uint8_t> bytes, std::string_view name, Image& image) {
  PngReader reader(bytes, name);
  const ImageSize size = reader.read_size();
  Bytes rgba;
  reader.read_pixels(size, rgba);
  image.width = size.width;
  image.height = size.height;
  image.rgb.resize(rgba.size() / 4 * 3);
  for (std::size_t i = 0; i < rgba.size() / 4; ++i) {
    for (std::size_t c = 0; c < 3; ++c) {
      image.rgb[i * 3 + c] = over_white(rgba[i * 4 + c], rgba[i * 4 + 3]);
    }
  }
}

}  // namespace convoy::data
