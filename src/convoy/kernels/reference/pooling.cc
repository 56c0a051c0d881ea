#include "convoy/kernels/reference/pooling.h"

#include <algorithm>

namespace convoy::kernels::reference {
namespace {

// The pixels of the image that one window sees, and the number by which their sum is divided for an average.
struct Window {
  std::vector<std::size_t> pixels;
  double divisor;
};

Window window_at(const PoolingProblem& p, std::int64_t n, std::int64_t c, std::int64_t oy, std::int64_t ox) {
  const Image source{p.batch, p.channels, p.in_h, p.in_w};
  Window window;
  std::int64_t in_padded_image = 0;
  for (std::int64_t y = oy * p.stride_h - p.pad_top; y < oy * p.stride_h - p.pad_top + p.kernel_h; ++y) {
    for (std::int64_t x = ox * p.stride_w - p.pad_left; x < ox * p.stride_w - p.pad_left + p.kernel_w; ++x) {
      if (source.inside(y, x)) window.pixels.push_back(source.at(n, c, y, x));
      if (y < p.in_h + p.pad_bottom && x < p.in_w + p.pad_right) ++in_padded_image;
    }
  }
  window.divisor = static_cast<double>(p.count_padding ? in_padded_image : std::ssize(window.pixels));
  return window;
}

// Calls body(window, offset in the destination) for every window.
template <typename Body>
void for_windows(const PoolingProblem& p, const Body& body) {
  const Image destination{p.batch, p.channels, p.out_h, p.out_w};
  for (std::int64_t n = 0; n < p.batch; ++n) {
    for (std::int64_t c = 0; c < p.channels; ++c) {
      for (std::int64_t y = 0; y < p.out_h; ++y) {
        for (std::int64_t x = 0; x < p.out_w; ++x) body(window_at(p, n, c, y, x), destination.at(n, c, y, x));
      }
    }
  }
}

std::size_t winner_of(const Window& window, const Values& x) {
  return *std::max_element(window.pixels.begin(), window.pixels.end(),
                           [&](std::size_t a, std::size_t b) { return x[a] < x[b]; });
}

}  // namespace

Values pooling(const PoolingProblem& problem, const Values& x) {
  Values y(static_cast<std::size_t>(problem.batch * problem.channels * problem.out_h * problem.out_w));
  for_windows(problem, [&](const Window& window, std::size_t out) {
    if (problem.kind == Pooling::max) {
      y[out] = x[winner_of(window, x)];
    } else {
      for (std::size_t pixel : window.pixels) y[out] += x[pixel] / window.divisor;
    }
  });
  return y;
}

Values pooling_backward(const PoolingProblem& problem, const Values& x, const Values& dy) {
  Values dx(x.size());
  for_windows(problem, [&](const Window& window, std::size_t out) {
    if (problem.kind == Pooling::max) {
      dx[winner_of(window, x)] += dy[out];
    } else {
      for (std::size_t pixel : window.pixels) dx[pixel] += dy[out] / window.divisor;
    }
  });
  return dx;
}

}  // namespace convoy::kernels::reference
