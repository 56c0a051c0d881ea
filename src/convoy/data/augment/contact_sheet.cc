#include "convoy/data/augment/contact_sheet.h"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <span>
#include <utility>

#include "convoy/base/error.h"
#include "convoy/base/nearest.h"
#include "convoy/data/augment/augmenter.h"
#include "convoy/data/image/stroke_font.h"
#include "convoy/data/permutation.h"

namespace convoy::data {
namespace {

constexpr Colour kPaper{255, 255, 255};
constexpr Colour kInk{20, 20, 20};
constexpr Colour kPale{110, 110, 110};
constexpr int kMargin = 16;
constexpr int kGap = 8;
constexpr int kGapAfterOriginal = 24;
constexpr double kTextScale = 1.3;  // pixels per unit of the font
constexpr int kTextHeight = static_cast<int>(kLineUnits * kTextScale);
constexpr int kBaseline = kTextHeight - 6;
constexpr double kWidestLabel = 240;  // longer class names are shortened

// The surface that a sheet is drawn on.
class Canvas {
 public:
  Canvas() = default;
  Canvas(const Canvas&) = delete;
  Canvas& operator=(const Canvas&) = delete;
  virtual ~Canvas() = default;

  // `left` and `top` are the upper left corner of the text; a line is kTextHeight high.
  virtual void text(int left, int top, const std::string& text, Colour colour) = 0;
  // Draws planes of CxHxW; each pixel becomes a square with side `scale`.
  virtual void image(int left, int top, std::span<const std::uint8_t> planes, const Shape& shape, int scale) = 0;
};

// The positions of everything on the sheet.
struct Layout {
  int scale, cell_width, cell_height, label_width, columns, rows;

  [[nodiscard]] int column(int i) const {
    return kMargin + label_width + i * (cell_width + kGap) + (i > 0 ? kGapAfterOriginal - kGap : 0);
  }
  [[nodiscard]] int row(int i) const { return kMargin + 2 * (kTextHeight + kGap) + i * (cell_height + kGap); }
  [[nodiscard]] int width() const { return column(columns) - kGap + kMargin; }
  [[nodiscard]] int height() const { return row(rows) - kGap + kMargin; }
};

Layout lay_out(const Source& source, const ContactSheetOptions& options, std::size_t rows) {
  const Shape shape = source.shape();
  const auto shorter = static_cast<int>(std::min(shape[1], shape[2]));
  const int scale = std::max(1, (options.smallest_side + shorter / 2) / shorter);
  double label = text_width("#00000", kTextScale);
  for (const std::string& name : source.classes()) label = std::max(label, text_width(name, kTextScale));
  return {.scale = scale,
          .cell_width = static_cast<int>(shape[2]) * scale,
          .cell_height = static_cast<int>(shape[1]) * scale,
          .label_width = static_cast<int>(std::min(label, kWidestLabel)) + kGapAfterOriginal,
          .columns = options.appearances + 1,
          .rows = static_cast<int>(rows)};
}

// One sample: the original and its appearances.
class SampleRow {
 public:
  SampleRow(const Source& source, const ContactSheetOptions& options)
      : source_(source),
        statistics_(source.statistics()),
        augmenter_(options.augment, source.shape(), statistics_, options.seed),
        original_(static_cast<std::size_t>(source.shape().count())),
        values_(original_.size()),
        bytes_(original_.size()) {}

  void read(std::int64_t sample) {
    sample_ = sample;
    source_.read(Split::train, sample, original_);
  }

  [[nodiscard]] std::span<const std::uint8_t> original() const { return original_; }

  // Augments the sample as for training, then undoes the normalisation to get bytes again.
  [[nodiscard]] std::span<const std::uint8_t> appearance(std::int64_t epoch) {
    augmenter_.apply(original_, {.epoch = epoch, .sample = sample_}, values_, scratch_);
    const std::size_t plane = values_.size() / statistics_.mean.size();
    for (std::size_t i = 0; i < values_.size(); ++i) {
      const float deviation = statistics_.deviation[i / plane];
      const float value = values_[i] * (deviation > 0 ? deviation : 1) + statistics_.mean[i / plane];
      bytes_[i] = static_cast<std::uint8_t>(std::clamp(std::lround(255 * value), 0L, 255L));
    }
    return bytes_;
  }

