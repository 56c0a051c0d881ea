#include "convoy/checkpoint/safetensors.h"

#include <algorithm>
#include <cstring>

#include "convoy/base/error.h"
#include "convoy/base/file/input_file.h"
#include "convoy/base/file/output_file.h"
#include "convoy/checkpoint/safetensors_header.h"

namespace convoy {

namespace {

template <typename Value>
std::string_view bytes_of(const std::vector<Value>& values) {
  return {reinterpret_cast<const char*>(values.data()), values.size() * sizeof(Value)};
}

// Reads the values of a tensor in the type in which the file stores them.
template <typename Stored>
std::vector<Stored> read_values(InputFile& file, const TensorEntry& tensor) {
  std::vector<Stored> values((tensor.end - tensor.begin) / sizeof(Stored));
  file.read(std::as_writable_bytes(std::span(values)));
  return values;
}

template <typename Stored, typename Convert>
std::vector<float> read_floats(InputFile& file, const TensorEntry& tensor, Convert convert) {
  const std::vector<Stored> stored = read_values<Stored>(file, tensor);
  std::vector<float> values(stored.size());
  std::ranges::transform(stored, values.begin(), convert);
  return values;
}

NamedTensor read_tensor(InputFile& file, const TensorEntry& tensor) {
  NamedTensor result = {tensor.name, tensor.shape, {}};
  if (tensor.type == "F32") {
    result.values = read_values<float>(file, tensor);
  } else if (tensor.type == "I64") {
    result.values = read_values<std::int64_t>(file, tensor);
  } else if (tensor.type == "F64") {
    result.values = read_floats<double>(file, tensor, [](double value) { return static_cast<float>(value); });
  } else if (tensor.type == "F16") {
    result.values = read_floats<std::uint16_t>(file, tensor, float_of_half);
  } else if (tensor.type == "BF16") {
    result.values = read_floats<std::uint16_t>(file, tensor, float_of_bfloat16);
  } else {
    throw DataError("{}: the tensor '{:.80}' is of type {}, which cannot be read: only F32, F64, F16, BF16 and I64 can",
                    file.path().string(), tensor.name, tensor.type);
  }
  return result;
}

// Reads the length of the JSON header and checks that the file is long enough.
std::uint64_t read_length(InputFile& file) {
  std::uint64_t length = 0;
  if (file.size_bytes() < sizeof(length)) throw DataError("the file is cut short: it has {} bytes", file.size_bytes());
  file.read(std::as_writable_bytes(std::span(&length, 1)));
  if (length > kLongestHeaderBytes) throw DataError("a header of {} bytes is too long", length);
  if (length > file.size_bytes() - sizeof(length)) {
    throw DataError("the file is cut short: its header is longer than the file");
  }
  return length;
}

SafetensorsHeader read_header(InputFile& file) {
  try {
    std::string json(read_length(file), '\0');
    file.read(std::as_writable_bytes(std::span(json)));
    return parse_safetensors_header(json, file.size_bytes() - sizeof(std::uint64_t) - json.size());
  } catch (const DataError& error) {
    throw DataError("{} is not a safetensors file that can be read: {}", file.path().string(), error.what());
  }
}

}  // namespace

FileDigest write_safetensors(const std::filesystem::path& path, std::span<const NamedTensor> tensors,
                             const std::map<std::string, std::string>& metadata) {
  OutputFile file(path, OutputFile::Start::fresh);
  Digester digester;
  const auto put = [&](std::string_view bytes) {
    file.write(bytes);
    digester.add(bytes);
  };
  put(safetensors_header_bytes(tensors, metadata));
  for (const NamedTensor& tensor : tensors) {
    std::visit([&](const auto& values) { put(bytes_of(values)); }, tensor.values);
  }
  file.sync();
  return digester.digest();
}

TensorFile read_safetensors(const std::filesystem::path& path) {
  InputFile file(path);
  SafetensorsHeader header = read_header(file);
  TensorFile result;
  result.metadata = std::move(header.metadata);
  for (const TensorEntry& tensor : header.tensors) result.tensors.push_back(read_tensor(file, tensor));
  return result;
}

}  // namespace convoy
