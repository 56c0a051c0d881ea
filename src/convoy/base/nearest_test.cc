#include "convoy/base/nearest.h"

#include <gtest/gtest.h>

#include <vector>

namespace convoy {
namespace {

TEST(EditDistance, CountsEachKindOfEdit) {
  EXPECT_EQ(edit_distance("", ""), 0);
  EXPECT_EQ(edit_distance("", "abc"), 3);
  EXPECT_EQ(edit_distance("abc", ""), 3);
  EXPECT_EQ(edit_distance("resnet", "resnt"), 1);
  EXPECT_EQ(edit_distance("resnet", "rezznet"), 2);
  EXPECT_EQ(edit_distance("kitten", "sitting"), 3);
  EXPECT_EQ(edit_distance("modle", "model"), 1);
  EXPECT_EQ(edit_distance("ca", "abc"), 3);
}

TEST(NearestName, FindsTheMisspeltOne) {
  const std::vector<std::string> names = {"resnet18", "resnet20", "vgg16", "vgg19"};
  EXPECT_EQ(nearest_name("resnet02", names), "resnet20");
  EXPECT_EQ(nearest_name("VGG19", names), "vgg19");
  EXPECT_EQ(nearest_name("vgg", names), "vgg16");
}

TEST(NearestName, IsSilentWhenNothingIsNear) {
  const std::vector<std::string> names = {"resnet18", "vgg16"};
  EXPECT_EQ(nearest_name("transformer", names), std::nullopt);
  EXPECT_EQ(nearest_name("", names), std::nullopt);
  EXPECT_EQ(nearest_name("vgg", std::vector<std::string>{}), std::nullopt);
}

}  // namespace
}  // namespace convoy
