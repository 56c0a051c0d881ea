#include "convoy/checkpoint/file_digest.h"

#include "convoy/base/error.h"
#include "convoy/base/temporary_folder_test.h"

namespace convoy {
namespace {

using FileDigestTest = TemporaryFolder;

// Known values of XXH3 with 128 bits, as `xxhsum -H2` prints them.
TEST_F(FileDigestTest, IsXxh3) {
  EXPECT_EQ(digest_of("").hash, "99aa06d3014798d86001c324468d497f");
  EXPECT_EQ(digest_of("a").hash, "a96faf705af16834e6c632b61e964e1f");
  EXPECT_EQ(digest_of("abc").bytes, 3);
}

TEST_F(FileDigestTest, PiecesMakeTheSame) {
  std::string text;
  for (int i = 0; i < 500'000; ++i) text += std::to_string(i);  // longer than two buffers of the reader
  Digester digester;
  for (std::size_t at = 0; at < text.size(); at += 999) digester.add(std::string_view(text).substr(at, 999));
  EXPECT_EQ(digester.digest(), digest_of(text));
  put(folder_ / "file", text);
  EXPECT_EQ(digest_of_file(folder_ / "file"), digest_of(text));
  put(folder_ / "empty", "");
  EXPECT_EQ(digest_of_file(folder_ / "empty"), digest_of(""));
  EXPECT_THROW((void)digest_of_file(folder_ / "none"), DataError);
}

}  // namespace
}  // namespace convoy
