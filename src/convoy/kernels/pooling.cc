#include "convoy/kernels/pooling.h"

#include "convoy/kernels/loop_operator.h"
#include "convoy/kernels/parallel.h"
#include "convoy/kernels/simd/loops.h"

namespace convoy::kernels {
namespace {

simd::PoolWindow window_of(const PoolingProblem& p) {
  return {.in_h = static_cast<int>(p.in_h),
          .in_w = static_cast<int>(p.in_w),
          .out_h = static_cast<int>(p.out_h),
          .out_w = static_cast<int>(p.out_w),
          .kernel_h = p.kernel_h,
          .kernel_w = p.kernel_w,
          .stride_h = p.stride_h,
          .stride_w = p.stride_w,
          .pad_top = p.pad_top,
          .pad_left = p.pad_left,
          .count_padding = p.count_padding,
          .pad_bottom = p.pad_bottom,
          .pad_right = p.pad_right};
}

std::size_t index_bytes(const PoolingProblem& problem, const Layout& destination) {
  return problem.kind == Pooling::max ? destination.bytes() / sizeof(float) * sizeof(std::uint16_t) : 0;
}

}  // namespace

PreparedPtr prepare_pooling(const PoolingProblem& problem, bool training) {
  const Layout source = Layout::blocked(problem.source_dims());
  const Layout destination = Layout::blocked(problem.destination_dims());
  const auto run = [window = window_of(problem), kind = problem.kind, training, in = PlaneGrid::of(source),
                    out = PlaneGrid::of(destination)](const Bindings& memory) {
    parallel_for(in.planes(), [&](std::int64_t plane) {
      const float* x = memory.as<const float>(Role::source) + plane * in.plane_floats();
      float* y = memory.as<float>(Role::destination) + plane * out.plane_floats();
      if (kind == Pooling::average) {
        simd::loops().average_pool(window, x, y);
      } else {
        auto* index = training ? memory.as<std::uint16_t>(Role::workspace) + plane * out.plane_floats() : nullptr;
        simd::loops().max_pool(window, x, y, index);
      }
    });
  };
  return std::make_shared<LoopOperator>(
      problem.kind == Pooling::max ? "convoy:max_pool" : "convoy:average_pool",
      std::vector<std::pair<Role, Layout>>{{Role::source, source}, {Role::destination, destination}},
      std::vector<std::pair<Role, std::size_t>>{{Role::workspace, training ? index_bytes(problem, destination) : 0}},
      run);
}

PreparedPtr prepare_pooling_backward(const PoolingProblem& problem) {
  const Layout source = Layout::blocked(problem.source_dims());
  const Layout destination = Layout::blocked(problem.destination_dims());
  const auto run = [window = window_of(problem), kind = problem.kind, in = PlaneGrid::of(source),
                    out = PlaneGrid::of(destination)](const Bindings& memory) {
    parallel_for(in.planes(), [&](std::int64_t plane) {
      const float* dy = memory.as<const float>(Role::diff_destination) + plane * out.plane_floats();
      float* dx = memory.as<float>(Role::diff_source) + plane * in.plane_floats();
      if (kind == Pooling::average) {
        simd::loops().average_pool_gradient(window, dy, dx);
      } else {
        const auto* index = memory.as<const std::uint16_t>(Role::workspace) + plane * out.plane_floats();
        simd::loops().max_pool_gradient(window, dy, index, dx);
      }
    });
  };
  return std::make_shared<LoopOperator>(
      problem.kind == Pooling::max ? "convoy:max_pool_backward" : "convoy:average_pool_backward",
      std::vector<std::pair<Role, Layout>>{{Role::diff_destination, destination}, {Role::diff_source, source}},
      std::vector<std::pair<Role, std::size_t>>{{Role::workspace, index_bytes(problem, destination)}}, run);
}

}  // namespace convoy::kernels
