#include "convoy/cli/app.h"
#include "convoy/cli/launch/openmp_start.h"

int main(int argc, char** argv) {
  convoy::cli::start_openmp(argv);
  return convoy::cli::run(argc, argv);
}
