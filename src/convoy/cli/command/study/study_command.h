// `convoy study`: runs a series of trainings and says what came out.
#pragma once

namespace CLI {
class App;
}

namespace convoy::cli {

void add_study_command(CLI::App& app);

}  // namespace convoy::cli
