#include "convoy/graph/operators.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "convoy/base/error.h"

namespace convoy {
namespace {

using testing::AllOf;
using testing::HasSubstr;

Shape shape_of(const Operator& op, const std::vector<Shape>& inputs) { return infer_shape(op, inputs, "layer1"); }

std::string refusal_of(const Operator& op, const std::vector<Shape>& inputs) {
  try {
    return "accepted as " + shape_of(op, inputs).to_string();
  } catch (const UserError& error) {
    EXPECT_THAT(error.what(), HasSubstr("layer \"layer1\": "));
    return error.what();
  }
}

TEST(ShapeInference, Convolution) {
  EXPECT_EQ(shape_of(op::Convolution{.out = 64, .kernel = 7, .stride = 2, .pad = 3}, {{3, 224, 224}}),
            Shape({64, 112, 112}));
  EXPECT_EQ(shape_of(op::Convolution{.out = 8, .kernel = {3, 5}, .stride = {1, 2}}, {{4, 10, 11}}), Shape({8, 8, 4}));
}

TEST(ShapeInference, ConvolutionWithPaddingOnSomeSides) {
  EXPECT_EQ(shape_of(op::Convolution{.out = 2, .kernel = 3, .pad = {1, 0, 0, 2}}, {{1, 5, 5}}), Shape({2, 4, 5}));
  EXPECT_EQ(shape_of(op::Convolution{.out = 2, .kernel = 3, .stride = 2, .pad = {0, 0, 1, 1}}, {{1, 224, 224}}),
            Shape({2, 112, 112}));
}

TEST(ShapeInference, ConvolutionWithDilation) {
  // A 3x3 window reaches 5 pixels with dilation 2, and 9 with dilation 4.
  EXPECT_EQ(shape_of(op::Convolution{.out = 2, .kernel = 3, .dilation = 2}, {{1, 9, 9}}), Shape({2, 5, 5}));
  EXPECT_EQ(shape_of(op::Convolution{.out = 2, .kernel = 3, .pad = 4, .dilation = 4}, {{1, 9, 9}}), Shape({2, 9, 9}));
  EXPECT_THAT(refusal_of(op::Convolution{.out = 2, .kernel = 3, .dilation = 4}, {{1, 8, 9}}),
              AllOf(HasSubstr("convolution 9x9"), HasSubstr("1x8x9")));
}

TEST(ShapeInference, ConvolutionWithGroups) {
  EXPECT_EQ(shape_of(op::Convolution{.out = 12, .kernel = 3, .groups = 3}, {{6, 5, 5}}), Shape({12, 3, 3}));
  EXPECT_THAT(refusal_of(op::Convolution{.out = 12, .groups = 4}, {{6, 5, 5}}),
              AllOf(HasSubstr("6 in"), HasSubstr("12 out"), HasSubstr("4 groups"), HasSubstr("6x5x5")));
  EXPECT_THAT(refusal_of(op::Convolution{.out = 10, .groups = 3}, {{6, 5, 5}}), HasSubstr("10 out"));
}

TEST(ShapeInference, ConvolutionRefusesBadAttributes) {
  const Shape image = {3, 8, 8};
  EXPECT_THAT(refusal_of(op::Convolution{.out = 0}, {image}), HasSubstr("out channels must be at least 1, got 0"));
  EXPECT_THAT(refusal_of(op::Convolution{.out = 4, .kernel = 0}, {image}), HasSubstr("kernel must be at least 1"));
  EXPECT_THAT(refusal_of(op::Convolution{.out = 4, .stride = {1, 0}}, {image}), HasSubstr("stride"));
  EXPECT_THAT(refusal_of(op::Convolution{.out = 4, .dilation = -1}, {image}), HasSubstr("dilation"));
  EXPECT_THAT(refusal_of(op::Convolution{.out = 4, .groups = 0}, {image}), HasSubstr("groups"));
  EXPECT_THAT(refusal_of(op::Convolution{.out = 4, .kernel = 3, .pad = {0, 0, 0, -1}}, {image}),
              HasSubstr("padding must not be negative"));
  EXPECT_THAT(refusal_of(op::Convolution{.out = 4}, {{100}}), AllOf(HasSubstr("needs an image"), HasSubstr("100")));
  EXPECT_THAT(refusal_of(op::Convolution{.out = 4}, {image, image}), HasSubstr("takes 1 input(s), got 2"));
}

TEST(ShapeInference, PoolRoundsDown) {
  EXPECT_EQ(shape_of(op::MaxPool{.kernel = 3, .stride = 2}, {{5, 8, 7}}), Shape({5, 3, 3}));
  EXPECT_EQ(shape_of(op::AveragePool{.kernel = 2, .stride = 2}, {{5, 7, 1 + 1}}), Shape({5, 3, 1}));
  EXPECT_EQ(shape_of(op::MaxPool{.kernel = 3, .stride = 2, .pad = 1}, {{5, 112, 1}}), Shape({5, 56, 1}));
  EXPECT_EQ(shape_of(op::MaxPool{.kernel = 2}, {{5, 4, 4}}), Shape({5, 3, 3}));
}

TEST(ShapeInference, PoolRoundsUpInCeilMode) {
  EXPECT_EQ(shape_of(op::MaxPool{.kernel = 3, .stride = 2, .ceil = true}, {{5, 8, 7}}), Shape({5, 4, 3}));
  EXPECT_EQ(shape_of(op::AveragePool{.kernel = 3, .stride = 2, .ceil = true}, {{64, 112, 112}}), Shape({64, 56, 56}));
  // As in PyTorch, a window that would start behind the image is dropped: with 4 pixels and padding 1, windows start at
  // -1, 1 and 3, but not at 5, which is in the padding after the image.
  EXPECT_EQ(shape_of(op::MaxPool{.kernel = 2, .stride = 2, .pad = 1, .ceil = true}, {{1, 4, 5}}), Shape({1, 3, 3}));
  EXPECT_EQ(shape_of(op::MaxPool{.kernel = 1, .stride = 3, .ceil = true}, {{1, 4, 5}}), Shape({1, 2, 2}));
}

TEST(ShapeInference, PoolWithPaddingOnSomeSides) {
  EXPECT_EQ(shape_of(op::MaxPool{.kernel = 3, .stride = 2, .pad = {0, 1, 1, 0}}, {{1, 6, 6}}), Shape({1, 3, 3}));
  EXPECT_EQ(shape_of(op::AveragePool{.kernel = 3, .stride = 1, .pad = {2, 0, 0, 1}}, {{1, 6, 6}}), Shape({1, 6, 5}));
}

TEST(ShapeInference, PoolRefuses) {
  EXPECT_THAT(refusal_of(op::MaxPool{.kernel = 3, .stride = 2}, {{256, 2, 2}}),
              AllOf(HasSubstr("max pool 3x3 does not fit into 256x2x2"), HasSubstr("at least 3x3")));
  EXPECT_THAT(refusal_of(op::AveragePool{.kernel = {1, 9}}, {{256, 8, 8}}),
              HasSubstr("average pool 1x9 does not fit into 256x8x8"));
  EXPECT_THAT(refusal_of(op::MaxPool{.kernel = 2, .pad = 2}, {{1, 8, 8}}), HasSubstr("smaller than the window"));
  EXPECT_THAT(refusal_of(op::AveragePool{.kernel = {3, 2}, .pad = {0, 0, 0, 2}}, {{1, 8, 8}}),
              HasSubstr("smaller than the window"));
  EXPECT_THAT(refusal_of(op::MaxPool{.kernel = 2, .stride = 0}, {{1, 8, 8}}), HasSubstr("stride"));
}

TEST(ShapeInference, DenseTakesAllElements) {
  EXPECT_EQ(shape_of(op::Dense{.out = 10}, {{64, 7, 7}}), Shape({10}));
  EXPECT_THAT(refusal_of(op::Dense{.out = -3}, {{64}}), HasSubstr("out must be at least 1, got -3"));
}

TEST(ShapeInference, KeepsTheShapeOfUnaryOperators) {
  const Shape image = {3, 4, 5};
  for (const Operator& op : std::vector<Operator>{op::BatchNorm{}, op::Relu{}, op::Relu6{}, op::Dropout{}, op::Lrn{}}) {
    EXPECT_EQ(shape_of(op, {image}), image) << kind_of(op);
    EXPECT_THAT(refusal_of(op, {image, image}), HasSubstr("got 2")) << kind_of(op);
  }
}

TEST(ShapeInference, GlobalAveragePoolAndFlatten) {
  EXPECT_EQ(shape_of(op::GlobalAveragePool{}, {{3, 4, 5}}), Shape({3, 1, 1}));
  EXPECT_EQ(shape_of(op::Flatten{}, {{3, 4, 5}}), Shape({60}));
}

TEST(ShapeInference, AddWantsEqualShapes) {
  EXPECT_EQ(shape_of(op::Add{}, {{3, 4, 5}, {3, 4, 5}}), Shape({3, 4, 5}));
  EXPECT_THAT(refusal_of(op::Add{}, {{64, 8, 8}, {64, 16, 16}}),
              AllOf(HasSubstr("64x8x8"), HasSubstr("64x16x16"), HasSubstr("differ")));
  EXPECT_THAT(refusal_of(op::Add{}, {{64, 8, 8}}), HasSubstr("takes 2 input(s), got 1"));
}

TEST(ShapeInference, ConcatJoinsChannels) {
  EXPECT_EQ(shape_of(op::Concat{}, {{3, 4, 5}, {7, 4, 5}, {1, 4, 5}}), Shape({11, 4, 5}));
  EXPECT_THAT(refusal_of(op::Concat{}, {{3, 4, 5}, {7, 5, 4}}), AllOf(HasSubstr("3x4x5"), HasSubstr("7x5x4")));
  EXPECT_THAT(refusal_of(op::Concat{}, {}), HasSubstr("at least one input"));
}

TEST(ShapeInference, PadChannels) {
  EXPECT_EQ(shape_of(op::PadChannels{.out = 32, .stride = 2}, {{16, 32, 31}}), Shape({32, 16, 16}));
  EXPECT_EQ(shape_of(op::PadChannels{.out = 16, .stride = 3}, {{16, 1, 7}}), Shape({16, 1, 3}));
  EXPECT_THAT(refusal_of(op::PadChannels{.out = 8}, {{16, 8, 8}}), AllOf(HasSubstr("16x8x8"), HasSubstr("8 channels")));
  EXPECT_THAT(refusal_of(op::PadChannels{.out = 19}, {{16, 8, 8}}), HasSubstr("19"));
  EXPECT_THAT(refusal_of(op::PadChannels{.out = 16, .stride = 0}, {{16, 8, 8}}), HasSubstr("stride"));
}

TEST(ShapeInference, RefusesRatesAndConstantsOutOfRange) {
  const Shape image = {3, 4, 5};
  EXPECT_THAT(refusal_of(op::Dropout{.rate = 1.0F}, {image}), HasSubstr("rate must be in [0, 1), got 1"));
  EXPECT_THAT(refusal_of(op::Dropout{.rate = -0.1F}, {image}), HasSubstr("rate"));
  EXPECT_THAT(refusal_of(op::Lrn{.size = 4}, {image}), HasSubstr("size must be odd"));
  EXPECT_THAT(refusal_of(op::Lrn{.k = 0}, {image}), HasSubstr("k must be above 0"));
  EXPECT_THAT(refusal_of(op::BatchNorm{.epsilon = 0}, {image}), HasSubstr("epsilon"));
  EXPECT_THAT(refusal_of(op::BatchNorm{}, {{10}}), HasSubstr("needs an image CxHxW, its input is 10"));
  EXPECT_THAT(refusal_of(op::BatchNorm{.momentum = 1.5F}, {image}), HasSubstr("momentum"));
  EXPECT_THAT(refusal_of(op::SoftmaxCrossEntropy{.label_smoothing = 1}, {{10}}), HasSubstr("label smoothing"));
}

TEST(ShapeInference, LossesTakeRowsAndGiveScalars) {
  EXPECT_EQ(shape_of(op::SoftmaxCrossEntropy{}, {{10}}), Shape());
  EXPECT_EQ(shape_of(op::MeanSquaredError{}, {{10}}), Shape());
  EXPECT_THAT(refusal_of(op::SoftmaxCrossEntropy{}, {{10, 1, 1}}), AllOf(HasSubstr("10x1x1"), HasSubstr("flatten")));
}

TEST(ShapeInference, RefusesWhatWouldOverflow) {
  EXPECT_THAT(refusal_of(op::Input{{3, 100'000, 100'000}}, {}), HasSubstr("3x100000x100000"));
  EXPECT_THAT(refusal_of(op::Convolution{.out = 2'000'000'000, .pad = 10}, {{3, 64, 64}}), HasSubstr("too large"));
  EXPECT_THAT(refusal_of(op::Dense{.out = 2'000'000'000}, {{1'000'000}}), HasSubstr("too many"));
}

TEST(ShapeInference, InputIsAnImageOrARow) {
  EXPECT_EQ(shape_of(op::Input{{784}}, {}), Shape({784}));
  EXPECT_THAT(refusal_of(op::Input{{28, 28}}, {}), HasSubstr("28x28"));
  EXPECT_THAT(refusal_of(op::Input{{3, 0, 8}}, {}), HasSubstr("at least 1"));
}

}  // namespace
}  // namespace convoy
