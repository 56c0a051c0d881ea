#include "convoy/kernels/reference/lrn.h"

#include <algorithm>
#include <cmath>

namespace convoy::kernels::reference {
namespace {

// Calls body(offset of the element, offsets of its neighbourhood across the channels) for every element.
template <typename Body>
void for_neighbourhoods(const LrnProblem& p, const Body& body) {
  const Image image{p.batch, p.channels, p.h, p.w};
  const std::int64_t half = (p.size - 1) / 2;
  for (std::int64_t n = 0; n < p.batch; ++n) {
    for (std::int64_t c = 0; c < p.channels; ++c) {
      for (std::int64_t y = 0; y < p.h; ++y) {
        for (std::int64_t x = 0; x < p.w; ++x) {
          std::vector<std::size_t> near;
          for (std::int64_t k = std::max<std::int64_t>(c - half, 0); k <= std::min(c + half, p.channels - 1); ++k) {
            near.push_back(image.at(n, k, y, x));
          }
          body(image.at(n, c, y, x), near);
        }
      }
    }
  }
}

// The weight of a neighbour's square.
double share_of(const LrnProblem& problem) { return static_cast<double>(problem.alpha) / problem.size; }

double base_of(const LrnProblem& problem, const Values& x, const std::vector<std::size_t>& near) {
  double sum = 0;
  for (std::size_t i : near) sum += x[i] * x[i];
  return problem.k + share_of(problem) * sum;
}

}  // namespace

Values lrn(const LrnProblem& problem, const Values& x) {
  Values y(x.size());
  for_neighbourhoods(problem, [&](std::size_t i, const std::vector<std::size_t>& near) {
    y[i] = x[i] * std::pow(base_of(problem, x, near), -problem.beta);
  });
  return y;
}

Values lrn_backward(const LrnProblem& problem, const Values& x, const Values& dy) {
  Values dx(x.size());
  for_neighbourhoods(problem, [&](std::size_t i, const std::vector<std::size_t>& near) {
    const double base = base_of(problem, x, near);
    dx[i] += dy[i] * std::pow(base, -problem.beta);
    // x[i] is divided by a power of its base, and the base depends on every neighbour.
    const double by_base = -problem.beta * x[i] * std::pow(base, -problem.beta - 1);
    for (std::size_t j : near) dx[j] += dy[i] * by_base * share_of(problem) * 2 * x[j];
  });
  return dx;
}

}  // namespace convoy::kernels::reference