 private:
  const Source& source_;
  ChannelStatistics statistics_;
  Augmenter augmenter_;
  Augmenter::Scratch scratch_;
  std::int64_t sample_ = 0;
  std::vector<std::uint8_t> original_;
  std::vector<float> values_;
  std::vector<std::uint8_t> bytes_;
};

// An image that does not have three channels is shown in grey, by its first channel.
Colour colour_at(std::span<const std::uint8_t> planes, const Shape& shape, std::int64_t pixel) {
  const std::int64_t plane = shape[1] * shape[2];
  const std::int64_t step = shape[0] == 3 ? plane : 0;
  const auto byte = [&](std::int64_t channel) { return planes[static_cast<std::size_t>(channel * step + pixel)]; };
  return {byte(0), byte(1), byte(2)};
}

class PixelCanvas final : public Canvas {
 public:
  PixelCanvas(int width, int height) : sheet_(width, height, kPaper) {}

  void text(int left, int top, const std::string& text, Colour colour) override {
    draw_text(sheet_, left, top, text, kTextScale, colour);
  }

  void image(int left, int top, std::span<const std::uint8_t> planes, const Shape& shape, int scale) override {
    for (std::int64_t pixel = 0; pixel < shape[1] * shape[2]; ++pixel) {
      const int x = static_cast<int>(pixel % shape[2]) * scale;
      const int y = static_cast<int>(pixel / shape[2]) * scale;
      fill(sheet_, {.left = left + x, .top = top + y, .width = scale, .height = scale},
           colour_at(planes, shape, pixel));
    }
  }

  [[nodiscard]] RgbImage take() { return std::move(sheet_); }

 private:
  RgbImage sheet_;
};

std::string escaped(const std::string& text) {
  std::string result;
  for (const char c : text) {
    if (c == '<') result += "&lt;";
    if (c == '&') result += "&amp;";
    if (c != '<' && c != '&') result += c;
  }
  return result;
}

// Text remains text, in the reader's font. Each image is a picture of its own, whose pixels stay squares at any size.
class SvgCanvas final : public Canvas {
 public:
  void text(int left, int top, const std::string& text, Colour colour) override {
    elements_ += fmt::format("<text x=\"{}\" y=\"{}\" fill=\"rgb({},{},{})\">{}</text>\n", left, top + kBaseline,
                             colour.red, colour.green, colour.blue, escaped(text));
  }

  void image(int left, int top, std::span<const std::uint8_t> planes, const Shape& shape, int scale) override {
    RgbImage small(static_cast<int>(shape[2]), static_cast<int>(shape[1]), kPaper);
    for (int y = 0; y < small.height; ++y) {
      for (int x = 0; x < small.width; ++x) {
        fill(small, {.left = x, .top = y, .width = 1, .height = 1}, colour_at(planes, shape, y * shape[2] + x));
      }
    }
    elements_ += fmt::format("<image x=\"{}\" y=\"{}\" width=\"{}\" height=\"{}\" href=\"{}\"/>\n", left, top,
                             small.width * scale, small.height * scale, png_data_uri(small));
  }

  [[nodiscard]] std::string file(int width, int height) const {
    return fmt::format(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{0}\" height=\"{1}\" viewBox=\"0 0 {0} {1}\" "
        "font-family=\"Helvetica, Arial, sans-serif\" font-size=\"{2}\" style=\"image-rendering:pixelated\">\n"
        "<rect width=\"{0}\" height=\"{1}\" fill=\"white\"/>\n{3}</svg>\n",
        width, height, kTextHeight - 2, elements_);
  }

