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
  return problem.kind == Pooling::max ? static_cast<std::size_t>(destination.elements()) * sizeof(std::uint16_t) : 0;
}

template <typename Element>
LoopOperator::Run forward_run(const PoolingProblem& problem, bool training, const PlaneGrid& in, const PlaneGrid& out) {
  return [window = window_of(problem), kind = problem.kind, activation = problem.activation, training, in,
          out](const Bindings& memory) {
    parallel_for(in.planes(), [&](std::int64_t plane) {
      const Element* x = memory.as<const Element>(Role::source) + plane * in.plane_elements();
      Element* y = memory.as<Element>(Role::destination) + plane * out.plane_elements();
      if (kind == Pooling::average) {
        simd::loops<Element>().average_pool(window, x, y);
      } else {
        auto* index = training ? memory.as<std::uint16_t>(Role::workspace) + plane * out.plane_elements() : nullptr;
        simd::loops<Element>().max_pool(window, x, y, index, activation);
      }
    });
  };
}

template <typename Element>
LoopOperator::Run backward_run(const PoolingProblem& problem, const PlaneGrid& in, const PlaneGrid& out) {
  return [window = window_of(problem), kind = problem.kind, in, out](const Bindings& memory) {
    parallel_for(in.planes(), [&](std::int64_t plane) {
      const Element* dy = memory.as<const Element>(Role::diff_destination) + plane * out.plane_elements();
      Element* dx = memory.as<Element>(Role::diff_source) + plane * in.plane_elements();
      if (kind == Pooling::average) {
        simd::loops<Element>().average_pool_gradient(window, dy, dx);
      } else {
        const auto* index = memory.as<const std::uint16_t>(Role::workspace) + plane * out.plane_elements();
        simd::loops<Element>().max_pool_gradient(window, dy, index, dx);
      }
    });
  };
}

}  // namespace

PreparedPtr prepare_pooling(const PoolingProblem& problem, bool training) {
  const Layout source = Layout::blocked(problem.source_dims(), problem.type);
  const Layout destination = Layout::blocked(problem.destination_dims(), problem.type);
  const auto run = with_element(problem.type, [&]<typename Element>() {
    return forward_run<Element>(problem, training, PlaneGrid::of(source), PlaneGrid::of(destination));
  });
  return std::make_shared<LoopOperator>(
      problem.kind == Pooling::max ? "convoy:max_pool" : "convoy:average_pool",
      std::vector<std::pair<Role, Layout>>{{Role::source, source}, {Role::destination, destination}},
      std::vector<std::pair<Role, std::size_t>>{{Role::workspace, training ? index_bytes(problem, destination) : 0}},
      run);
}

PreparedPtr prepare_pooling_backward(const PoolingProblem& problem) {
  const Layout source = Layout::blocked(problem.source_dims(), problem.type);
  const Layout destination = Layout::blocked(problem.destination_dims(), problem.type);
  const auto run = with_element(problem.type, [&]<typename Element>() {
    return backward_run<Element>(problem, PlaneGrid::of(source), PlaneGrid::of(destination));
  });
  return std::make_shared<LoopOperator>(
      problem.kind == Pooling::max ? "convoy:max_pool_backward" : "convoy:average_pool_backward",
      std::vector<std::pair<Role, Layout>>{{Role::diff_destination, destination}, {Role::diff_source, source}},
      std::vector<std::pair<Role, std::size_t>>{{Role::workspace, index_bytes(problem, destination)}}, run);
}

}  // namespace convoy::kernels
