#include "convoy/cli/command/data/data_commands.h"

#include <fmt/core.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <memory>
#include <nlohmann/json.hpp>
#include <optional>

#include "convoy/base/number_text.h"
#include "convoy/base/printable_text.h"
#include "convoy/base/text_table.h"
#include "convoy/cli/settings/shared_flags.h"
#include "convoy/cli/terminal/notes.h"
#include "convoy/data/pack/pack_file.h"
#include "convoy/data/source/channel_statistics.h"
#include "convoy/data/source/image_file_source.h"
#include "convoy/data/source/image_files.h"
#include "convoy/data/source/open_source.h"
#include "convoy/data/source/source_spec.h"

namespace convoy::cli {

namespace {

using data::Split;

struct InfoFlags {
  std::string data;
  SourceSettings source;
  bool json = false;
};

struct Info {
  std::unique_ptr<data::Source> source;
  data::ChannelStatistics statistics;
  std::optional<data::ImageSurvey> survey;
  std::vector<data::UnreadableFile> unreadable;
  std::vector<std::int64_t> train_counts;  // by class
  std::vector<std::int64_t> test_counts;
};

std::vector<std::int64_t> count_classes(const data::Source& source, Split split) {
  std::vector<std::int64_t> counts(source.classes().size());
  for (std::int64_t i = 0; i < source.size(split); ++i) {
    ++counts[static_cast<std::size_t>(source.label(split, i))];
  }
  return counts;
}

Info gather(const InfoFlags& flags) {
  data::SourceOptions options = source_options(flags.source, terminal_remarks());
  options.pack = data::PackUse::never;
  const data::SourceSpec spec = data::find_source(flags.data);
  Info info;
  if (data::has_image_files(spec.kind)) {
    data::ImageFiles files = data::list_image_files(spec, options);
    info.survey = data::survey_images(files, options.threads);
    info.unreadable = data::remove_unreadable(files, options.threads);
    const std::int64_t own_size = spec.kind == data::SourceKind::tiny_imagenet ? 64 : 224;
    info.source = std::make_unique<data::ImageFileSource>(
        spec.text, std::move(files), options.image_size > 0 ? options.image_size : own_size, "", options.threads);
  } else {
    info.source = data::open_source(spec.text, options);
  }
  if (const auto* const pack = dynamic_cast<const data::PackSource*>(info.source.get())) pack->pack().verify();
  info.statistics = data::measure_statistics(*info.source, options.threads);
  info.train_counts = count_classes(*info.source, Split::train);
  info.test_counts = count_classes(*info.source, Split::test);
  return info;
}

std::string size_text(const data::ImageSize& size) { return fmt::format("{}x{}", size.width, size.height); }

void print_json(const Info& info) {
  auto classes = nlohmann::ordered_json::array();
  for (std::size_t k = 0; k < info.train_counts.size(); ++k) {
    classes.push_back(
        {{"name", info.source->classes()[k]}, {"train", info.train_counts[k]}, {"test", info.test_counts[k]}});
  }
  auto unreadable = nlohmann::ordered_json::array();
  for (const data::UnreadableFile& file : info.unreadable) {
    unreadable.push_back({{"path", file.path}, {"reason", file.reason}});
  }
  nlohmann::ordered_json result{{"name", info.source->name()},
                                {"shape", info.source->shape().to_string()},
                                {"train", info.source->size(Split::train)},
                                {"test", info.source->size(Split::test)},
                                {"mean", info.statistics.mean},
                                {"deviation", info.statistics.deviation},
                                {"classes", classes},
                                {"unreadable", unreadable}};
  if (info.survey) {
    result["files"] = {{"jpeg", info.survey->jpeg},
                       {"png", info.survey->png},
                       {"smallest", size_text(info.survey->smallest)},
                       {"median", size_text(info.survey->median)},
                       {"largest", size_text(info.survey->largest)}};
  }
  // File names need not be UTF-8.
  fmt::print("{}\n", result.dump(2, ' ', false, nlohmann::json::error_handler_t::replace));
}

std::string channels_text(const std::vector<float>& values) {
  std::string text;
  for (const float value : values) {
    text += fmt::format("{}{:.4f}", text.empty() ? "" : ", ", value);
  }
  return text;
}

void print_classes(const Info& info) {
  TextTable table({"class", "train", "test"});
  for (std::size_t k = 0; k < info.train_counts.size(); ++k) {
    table.add_row({info.source->classes()[k], grouped_text(info.train_counts[k]), grouped_text(info.test_counts[k])});
  }
  table.add_rule();
  table.add_row({"all", grouped_text(info.source->size(Split::train)), grouped_text(info.source->size(Split::test))});
  fmt::print("{}\n", table.to_string());
}

void print_balance(const Info& info) {
  const auto [least, most] = std::minmax_element(info.train_counts.begin(), info.train_counts.end());
  if (*most == 0) return;
  fmt::print("balance:    the smallest class has {:.0f} % of the training images of the largest\n",
             100.0 * static_cast<double>(*least) / static_cast<double>(*most));
}

void print_text(const Info& info) {
  fmt::print("{}\n\n", printable_text(info.source->name()));
  print_classes(info);
  fmt::print("images:     {}\n", info.source->shape().to_string());
  if (info.survey) {
    fmt::print("files:      {} JPEG, {} PNG; {} to {}, median {}\n", grouped_text(info.survey->jpeg),
               grouped_text(info.survey->png), size_text(info.survey->smallest), size_text(info.survey->largest),
               size_text(info.survey->median));
  }
  print_balance(info);
  fmt::print("mean:       {}\ndeviation:  {}\n", channels_text(info.statistics.mean),
             channels_text(info.statistics.deviation));
  fmt::print("unreadable: {}\n", info.unreadable.empty() ? "none" : std::to_string(info.unreadable.size()));
  for (const data::UnreadableFile& file : info.unreadable) {
    fmt::print("  {}\n", printable_text(file.reason));
  }
}

}  // namespace

void add_data_info(CLI::App& data) {
  CLI::App* const command =
      data.add_subcommand("info", "Show counts, classes, sizes and statistics of a data set, and what is unreadable");
  const auto flags = std::make_shared<InfoFlags>();
  command->add_option("data", flags->data, "A name, or the path of a data set, an image folder or a pack")
      ->required()
      ->type_name("DATA");
  add_source_flags(*command, flags->source);
  command->add_flag("--json", flags->json, "Print one JSON object instead of text");
  command->footer("Example:\n  convoy data info fashion-mnist\n  convoy data info photos/");
  command->callback([flags] {
    const Info info = gather(*flags);
    flags->json ? print_json(info) : print_text(info);
  });
}

}  // namespace convoy::cli
