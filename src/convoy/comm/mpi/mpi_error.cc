#include "convoy/comm/mpi/mpi_error.h"

#include <fmt/format.h>

#include <array>
#include <string_view>

#include "convoy/comm/peer_error.h"

namespace convoy {

void check_mpi(int code, const char* call) {
  if (code == MPI_SUCCESS) return;
  std::array<char, MPI_MAX_ERROR_STRING> text{};
  int length = 0;
  MPI_Error_string(code, text.data(), &length);
  throw PeerError(fmt::format("{} failed: {}", call, std::string_view(text.data(), length)));
}

}  // namespace convoy
