// The flags of every command that opens data.
#pragma once

#include <string>

#include "convoy/run/settings/source_settings.h"

namespace CLI {
class App;
}

namespace convoy::cli {

// --data-dir alone, for commands that open nothing.
void add_data_dir_flag(CLI::App& command, std::string& data_dir);

// --data-dir, --image-size, --val-fraction, --split-seed, --skip-corrupt; `settings` must outlive the parser.
void add_source_flags(CLI::App& command, SourceSettings& settings);
void add_pack_flag(CLI::App& command, SourceSettings& settings);

}  // namespace convoy::cli
