#include "convoy/kernels/reference/batch_norm.h"

#include <cmath>

#include "convoy/kernels/reference/elementwise.h"

namespace convoy::kernels::reference {
namespace {

double count_of(const BatchNormProblem& p) { return static_cast<double>(p.batch * p.h * p.w); }
std::size_t channels_of(const BatchNormProblem& p) { return static_cast<std::size_t>(p.channels); }

// Calls body(channel, offset) for every element.
template <typename Body>
void for_elements(const BatchNormProblem& p, const Body& body) {
  const Image image{p.batch, p.channels, p.h, p.w};
  for (std::int64_t n = 0; n < p.batch; ++n) {
    for (std::int64_t c = 0; c < p.channels; ++c) {
      for (std::int64_t y = 0; y < p.h; ++y) {
        for (std::int64_t x = 0; x < p.w; ++x) body(static_cast<std::size_t>(c), image.at(n, c, y, x));
      }
    }
  }
}

Values normalised(const BatchNormProblem& problem, const Values& x, const ChannelStatistics& statistics) {
  Values result(x.size());
  for_elements(problem, [&](std::size_t c, std::size_t i) {
    result[i] = (x[i] - statistics.mean[c]) / std::sqrt(statistics.variance[c] + problem.epsilon);
  });
  return result;
}

}  // namespace

ChannelStatistics statistics_of(const BatchNormProblem& problem, const Values& x) {
  ChannelStatistics result{Values(channels_of(problem)), Values(channels_of(problem))};
  for_elements(problem, [&](std::size_t c, std::size_t i) { result.mean[c] += x[i] / count_of(problem); });
  for_elements(problem, [&](std::size_t c, std::size_t i) {
    result.variance[c] += std::pow(x[i] - result.mean[c], 2) / count_of(problem);
  });
  return result;
}

Values batch_norm(const BatchNormProblem& problem, const Values& x, const Values& shortcut,
                  const BatchNormParameters& parameters, const ChannelStatistics& statistics) {
  Values y = normalised(problem, x, statistics);
  for_elements(problem, [&](std::size_t c, std::size_t i) { y[i] = parameters.scale[c] * y[i] + parameters.shift[c]; });
  if (problem.shortcut) y = add(y, shortcut);
  return activate(problem.activation, std::move(y));
}

ChannelStatistics updated(const BatchNormProblem& problem, ChannelStatistics running,
                          const ChannelStatistics& statistics) {
  const double count = count_of(problem);
  const double m = problem.momentum;
  for (std::size_t c = 0; c < channels_of(problem); ++c) {
    // A single value has no variance to correct.
    const double unbiased = count > 1 ? statistics.variance[c] * count / (count - 1) : statistics.variance[c];
    running.mean[c] = (1 - m) * running.mean[c] + m * statistics.mean[c];
    running.variance[c] = (1 - m) * running.variance[c] + m * unbiased;
  }
  return running;
}

BatchNormGradients batch_norm_backward(const BatchNormProblem& problem, const Values& x, const Values& y,
                                       const Values& scale, const Values& dy) {
  const ChannelStatistics statistics = statistics_of(problem, x);
  const Values xhat = normalised(problem, x, statistics);
  const Values g = activate_backward(problem.activation, y, dy);
  BatchNormGradients result{Values(x.size()), g, Values(channels_of(problem)), Values(channels_of(problem))};
  for_elements(problem, [&](std::size_t c, std::size_t i) {
    result.scale[c] += g[i] * xhat[i];
    result.shift[c] += g[i];
  });
  for_elements(problem, [&](std::size_t c, std::size_t i) {
    const double deviation = std::sqrt(statistics.variance[c] + problem.epsilon);
    const double centred = g[i] - result.shift[c] / count_of(problem) - xhat[i] * result.scale[c] / count_of(problem);
    result.source[i] = scale[c] / deviation * centred;
  });
  return result;
}

BatchNormGradients batch_norm_inference_backward(const BatchNormProblem& problem, const Values& y, const Values& scale,
                                                 const Values& running_variance, const Values& dy) {
  const Values g = activate_backward(problem.activation, y, dy);
  BatchNormGradients result{.source = Values(y.size()), .shortcut = g};
  for_elements(problem, [&](std::size_t c, std::size_t i) {
    result.source[i] = scale[c] / std::sqrt(running_variance[c] + problem.epsilon) * g[i];
  });
  return result;
}

}  // namespace convoy::kernels::reference
