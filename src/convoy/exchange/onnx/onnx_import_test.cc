#include "convoy/exchange/onnx/onnx_import.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <onnx/onnx_pb.h>

#include <chrono>
#include <functional>
#include <string>
#include <vector>

#include "convoy/base/error.h"
#include "convoy/base/temporary_folder_test.h"
#include "convoy/graph/network_text.h"

namespace convoy {
namespace {

using testing::AllOf;
using testing::HasSubstr;

void set_ints(onnx::NodeProto& node, const std::string& name, const std::vector<std::int64_t>& values) {
  onnx::AttributeProto& attribute = *node.add_attribute();
  attribute.set_name(name);
  attribute.set_type(onnx::AttributeProto::INTS);
  for (const std::int64_t value : values) attribute.add_ints(value);
}

// image -> Conv -> Relu -> GlobalAveragePool -> Flatten -> Gemm -> scores
class SmallModel {
 public:
  SmallModel() {
    model.set_ir_version(7);
    model.add_opset_import()->set_version(13);
    add_input("image", {0, 3, 8, 8});
    add_floats("conv.weight", {4, 3, 3, 3});
    add_floats("conv.bias", {4});
    add_floats("fc.weight", {4, 5});
    add_node("Conv", {"image", "conv.weight", "conv.bias"}, "c");
    add_node("Relu", {"c"}, "r");
    add_node("GlobalAveragePool", {"r"}, "g");
    add_node("Flatten", {"g"}, "f");
    add_node("Gemm", {"f", "fc.weight"}, "scores");
    graph().add_output()->set_name("scores");
  }

  onnx::GraphProto& graph() { return *model.mutable_graph(); }
  onnx::NodeProto& node(int i) { return *graph().mutable_node(i); }
  onnx::TensorProto& tensor(int i) { return *graph().mutable_initializer(i); }

  void add_input(const std::string& name, const std::vector<std::int64_t>& dims) {
    onnx::ValueInfoProto& input = *graph().add_input();
    input.set_name(name);
    auto& shape = *input.mutable_type()->mutable_tensor_type()->mutable_shape();
    for (const std::int64_t extent : dims) {
      onnx::TensorShapeProto_Dimension& dim = *shape.add_dim();
      if (extent > 0) dim.set_dim_value(extent);
    }
  }
  onnx::NodeProto& add_node(const std::string& type, const std::vector<std::string>& inputs,
                            const std::string& output) {
    onnx::NodeProto& added = *graph().add_node();
    added.set_op_type(type);
    added.set_name(type + "_" + output);
    for (const std::string& input : inputs) added.add_input(input);
    added.add_output(output);
    return added;
  }
  onnx::TensorProto& add_floats(const std::string& name, const std::vector<std::int64_t>& dims) {
    onnx::TensorProto& added = *graph().add_initializer();
    added.set_name(name);
    added.set_data_type(onnx::TensorProto::FLOAT);
    std::int64_t count = 1;
    for (const std::int64_t extent : dims) {
      added.add_dims(extent);
      count *= extent;
    }
    for (std::int64_t i = 0; i < count; ++i) added.add_float_data(0.01F * static_cast<float>(i % 7));
    return added;
  }
  void add_wholes(const std::string& name, const std::vector<std::int64_t>& values) {
    onnx::TensorProto& added = *graph().add_initializer();
    added.set_name(name);
    added.set_data_type(onnx::TensorProto::INT64);
    added.add_dims(static_cast<std::int64_t>(values.size()));
    for (const std::int64_t value : values) added.add_int64_data(value);
  }

  [[nodiscard]] ImportedNetwork import(const std::filesystem::path& folder = "", const Shape& input = {}) const {
    const std::string bytes = model.SerializeAsString();
    return import_onnx({reinterpret_cast<const std::uint8_t*>(bytes.data()), bytes.size()}, "m.onnx", folder, input);
  }

