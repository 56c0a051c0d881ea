#include "convoy/kernels/patch_gradient.h"

#include <algorithm>
#include <cstring>

#include "convoy/kernels/loop_operator.h"
#include "convoy/kernels/parallel.h"

namespace convoy::kernels {
namespace {

// With more pixels per image, oneDNN's kernels have been faster in every measurement.
constexpr std::int64_t kMostPixels = 16;
constexpr std::size_t kPatchAlignment = 64;

std::size_t aligned_patch(std::size_t bytes) {
  return (bytes + kPatchAlignment - 1) / kPatchAlignment * kPatchAlignment;
}

// The gradient is that of a dense layer whose samples are the patches: one for each pixel of each result.
DenseProblem over_patches(const ConvolutionProblem& p) {
  return {.batch = p.batch * p.out_h * p.out_w,
          .in_channels = p.in_channels,
          .in_h = p.kernel_h,
          .in_w = p.kernel_w,
          .out = p.out_channels,
          .image = true,
          .bias = p.bias,
          .type = p.type,
          .destination_type = p.type};
}

// patches[n, oh, ow][block][kh][kw] = source[n][block][oh stride + kh dilation - pad][...], zero outside the image.
template <typename Element>
void gather_patches(const ConvolutionProblem& p, const PlaneGrid& grid, const Element* source, Element* patches) {
  const std::int64_t block = grid.block;
  const std::int64_t taps = p.kernel_h * p.kernel_w;
  parallel_for(p.batch * p.out_h * p.out_w, [&](std::int64_t at) {
    const std::int64_t ow = at % p.out_w;
    const std::int64_t oh = at / p.out_w % p.out_h;
    const std::int64_t n = at / (p.out_w * p.out_h);
    for (std::int64_t b = 0; b < grid.blocks; ++b) {
      const Element* plane = source + (n * grid.blocks + b) * grid.plane_elements();
      Element* patch = patches + (at * grid.blocks + b) * taps * block;
      for (std::int64_t tap = 0; tap < taps; ++tap, patch += block) {
        const std::int64_t h = oh * p.stride_h - p.pad_top + tap / p.kernel_w * p.dilation_h;
        const std::int64_t w = ow * p.stride_w - p.pad_left + tap % p.kernel_w * p.dilation_w;
        const auto bytes = static_cast<std::size_t>(block) * sizeof(Element);
        if (h < 0 || h >= p.in_h || w < 0 || w >= p.in_w) {
          std::memset(patch, 0, bytes);
        } else {
          std::memcpy(patch, plane + (h * p.in_w + w) * block, bytes);
        }
      }
    }
  });
}

// rows[n, oh, ow][channel] = gradient[n][block][oh, ow][lane], without the lanes that pad the last block.
template <typename Element>
void gather_rows(const ConvolutionProblem& p, const PlaneGrid& grid, const Element* gradient, Element* rows) {
  parallel_for(grid.batch * grid.pixels, [&](std::int64_t at) {
    const std::int64_t n = at / grid.pixels;
    const std::int64_t pixel = at % grid.pixels;
    for (std::int64_t b = 0; b < grid.blocks; ++b) {
      const std::int64_t lanes = std::min(grid.block, p.out_channels - b * grid.block);
      std::memcpy(rows + at * p.out_channels + b * grid.block,
                  gradient + ((n * grid.blocks + b) * grid.pixels + pixel) * grid.block,
                  static_cast<std::size_t>(lanes) * sizeof(Element));
    }
  });
}

class PatchGradient : public Prepared {
 public:
  PatchGradient(const ConvolutionProblem& problem, PreparedPtr product)
      : problem_(problem),
        product_(std::move(product)),
        source_(Layout::blocked(problem.source_dims(), problem.type)),
        gradient_(Layout::blocked(problem.destination_dims(), problem.type)),
        patches_bytes_(aligned_patch(product_->bytes(Role::source))),
        rows_bytes_(aligned_patch(product_->bytes(Role::diff_destination))) {}

  [[nodiscard]] std::string implementation() const override { return "patches, " + product_->implementation(); }

  [[nodiscard]] Layout layout(Role role) const override {
    if (role == Role::source) return source_;
    if (role == Role::diff_destination) return gradient_;
    return product_->layout(role);
  }

  [[nodiscard]] std::size_t bytes(Role role) const override {
    if (role == Role::scratchpad) return patches_bytes_ + rows_bytes_ + product_->bytes(Role::scratchpad);
    return layout(role).bytes();
  }

  [[nodiscard]] std::unique_ptr<Kernel> bind(const Bindings& memory) const override {
    return std::make_unique<Bound>(*this, memory);
  }

 private:
  class Bound : public Kernel {
   public:
    Bound(const PatchGradient& prepared, const Bindings& memory)
        : problem_(prepared.problem_),
          source_(PlaneGrid::of(prepared.source_)),
          gradient_(PlaneGrid::of(prepared.gradient_)),
          outside_(memory),
          inside_(memory) {
      auto* scratchpad = memory.as<std::byte>(Role::scratchpad);
      inside_.set(Role::source, scratchpad);
      inside_.set(Role::diff_destination, scratchpad + prepared.patches_bytes_);
      inside_.set(Role::scratchpad, scratchpad + prepared.patches_bytes_ + prepared.rows_bytes_);
      product_ = prepared.product_->bind(inside_);
    }

    void run() override {
      with_element(problem_.type, [&]<typename Element>() {
        gather_patches(problem_, source_, outside_.as<const Element>(Role::source), inside_.as<Element>(Role::source));
        gather_rows(problem_, gradient_, outside_.as<const Element>(Role::diff_destination),
                    inside_.as<Element>(Role::diff_destination));
      });
      product_->run();
    }

   private:
    ConvolutionProblem problem_;
    PlaneGrid source_;
    PlaneGrid gradient_;
    Bindings outside_;
    Bindings inside_;
    std::unique_ptr<Kernel> product_;
  };

  ConvolutionProblem problem_;
  PreparedPtr product_;
  Layout source_;
  Layout gradient_;
  std::size_t patches_bytes_;
  std::size_t rows_bytes_;
};

}  // namespace

std::vector<PreparedPtr> patch_gradient_candidates(const Device& device, const ConvolutionProblem& problem) {
  std::vector<PreparedPtr> found;
  const bool pointwise = problem.kernel_h == 1 && problem.kernel_w == 1;
  if (problem.groups != 1 || pointwise || problem.out_h * problem.out_w > kMostPixels) return found;
  for (const PreparedPtr& product : candidates(device, over_patches(problem), Pass::backward_weights)) {
    found.push_back(std::make_shared<PatchGradient>(problem, product));
  }
  return found;
}

}  // namespace convoy::kernels
