#include "convoy/cli/app.h"
#include "convoy/cli/launch/spinning.h"

int main(int argc, char** argv) {
  convoy::cli::limit_spinning(argv);
  return convoy::cli::run(argc, argv);
}
