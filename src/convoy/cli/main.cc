#include "convoy/cli/app.h"

int main(int argc, char** argv) { return convoy::cli::run(argc, argv); }
