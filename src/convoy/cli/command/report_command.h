// `convoy report`: studies and runs as a page, as Markdown, or as files of figures and tables.
#pragma once

namespace CLI {
class App;
}

namespace convoy::cli {

void add_report_command(CLI::App& app);

}  // namespace convoy::cli