 private:
  std::string elements_;
};

void draw_heading(Canvas& canvas, const Layout& layout, const ContactSheetOptions& options) {
  canvas.text(kMargin, kMargin, options.title, kInk);
  const int top = kMargin + kTextHeight + kGap;
  canvas.text(layout.column(0), top, shortened("original", layout.cell_width, kTextScale), kPale);
  if (layout.columns > 1) canvas.text(layout.column(1), top, options.heading, kPale);
}

void check(const ContactSheetOptions& options, const Source& source) {
  if (options.samples < 1) throw UserError("a contact sheet needs at least 1 sample, got {}", options.samples);
  if (options.samples > 1000) throw UserError("a contact sheet holds up to 1000 samples, got {}", options.samples);
  if (options.appearances < 0 || options.appearances > 100) {
    throw UserError("a contact sheet shows 0 to 100 appearances of a sample, got {}", options.appearances);
  }
  if (options.smallest_side < 1 || options.smallest_side > 2000) {
    throw UserError("images of a contact sheet have sides of 1 to 2000 pixels, got {}", options.smallest_side);
  }
  if (source.size(Split::train) < 1) throw DataError("{} has no training images to show", source.name());
}

std::int32_t class_named(const Source& source, const std::string& name) {
  const auto found = std::ranges::find(source.classes(), name);
  if (found != source.classes().end()) return static_cast<std::int32_t>(found - source.classes().begin());
  const auto nearest = nearest_name(name, source.classes());
  throw UserError("{} has no class \"{}\"{}", source.name(), name,
                  nearest ? fmt::format("; did you mean \"{}\"?", *nearest) : "");
}

// The chosen samples; or else the first ones in the order of the first epoch, of one class if that was asked for.
std::vector<std::int64_t> shown_samples(const Source& source, const ContactSheetOptions& options) {
  const std::int64_t size = source.size(Split::train);
  for (const std::int64_t sample : options.chosen) {
    if (sample >= 0 && sample < size) continue;
    throw UserError("there is no sample {}: {} has samples 0 to {} to train on", sample, source.name(), size - 1);
  }
  if (!options.chosen.empty()) return options.chosen;
  const std::int32_t wanted = options.only_class.empty() ? -1 : class_named(source, options.only_class);
  const Permutation order(size, options.seed, 0);
  std::vector<std::int64_t> samples;
  for (std::int64_t i = 0; i < size && std::ssize(samples) < options.samples; ++i) {
    const std::int64_t sample = order(i);
    if (wanted < 0 || source.label(Split::train, sample) == wanted) samples.push_back(sample);
  }
  return samples;
}

struct SheetSize {
  int width;
  int height;
};

SheetSize size_of(const Layout& layout, const ContactSheetOptions& options) {
  const int title = static_cast<int>(std::ceil(text_width(options.title, kTextScale)));
  return {std::max(layout.width(), 2 * kMargin + title), layout.height()};
}

void draw_sheet(Canvas& canvas, const Source& source, const Layout& layout, const ContactSheetOptions& options,
                const std::vector<std::int64_t>& samples) {
  draw_heading(canvas, layout, options);
  SampleRow row(source, options);
  for (int i = 0; i < layout.rows; ++i) {
    const std::int64_t sample = samples[static_cast<std::size_t>(i)];
    const auto label = static_cast<std::size_t>(source.label(Split::train, sample));
    const int top = layout.row(i);
    row.read(sample);
    canvas.text(kMargin, top, shortened(source.classes().at(label), kWidestLabel, kTextScale), kInk);
    canvas.text(kMargin, top + kTextHeight + kGap / 2, fmt::format("#{}", sample), kPale);
    canvas.image(layout.column(0), top, row.original(), source.shape(), layout.scale);
    for (int c = 1; c < layout.columns; ++c) {
      canvas.image(layout.column(c), top, row.appearance(c - 1), source.shape(), layout.scale);
    }
  }
}

}  // namespace

RgbImage draw_contact_sheet(const Source& source, const ContactSheetOptions& options) {
  check(options, source);
  const std::vector<std::int64_t> samples = shown_samples(source, options);
  const Layout layout = lay_out(source, options, samples.size());
  const SheetSize size = size_of(layout, options);
  PixelCanvas canvas(size.width, size.height);
  draw_sheet(canvas, source, layout, options, samples);
  return canvas.take();
}

std::string contact_sheet_svg(const Source& source, const ContactSheetOptions& options) {
  check(options, source);
  const std::vector<std::int64_t> samples = shown_samples(source, options);
  const Layout layout = lay_out(source, options, samples.size());
  const SheetSize size = size_of(layout, options);
  SvgCanvas canvas;
  draw_sheet(canvas, source, layout, options, samples);
  return canvas.file(size.width, size.height);
}

}  // namespace convoy::data
