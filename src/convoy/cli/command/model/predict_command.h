// `convoy predict`: what trained weights see in images.
#pragma once

namespace CLI {
class App;
}

namespace convoy::cli {

void add_predict_command(CLI::App& app);

}  // namespace convoy::cli
