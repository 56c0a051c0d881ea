#include "convoy/checkpoint/safetensors.h"

#include <gtest/gtest.h>

#include <cmath>
#include <cstring>
#include <limits>

#include "convoy/base/error.h"
#include "convoy/base/file/write_error.h"
#include "convoy/base/forked_test.h"
#include "convoy/base/temporary_folder_test.h"
#include "convoy/base/throws_with_test.h"

namespace convoy {
namespace {

namespace fs = std::filesystem;

using Floats = std::vector<float>;

std::string length_bytes(std::uint64_t length) {
  std::string bytes;
  for (int i = 0; i < 8; ++i) bytes += static_cast<char>((length >> (8 * i)) & 255U);
  return bytes;
}

// The bytes of a file with that header and data.
std::string file_of(const std::string& header, const std::string& data) {
  return length_bytes(header.size()) + header + data;
}

class Safetensors : public TemporaryFolder {
 protected:
  void SetUp() override {
    TemporaryFolder::SetUp();
    path_ = folder_ / "x.safetensors";
  }
  [[nodiscard]] TensorFile read_bytes(const std::string& bytes) const {
    put(path_, bytes);
    return read_safetensors(path_);
  }
  // Whether a file of these bytes is refused with its path and `part`.
  [[nodiscard]] testing::AssertionResult refused(const std::string& bytes, const std::string& part) const {
    const auto path = throws_with<DataError>([&] { (void)read_bytes(bytes); }, path_.string());
    return path ? throws_with<DataError>([&] { (void)read_bytes(bytes); }, part) : path;
  }

