#include "convoy/models/zoo.h"

#include <algorithm>
#include <optional>

#include "convoy/base/error.h"
#include "convoy/base/nearest.h"
#include "convoy/models/families.h"
#include "convoy/models/googlenet.h"

namespace convoy {
namespace {

template <int Depth>
Graph cifar(const ModelOptions& options) {
  return resnet_cifar(Depth, options);
}

std::vector<ZooEntry> make_zoo() {
  const Shape digit = {1, 28, 28};
  const Shape cifar_image = {3, 32, 32};
  const Shape tiny = {3, 64, 64};
  const Shape large = {3, 224, 224};
  const Shape module = {256, 32, 32};
  return {
      {"lenet", "two 5x5 convolutions and a dense layer, for digits", digit, 10, lenet},
      {"alexnet", "AlexNet as one padded tower", tiny, 200, alexnet},
      {"alexnet2012", "AlexNet as published: two towers, LRN", {3, 227, 227}, 1000, alexnet2012},
      {"alexnet-cifar", "AlexNet's form for 32x32 images, as in Caffe", cifar_image, 10, alexnet_cifar},
      {"vgg11", "VGG with 11 layers", large, 1000, vgg11},
      {"vgg13", "VGG with 13 layers", large, 1000, vgg13},
      {"vgg16", "VGG with 16 layers", large, 1000, vgg16},
      {"vgg19", "VGG with 19 layers", large, 1000, vgg19},
      {"resnet20", "CIFAR ResNet, shortcuts without parameters", cifar_image, 10, cifar<20>},
      {"resnet32", "CIFAR ResNet, shortcuts without parameters", cifar_image, 10, cifar<32>},
      {"resnet44", "CIFAR ResNet, shortcuts without parameters", cifar_image, 10, cifar<44>},
      {"resnet56", "CIFAR ResNet, shortcuts without parameters", cifar_image, 10, cifar<56>},
      {"resnet110", "CIFAR ResNet, shortcuts without parameters", cifar_image, 10, cifar<110>},
      {"resnet18", "ResNet of basic blocks", large, 1000, resnet18},
      {"resnet34", "ResNet of basic blocks", large, 1000, resnet34},
      {"resnet50", "ResNet of bottleneck blocks", large, 1000, resnet50},
      {"resnet101", "ResNet of bottleneck blocks", large, 1000, resnet101},
      {"resnet152", "ResNet of bottleneck blocks", large, 1000, resnet152},
      {"googlenet", "GoogLeNet of 2014: inception modules, LRN", large, 1000, googlenet},
      {"mobilenet", "MobileNet v1: depthwise separable convolutions", large, 1000, mobilenet},
      {"mobilenetv2", "MobileNetV2: inverted residuals", large, 1000, mobilenetv2},
      {"squeezenet1.1", "SqueezeNet 1.1: fire modules", large, 1000, squeezenet1_1},
      {"inception-naive", "one inception module without reductions", module, 0, inception_naive_module},
      {"inception-reduced", "one inception module with 1x1 reductions", module, 0, inception_reduced_module},
  };
}

int classes_for(const ZooEntry& entry, int wanted) {
  if (wanted < 0) {
    throw UserError("classes must be at least 1, got {}", wanted);
  }
  if (wanted > 0 && entry.classes == 0) {
    throw UserError("model \"{}\" is a module without a classifier; leave the number of classes out", entry.name);
  }
  return wanted > 0 ? wanted : entry.classes;
}

}  // namespace

const std::vector<ZooEntry>& zoo() {
  static const std::vector<ZooEntry> entries = make_zoo();
  return entries;
}

const ZooEntry& find_model(std::string_view name) {
  const auto found = std::ranges::find(zoo(), name, &ZooEntry::name);
  if (found != zoo().end()) {
    return *found;
  }
  std::vector<std::string> names;
  for (const ZooEntry& entry : zoo()) {
    names.push_back(entry.name);
  }
  const std::optional<std::string> nearest = nearest_name(name, names);
  const std::string hint = nearest ? "; did you mean \"" + *nearest + "\"?" : ";";
  throw UserError("unknown model \"{}\"{} `convoy models` lists all", name, hint);
}

Graph build_model(std::string_view name, const ModelOptions& options) {
  const ZooEntry& entry = find_model(name);
  ModelOptions filled = options;
  filled.classes = classes_for(entry, options.classes);
  if (options.loss != Loss::cross_entropy && options.label_smoothing != 0) {
    throw UserError("label smoothing is for cross-entropy alone; leave it out with another loss");
  }
  if (filled.input.rank() == 0) {
    filled.input = entry.input;
  }
  return entry.build(filled);
}

}  // namespace convoy
