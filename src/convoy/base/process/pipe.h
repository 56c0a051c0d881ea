// A pipe, whose ends other programs do not inherit but as their own input or output.
#pragma once

#include "convoy/base/file/descriptor.h"

namespace convoy {

struct Pipe {
  // Throws SystemError when the system has none left.
  Pipe();

  Descriptor out;  // to read from
  Descriptor in;   // to write to
};

}  // namespace convoy