  fs::path path_;
};

// Composed by hand from the description of the format.
TEST_F(Safetensors, WritesTheseBytes) {
  const std::vector<NamedTensor> tensors = {{"a", {2}, Floats{1.0F, -2.5F}}, {"n", {}, std::vector<std::int64_t>{258}}};
  const std::string json = R"({"__metadata__":{"format":"pt"},"a":{"dtype":"F32","shape":[2],"data_offsets":[0,8]},)"
                           R"("n":{"dtype":"I64","shape":[],"data_offsets":[8,16]}})";
  ASSERT_EQ(json.size(), 138U);
  const std::string padded = json + std::string(46, ' ');  // 8 + 184 = 3 * 64
  const std::string data("\x00\x00\x80\x3f\x00\x00\x20\xc0\x02\x01\x00\x00\x00\x00\x00\x00", 16);
  const FileDigest digest = write_safetensors(path_, tensors, {{"format", "pt"}});
  EXPECT_EQ(read(path_), "\xb8" + std::string(7, '\0') + padded + data);
  EXPECT_EQ(digest, digest_of_file(path_));
}

TEST_F(Safetensors, WhatIsWrittenIsRead) {
  TensorFile file;
  file.metadata = {{"model", "r\"20\"\n"}, {"", "empty key"}};
  file.tensors = {{"layer1.0.conv1.weight", {2, 1, 2, 2}, Floats{1, 2, 3, 4, 5, 6, 7, 8}},
                  {"empty", {0, 3}, Floats{}},
                  {"bn1.num_batches_tracked", {}, std::vector<std::int64_t>{-1}},
                  {"z", {1}, Floats{-0.0F}},
                  {"a name with spaces, / and \xc3\xa9", {1}, Floats{std::numeric_limits<float>::denorm_min()}}};
  write_safetensors(path_, file.tensors, file.metadata);
  EXPECT_EQ(read_safetensors(path_), file);
}

TEST_F(Safetensors, NothingCanBeWrittenToo) {
  write_safetensors(path_, {});
  EXPECT_EQ(read(path_), "\x38" + std::string(7, '\0') + "{}" + std::string(54, ' '));
  EXPECT_EQ(read_safetensors(path_), TensorFile{});
}

TEST_F(Safetensors, NotANumberKeepsItsBits) {
  Floats values = {0};
  const std::uint32_t bits = 0x7FA12345;
  std::memcpy(values.data(), &bits, 4);
  write_safetensors(path_, std::vector<NamedTensor>{{"x", {1}, values}});
  const TensorFile back = read_safetensors(path_);
  EXPECT_EQ(std::memcmp(std::get<Floats>(back.tensors.at(0).values).data(), &bits, 4), 0);
}

TEST_F(Safetensors, LongNamesAndManyTensorsStayAligned) {
  for (std::size_t length = 1; length < 130; ++length) {
    write_safetensors(path_, std::vector<NamedTensor>{{std::string(length, 'n'), {1}, Floats{1}}});
    ASSERT_EQ((fs::file_size(path_) - 4) % 64, 0U) << length;
    ASSERT_EQ(read_safetensors(path_).tensors.at(0).name.size(), length);
  }
}

TEST_F(Safetensors, WrongCallsAreDefects) {
  using Tensors = std::vector<NamedTensor>;
  EXPECT_THROW(write_safetensors(path_, Tensors{{"a", {3}, Floats{1}}}), InternalError);
  EXPECT_THROW(write_safetensors(path_, Tensors{{"a", {1}, Floats{1}}, {"a", {1}, Floats{1}}}), InternalError);
  EXPECT_THROW(write_safetensors(path_, Tensors{{"__metadata__", {1}, Floats{1}}}), InternalError);
}

// As other programs write files: tensors not in the order of their names, no padding, spaces in the JSON.
TEST_F(Safetensors, ReadsWhatOthersWrite) {
  const TensorFile file =
      read_bytes(file_of(R"({ "b" : {"shape":[1], "data_offsets":[4,8], "dtype":"F32"}, )"
                         R"("a":{"dtype":"F32","shape":[1,1],"data_offsets":[0,4]},"__metadata__":{} } )",
                         std::string("\x00\x00\x80\x3f\x00\x00\x00\x40", 8)));
  ASSERT_EQ(file.tensors.size(), 2U);
  EXPECT_EQ(file.tensors[0], (NamedTensor{"a", {1, 1}, Floats{1}}));
  EXPECT_EQ(file.tensors[1], (NamedTensor{"b", {1}, Floats{2}}));
}

TEST_F(Safetensors, ReadsOtherFloats) {
  const TensorFile file = read_bytes(
      file_of(R"({"d":{"dtype":"F64","shape":[1],"data_offsets":[0,8]},"h":{"dtype":"F16","shape":[2],)"
              R"("data_offsets":[8,12]},"b":{"dtype":"BF16","shape":[1],"data_offsets":[12,14]}})",
              std::string("\x00\x00\x00\x00\x00\x00\xf8\x3f", 8) + std::string("\x00\x3c\x01\x00", 4) + "\x49\xc0"));
  EXPECT_EQ(std::get<Floats>(file.tensors.at(0).values), Floats{1.5F});
  EXPECT_EQ(std::get<Floats>(file.tensors.at(1).values), (Floats{1, 0x1p-24F}));
  EXPECT_EQ(std::get<Floats>(file.tensors.at(2).values), Floats{-3.140625F});
}

TEST_F(Safetensors, OtherTypesAreNamed) {
  for (const char* type : {"BOOL", "U8", "I8", "F8_E5M2", "F8_E4M3"}) {
    const std::string header = std::string(R"({"mask":{"dtype":")") + type + R"(","shape":[1],"data_offsets":[0,1]}})";
    EXPECT_TRUE(refused(file_of(header, "x"), std::string("'mask' is of type ") + type));
  }
  EXPECT_TRUE(refused(file_of(R"({"i":{"dtype":"I32","shape":[1],"data_offsets":[0,4]}})", "xxxx"), "type I32"));
  EXPECT_TRUE(refused(file_of(R"({"i":{"dtype":"F31","shape":[1],"data_offsets":[0,4]}})", "xxxx"), "unknown type"));
}

struct BadHeader {
  const char* header;
  std::size_t data_bytes;
  const char* complaint;
};

const BadHeader kBadHeaders[] = {
    {"", 0, "no JSON object"},
    {" {}", 0, "no JSON object"},
    {"[]", 0, "no JSON object"},
    {"{", 0, "no JSON at byte"},
    {"{}x", 0, "no JSON at byte"},
    {"{\"a\":\xff}", 0, "no JSON at byte"},
    {"{\"a\":1}", 0, "no sense at 'a'"},
    {"{\"a\":null}", 0, "no sense at 'a'"},
    {"{\"a\":[]}", 0, "no sense at 'a'"},
    {"{\"a\":{}}", 0, "no sense at 'a'"},
    {R"({"__metadata__":{"a":1}})", 0, "no sense at 'a'"},
    {R"({"__metadata__":{"a":{}}})", 0, "no sense at 'a'"},
    {R"({"__metadata__":{"a":"b","a":"c"}})", 0, "'a' twice"},
    {R"({"__metadata__":{},"__metadata__":{}})", 0, "'__metadata__' twice"},
    {R"({"a":{"dtype":"F32","shape":[1]}})", 4, "no sense at 'a'"},
    {R"({"a":{"dtype":"F32","data_offsets":[0,4]}})", 4, "no sense at 'a'"},
    {R"({"a":{"shape":[1],"data_offsets":[0,4]}})", 4, "no sense at 'a'"},
    {R"({"a":{"dtype":"F32","dtype":"F32","shape":[1],"data_offsets":[0,4]}})", 4, "'dtype' twice"},
    {R"({"a":{"dtype":"F32","shape":[1],"data_offsets":[0,4],"more":"x"}})", 4, "no sense at 'more'"},
    {R"({"a":{"dtype":4,"shape":[1],"data_offsets":[0,4]}})", 4, "no sense at 'dtype'"},
    {R"({"a":{"dtype":"F32","shape":1,"data_offsets":[0,4]}})", 4, "no sense at 'shape'"},
    {R"({"a":{"dtype":"F32","shape":[[1]],"data_offsets":[0,4]}})", 4, "no sense at 'shape'"},
    {R"({"a":{"dtype":"F32","shape":[-1],"data_offsets":[0,4]}})", 4, "no sense at 'shape'"},
    {R"({"a":{"dtype":"F32","shape":[1.0],"data_offsets":[0,4]}})", 4, "no sense at 'shape'"},
    {R"({"a":{"dtype":"F32","shape":["1"],"data_offsets":[0,4]}})", 4, "no sense at 'shape'"},
    {R"({"a":{"dtype":"F32","shape":[18446744073709551615],"data_offsets":[0,4]}})", 4, "no sense at 'shape'"},
    {R"({"a":{"dtype":"F32","shape":[1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1],"data_offsets":[0,4]}})", 4, "no sense"},
    {R"({"a":{"dtype":"F32","shape":[1],"data_offsets":[0]}})", 4, "no sense at 'a'"},
    {R"({"a":{"dtype":"F32","shape":[1],"data_offsets":[0,4,8]}})", 4, "no sense at 'a'"},
    {R"({"a":{"dtype":"F32","shape":[1],"data_offsets":[4,0]}})", 4, "hole before the tensor 'a'"},
    {R"({"a":{"dtype":"F32","shape":[2],"data_offsets":[0,4]}})", 4, "'a' has 4 bytes and should have 8: F32 of 2"},
    {R"({"a":{"dtype":"F16","shape":[1],"data_offsets":[0,4]}})", 4, "'a' has 4 bytes and should have 2"},
    {R"({"a":{"dtype":"F32","shape":[4294967296,4294967296],"data_offsets":[0,4]}})", 4, "than can be counted"},
    {R"({"a":{"dtype":"F32","shape":[4611686018427387904],"data_offsets":[0,0]}})", 0, "than can be counted"},
    {R"({"a":{"dtype":"F32","shape":[1],"data_offsets":[0,4]}})", 3, "cut short: 3 of 4 bytes"},
    {R"({"a":{"dtype":"F32","shape":[1],"data_offsets":[0,4]}})", 0, "cut short: 0 of 4 bytes"},
    {R"({"a":{"dtype":"F32","shape":[1],"data_offsets":[0,4]}})", 5, "1 bytes follow the last tensor"},
    {"{}", 1, "1 bytes follow the last tensor"},
    {R"({"a":{"dtype":"F32","shape":[1],"data_offsets":[1,5]}})", 5, "hole before the tensor 'a'"},
    {R"({"a":{"dtype":"F32","shape":[1],"data_offsets":[0,4]},"b":{"dtype":"F32","shape":[1],"data_offsets":[8,12]}})",
     12, "hole before the tensor 'b'"},
    {R"({"a":{"dtype":"F32","shape":[1],"data_offsets":[0,4]},"b":{"dtype":"F32","shape":[1],"data_offsets":[2,6]}})",
     6, "'b' overlaps"},
    {R"({"a":{"dtype":"F32","shape":[1],"data_offsets":[0,4]},"b":{"dtype":"F32","shape":[1],"data_offsets":[0,4]}})",
     4, "overlaps"},
    {R"({"a":{"dtype":"F32","shape":[1],"data_offsets":[0,4]},"a":{"dtype":"F32","shape":[1],"data_offsets":[4,8]}})",
     8, "'a' twice"},
    {R"({"a":{"dtype":"F32","shape":[2305843009213693951],"data_offsets":[0,9223372036854775804]}})", 4, "cut short"},
};

TEST_F(Safetensors, BadHeadersAreRefused) {
  for (const BadHeader& bad : kBadHeaders) {
    EXPECT_TRUE(refused(file_of(bad.header, std::string(bad.data_bytes, 'x')), bad.complaint)) << bad.header;
  }
}

TEST_F(Safetensors, BadLengthsAreRefused) {
  EXPECT_TRUE(refused("", "cut short: it has 0 bytes"));
  EXPECT_TRUE(refused(std::string(7, '\0'), "cut short: it has 7 bytes"));
  EXPECT_TRUE(refused(std::string(8, '\0'), "no JSON object"));
  EXPECT_TRUE(refused(length_bytes(3) + "{}", "longer than the file"));
  EXPECT_TRUE(refused(length_bytes(100'000'001) + "{}", "a header of 100000001 bytes is too long"));
  EXPECT_TRUE(refused(length_bytes(UINT64_MAX) + "{}", "too long"));
  EXPECT_TRUE(refused(length_bytes(UINT64_MAX - 7) + "{}", "too long"));
  EXPECT_TRUE(throws_with<DataError>([&] { (void)read_safetensors(folder_ / "none"); }, "No such file"));
}

// A file that is cut at any byte is refused.
TEST_F(Safetensors, EveryPrefixIsRefused) {
  write_safetensors(path_, std::vector<NamedTensor>{{"a", {5}, Floats{1, 2, 3, 4, 5}}, {"b", {1}, Floats{6}}});
  for (std::uintmax_t size = fs::file_size(path_); size > 0; --size) {
    fs::resize_file(path_, size - 1);
    EXPECT_TRUE(throws_with<DataError>([&] { (void)read_safetensors(path_); }, path_.string())) << size - 1;
  }
}

// Whichever byte is changed, the file is read or refused with a DataError.
TEST_F(Safetensors, EveryChangedByteIsReadOrRefused) {
  write_safetensors(path_, std::vector<NamedTensor>{{"a", {1, 3}, Floats{1, 2, 3}}, {"b", {}, Floats{6}}},
                    {{"k", "v"}});
  const std::string whole = read(path_);
  int refusals = 0;
  for (std::size_t at = 0; at < whole.size(); ++at) {
    for (const int change : {0x01, 0x02, 0x10, 0x20, 0x80, 0xFF}) {
      change_byte(path_, at, static_cast<char>(whole[at] ^ change));
      try {
        (void)read_safetensors(path_);
      } catch (const DataError&) {
        ++refusals;
      }
    }
    change_byte(path_, at, whole[at]);
  }
  EXPECT_GT(refusals, 500);
}

// As a JSON tree, 50 MB of brackets or of a list of numbers would take gigabytes.
TEST_F(Safetensors, HostileHeadersTakeLittleMemory) {
  const auto survives = [&](const std::string& bytes) {
    put(path_, bytes);
    return in_child([&] {
      const rlimit limit = {1U << 29U, 1U << 29U};
      if (setrlimit(RLIMIT_AS, &limit) != 0) return 2;
      return throws_with<DataError>([&] { (void)read_safetensors(path_); }, "no sense") ? 0 : 1;
    });
  };
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
  GTEST_SKIP() << "the sanitizer needs more memory than the limit";
#endif
  std::string many;
  many.resize(50'000'000, '[');
  EXPECT_EQ(survives(file_of("{\"a\":" + many, "")), 0);
  std::string numbers = R"({"a":{"shape":[)";
  for (int i = 0; i < 20'000'000; ++i) numbers += "1,";
  EXPECT_EQ(survives(file_of(numbers, "")), 0);
}

TEST_F(Safetensors, FullDiskIsASystemError) {
  const std::vector<NamedTensor> tensors = {{"a", {5000}, Floats(5000)}};
  EXPECT_TRUE(throws_with<WriteError>([&] { write_safetensors("/dev/full", tensors); }, "/dev/full: No space left"));
}

TEST(NamedTensorTest, IsFoundByNameAndShape) {
  const std::vector<NamedTensor> tensors = {{"a", {2}, Floats{1, 2}}, {"n", {}, std::vector<std::int64_t>{1}}};
  EXPECT_EQ(find_tensor(tensors, "a"), &tensors[0]);
  EXPECT_EQ(find_tensor(tensors, "b"), nullptr);
  EXPECT_EQ(floats_of(tensors, "a", {2})[1], 2.0F);
  EXPECT_TRUE(throws_with<DataError>([&] { (void)floats_of(tensors, "b", {2}); }, "no tensor 'b'"));
  EXPECT_TRUE(throws_with<DataError>([&] { (void)floats_of(tensors, "a", {1, 2}); }, "'a' is 2 and should be 1x2"));
  EXPECT_TRUE(throws_with<DataError>([&] { (void)floats_of(tensors, "n", {}); }, "'n' holds whole numbers"));
}

// Computed by the formula of the IEEE standard in double precision.
double half_by_formula(unsigned bits) {
  const double sign = (bits & 0x8000U) != 0 ? -1 : 1;
  const int exponent = static_cast<int>(bits >> 10U) & 31;
  const int mantissa = static_cast<int>(bits) & 1023;
  if (exponent == 31) return mantissa == 0 ? sign * INFINITY : NAN;
  if (exponent == 0) return sign * std::ldexp(mantissa, -24);
  return sign * std::ldexp(1024 + mantissa, exponent - 25);
}

TEST(FloatFormats, EveryHalf) {
  for (unsigned bits = 0; bits < 65536; ++bits) {
    const double expected = half_by_formula(bits);
    const float value = float_of_half(static_cast<std::uint16_t>(bits));
    if (std::isnan(expected)) {
      ASSERT_TRUE(std::isnan(value)) << bits;
    } else {
      ASSERT_EQ(value, expected) << bits;
      ASSERT_EQ(std::signbit(value), std::signbit(expected)) << bits;
    }
  }
}

TEST(FloatFormats, Bfloat16) {
  EXPECT_EQ(float_of_bfloat16(0x3F80), 1.0F);
  EXPECT_EQ(float_of_bfloat16(0xC049), -3.140625F);
  EXPECT_EQ(float_of_bfloat16(0x0001), 0x1p-133F);
  EXPECT_TRUE(std::isinf(float_of_bfloat16(0x7F80)));
  EXPECT_TRUE(std::isnan(float_of_bfloat16(0x7FC0)));
}

}  // namespace

}  // namespace convoy
