#include "convoy/kernels/reference/convolution.h"

#include "convoy/kernels/reference/elementwise.h"

namespace convoy::kernels::reference {
namespace {

Image source_of(const ConvolutionProblem& p) { return {p.batch, p.in_channels, p.in_h, p.in_w}; }
Image destination_of(const ConvolutionProblem& p) { return {p.batch, p.out_channels, p.out_h, p.out_w}; }
Image weights_of(const ConvolutionProblem& p) {
  return {p.out_channels, p.in_channels / p.groups, p.kernel_h, p.kernel_w};
}

// Calls body(n, o, y, x, offset in the destination) for every element of the destination.
template <typename Body>
void for_destination(const ConvolutionProblem& p, const Body& body) {
  const Image destination = destination_of(p);
  for (std::int64_t n = 0; n < p.batch; ++n) {
    for (std::int64_t o = 0; o < p.out_channels; ++o) {
      for (std::int64_t y = 0; y < p.out_h; ++y) {
        for (std::int64_t x = 0; x < p.out_w; ++x) body(n, o, y, x, destination.at(n, o, y, x));
      }
    }
  }
}

// A convolution is a sum of products. Calls body(offset in source, in weights, in destination) for each of them; every
// pass has the same products, summed over different operands.
template <typename Body>
void for_products(const ConvolutionProblem& p, const Body& body) {
  const Image source = source_of(p);
  const Image weights = weights_of(p);
  for_destination(p, [&](std::int64_t n, std::int64_t o, std::int64_t y, std::int64_t x, std::size_t out) {
    const std::int64_t group = o / (p.out_channels / p.groups);
    for (std::int64_t i = 0; i < weights.channels; ++i) {
      for (std::int64_t kh = 0; kh < p.kernel_h; ++kh) {
        for (std::int64_t kw = 0; kw < p.kernel_w; ++kw) {
          const std::int64_t h = y * p.stride_h - p.pad_top + kh * p.dilation_h;
          const std::int64_t w = x * p.stride_w - p.pad_left + kw * p.dilation_w;
          if (!source.inside(h, w)) continue;
          body(source.at(n, group * weights.channels + i, h, w), weights.at(o, i, kh, kw), out);
        }
      }
    }
  });
}

}  // namespace

Values convolution(const ConvolutionProblem& problem, const Values& x, const Values& w, const Values& b) {
  Values y = destination_of(problem).zeros();
  for_products(problem, [&](std::size_t s, std::size_t k, std::size_t d) { y[d] += x[s] * w[k]; });
  if (problem.bias) {
    for_destination(problem, [&](std::int64_t, std::int64_t o, std::int64_t, std::int64_t, std::size_t d) {
      y[d] += b[static_cast<std::size_t>(o)];
    });
  }
  return activate(problem.activation, std::move(y));
}

Values convolution_backward_data(const ConvolutionProblem& problem, const Values& dy, const Values& w) {
  Values dx = source_of(problem).zeros();
  for_products(problem, [&](std::size_t s, std::size_t k, std::size_t d) { dx[s] += dy[d] * w[k]; });
  return dx;
}

Values convolution_backward_weights(const ConvolutionProblem& problem, const Values& x, const Values& dy) {
  Values dw = weights_of(problem).zeros();
  for_products(problem, [&](std::size_t s, std::size_t k, std::size_t d) { dw[k] += dy[d] * x[s]; });
  return dw;
}

Values convolution_backward_bias(const ConvolutionProblem& problem, const Values& dy) {
  Values db(static_cast<std::size_t>(problem.out_channels));
  for_destination(problem, [&](std::int64_t, std::int64_t o, std::int64_t, std::int64_t, std::size_t d) {
    db[static_cast<std::size_t>(o)] += dy[d];
  });
  return db;
}

}  // namespace convoy::kernels::reference