  onnx::ModelProto model;
};

template <typename Error = UserError>
std::string import_refusal(const std::function<void(SmallModel&)>& change, const std::filesystem::path& folder = "") {
  SmallModel small;
  change(small);
  try {
    (void)small.import(folder);
  } catch (const Error& error) {
    return error.what();
  }
  return "accepted";
}

void set_int(onnx::NodeProto& node, const std::string& name, std::int64_t value) {
  onnx::AttributeProto& attribute = *node.add_attribute();
  attribute.set_name(name);
  attribute.set_type(onnx::AttributeProto::INT);
  attribute.set_i(value);
}

TEST(OnnxImport, GivesLayersWithTheNamesOfTheirWeights) {
  const ImportedNetwork imported = SmallModel().import();
  EXPECT_EQ(network_text(imported.graph),
            "input = \"3x8x8\"\nclasses = 5\nlayers = [\n"
            "  {conv = \"conv\", out = 4, kernel = 3},\n"
            "  {relu = \"Relu_r\"},\n"
            "  {global_average_pool = \"GlobalAveragePool_g\"},\n"
            "  {flatten = \"Flatten_f\"},\n"
            "  {dense = \"fc\", out = \"classes\", bias = false},\n"
            "  {loss = \"loss\"},\n]\n");
  ASSERT_EQ(imported.weights.size(), 3U);
  EXPECT_EQ(imported.weights[2].name, "fc.weight");
  EXPECT_EQ(imported.weights[2].shape, Shape({5, 4}));
  const auto& values = std::get<std::vector<float>>(imported.weights[2].values);
  EXPECT_EQ(values[1], 0.01F * 5) << "the matrix is transposed: out x in";
}

TEST(OnnxImport, LeavesOutWhatTheOutputDoesNotNeed) {
  SmallModel small;
  small.add_node("Relu", {"r"}, "beside");
  small.graph().add_output()->set_name("beside");
  const ImportedNetwork imported = small.import();
  EXPECT_EQ(imported.graph.size(), SmallModel().import().graph.size());
  ASSERT_EQ(imported.notes.size(), 1U);
  EXPECT_THAT(imported.notes[0], HasSubstr("\"beside\" is left out"));
}

TEST(OnnxImport, TakesAnInputThatTheModelLeavesOpen) {
  SmallModel small;
  small.graph()
      .mutable_input(0)
      ->mutable_type()
      ->mutable_tensor_type()
      ->mutable_shape()
      ->mutable_dim(2)
      ->clear_dim_value();
  EXPECT_THROW((void)small.import(), UserError);
  EXPECT_EQ(small.import("", {3, 12, 8}).graph.layer(0).shape, Shape({3, 12, 8}));
}

TEST(OnnxImport, RefusesWhatItDoesNotUnderstandByNodeAndType) {
  EXPECT_THAT(import_refusal([](SmallModel& m) { m.node(1).set_op_type("Einsum"); }),
              AllOf(HasSubstr("m.onnx: node \"Relu_r\" (Einsum)"), HasSubstr("AveragePool, BatchNormalization")));
  EXPECT_THAT(import_refusal([](SmallModel& m) { m.node(1).set_domain("com.example"); }), HasSubstr("com.example"));
  EXPECT_THAT(import_refusal([](SmallModel& m) { set_ints(m.node(1), "strange", {1}); }), HasSubstr("\"strange\""));
  EXPECT_THAT(import_refusal([](SmallModel& m) { m.add_input("second", {0, 3, 8, 8}); }), HasSubstr("two inputs"));
  EXPECT_THAT(import_refusal([](SmallModel& m) { m.model.mutable_opset_import(0)->set_version(99); }), HasSubstr("99"));
  EXPECT_THAT(import_refusal([](SmallModel& m) { m.graph().mutable_output(0)->set_name("nothing"); }),
              HasSubstr("\"nothing\""));
  EXPECT_THAT(import_refusal([](SmallModel& m) {
                set_ints(m.node(0), "pads", {9999999999, 0, 0, 0});
              }),
              HasSubstr("padding of 9999999999"));
  EXPECT_THAT(import_refusal([](SmallModel& m) { set_ints(m.node(0), "strides", {0, 1}); }), HasSubstr("extent of 0"));
  EXPECT_THAT(import_refusal([](SmallModel& m) {
                set_ints(m.node(0), "kernel_shape", {9, 9});
              }),
              AllOf(HasSubstr("Conv"), HasSubstr("does not fit")));
}

TEST(OnnxImport, RefusesCyclesAndNamesThatAreGivenTwice) {
  EXPECT_THAT(import_refusal([](SmallModel& m) { m.node(1).set_input(0, "scores"); }), HasSubstr("a cycle"));
  EXPECT_THAT(import_refusal([](SmallModel& m) { m.node(1).set_input(0, "r"); }), HasSubstr("a cycle"));
  EXPECT_THAT(import_refusal([](SmallModel& m) { m.node(2).set_output(0, "c"); }), HasSubstr("a second time"));
}

TEST(OnnxImport, RefusesDamagedFiles) {
  const std::string whole = SmallModel().model.SerializeAsString();
  for (std::size_t size = 0; size < whole.size(); size += 3) {
    const std::string cut = whole.substr(0, size);
    EXPECT_THROW((void)import_onnx({reinterpret_cast<const std::uint8_t*>(cut.data()), cut.size()}, "cut", ""),
                 UserError)
        << size;
  }
  const std::string noise = "\x89PNG is something else";
  EXPECT_THROW((void)import_onnx({reinterpret_cast<const std::uint8_t*>(noise.data()), noise.size()}, "noise", ""),
               DataError);
}

TEST(OnnxImport, RefusesTensorsThatCannotBe) {
  const auto with_dim = [](std::int64_t extent) {
    return import_refusal<DataError>([&](SmallModel& m) { m.tensor(0).set_dims(0, extent); });
  };
  EXPECT_THAT(with_dim(5), HasSubstr("'conv.weight': it has 108 values for 135 places"));
  EXPECT_THAT(with_dim(-4), HasSubstr("negative or too large"));
  EXPECT_THAT(with_dim(std::int64_t{1} << 62U), HasSubstr("negative or too large"));
  EXPECT_THAT(import_refusal<DataError>([](SmallModel& m) { m.tensor(0).set_raw_data("abc"); }), HasSubstr("3 bytes"));
  EXPECT_THAT(import_refusal<DataError>([](SmallModel& m) { m.tensor(0).set_data_type(onnx::TensorProto::STRING); }),
              HasSubstr("STRING"));
}

// A file of a few kilobytes that would need gigabytes.
TEST(OnnxImport, RefusesSmallFilesThatComeToMuch) {
  const auto begin = std::chrono::steady_clock::now();
  EXPECT_THAT(import_refusal<DataError>([](SmallModel& m) {
                m.add_floats("large", {256, 256, 3, 3});
                m.add_floats("first", {256, 3, 1, 1});
                m.add_node("Conv", {"image", "first"}, "x0");
                for (int i = 0; i < 200; ++i) {
                  set_ints(m.add_node("Conv", {"x" + std::to_string(i), "large"}, "x" + std::to_string(i + 1)), "pads",
                           {1, 1, 1, 1});
                }
              }),
              HasSubstr("more weights than a file of this size holds"));
  EXPECT_THAT(import_refusal([](SmallModel& m) {
                m.add_wholes("s0", {1, 2});
                for (int i = 0; i < 60; ++i) {
                  const std::string s = "s" + std::to_string(i);
                  set_ints(m.add_node("Concat", {s, s}, "s" + std::to_string(i + 1)), "axis", {});
                }
              }),
              HasSubstr("Concat"));
  EXPECT_THAT(import_refusal([](SmallModel& m) {
                for (int i = 0; i < 20'000; ++i) {
                  m.add_node("Relu", {i == 0 ? "r" : "y" + std::to_string(i)}, "y" + std::to_string(i + 1));
                }
              }),
              HasSubstr("more than 10000 layers"));
  EXPECT_LT(std::chrono::steady_clock::now() - begin, std::chrono::minutes(5)) << "exponential work";
}

class OnnxFiles : public TemporaryFolder {
 protected:
  static void move_out(SmallModel& model, const std::string& location) {
    onnx::TensorProto& tensor = model.tensor(1);
    tensor.clear_float_data();
    tensor.set_data_location(onnx::TensorProto::EXTERNAL);
    onnx::StringStringEntryProto& entry = *tensor.add_external_data();
    entry.set_key("location");
    entry.set_value(location);
  }
};

TEST_F(OnnxFiles, TensorsMayLieInFilesBesideTheModel) {
  put(folder_ / "bias.bin", std::string(16, '\0'));
  SmallModel small;
  move_out(small, "bias.bin");
  const ImportedNetwork imported = small.import(folder_);
  EXPECT_EQ(std::get<std::vector<float>>(imported.weights[1].values), std::vector<float>(4, 0));
  put(folder_ / "bias.bin", std::string(15, '\0'));
  EXPECT_THROW((void)small.import(folder_), DataError);
}

TEST_F(OnnxFiles, TensorsInOtherFoldersAreNotRead) {
  std::filesystem::create_directory(folder_ / "inside");
  put(folder_ / "secret.bin", std::string(16, 'x'));
  std::filesystem::create_symlink(folder_ / "secret.bin", folder_ / "inside" / "link.bin");
  for (const std::string& location :
       {std::string("../secret.bin"), (folder_ / "secret.bin").string(), std::string("link.bin"), std::string("")}) {
    EXPECT_THAT(import_refusal<DataError>([&](SmallModel& m) { move_out(m, location); }, folder_ / "inside"),
                HasSubstr("outside the model's folder"))
        << location;
  }
}

// Averaging down to 6x6 is exported as such a pooling if the image already has 6x6 pixels.
TEST(OnnxImport, LeavesOutPoolingsOfOnePixel) {
  for (const char* const type : {"AveragePool", "MaxPool"}) {
    SmallModel small;
    small.node(1).set_op_type(type);
    set_ints(small.node(1), "kernel_shape", {1, 1});
    const ImportedNetwork imported = small.import();
    ASSERT_EQ(imported.graph.size(), 6);
    EXPECT_TRUE(std::holds_alternative<op::GlobalAveragePool>(imported.graph.layer(2).op)) << type;
    set_ints(small.node(1), "strides", {2, 2});
    EXPECT_EQ(small.import().graph.size(), 7) << type;
  }
}

// The model reshapes to a row by a shape that it computes: the batch from one shape, the rest from another.
TEST(OnnxImport, TakesPartsOfShapes) {
  SmallModel small;
  small.graph().mutable_node()->RemoveLast();
  small.graph().mutable_node()->RemoveLast();
  set_int(small.add_node("Shape", {"g"}, "batch"), "end", 1);
  onnx::NodeProto& rest = small.add_node("Shape", {"g"}, "channels");
  set_int(rest, "start", -3);
  set_int(rest, "end", 2);
  set_int(small.add_node("Concat", {"batch", "channels"}, "target"), "axis", 0);
  small.add_node("Reshape", {"g", "target"}, "flat");
  small.add_node("Gemm", {"flat", "fc.weight"}, "scores");
  const ImportedNetwork imported = small.import();
  EXPECT_EQ(imported.graph.layer(imported.graph.output()).shape, Shape{});
  EXPECT_EQ(imported.weights.back().shape, Shape({5, 4}));
}

}  // namespace
}  // namespace convoy
