#include "convoy/kernels/channel_copy.h"

#include <gtest/gtest.h>

#include "convoy/kernels/reference/channel_copy.h"
#include "convoy/kernels/reference/gradient_check_test.h"
#include "convoy/kernels/reference/operator_run_test.h"

namespace convoy::kernels {
namespace {

using namespace reference;

std::int64_t count_in(const Layout::Dims& dims) { return dims[0] * dims[1] * dims[2] * dims[3]; }

// Runs the copy over a destination that already contains other numbers, which must stay where nothing is written.
testing::AssertionResult agrees_with_twin(const ChannelCopy& copy, Role source = Role::source,
                                          Role destination = Role::destination) {
  const Values x = random_values(count_in(copy.source_dims()), 1);
  const Values y = random_values(count_in(copy.destination_dims()), 2);
  OperatorRun run(prepare_channel_copy(copy, source, destination));
  run.give(source, x).give(destination, y).share(destination, destination).run();
  return same(run.take(destination), channel_copy(copy, x, y));
}

ChannelCopy plain_copy(std::int64_t source_channels, std::int64_t destination_channels) {
  return {.batch = 3,
          .source_channels = source_channels,
          .source_h = 4,
          .source_w = 5,
          .destination_channels = destination_channels,
          .destination_h = 4,
          .destination_w = 5,
          .count = source_channels};
}

// Parts start and end at every possible place, inside a block and across blocks.
TEST(ChannelCopy, PutsPiecesOfAConcatAnywhere) {
  for (const std::int64_t channels : {1, 3, 16, 17, 24, 40}) {
    for (const std::int64_t to : {0, 1, 5, 8, 15, 16, 17, 32}) {
      ChannelCopy copy = plain_copy(channels, channels + to + 2);
      copy.to = to;
      EXPECT_TRUE(agrees_with_twin(copy)) << channels << " channels to " << to;
    }
  }
}

TEST(ChannelCopy, TakesPiecesOfAConcatBack) {
  for (const std::int64_t channels : {1, 3, 16, 17, 24, 40}) {
    for (const std::int64_t from : {0, 1, 5, 8, 15, 16, 17, 32}) {
      ChannelCopy copy = plain_copy(channels + from + 2, channels);
      copy.from = from;
      copy.count = channels;
      EXPECT_TRUE(agrees_with_twin(copy, Role::diff_destination, Role::diff_source)) << channels << " from " << from;
    }
  }
}

TEST(ChannelCopy, ConcatOfOddPieces) {
  const std::vector<std::int64_t> parts = {5, 17, 2, 24};
  const Layout::Dims whole = {2, 48, 3, 3};
  AlignedBuffer memory = to_layout(Values(static_cast<std::size_t>(count_in(whole))), Layout::blocked(whole));
  Values expected(static_cast<std::size_t>(count_in(whole)));
  std::int64_t to = 0;
  for (const std::int64_t channels : parts) {
    const ChannelCopy copy{.batch = 2,
                           .source_channels = channels,
                           .source_h = 3,
                           .source_w = 3,
                           .destination_channels = 48,
                           .destination_h = 3,
                           .destination_w = 3,
                           .to = to,
                           .count = channels};
    const Values x = random_values(count_in(copy.source_dims()), static_cast<std::uint64_t>(to));
    AlignedBuffer source = to_layout(x, Layout::blocked(copy.source_dims()));
    Bindings bindings;
    bindings.set(Role::source, source.data());
    bindings.set(Role::destination, memory.data());
    prepare_channel_copy(copy, Role::source, Role::destination)->bind(bindings)->run();
    expected = channel_copy(copy, x, expected);
    to += channels;
  }
  EXPECT_TRUE(same(to_plain(memory.data(), Layout::blocked(whole)), expected));
}

// The channel-padding shortcut of CIFAR ResNets: 16 channels become 32, 8 zero channels on either side.
ChannelCopy shortcut(std::int64_t in, std::int64_t out, std::int64_t size, std::int64_t stride) {
  const std::int64_t half = (size + stride - 1) / stride;
  return {.batch = 2,
          .source_channels = in,
          .source_h = size,
          .source_w = size,
          .destination_channels = out,
          .destination_h = half,
          .destination_w = half,
          .to = (out - in) / 2,
          .count = in,
          .stride = stride,
          .clear = true};
}

ChannelCopy back_through(const ChannelCopy& forward) {
  return {.batch = forward.batch,
          .source_channels = forward.destination_channels,
          .source_h = forward.destination_h,
          .source_w = forward.destination_w,
          .destination_channels = forward.source_channels,
          .destination_h = forward.source_h,
          .destination_w = forward.source_w,
          .from = forward.to,
          .count = forward.count,
          .stride = forward.stride,
          .spread = true,
          .clear = true};
}

TEST(ChannelCopy, PadsChannelsAndTakesEveryOtherPixel) {
  for (const std::int64_t size : {1, 2, 7, 8}) {
    for (const std::int64_t stride : {1, 2, 3}) {
      EXPECT_TRUE(agrees_with_twin(shortcut(16, 32, size, stride))) << size << " by " << stride;
      EXPECT_TRUE(agrees_with_twin(shortcut(3, 10, size, stride))) << size << " by " << stride;
      // Whole blocks onto whole blocks.
      EXPECT_TRUE(agrees_with_twin(shortcut(32, 64, size, stride))) << size << " by " << stride;
    }
  }
}

TEST(ChannelCopy, SpreadsTheGradientOfThePaddingShortcut) {
  for (const std::int64_t size : {1, 2, 7, 8}) {
    for (const std::int64_t stride : {1, 2, 3}) {
      for (const std::int64_t in : {3, 8, 16, 17}) {
        const ChannelCopy backward = back_through(shortcut(in, 40, size, stride));
        EXPECT_TRUE(agrees_with_twin(backward, Role::diff_destination, Role::diff_source)) << size << " by " << stride;
      }
    }
  }
}

// Clearing also zeroes the padding of the channels, whatever was there before.
TEST(ChannelCopy, ClearsMemoryThatWasNeverWritten) {
  ChannelCopy copy = plain_copy(3, 9);
  copy.to = 4;
  copy.clear = true;
  const Values x = random_values(count_in(copy.source_dims()), 1);
  OperatorRun run(prepare_channel_copy(copy, Role::source, Role::destination));
  run.give(Role::source, x).run();
  const Values nothing(static_cast<std::size_t>(count_in(copy.destination_dims())));
  EXPECT_TRUE(same(run.take(Role::destination), channel_copy(copy, x, nothing)));
}

}  // namespace
}  // namespace convoy::kernels
