// The flags of every command that opens data.
#pragma once

#include <string>

#include "convoy/cli/progress_line.h"
#include "convoy/data/source_options.h"

namespace CLI {
class App;
}

namespace convoy::cli {

// --data-dir alone, for commands that open nothing.
void add_data_dir_flag(CLI::App& command, std::string& data_dir);

// --data-dir, --image-size, --val-fraction, --split-seed, --skip-corrupt, --pack; `flags` has to live as long as the
// command.
struct SourceFlags {
  std::string data_dir;
  std::int64_t image_size = 0;
  double val_fraction = 0.2;
  std::uint64_t split_seed = 0;
  bool skip_corrupt = false;
  std::string pack = "auto";
};
// All but --pack.
void add_source_flags(CLI::App& command, SourceFlags& flags);
void add_pack_flag(CLI::App& command, SourceFlags& flags);

// With the cache folder, all usable cores, and remarks and progress going to stderr. Throws UserError for values out of
// range.
[[nodiscard]] data::SourceOptions source_options(const SourceFlags& flags);

// How far making a pack is.
void show_packing(ProgressLine& line, std::int64_t done, std::int64_t total);

// One line on stderr that is neither result nor error.
void print_note(const std::string& note);

}  // namespace convoy::cli
