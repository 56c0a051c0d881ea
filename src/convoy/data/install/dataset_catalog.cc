#include "convoy/data/install/dataset_catalog.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "convoy/base/error.h"
#include "convoy/base/nearest.h"

namespace convoy::data {

namespace {

Dataset mnist() {
  return {.name = "mnist",
          .description = "handwritten digits, 1x28x28, 10 classes, 60,000 + 10,000",
          .download_bytes = 11'594'722,
          .mirrors = {"https://ossci-datasets.s3.amazonaws.com/mnist/",
                      "https://storage.googleapis.com/cvdf-datasets/mnist/"},
          .files = {{"train-images-idx3-ubyte.gz", "440fcabf73cc546fa21475e81ea370265605f56be210a4024d2ca8f203523609"},
                    {"train-labels-idx1-ubyte.gz", "3552534a0a558bbed6aed32b30c495cca23d567ec52cac8be1a0730e8010255c"},
                    {"t10k-images-idx3-ubyte.gz", "8d422c7b0a1c1c79245a5bcf07fe86e33eeafee792b84584aec276f5a2dbc4e6"},
                    {"t10k-labels-idx1-ubyte.gz", "f7ae60f92e00ec6debd23a6088c31dbd2371eca3ffa0defaefb259924204aec6"}},
          .contents = {{"train-images-idx3-ubyte", "ba891046e6505d7aadcbbe25680a0738ad16aec93bde7f9b65e87a2fc25776db"},
                       {"train-labels-idx1-ubyte", "65a50cbbf4e906d70832878ad85ccda5333a97f0f4c3dd2ef09a8a9eef7101c5"},
                       {"t10k-images-idx3-ubyte", "0fa7898d509279e482958e8ce81c8e77db3f2f8254e26661ceb7762c4d494ce7"},
                       {"t10k-labels-idx1-ubyte", "ff7bcfd416de33731a308c3f266cc351222c34898ecbeaf847f06e48f7ec33f2"}}};
}

Dataset fashion_mnist() {
  return {.name = "fashion-mnist",
          .description = "pieces of clothing, 1x28x28, 10 classes, 60,000 + 10,000",
          .download_bytes = 30'878'645,
          .mirrors = {"http://fashion-mnist.s3-website.eu-central-1.amazonaws.com/"},
          .files = {{"train-images-idx3-ubyte.gz", "3aede38d61863908ad78613f6a32ed271626dd12800ba2636569512369268a84"},
                    {"train-labels-idx1-ubyte.gz", "a04f17134ac03560a47e3764e11b92fc97de4d1bfaf8ba1a3aa29af54cc90845"},
                    {"t10k-images-idx3-ubyte.gz", "346e55b948d973a97e58d2351dde16a484bd415d4595297633bb08f03db6a073"},
                    {"t10k-labels-idx1-ubyte.gz", "67da17c76eaffca5446c3361aaab5c3cd6d1c2608764d35dfb1850b086bf8dd5"}},
          .contents = {{"train-images-idx3-ubyte", "c59f468a2f672dc815687fe0f83887768d799fd8a3f3276145d20f83aa44d888"},
                       {"train-labels-idx1-ubyte", "bad3541b69d912435c50bb6ba87bec294ff4f6a2e1246121d8633921760443d9"},
                       {"t10k-images-idx3-ubyte", "5b4141f0afbad91edebe8549f8fcffe087ea10ca49f1dbef5c9a5cd8815ce37b"},
                       {"t10k-labels-idx1-ubyte", "0402a96d92fd2663957122ceb108a494c5af83dab82d92729df917d7dec38c34"}}};
}

Dataset cifar10() {
  return {.name = "cifar10",
          .description = "photographs of things and animals, 3x32x32, 10 classes, 50,000 + 10,000",
          .download_bytes = 170'052'171,
          .mirrors = {"https://www.cs.toronto.edu/~kriz/"},
          .files = {{"cifar-10-binary.tar.gz", "c4a38c50a1bc5f3a1c5537f2155ab9d68f9f25eb1ed8d9ddda3db29a59bca1dd"}},
          .contents = {{"data_batch_1.bin", "cee916563c9f80d84e3cc88e17fdc0941787f1244f00a67874d45b261883ada5"},
                       {"data_batch_2.bin", "a591ca11fa1708a91ee40f54b3da4784ccd871ecf2137de63f51ada8b3fa57ed"},
                       {"data_batch_3.bin", "bbe8596564c0f86427f876058170b84dac6670ddf06d79402899d93ceea26f67"},
                       {"data_batch_4.bin", "014e562d6e23c72197cc727519169a60359f5eccd8945ad5a09d710285ff4e48"},
                       {"data_batch_5.bin", "755304fc0b379caeae8c14f0dac912fbc7d6cd469eb67a1029a08a39453a9add"},
                       {"test_batch.bin", "8e2eb146ae340b09e24670f29cabc6326dba54da8789dab6768acf480273f65b"}}};
}

Dataset cifar100() {
  return {.name = "cifar100",
          .description = "photographs of things and animals, 3x32x32, 100 classes, 50,000 + 10,000",
          .download_bytes = 168'513'733,
          .mirrors = {"https://www.cs.toronto.edu/~kriz/"},
          .files = {{"cifar-100-binary.tar.gz", "58a81ae192c23a4be8b1804d68e518ed807d710a4eb253b1f2a199162a40d8ec"}},
          .contents = {{"train.bin", ""}, {"test.bin", ""}}};
}

Dataset tiny_imagenet() {
  return {.name = "tiny-imagenet",
          .description = "photographs, JPEG 3x64x64, 200 classes, 100,000 + 10,000",
          .download_bytes = 248'100'043,
          .mirrors = {"https://cs231n.stanford.edu/", "http://cs231n.stanford.edu/"},
          .files = {{"tiny-imagenet-200.zip", "6198c8ae015e2b3e007c7841da39ec069199b9aa3bfa943a462022fe5e43c821"}},
          .marker = "wnids.txt"};
}

}  // namespace

const std::vector<Dataset>& dataset_catalog() {
  static const std::vector<Dataset> catalog{mnist(), fashion_mnist(), cifar10(), cifar100(), tiny_imagenet()};
  return catalog;
}

const Dataset* find_by_contents(std::string_view sha256) {
  for (const Dataset& dataset : dataset_catalog()) {
    if (!sha256.empty() && std::ranges::find(dataset.contents, sha256, &HashedFile::sha256) != dataset.contents.end()) {
      return &dataset;
    }
  }
  return nullptr;
}

const Dataset& find_in_catalog(std::string_view name) {
  const auto& catalog = dataset_catalog();
  const auto found = std::find_if(catalog.begin(), catalog.end(), [&](const Dataset& set) { return set.name == name; });
  if (found != catalog.end()) return *found;
  std::vector<std::string> names;
  for (const Dataset& set : catalog) {
    names.push_back(set.name);
  }
  const auto nearest = nearest_name(name, names);
  throw UserError("there is no data set '{}'{}; known are {}", name,
                  nearest ? fmt::format("; did you mean {}?", *nearest) : "", fmt::join(names, ", "));
}

}  // namespace convoy::data
