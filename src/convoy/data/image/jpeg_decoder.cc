#include "convoy/data/image/format_decoders.h"

#include <turbojpeg.h>

#include <algorithm>
#include <array>
#include <new>
#include <string>
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

// One per thread, kept: making one takes longer than decoding a small image.
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

[[noreturn]] void refuse(std::string_view name, std::size_t offset, std::string_view reason) {
  constexpr std::string_view kPrefix = "Corrupt JPEG data: ";
  if (reason.starts_with(kPrefix)) reason.remove_prefix(kPrefix.size());
  throw DataError("{}: byte {}: is a corrupt JPEG: {}", name, offset, reason);
}

// turbojpeg does not say where in the file it failed. But every prefix of the file that includes the damage gives the
// same first complaint as the whole file, while shorter prefixes are just "cut short". So a binary search over prefixes
// finds the place. `first_complaint` returns the complaint about a prefix.
template <typename FirstComplaint>
[[noreturn]] void refuse_at_damage(std::span<const std::uint8_t> bytes, std::string_view name,
                                   const FirstComplaint& first_complaint) {
  const std::string reason = first_complaint(bytes);
  std::size_t good = std::min<std::size_t>(2, bytes.size());
  std::size_t bad = bytes.size();
  if (first_complaint(bytes.first(good)) == reason) refuse(name, bytes.size(), reason);  // the file itself is cut short
  while (bad - good > 1) {
    const std::size_t middle = good + (bad - good) / 2;
    (first_complaint(bytes.first(middle)) == reason ? bad : good) = middle;
  }
  refuse(name, bad, reason);
}

// Whether the warning is about stray bytes between segments of the header, which some cameras and editors write. Such
// bytes before a marker that ends or divides pixel data are not harmless: the decoder has lost its way and left them
// over.
bool is_harmless(std::string_view warning) {
  constexpr std::string_view kStray = "extraneous bytes before marker 0x";
  const std::size_t at = warning.find(kStray);
  if (at == std::string_view::npos) return false;
  const std::string_view marker = warning.substr(at + kStray.size());
  // End of image, next scan, tables of the next scan.
  constexpr std::array<std::string_view, 3> kAfterPixels{"d9", "da", "c4"};
  const bool restart = marker.size() == 2 && marker[0] == 'd' && marker[1] <= '7';
  return !restart && std::find(kAfterPixels.begin(), kAfterPixels.end(), marker) == kAfterPixels.end();
}

bool is_harmless_failure() {
  return tjGetErrorCode(decompressor()) == TJERR_WARNING && is_harmless(tjGetErrorStr2(decompressor()));
}

int try_header(std::span<const std::uint8_t> bytes, Header& header) {
  return tjDecompressHeader3(decompressor(), bytes.data(), bytes.size(), &header.width, &header.height,
                             &header.subsampling, &header.colours);
}

Header read_header(std::span<const std::uint8_t> bytes, std::string_view name) {
  Header header;
  const bool good = try_header(bytes, header) == 0 || is_harmless_failure();
  if (!good || header.width <= 0 || header.height <= 0) {
    refuse_at_damage(bytes, name, [](std::span<const std::uint8_t> beginning) -> std::string {
      Header ignored;
      return try_header(beginning, ignored) == 0 ? "" : tjGetErrorStr2(decompressor());
    });
  }
  // The most compact coding takes one bit for a block of 64 pixels. A header that promises far more pixels than the
  // file can hold would only make us allocate memory.
  constexpr std::size_t kMostPixelsPerByte = 2048;
  const std::size_t pixels = static_cast<std::size_t>(header.width) * static_cast<std::size_t>(header.height);
  if (pixels / kMostPixelsPerByte > bytes.size()) {
    refuse(name, bytes.size(), "far too short for the size in its header");
  }
  return header;
}

// The largest reduction that turbojpeg can do while decoding and that still covers the frame.
tjscalingfactor choose_scale(const Header& header, int height, int width) {
  for (const int divisor : {8, 4, 2}) {
    const tjscalingfactor scale{1, divisor};
    if (height > 0 && width > 0 && TJSCALED(header.width, scale) >= width && TJSCALED(header.height, scale) >= height) {
      return scale;
    }
  }
  return {1, 1};
}

struct Target {
  int width, height;
  TJPF format;
  std::uint8_t* pixels;
};

int try_decompress(std::span<const std::uint8_t> bytes, const Target& to, int flags) {
  return tjDecompress2(decompressor(), bytes.data(), bytes.size(), to.pixels, to.width, 0, to.height, to.format, flags);
}

// turbojpeg keeps only the last warning. If that one is harmless, no other warning came after it.
void decompress(std::span<const std::uint8_t> bytes, std::string_view name, const Target& to) {
  if (try_decompress(bytes, to, 0) == 0 || is_harmless_failure()) return;
  refuse_at_damage(bytes, name, [&](std::span<const std::uint8_t> beginning) -> std::string {
    return try_decompress(beginning, to, TJFLAG_STOPONWARNING) == 0 ? "" : tjGetErrorStr2(decompressor());
  });
}

// CMYK files for print store their inks inverted, as Adobe's programs do.
void decompress_inks(std::span<const std::uint8_t> bytes, std::string_view name, Image& image) {
  const std::size_t pixels = image.rgb.size() / 3;
  Bytes inks(pixels * 4);
  decompress(bytes, name, {image.width, image.height, TJPF_CMYK, inks.data()});
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
    decompress(bytes, name, {image.width, image.height, TJPF_RGB, image.rgb.data()});
  }
}

}  // namespace convoy::data
