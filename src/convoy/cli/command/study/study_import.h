// `convoy study import`: logs of other systems become records, so that the same statistics and reports apply to them.
#pragma once

namespace CLI {
class App;
}

namespace convoy::cli {

void add_study_import(CLI::App& study);

}  // namespace convoy::cli
