#include "convoy/engine/parameter_table.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "convoy/base/error.h"
#include "convoy/graph/builder.h"

namespace convoy {
namespace {

using testing::AllOf;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::Not;
using testing::ThrowsMessage;

Graph small() {
  Graph graph;
  const Value x = batch_norm(conv(input(graph, {3, 8, 8}), {.out = 4, .name = "conv"}), {.name = "bn"});
  softmax_cross_entropy(dense(x, {.out = 4, .name = "fc"}));
  return graph;
}

TEST(Frozen, IsWhatIsNamed) {
  const Graph graph = small();
  EXPECT_THAT(frozen_parameters(graph, {}), ElementsAre(false, false, false, false, false, false));
  EXPECT_THAT(frozen_parameters(graph, {"conv.weight", "fc.bias"}),
              ElementsAre(true, false, false, false, false, true));
  EXPECT_THAT(frozen_parameters(graph, {"bn.weight", "bn.bias"}), ElementsAre(false, false, true, true, false, false));
}

TEST(Frozen, RefusesUnknownNamesWithTheNearest) {
  const Graph graph = small();
  EXPECT_THAT(
      [&] { (void)frozen_parameters(graph, {"conv.wieght"}); },
      ThrowsMessage<UserError>(AllOf(HasSubstr("\"conv.wieght\""), HasSubstr("did you mean \"conv.weight\"?"))));
  EXPECT_THAT(
      [&] {
        (void)frozen_parameters(graph, {"conv.weight", "transformer.7.attention"});
      },
      ThrowsMessage<UserError>(AllOf(HasSubstr("\"transformer.7.attention\""), Not(HasSubstr("did you mean")))));
}

TEST(Frozen, RefusesHalfABatchNorm) {
  const Graph graph = small();
  for (const char* half : {"bn.weight", "bn.bias"}) {
    EXPECT_THAT(
        [&] {
          (void)frozen_parameters(graph, {half, "conv.bias"});
        },
        ThrowsMessage<UserError>(AllOf(HasSubstr("\"bn\""), HasSubstr("\"bn.weight\""), HasSubstr("\"bn.bias\""))));
  }
}

}  // namespace
}  // namespace convoy
