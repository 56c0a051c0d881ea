#include "convoy/kernels/reference/dense.h"

#include "convoy/kernels/reference/elementwise.h"

namespace convoy::kernels::reference {
namespace {

struct Extents {
  std::size_t batch, in, out;

  explicit Extents(const DenseProblem& p)
      : batch(static_cast<std::size_t>(p.batch)),
        in(static_cast<std::size_t>(p.in_channels * p.in_h * p.in_w)),
        out(static_cast<std::size_t>(p.out)) {}
};

}  // namespace

Values dense(const DenseProblem& problem, const Values& x, const Values& w, const Values& b) {
  const Extents e(problem);
  Values y(e.batch * e.out);
  for (std::size_t n = 0; n < e.batch; ++n) {
    for (std::size_t o = 0; o < e.out; ++o) {
      double sum = problem.bias ? b[o] : 0;
      for (std::size_t i = 0; i < e.in; ++i) sum += x[n * e.in + i] * w[o * e.in + i];
      y[n * e.out + o] = sum;
    }
  }
  return activate(problem.activation, std::move(y));
}

Values dense_backward_data(const DenseProblem& problem, const Values& dy, const Values& w) {
  const Extents e(problem);
  Values dx(e.batch * e.in);
  for (std::size_t n = 0; n < e.batch; ++n) {
    for (std::size_t o = 0; o < e.out; ++o) {
      for (std::size_t i = 0; i < e.in; ++i) dx[n * e.in + i] += dy[n * e.out + o] * w[o * e.in + i];
    }
  }
  return dx;
}

Values dense_backward_weights(const DenseProblem& problem, const Values& x, const Values& dy) {
  const Extents e(problem);
  Values dw(e.out * e.in);
  for (std::size_t n = 0; n < e.batch; ++n) {
    for (std::size_t o = 0; o < e.out; ++o) {
      for (std::size_t i = 0; i < e.in; ++i) dw[o * e.in + i] += dy[n * e.out + o] * x[n * e.in + i];
    }
  }
  return dw;
}

Values dense_backward_bias(const DenseProblem& problem, const Values& dy) {
  const Extents e(problem);
  Values db(e.out);
  for (std::size_t n = 0; n < e.batch; ++n) {
    for (std::size_t o = 0; o < e.out; ++o) db[o] += dy[n * e.out + o];
  }
  return db;
}

}  // namespace convoy::kernels::reference
