#include "convoy/data/image/picture_file.h"

#include <gmock/gmock.h>

#include "convoy/base/error.h"
#include "convoy/base/temporary_folder_test.h"
#include "convoy/base/throws_with_test.h"
#include "convoy/data/image/png_writer.h"

namespace convoy::data {
namespace {

using PictureFile = convoy::TemporaryFolder;
using testing::HasSubstr;
using testing::StartsWith;

TEST_F(PictureFile, TheNameSaysTheKind) {
  const RgbImage image(3, 2, {10, 20, 30});
  write_picture(folder_ / "a.png", image);
  EXPECT_EQ(read(folder_ / "a.png"), encode_png(image));
  write_picture(folder_ / "a.SVG", image);
  EXPECT_THAT(read(folder_ / "a.SVG"),
              StartsWith("<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"3\" height=\"2\""));
}

TEST_F(PictureFile, AnSvgHoldsThePng) {
  // Every PNG begins with the same eight bytes, and ends with the same twelve.
  const std::string svg = encode_svg(RgbImage(3, 2, {10, 20, 30}));
  EXPECT_THAT(svg, HasSubstr("href=\"data:image/png;base64,iVBORw0KGgo"));
  EXPECT_EQ(
      svg.find_first_not_of("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/=", svg.find("iVBOR")),
      svg.find("\"/>"));
}

TEST_F(PictureFile, OtherNamesAreRefused) {
  for (const char* name : {"a.jpg", "a", ".png", "svg"}) {
    EXPECT_TRUE(throws_with<UserError>([&] { write_picture(folder_ / name, RgbImage(1, 1, {})); }, "PNG or SVG"));
  }
  EXPECT_TRUE(std::filesystem::is_empty(folder_));
}

}  // namespace
}  // namespace convoy::data
