#include "convoy/data/augment/contact_sheet.h"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <span>

#include "convoy/base/error.h"
#include "convoy/base/utf8.h"
#include "convoy/data/augment/augmenter.h"
#include "convoy/data/image/bitmap_font.h"
#include "convoy/data/permutation.h"

namespace convoy::data {
namespace {

constexpr Colour kPaper{255, 255, 255};
constexpr Colour kInk{20, 20, 20};
constexpr Colour kPale{110, 110, 110};
constexpr int kMargin = 16;
constexpr int kGap = 8;
constexpr int kGapAfterOriginal = 24;
constexpr int kTextScale = 2;
constexpr int kTextHeight = kGlyphHeight * kTextScale;
constexpr int kLetterWidth = kGlyphAdvance * kTextScale;
constexpr int kLabelLetters = 16;  // longer class names are shortened

// Where everything is.
struct Layout {
  int scale, cell_width, cell_height, label_width, columns, rows;

  [[nodiscard]] int column(int i) const {
    return kMargin + label_width + i * (cell_width + kGap) + (i > 0 ? kGapAfterOriginal - kGap : 0);
  }
  [[nodiscard]] int row(int i) const { return kMargin + 2 * (kTextHeight + kGap) + i * (cell_height + kGap); }
  [[nodiscard]] int width() const { return column(columns) - kGap + kMargin; }
  [[nodiscard]] int height() const { return row(rows) - kGap + kMargin; }
};

Layout lay_out(const Source& source, const ContactSheetOptions& options) {
  const Shape shape = source.shape();
  const auto shorter = static_cast<int>(std::min(shape[1], shape[2]));
  const int scale = std::max(1, (options.smallest_side + shorter / 2) / shorter);
  std::size_t letters = 0;
  for (const std::string& name : source.classes()) letters = std::max(letters, character_count(name));
  return {.scale = scale,
          .cell_width = static_cast<int>(shape[2]) * scale,
          .cell_height = static_cast<int>(shape[1]) * scale,
          .label_width = (std::clamp(static_cast<int>(letters), 6, kLabelLetters) + 1) * kLetterWidth,
          .columns = options.appearances + 1,
          .rows = static_cast<int>(std::min(options.samples, source.size(Split::train)))};
}

// One sample as it was and as it may look.
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

  // Augmented, and back from what a network sees to bytes.
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

// Images of other than three channels are shown grey, by their first.
Colour colour_at(std::span<const std::uint8_t> planes, const Shape& shape, std::int64_t pixel) {
  const std::int64_t plane = shape[1] * shape[2];
  const std::int64_t step = shape[0] == 3 ? plane : 0;
  const auto byte = [&](std::int64_t channel) { return planes[static_cast<std::size_t>(channel * step + pixel)]; };
  return {byte(0), byte(1), byte(2)};
}

void draw_image(RgbImage& sheet, int left, int top, std::span<const std::uint8_t> planes, const Shape& shape,
                int scale) {
  for (std::int64_t pixel = 0; pixel < shape[1] * shape[2]; ++pixel) {
    const int x = static_cast<int>(pixel % shape[2]) * scale;
    const int y = static_cast<int>(pixel / shape[2]) * scale;
    fill(sheet, {.left = left + x, .top = top + y, .width = scale, .height = scale}, colour_at(planes, shape, pixel));
  }
}

void draw_heading(RgbImage& sheet, const Layout& layout, const ContactSheetOptions& options) {
  draw_text(sheet, kMargin, kMargin, options.title, kTextScale, kInk);
  const int top = kMargin + kTextHeight + kGap;
  const int letters = (layout.cell_width + kGapAfterOriginal - kGap) / kLetterWidth;
  draw_text(sheet, layout.column(0), top, shortened("original", letters), kTextScale, kPale);
  if (layout.columns > 1) draw_text(sheet, layout.column(1), top, options.heading, kTextScale, kPale);
}

void check(const ContactSheetOptions& options, const Source& source) {
  if (options.samples < 1) throw UserError("a contact sheet needs at least 1 sample, got {}", options.samples);
  if (options.samples > 1000) throw UserError("a contact sheet holds up to 1000 samples, got {}", options.samples);
  if (options.appearances < 0 || options.appearances > 100) {
    throw UserError("a contact sheet shows 0 to 100 appearances of a sample, got {}", options.appearances);
  }
  if (source.size(Split::train) < 1) throw DataError("{} has no training images to show", source.name());
}

}  // namespace

RgbImage draw_contact_sheet(const Source& source, const ContactSheetOptions& options) {
  check(options, source);
  const Layout layout = lay_out(source, options);
  const int title_width = 2 * kMargin + text_width(options.title, kTextScale);
  RgbImage sheet(std::max(layout.width(), title_width), layout.height(), kPaper);
  draw_heading(sheet, layout, options);
  const Permutation order(source.size(Split::train), options.seed, 0);
  SampleRow row(source, options);
  for (int i = 0; i < layout.rows; ++i) {
    const std::int64_t sample = order(i);
    const auto label = static_cast<std::size_t>(source.label(Split::train, sample));
    const int top = layout.row(i);
    row.read(sample);
    draw_text(sheet, kMargin, top, shortened(source.classes().at(label), kLabelLetters), kTextScale, kInk);
    draw_text(sheet, kMargin, top + kTextHeight + kGap / 2, fmt::format("#{}", sample), kTextScale, kPale);
    draw_image(sheet, layout.column(0), top, row.original(), source.shape(), layout.scale);
    for (int c = 1; c < layout.columns; ++c) {
      draw_image(sheet, layout.column(c), top, row.appearance(c - 1), source.shape(), layout.scale);
    }
  }
  return sheet;
}

}  // namespace convoy::data
