// Includes the TOML library with its assertions off: they fail on bad text before the library gets to throw its own
// errors. All code includes it through this header, so that everyone sees the same configuration. It is compiled only
// once, in toml_parser.cc, because that takes long.
#pragma once

#define TOML_HEADER_ONLY 0
#define TOML_ASSERT(expr) static_assert(true)
#include <toml++/toml.h>
