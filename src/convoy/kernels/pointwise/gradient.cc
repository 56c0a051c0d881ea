#include "convoy/kernels/pointwise/gradient.h"

#include <algorithm>
#include <array>

#include "convoy/kernels/parallel.h"
#include "convoy/kernels/simd/products.h"

namespace convoy::kernels {
namespace {

// A group is some blocks of the source's channels by as many of the result's. Strips of all of them stay in the
// second-level cache while their squares are summed up, and strips of two squares in the first-level one.
constexpr std::int64_t kSide = 8;
constexpr std::int64_t kStripPixels = 64;

std::int64_t groups_of(std::int64_t blocks) { return (blocks + kSide - 1) / kSide; }

// Enough to share out among the threads.
std::int64_t parts_of(std::int64_t batch, std::int64_t groups, int threads) {
  constexpr std::int64_t kFewestItems = 32;
  constexpr std::int64_t kItemsPerThread = 4;
  const std::int64_t items = std::max(kFewestItems, kItemsPerThread * threads);
  return std::clamp<std::int64_t>((items + groups - 1) / groups, 1, batch);
}

}  // namespace

PointwiseGradient::PointwiseGradient(const ConvolutionProblem& problem, int threads)
    : plan_(problem, kStripPixels),
      threads_(threads),
      groups_across_(groups_of(plan_.source().blocks)),
      groups_(groups_across_ * groups_of(plan_.result().blocks)),
      batch_parts_(parts_of(problem.batch, groups_, threads)),
      biases_(problem.bias ? problem.out_channels : 0) {}

std::size_t PointwiseGradient::scratch_bytes() const {
  Scratch scratch(nullptr, threads_);
  (void)lay_out(scratch);
  return scratch.bytes();
}

PointwiseGradient::Parts PointwiseGradient::lay_out(Scratch& scratch) const {
  Parts parts{};
  parts.strip = scratch.take_own(plan_.is_strided() ? kSide * plan_.strip_pixels() * plan_.source().block : 0);
  parts.sums = scratch.take(batch_parts_ > 1 ? batch_parts_ * plan_.squares() * plan_.square_floats() : 0);
  parts.distance = scratch.distance();
  return parts;
}

void PointwiseGradient::run(const float* source, const float* gradient, float* diff_weights, float* diff_bias,
                            float* scratchpad) const {
  Scratch scratch(scratchpad, threads_);
  const Parts parts = lay_out(scratch);
  float* const sums = batch_parts_ > 1 ? parts.sums : diff_weights;
  Claims claims(batch_parts_ * groups_, threads_);
  parallel_for(threads_, [&](std::int64_t thread) {
    claims.work(thread, [&](std::int64_t begin, std::int64_t end) {
      for (std::int64_t i = begin; i < end; ++i) {
        const std::int64_t part = i / groups_;
        add_group(part, i % groups_, source, gradient, sums + part * plan_.squares() * plan_.square_floats(),
                  parts.strip + thread * parts.distance);
      }
    });
  });
  if (batch_parts_ > 1) add_up(sums, diff_weights);
  if (biases_ > 0) sum_bias(gradient, diff_bias);
}

void PointwiseGradient::add_group(std::int64_t part, std::int64_t group, const float* source, const float* gradient,
                                  float* sums, float* packed) const {
  const PlaneGrid& from = plan_.source();
  const PlaneGrid& to = plan_.result();
  const std::int64_t first_source = group % groups_across_ * kSide;
  const std::int64_t first_result = group / groups_across_ * kSide;
  const std::int64_t end_source = std::min(first_source + kSide, from.blocks);
  const std::int64_t end_result = std::min(first_result + kSide, to.blocks);
  const std::int64_t begin = to.batch * part / batch_parts_ * plan_.strips_per_image();
  const std::int64_t end = to.batch * (part + 1) / batch_parts_ * plan_.strips_per_image();
  for (std::int64_t i = begin; i < end; ++i) {
    const PixelStrip strip = plan_.strip(i);
    std::array<const float*, kSide> pixels{};
    for (std::int64_t b = first_source; b < end_source; ++b) {
      pixels[static_cast<std::size_t>(b - first_source)] =
          source_pixels(source, strip, b, packed + (b - first_source) * strip.count * from.block);
    }
    const float* y =
        gradient + (strip.sample * to.blocks + first_result) * to.plane_elements() + strip.first * to.block;
    for (std::int64_t b = first_source; b < end_source; ++b) {
      simd::products_of<float>().correlate(
          {.v = pixels[static_cast<std::size_t>(b - first_source)],
           .y = y,
           .u = sums + (first_result * from.blocks + b) * plan_.square_floats(),
           .y_column = to.plane_elements(),
           .u_column = from.blocks * plan_.square_floats(),
           .rows = strip.count,
           .columns = static_cast<int>(end_result - first_result),
           .accumulate = i > begin,
           .next = pixels[static_cast<std::size_t>(std::min(b + 1, end_source - 1) - first_source)]});
    }
  }
}

// The pixels of a block of the source's channels that the strip reads, one after another: where they are, or copied to
// `packed`.
const float* PointwiseGradient::source_pixels(const float* source, const PixelStrip& strip, std::int64_t block,
                                              float* packed) const {
  const PlaneGrid& grid = plan_.source();
  const float* plane = source + (strip.sample * grid.blocks + block) * grid.plane_elements();
  if (!plan_.is_strided()) return plane + strip.first * grid.block;
  plan_.pack(plane, strip, packed);
  return packed;
}

void PointwiseGradient::add_up(const float* sums, float* diff_weights) const {
  const std::int64_t square = plan_.square_floats();
  parallel_for(plan_.squares(), [&](std::int64_t i) {
    float* const to = diff_weights + i * square;
    std::copy_n(sums + i * square, square, to);
    for (std::int64_t part = 1; part < batch_parts_; ++part) {
      const float* from = sums + (part * plan_.squares() + i) * square;
      for (std::int64_t k = 0; k < square; ++k) to[k] += from[k];
    }
  });
}

void PointwiseGradient::sum_bias(const float* gradient, float* diff_bias) const {
  constexpr std::size_t kMostLanes = 16;
  const PlaneGrid& grid = plan_.result();
  parallel_for(grid.blocks, [&](std::int64_t b) {
    std::array<float, kMostLanes> total{};
    for (std::int64_t n = 0; n < grid.batch; ++n) {
      std::array<float, kMostLanes> image{};
      const float* pixel = gradient + (n * grid.blocks + b) * grid.plane_elements();
      for (std::int64_t i = 0; i < grid.pixels; ++i, pixel += grid.block) {
        for (std::int64_t l = 0; l < grid.block; ++l) image[static_cast<std::size_t>(l)] += pixel[l];
      }
      for (std::size_t l = 0; l < kMostLanes; ++l) total[l] += image[l];
    }
    std::copy_n(total.begin(), std::min(grid.block, biases_ - b * grid.block), diff_bias + b * grid.block);
  });
}

}  // namespace convoy::kernels
