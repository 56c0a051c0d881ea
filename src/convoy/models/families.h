// The networks of the zoo, one family per source file. GoogLeNet has a header of its own for its modules.
#pragma once

#include "convoy/graph/graph.h"
#include "convoy/models/model_options.h"

namespace convoy {

// AlexNet (Krizhevsky et al. 2012) in three forms.

// One tower with padded convolutions and no normalisation, as CNTK's examples train it.
[[nodiscard]] Graph alexnet(const ModelOptions& options);

// As in the paper: two towers as groups in convolutions 2, 4 and 5, local response normalisation, overlapping pools.
[[nodiscard]] Graph alexnet2012(const ModelOptions& options);

// AlexNet's author's network for CIFAR, as Caffe trains it (cifar10_full): three 5x5 convolutions, overlapping pools,
// local response normalisation (over channels), one dense layer.
[[nodiscard]] Graph alexnet_cifar(const ModelOptions& options);

// LeNet in the wide form of today's MNIST tutorials: two 5x5 convolutions (32 and 64) and a dense layer of 512.
[[nodiscard]] Graph lenet(const ModelOptions& options);

// MobileNet v1 (Howard et al. 2017) at width 1: depthwise separable convolutions.
[[nodiscard]] Graph mobilenet(const ModelOptions& options);

// MobileNetV2 (Sandler et al. 2018) at width 1: inverted residuals with linear bottlenecks, torchvision's names.
[[nodiscard]] Graph mobilenetv2(const ModelOptions& options);

// ResNet for large images (He et al. 2015) with projection shortcuts, torchvision's strides and names.

// With two 3x3 convolutions per block.
[[nodiscard]] Graph resnet18(const ModelOptions& options);
[[nodiscard]] Graph resnet34(const ModelOptions& options);

// With bottleneck blocks, in which the 3x3 convolution has the stride.
[[nodiscard]] Graph resnet50(const ModelOptions& options);
[[nodiscard]] Graph resnet101(const ModelOptions& options);
[[nodiscard]] Graph resnet152(const ModelOptions& options);

// The small ResNets that He et al. (2015) trained on CIFAR: 6n + 2 layers, shortcuts without parameters (option A).

// depth: 6n + 2, that is 20, 32, 44, 56, 110.
[[nodiscard]] Graph resnet_cifar(int depth, const ModelOptions& options);

// SqueezeNet 1.1 (Iandola et al. 2016): fire modules and a convolutional classifier, torchvision's names.
[[nodiscard]] Graph squeezenet1_1(const ModelOptions& options);

// VGG (Simonyan and Zisserman 2014) without batch norm, with torchvision's names.

// The first dense layer reads what five poolings leave of the image: 7x7 for 224x224.
[[nodiscard]] Graph vgg11(const ModelOptions& options);
[[nodiscard]] Graph vgg13(const ModelOptions& options);
[[nodiscard]] Graph vgg16(const ModelOptions& options);
[[nodiscard]] Graph vgg19(const ModelOptions& options);

}  // namespace convoy
