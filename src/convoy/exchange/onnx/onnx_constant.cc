#include "convoy/exchange/onnx/onnx_constant.h"

#include <onnx/onnx_pb.h>

#include <algorithm>
#include <bit>
#include <charconv>
#include <cstring>
#include <functional>
#include <numeric>
#include <span>
#include <type_traits>

#include "convoy/base/error.h"
#include "convoy/base/file/mapped_file.h"
#include "convoy/checkpoint/safetensors.h"

namespace convoy {
namespace {

namespace fs = std::filesystem;

// No tensor in a file that fits into memory has more elements.
constexpr std::int64_t kMostElements = std::int64_t{1} << 33;

std::int64_t checked_count(const onnx::TensorProto& tensor) {
  std::int64_t count = 1;
  for (const std::int64_t extent : tensor.dims()) {
    if (extent < 0 || (extent > 0 && count > kMostElements / extent)) {
      throw DataError("tensor '{}': an extent of {} is negative or too large", tensor.name(), extent);
    }
    count *= extent;
  }
  return count;
}

// The bytes of a tensor that is stored in another file. `keep` keeps the file open while they are read.
std::span<const std::byte> external_bytes(const onnx::TensorProto& tensor, const fs::path& folder,
                                          std::optional<MappedFile>& keep) {
  fs::path location;
  std::uint64_t offset = 0;
  std::optional<std::uint64_t> length;
  const auto number_in = [&](const std::string& text) {
    std::uint64_t number = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
    if (error != std::errc() || end != text.data() + text.size()) {
      throw DataError("tensor '{}': '{}' is not a place in a file", tensor.name(), text);
    }
    return number;
  };
  for (const onnx::StringStringEntryProto& entry : tensor.external_data()) {
    if (entry.key() == "location") location = entry.value();
    if (entry.key() == "offset") offset = number_in(entry.value());
    if (entry.key() == "length") length = number_in(entry.value());
  }
  std::error_code error;
  const fs::path inside = fs::weakly_canonical(folder.empty() ? fs::path(".") : folder, error);
  const fs::path file = fs::weakly_canonical(inside / location, error);
  const bool is_below = std::ranges::mismatch(inside, file).in1 == inside.end();
  if (error || location.empty() || location.is_absolute() || !is_below) {
    throw DataError("tensor '{}': its values are in '{}', which is outside the model's folder; that is not read",
                    tensor.name(), location.string());
  }
  keep.emplace(file);
  const std::span<const std::byte> all = std::as_bytes(keep->bytes());
  if (offset > all.size() || length.value_or(0) > all.size() - offset) {
    throw DataError("tensor '{}': {} ends before its values do", tensor.name(), file.string());
  }
  return all.subspan(offset, length.value_or(all.size() - offset));
}

template <typename Stored, typename Value, typename Convert>
std::vector<Value> converted(const onnx::TensorProto& tensor, std::span<const std::byte> bytes, std::int64_t count,
                             Convert convert) {
  if (bytes.size() != static_cast<std::size_t>(count) * sizeof(Stored)) {
    throw DataError("tensor '{}': {} values and {} bytes do not fit together", tensor.name(), count, bytes.size());
  }
  std::vector<Value> values(static_cast<std::size_t>(count));
  for (std::size_t i = 0; i < values.size(); ++i) {
    Stored stored;
    std::memcpy(&stored, bytes.data() + i * sizeof(Stored), sizeof(Stored));
    values[i] = static_cast<Value>(convert(stored));
  }
  return values;
}

template <typename Value, typename Field, typename Convert>
std::vector<Value> listed(const onnx::TensorProto& tensor, const Field& field, std::int64_t count, Convert convert) {
  if (field.size() != count) {
    throw DataError("tensor '{}': it has {} values for {} places", tensor.name(), field.size(), count);
  }
  std::vector<Value> values;
  values.reserve(static_cast<std::size_t>(count));
  for (const auto value : field) values.push_back(static_cast<Value>(convert(value)));
  return values;
}

constexpr auto kAsItIs = [](auto value) { return value; };
constexpr auto kHalf = [](auto bits) { return float_of_half(static_cast<std::uint16_t>(bits)); };
constexpr auto kBfloat = [](auto bits) { return float_of_bfloat16(static_cast<std::uint16_t>(bits)); };

void fill_from_bytes(const onnx::TensorProto& tensor, std::span<const std::byte> bytes, OnnxConstant& constant) {
  const std::int64_t count = constant.count();
  using Tensor = onnx::TensorProto;
  switch (tensor.data_type()) {
    case Tensor::FLOAT:
      constant.floats = converted<float, float>(tensor, bytes, count, kAsItIs);
      return;
    case Tensor::DOUBLE:
      constant.floats = converted<double, float>(tensor, bytes, count, kAsItIs);
      return;
    case Tensor::FLOAT16:
      constant.floats = converted<std::uint16_t, float>(tensor, bytes, count, kHalf);
      return;
    case Tensor::BFLOAT16:
      constant.floats = converted<std::uint16_t, float>(tensor, bytes, count, kBfloat);
      return;
    case Tensor::INT64:
      constant.wholes = converted<std::int64_t, std::int64_t>(tensor, bytes, count, kAsItIs);
      return;
    case Tensor::INT32:
      constant.wholes = converted<std::int32_t, std::int64_t>(tensor, bytes, count, kAsItIs);
      return;
    case Tensor::BOOL:
      constant.wholes = converted<std::uint8_t, std::int64_t>(tensor, bytes, count, kAsItIs);
      return;
    default:
      throw DataError("tensor '{}': values of type {} are not understood; floats and whole numbers are", tensor.name(),
                      onnx::TensorProto_DataType_Name(static_cast<onnx::TensorProto_DataType>(tensor.data_type())));
  }
}

// The older form: the values are a list of numbers in the message.
void fill_from_fields(const onnx::TensorProto& tensor, OnnxConstant& constant) {
  const std::int64_t count = constant.count();
  using Tensor = onnx::TensorProto;
  switch (tensor.data_type()) {
    case Tensor::FLOAT:
      constant.floats = listed<float>(tensor, tensor.float_data(), count, kAsItIs);
      return;
    case Tensor::DOUBLE:
      constant.floats = listed<float>(tensor, tensor.double_data(), count, kAsItIs);
      return;
    case Tensor::FLOAT16:
      constant.floats = listed<float>(tensor, tensor.int32_data(), count, kHalf);
      return;
    case Tensor::BFLOAT16:
      constant.floats = listed<float>(tensor, tensor.int32_data(), count, kBfloat);
      return;
    case Tensor::INT64:
      constant.wholes = listed<std::int64_t>(tensor, tensor.int64_data(), count, kAsItIs);
      return;
    case Tensor::INT32:
    case Tensor::BOOL:
      constant.wholes = listed<std::int64_t>(tensor, tensor.int32_data(), count, kAsItIs);
      return;
    default:
      fill_from_bytes(tensor, {}, constant);  // throws an error that names the type
  }
}

}  // namespace

std::int64_t OnnxConstant::count() const {
  return std::accumulate(dims.begin(), dims.end(), std::int64_t{1}, std::multiplies<>());
}

OnnxConstant read_constant(const onnx::TensorProto& tensor, const fs::path& folder) {
  OnnxConstant constant;
  (void)checked_count(tensor);
  constant.dims.assign(tensor.dims().begin(), tensor.dims().end());
  if (tensor.data_location() == onnx::TensorProto::EXTERNAL) {
    std::optional<MappedFile> file;
    fill_from_bytes(tensor, external_bytes(tensor, folder, file), constant);
  } else if (tensor.has_raw_data()) {
    fill_from_bytes(tensor, std::as_bytes(std::span(tensor.raw_data())), constant);
  } else {
    fill_from_fields(tensor, constant);
  }
  return constant;
}

OnnxConstant transposed(const OnnxConstant& constant, const std::vector<std::int64_t>& order) {
  const std::size_t rank = constant.dims.size();
  OnnxConstant result;
  std::vector<std::int64_t> steps(rank, 1);
  for (std::size_t i = rank; i-- > 1;) steps[i - 1] = steps[i] * constant.dims[i];
  for (const std::int64_t axis : order) result.dims.push_back(constant.dims[static_cast<std::size_t>(axis)]);
  const auto rearrange = [&](const auto& from) {
    std::remove_cvref_t<decltype(from)> to(from.size());
    std::vector<std::int64_t> at(rank, 0);
    for (auto& value : to) {
      std::int64_t place = 0;
      for (std::size_t i = 0; i < rank; ++i) place += at[i] * steps[static_cast<std::size_t>(order[i])];
      value = from[static_cast<std::size_t>(place)];
      for (std::size_t i = rank; i-- > 0 && ++at[i] == result.dims[i];) at[i] = 0;
    }
    return to;
  };
  result.floats = rearrange(constant.floats);
  result.wholes = rearrange(constant.wholes);
  return result;
}

std::optional<std::vector<std::int64_t>> reshaped(const std::vector<std::int64_t>& dims,
                                                  const std::vector<std::int64_t>& target) {
  const auto product = [](const std::vector<std::int64_t>& extents) {
    std::int64_t count = 1;
    for (const std::int64_t extent : extents) {
      if (extent > 0 && count > kMostElements / extent) return std::int64_t{-1};
      count *= extent;
    }
    return count;
  };
  std::vector<std::int64_t> result = target;
  for (std::size_t i = 0; i < result.size(); ++i) {
    if (result[i] == 0 && i < dims.size()) result[i] = dims[i];
    if (result[i] < -1) return std::nullopt;
  }
  const std::int64_t count = product(dims);
  const auto open = std::ranges::find(result, -1);
  if (open != result.end()) {
    *open = 1;
    const std::int64_t rest = product(result);
    if (rest <= 0 || count % rest != 0 || std::ranges::find(result, -1) != result.end()) return std::nullopt;
    *open = count / rest;
  }
  if (count < 0 || product(result) != count) return std::nullopt;
  return result;
}

}  // namespace convoy
