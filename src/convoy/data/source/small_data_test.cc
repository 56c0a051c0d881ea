#include "convoy/data/source/small_data_test.h"

#include <png.h>
#include <turbojpeg.h>
#include <zlib.h>

#include <algorithm>
#include <cstdlib>
#include <fstream>

#include "convoy/base/rng.h"

namespace convoy::data {

namespace fs = std::filesystem;

TemporaryFolder::TemporaryFolder() {
  std::string name = (fs::temp_directory_path() / "convoy-data-XXXXXX").string();
  path_ = mkdtemp(name.data());
}

TemporaryFolder::~TemporaryFolder() {
  std::error_code ignored;
  fs::remove_all(path_, ignored);
}

void write_bytes(const fs::path& path, const Bytes& bytes) {
  fs::create_directories(path.parent_path());
  std::ofstream out(path, std::ios::binary);
  out.write(reinterpret_cast<const char*>(bytes.data()), static_cast<std::streamsize>(bytes.size()));
  ASSERT_TRUE(out.good()) << path;
}

Bytes gzip(const Bytes& bytes) {
  z_stream stream{};
  deflateInit2(&stream, 9, Z_DEFLATED, MAX_WBITS + 16, 8, Z_DEFAULT_STRATEGY);
  Bytes zipped(deflateBound(&stream, bytes.size()));
  stream.next_in = const_cast<Bytef*>(bytes.data());
  stream.avail_in = static_cast<uInt>(bytes.size());
  stream.next_out = zipped.data();
  stream.avail_out = static_cast<uInt>(zipped.size());
  EXPECT_EQ(deflate(&stream, Z_FINISH), Z_STREAM_END);
  zipped.resize(stream.total_out);
  deflateEnd(&stream);
  return zipped;
}

Bytes idx_bytes(const std::vector<std::uint32_t>& dims, const Bytes& values) {
  Bytes bytes{0, 0, 8, static_cast<std::uint8_t>(dims.size())};
  for (const std::uint32_t dim : dims) {
    for (const int shift : {24, 16, 8, 0}) {
      bytes.push_back(static_cast<std::uint8_t>(dim >> shift));
    }
  }
  bytes.insert(bytes.end(), values.begin(), values.end());
  return bytes;
}

void write_mnist(const fs::path& folder, int train, int test, bool zipped) {
  const auto write = [&](const std::string& name, const Bytes& bytes) {
    write_bytes(folder / (zipped ? name + ".gz" : name), zipped ? gzip(bytes) : bytes);
  };
  for (const auto& [prefix, count] : {std::pair{"train", train}, std::pair{"t10k", test}}) {
    Bytes images;
    Bytes labels;
    for (int i = 0; i < count; ++i) {
      images.insert(images.end(), 16, static_cast<std::uint8_t>(i));
      labels.push_back(static_cast<std::uint8_t>(i % 10));
    }
    write(std::string(prefix) + "-images-idx3-ubyte", idx_bytes({static_cast<std::uint32_t>(count), 4, 4}, images));
    write(std::string(prefix) + "-labels-idx1-ubyte", idx_bytes({static_cast<std::uint32_t>(count)}, labels));
  }
}

Bytes cifar_bytes(const std::vector<int>& labels, int label_bytes) {
  Bytes bytes;
  for (std::size_t i = 0; i < labels.size(); ++i) {
    bytes.insert(bytes.end(), static_cast<std::size_t>(label_bytes) - 1, 0);
    bytes.push_back(static_cast<std::uint8_t>(labels[i]));
    for (std::size_t c = 0; c < 3; ++c) {
      bytes.insert(bytes.end(), 1024, static_cast<std::uint8_t>(i + c));
    }
  }
  return bytes;
}

namespace {

void append_png(png_structp png, png_bytep data, std::size_t count) {
  auto* const bytes = static_cast<Bytes*>(png_get_io_ptr(png));
  bytes->insert(bytes->end(), data, data + count);
}

Bytes encode_png(int width, int height, int bits, int type, Bytes row, const std::vector<png_color>& palette) {
  Bytes bytes;
  png_structp png = png_create_write_struct(PNG_LIBPNG_VER_STRING, nullptr, nullptr, nullptr);
  png_infop info = png_create_info_struct(png);
  png_set_write_fn(png, &bytes, append_png, nullptr);
  png_set_IHDR(png, info, static_cast<png_uint_32>(width), static_cast<png_uint_32>(height), bits, type,
               PNG_INTERLACE_NONE, PNG_COMPRESSION_TYPE_DEFAULT, PNG_FILTER_TYPE_DEFAULT);
  if (!palette.empty()) png_set_PLTE(png, info, palette.data(), static_cast<int>(palette.size()));
  png_write_info(png, info);
  for (int y = 0; y < height; ++y) {
    png_write_row(png, row.data());
  }
  png_write_end(png, info);
  png_destroy_write_struct(&png, &info);
  return bytes;
}

Bytes encode_jpeg(int width, int height, TJPF format, int subsampling, const Bytes& pixels) {
  tjhandle compressor = tjInitCompress();
  unsigned char* memory = nullptr;
  unsigned long size = 0;
  EXPECT_EQ(tjCompress2(compressor, pixels.data(), width, 0, height, format, &memory, &size, subsampling, 95, 0), 0);
  Bytes bytes(memory, memory + size);
  tjFree(memory);
  tjDestroy(compressor);
  return bytes;
}

}  // namespace

Bytes png_bytes(int width, int height, const PngColour& colour) {
  constexpr int kTypes[] = {0, PNG_COLOR_TYPE_GRAY, PNG_COLOR_TYPE_GRAY_ALPHA, PNG_COLOR_TYPE_RGB,
                            PNG_COLOR_TYPE_RGB_ALPHA};
  Bytes row;
  for (int x = 0; x < width; ++x) {
    for (const int value : colour.values) {
      if (colour.bits == 16) row.push_back(static_cast<std::uint8_t>(value >> 8));
      row.push_back(static_cast<std::uint8_t>(value));
    }
  }
  return encode_png(width, height, colour.bits, kTypes[colour.channels], row, {});
}

Bytes palette_png_bytes(int width, int height, const std::vector<int>& rgb) {
  const png_color colour{static_cast<png_byte>(rgb[0]), static_cast<png_byte>(rgb[1]), static_cast<png_byte>(rgb[2])};
  return encode_png(width, height, 8, PNG_COLOR_TYPE_PALETTE, Bytes(static_cast<std::size_t>(width), 1),
                    {png_color{0, 0, 0}, colour});
}

Bytes jpeg_bytes(int width, int height, const std::vector<int>& rgb) {
  Bytes pixels;
  for (int i = 0; i < width * height * 3; ++i) {
    pixels.push_back(static_cast<std::uint8_t>(rgb[static_cast<std::size_t>(i % 3)]));
  }
  return encode_jpeg(width, height, TJPF_RGB, TJSAMP_444, pixels);
}

Bytes cmyk_jpeg_bytes(int width, int height, const std::vector<int>& inks) {
  Bytes pixels;
  for (int i = 0; i < width * height; ++i) {
    for (const int ink : inks) pixels.push_back(static_cast<std::uint8_t>(ink));
  }
  return encode_jpeg(width, height, TJPF_CMYK, TJSAMP_444, pixels);
}

Bytes grey_jpeg_bytes(int width, int height, int value) {
  return encode_jpeg(width, height, TJPF_GRAY, TJSAMP_GRAY,
                     Bytes(static_cast<std::size_t>(width * height), static_cast<std::uint8_t>(value)));
}

Bytes textured_jpeg_bytes(int width, int height, int seed) {
  Rng rng(static_cast<std::uint64_t>(seed));
  Bytes pixels(static_cast<std::size_t>(width * height * 3));
  std::generate(pixels.begin(), pixels.end(), [&] { return static_cast<std::uint8_t>(rng.bits()); });
  return encode_jpeg(width, height, TJPF_RGB, TJSAMP_420, pixels);
}

void write_image_folder(const fs::path& root, const std::vector<std::string>& classes, int images) {
  for (std::size_t k = 0; k < classes.size(); ++k) {
    for (int i = 0; i < images; ++i) {
      const int shade = 20 * static_cast<int>(k) + i;
      write_bytes(root / classes[k] / ("image " + std::to_string(i) + ".jpg"), jpeg_bytes(20, 16, {shade, 100, 200}));
    }
  }
}

Bytes read_sample(const Source& source, Split split, std::int64_t i) {
  Bytes pixels(static_cast<std::size_t>(source.shape().count()));
  source.read(split, i, pixels);
  return pixels;
}

fs::path real_data_folder() {
  const char* const named = std::getenv("CONVOY_REAL_DATA");
  return named == nullptr ? fs::path() : fs::path(named);
}

}  // namespace convoy::data
