#define TOML_IMPLEMENTATION
#include "convoy/base/toml_parser.h"
