// `convoy doctor`: what this build and this machine are, and what is wrong with them.
#pragma once

namespace CLI {
class App;
}

namespace convoy::cli {

void add_doctor_command(CLI::App& app);

}  // namespace convoy::cli
