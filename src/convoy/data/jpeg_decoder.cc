#include "convoy/data/jpeg_decoder.h"

#include <turbojpeg.h>

#include <array>
#include <new>
#include <string_view>

#include "convoy/base/error.h"

namespace convoy::data {

namespace {

class Decompressor {
 public:
  Decompressor() : handle_(tjInitDecompress()) {
    if (handle_ == nullptr) throw std::bad_alloc();
  }
  Decompressor(const Decompressor&) = delete;
  Decompressor& operator=(const Decompressor&) = delete;
  ~Decompressor() { tjDestroy(handle_); }

  [[nodiscard]] tjhandle get() const { return handle_; }

 private:
  tjhandle handle_;
};

// Making one takes longer than decoding a small image.
tjhandle decompressor() {
  thread_local const Decompressor kept;
  return kept.get();
}

struct Header {
  int width = 0;
  int height = 0;
  int subsampling = 0;
  int colours = 0;
};

[[noreturn]] void refuse(std::string_view name, std::size_t size, std::string_view reason) {
  throw DataError("{}: is a corrupt JPEG: {} (of {} bytes)", name, reason, size);
}

Header read_header(std::span<const std::uint8_t> bytes, std::string_view name) {
  Header header;
  const int result = tjDecompressHeader3(decompressor(), bytes.data(), bytes.size(), &header.width, &header.height,
                                         &header.subsampling, &header.colours);
  if (result != 0 || header.width <= 0 || header.height <= 0) {
    refuse(name, bytes.size(), tjGetErrorStr2(decompressor()));
  }
  // The most thrifty coding spends a bit on a block of 64 pixels. A header that promises far more than the file can
  // hold would only make us ask for memory.
  constexpr std::size_t kMostPixelsPerByte = 2048;
  const std::size_t pixels = static_cast<std::size_t>(header.width) * static_cast<std::size_t>(header.height);
  if (pixels / kMostPixelsPerByte > bytes.size()) {
    refuse(name, bytes.size(), "far too short for the size in its header");
  }
  return header;
}

// The strongest of the reductions that turbojpeg does in the transform itself and that still covers the frame.
tjscalingfactor choose_scale(const Header& header, int height, int width) {
  for (const int divisor : {8, 4, 2}) {
    const tjscalingfactor scale{1, divisor};
    if (height > 0 && width > 0 && TJSCALED(header.width, scale) >= width && TJSCALED(header.height, scale) >= height) {
      return scale;
    }
  }
  return {1, 1};
}

// Damage that leaves no trace in the pixels: stray bytes between segments, which some cameras and editors write.
bool is_harmless(std::string_view warning) { return warning.find("extraneous bytes") != std::string_view::npos; }

void decompress(std::span<const std::uint8_t> bytes, std::string_view name, const Image& image, TJPF format,
                std::uint8_t* pixels) {
  const int result =
      tjDecompress2(decompressor(), bytes.data(), bytes.size(), pixels, image.width, 0, image.height, format, 0);
  if (result == 0) return;
  const std::string_view reason = tjGetErrorStr2(decompressor());
  if (tjGetErrorCode(decompressor()) == TJERR_WARNING && is_harmless(reason)) return;
  refuse(name, bytes.size(), reason);
}

// Print files keep their inks inverted, as Adobe's programs do.
void decompress_inks(std::span<const std::uint8_t> bytes, std::string_view name, Image& image) {
  const std::size_t pixels = image.rgb.size() / 3;
  Bytes inks(pixels * 4);
  decompress(bytes, name, image, TJPF_CMYK, inks.data());
  for (std::size_t i = 0; i < pixels; ++i) {
    for (std::size_t c = 0; c < 3; ++c) {
      image.rgb[i * 3 + c] = static_cast<std::uint8_t>(inks[i * 4 + c] * inks[i * 4 + 3] / 255);
    }
  }
}

}  // namespace

ImageSize read_jpeg_size(std::span<const std::uint8_t> bytes, std::string_view name) {
  const Header header = read_header(bytes, name);
  return {.width = header.width, .height = header.height};
}

void decode_jpeg(std::span<const std::uint8_t> bytes, std::string_view name, int height, int width, Image& image) {
  const Header header = read_header(bytes, name);
  const tjscalingfactor scale = choose_scale(header, height, width);
  image.width = TJSCALED(header.width, scale);
  image.height = TJSCALED(header.height, scale);
  image.rgb.resize(3 * static_cast<std::size_t>(image.width) * static_cast<std::size_t>(image.height));
  if (header.colours == TJCS_CMYK || header.colours == TJCS_YCCK) {
    decompress_inks(bytes, name, image);
  } else {
    decompress(bytes, name, image, TJPF_RGB, image.rgb.data());
  }
}

}  // namespace convoy::data
