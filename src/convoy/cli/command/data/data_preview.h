// `convoy data preview`: a picture of samples beside their augmented appearances.
#pragma once

namespace CLI {
class App;
}

namespace convoy::cli {

// Adds the sub-command to `convoy data`.
void add_data_preview(CLI::App& data);

}  // namespace convoy::cli
