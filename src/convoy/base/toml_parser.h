// The TOML library with its assertions off: it asserts things about the text that its own errors come after. Everybody
// includes it from here, so that all see the same. Its code is compiled once, in toml_parser.cc: it takes long.
#pragma once

#define TOML_HEADER_ONLY 0
#define TOML_ASSERT(expr) static_assert(true)
#include <toml++/toml.h>
