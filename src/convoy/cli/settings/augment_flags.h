// The flags that say how training images are varied, shared by every sub-command that trains on them or shows them.
#pragma once

#include "convoy/run/settings/augment_settings.h"

namespace CLI {
class App;
}

namespace convoy::cli {

// Adds --augment and a flag for each attribute. `settings` must outlive the parser.
void add_augment_flags(CLI::App& command, AugmentSettings& settings);

}  // namespace convoy::cli
