#include "convoy/kernels/channel_copy.h"

#include <algorithm>
#include <cstring>

#include "convoy/kernels/loop_operator.h"
#include "convoy/kernels/parallel.h"

namespace convoy::kernels {
namespace {

// Channels that are next to each other in one block of the source and in one block of the destination.
struct Run {
  std::int64_t source_block, source_lane;
  std::int64_t destination_block, destination_lane;
  std::int64_t length;
};

std::vector<Run> runs_of(const ChannelCopy& copy, std::int64_t block) {
  std::vector<Run> runs;
  for (std::int64_t done = 0; done < copy.count;) {
    const std::int64_t s = copy.from + done;
    const std::int64_t d = copy.to + done;
    const std::int64_t length = std::min({block - s % block, block - d % block, copy.count - done});
    runs.push_back({s / block, s % block, d / block, d % block, length});
    done += length;
  }
  return runs;
}

template <typename Element>
class Copier {
 public:
  Copier(const ChannelCopy& copy, const PlaneGrid& source, const PlaneGrid& destination)
      : copy_(copy), source_(source), destination_(destination), runs_(runs_of(copy, source.block)) {}

  void operator()(const Element* x, Element* y) const {
    parallel_for(copy_.batch, [&](std::int64_t n) {
      Element* y_sample = y + n * destination_.blocks * destination_.plane_elements();
      const Element* x_sample = x + n * source_.blocks * source_.plane_elements();
      if (copy_.clear) {
        std::memset(y_sample, 0,
                    static_cast<std::size_t>(destination_.blocks * destination_.plane_elements()) * sizeof(Element));
      }
      for (const Run& run : runs_) copy_run(run, x_sample, y_sample);
    });
  }

 private:
  void copy_run(const Run& run, const Element* x_sample, Element* y_sample) const {
    const Element* x = x_sample + run.source_block * source_.plane_elements() + run.source_lane;
    Element* y = y_sample + run.destination_block * destination_.plane_elements() + run.destination_lane;
    const std::int64_t rows = copy_.spread ? copy_.source_h : copy_.destination_h;
    const std::int64_t columns = copy_.spread ? copy_.source_w : copy_.destination_w;
    const std::int64_t x_step = copy_.spread ? 1 : copy_.stride;
    const std::int64_t y_step = copy_.spread ? copy_.stride : 1;
    for (std::int64_t h = 0; h < rows; ++h) {
      const Element* x_row = x + h * x_step * copy_.source_w * source_.block;
      Element* y_row = y + h * y_step * copy_.destination_w * destination_.block;
      if (run.length == source_.block && copy_.stride == 1) {
        std::memcpy(y_row, x_row, static_cast<std::size_t>(columns * run.length) * sizeof(Element));
      } else {
        copy_row(run.length, columns, x_row, x_step * source_.block, y_row, y_step * destination_.block);
      }
    }
  }

  // Copies the channels of one pixel after another. The lengths of whole and half blocks are written out, because a
  // copy of constant size is only one or two instructions.
  static void copy_row(std::int64_t length, std::int64_t columns, const Element* x, std::int64_t x_step, Element* y,
                       std::int64_t y_step) {
    for (std::int64_t w = 0; w < columns; ++w, x += x_step, y += y_step) {
      switch (length) {
        case 16:
          std::memcpy(y, x, 16 * sizeof(Element));
          break;
        case 8:
          std::memcpy(y, x, 8 * sizeof(Element));
          break;
        default:
          std::memcpy(y, x, static_cast<std::size_t>(length) * sizeof(Element));
      }
    }
  }

  ChannelCopy copy_;
  PlaneGrid source_;
  PlaneGrid destination_;
  std::vector<Run> runs_;
};

}  // namespace

PreparedPtr prepare_channel_copy(const ChannelCopy& copy, Role source, Role destination) {
  const Layout from = Layout::blocked(copy.source_dims(), copy.type);
  const Layout to = Layout::blocked(copy.destination_dims(), copy.type);
  const auto run = with_element(copy.type, [&]<typename Element>() -> LoopOperator::Run {
    return [copier = Copier<Element>(copy, PlaneGrid::of(from), PlaneGrid::of(to)), source, destination](
               const Bindings& memory) { copier(memory.as<const Element>(source), memory.as<Element>(destination)); };
  });
  return std::make_shared<LoopOperator>("convoy:channel_copy",
                                        std::vector<std::pair<Role, Layout>>{{source, from}, {destination, to}},
                                        std::vector<std::pair<Role, std::size_t>>{}, run);
}

}  // namespace convoy::kernels
