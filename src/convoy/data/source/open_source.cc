#include "convoy/data/source/open_source.h"

#include <fmt/format.h>
#include <xxhash.h>

#include "convoy/base/error.h"
#include "convoy/base/number_text.h"
#include "convoy/data/pack/pack_file.h"
#include "convoy/data/pack/pack_writer.h"
#include "convoy/data/source/cifar_source.h"
#include "convoy/data/source/image_file_source.h"
#include "convoy/data/source/image_folder.h"
#include "convoy/data/source/mnist_source.h"
#include "convoy/data/source/source_spec.h"
#include "convoy/data/source/subset_source.h"
#include "convoy/data/source/synthetic_source.h"

namespace convoy::data {

namespace fs = std::filesystem;

namespace {

std::int64_t image_size(const SourceSpec& spec, const SourceOptions& options) {
  if (options.image_size > 0) return options.image_size;
  return spec.kind == SourceKind::tiny_imagenet ? 64 : 224;
}

fs::path require_dataset(const SourceSpec& spec, const SourceOptions& options) {
  if (const auto folder = find_dataset(spec, options)) return *folder;
  if (!spec.argument.empty()) throw DataError("{}: there is no such folder", spec.argument);
  throw DataError("{} is not installed in {}; run `convoy data get {}`", spec.name, options.data_dir.string(),
                  spec.name);
}

// Returns null for a pack that is missing, outdated, corrupt or incomplete; it can be made again.
std::unique_ptr<Source> try_pack(const fs::path& path, std::uint64_t wanted, const SourceOptions& options) {
  std::error_code ignored;
  if (!fs::exists(path, ignored)) return nullptr;
  try {
    auto source = std::make_unique<PackSource>(path);
    const PackInfo& info = source->pack().info();
    if (info.fingerprint != wanted || (info.skipped > 0 && !options.skip_corrupt)) return nullptr;
    if (info.skipped > 0) {
      options.on_note(fmt::format("{}: unreadable images left out: {}", info.source, grouped_text(info.skipped)));
    }
    return source;
  } catch (const DataError& error) {
    options.on_note(fmt::format("{}; it is passed over", error.what()));
    return nullptr;
  }
}

bool pays_here(const ImageFileSource& source, const fs::path& cache_dir) {
  std::error_code error;
  fs::create_directories(cache_dir, error);
  const fs::space_info space = error ? fs::space_info{} : fs::space(cache_dir, error);
  return !error &&
         pack_pays(source.size(Split::train) + source.size(Split::test), source.shape().count(), space.available);
}

// The pack in the cache, which is made first if that is asked for and worthwhile. Null when the files themselves must
// be decoded.
std::unique_ptr<Source> open_cached_pack(const ImageFileSource& source, const SourceSpec& spec,
                                         const SourceOptions& options) {
  if (options.pack == PackUse::never || options.cache_dir.empty()) return nullptr;
  const std::uint64_t wanted = fingerprint(source.files());
  const fs::path path = cached_pack_path(source.files(), spec, options);
  if (auto pack = try_pack(path, wanted, options)) return pack;
  if (options.pack != PackUse::automatic || !pays_here(source, options.cache_dir)) return nullptr;
  options.on_note(fmt::format("{}: images are decoded once into {}", spec.text, path.string()));
  try {
    write_pack(path, source,
               {.fingerprint = wanted,
                .skip_corrupt = options.skip_corrupt,
                .threads = options.threads,
                .on_progress = options.on_progress});
  } catch (const StorageError& error) {
    options.on_note(fmt::format("{}; images are decoded each time instead", error.what()));
    return nullptr;
  }
  return try_pack(path, wanted, options);
}

std::unique_ptr<Source> open_image_files(const SourceSpec& spec, const SourceOptions& options) {
  ImageFiles files = list_image_files(spec, options);
  for (const std::string& note : files.notes) {
    options.on_note(note);
  }
  const std::int64_t size = image_size(spec, options);
  auto source = std::make_unique<ImageFileSource>(spec.text, files, size, options.cache_dir, options.threads);
  if (auto pack = open_cached_pack(*source, spec, options)) return pack;
  if (!options.skip_corrupt) return source;
  const auto removed = remove_unreadable(files, options.threads);
  if (removed.empty()) return source;
  options.on_note(fmt::format("{}: unreadable images left out: {}, the first because {}", spec.text,
                              grouped_text(static_cast<std::int64_t>(removed.size())), removed.front().reason));
  return std::make_unique<ImageFileSource>(spec.text, std::move(files), size, options.cache_dir, options.threads);
}

std::vector<std::int64_t> whole_samples(const PackSource& source, Split split) {
  std::vector<std::int64_t> whole;
  for (std::int64_t i = 0; i < source.size(split); ++i) {
    if (source.pack().is_whole(split, i)) whole.push_back(i);
  }
  return whole;
}

// Reads the whole pack, because it is not known beforehand which images are corrupt.
std::unique_ptr<Source> without_corrupt(std::unique_ptr<PackSource> source, const SourceSpec& spec,
                                        const SourceOptions& options) {
  SampleLists whole{.train = whole_samples(*source, Split::train), .test = whole_samples(*source, Split::test)};
  const std::int64_t all = source->size(Split::train) + source->size(Split::test);
  const std::int64_t lost = all - static_cast<std::int64_t>(whole.train.size() + whole.test.size());
  if (lost == 0) return source;
  options.on_note(fmt::format("{}: corrupt images left out: {}", spec.argument, grouped_text(lost)));
  return take_samples(std::move(source), std::move(whole));
}

std::unique_ptr<Source> open_pack(const SourceSpec& spec, const SourceOptions& options) {
  auto source = std::make_unique<PackSource>(spec.argument);
  if (options.image_size > 0 && options.image_size != source->shape()[1]) {
    throw UserError("{}: holds images of {}, not of size {}; pack the data again", spec.argument,
                    source->shape().to_string(), options.image_size);
  }
  if (options.skip_corrupt) return without_corrupt(std::move(source), spec, options);
  return source;
}

}  // namespace

std::optional<fs::path> find_dataset(const SourceSpec& spec, const SourceOptions& options) {
  std::error_code ignored;
  std::vector<fs::path> places{options.data_dir / spec.name, options.system_dir / spec.name};
  if (!spec.argument.empty()) places = {spec.argument};
  for (const fs::path& place : places) {
    if (fs::is_directory(place, ignored)) return place;
  }
  return std::nullopt;
}

bool has_image_files(SourceKind kind) { return kind == SourceKind::folder || kind == SourceKind::tiny_imagenet; }

ImageFiles list_image_files(const SourceSpec& spec, const SourceOptions& options) {
  if (spec.kind == SourceKind::folder) return scan_image_folder(spec.argument, options.val_fraction, options.seed);
  return scan_tiny_imagenet(require_dataset(spec, options));
}

fs::path cached_pack_path(const ImageFiles& files, const SourceSpec& spec, const SourceOptions& options) {
  std::error_code ignored;
  const std::string place = fs::weakly_canonical(files.root, ignored).string();
  const std::int64_t size = image_size(spec, options);
  return options.cache_dir / "packs" /
         fmt::format("{}-{:016x}-{}x{}.pack", spec.name, XXH3_64bits(place.data(), place.size()), size, size);
}

bool pack_pays(std::int64_t images, std::int64_t image_bytes, std::uint64_t free_bytes) {
  constexpr std::int64_t kFewest = 1000;
  return images >= kFewest &&
         static_cast<std::uint64_t>(images) * static_cast<std::uint64_t>(image_bytes) <= free_bytes / 4;
}

std::unique_ptr<Source> open_source(const std::string& written, const SourceOptions& options) {
  const SourceSpec spec = find_source(written);
  switch (spec.kind) {
    case SourceKind::mnist:
    case SourceKind::fashion_mnist:
      return open_mnist(spec.name, require_dataset(spec, options), options);
    case SourceKind::cifar10:
    case SourceKind::cifar100:
      return open_cifar(spec.name, require_dataset(spec, options), options);
    case SourceKind::tiny_imagenet:
    case SourceKind::folder:
      return open_image_files(spec, options);
    case SourceKind::pack:
      return open_pack(spec, options);
    case SourceKind::synthetic:
      break;
  }
  return make_synthetic_source(parse_synthetic_spec(spec.argument));
}

}  // namespace convoy::data
