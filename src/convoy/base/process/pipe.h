// A pipe. Programs that this process starts inherit its ends only where they are given as input or output.
#pragma once

#include "convoy/base/file/descriptor.h"

namespace convoy {

struct Pipe {
  // Throws SystemError when the system has no pipes left.
  Pipe();

  Descriptor out;  // to read from
  Descriptor in;   // to write to
};

}  // namespace convoy
