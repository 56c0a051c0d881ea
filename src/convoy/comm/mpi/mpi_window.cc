#include "convoy/comm/mpi/mpi_window.h"

#include <cstdint>
#include <cstring>
#include <exception>
#include <utility>

#include "convoy/comm/mpi/mpi_error.h"
#include "convoy/comm/mpi/mpi_groups.h"

namespace convoy {
namespace {

constexpr std::size_t kAlignment = 64;

// MPI places the parts behind data of its own, at any address. Every process maps the window at the beginning of a
// page, so an address has the same distance from an aligned one in all of them, and all find the same beginning.
std::byte* first_aligned(void* address) {
  const std::size_t beyond = reinterpret_cast<std::uintptr_t>(address) % kAlignment;
  return static_cast<std::byte*>(address) + (beyond == 0 ? 0 : kAlignment - beyond);
}

class Window {
 public:
  Window(MPI_Comm node, std::size_t bytes, std::shared_ptr<const bool> broken) : broken_(std::move(broken)) {
    MPI_Info info = MPI_INFO_NULL;
    check_mpi(MPI_Info_create(&info), "MPI_Info_create");
    check_mpi(MPI_Info_set(info, "alloc_shared_noncontig", "true"), "MPI_Info_set");
    void* own = nullptr;
    check_mpi(MPI_Win_allocate_shared(static_cast<MPI_Aint>(bytes + kAlignment), 1, info, node, &own, &window_),
              "MPI_Win_allocate_shared");
    check_mpi(MPI_Info_free(&info), "MPI_Info_free");
    // MPI requires an access epoch even for plain reads and writes. Their order is ensured by the arena's atomic
    // counters.
    check_mpi(MPI_Win_lock_all(MPI_MODE_NOCHECK, window_), "MPI_Win_lock_all");
    std::memset(own, 0, bytes + kAlignment);
  }
  Window(const Window&) = delete;
  Window& operator=(const Window&) = delete;
  ~Window() {
    if (*broken_ || std::uncaught_exceptions() > 0) return;
    MPI_Win_unlock_all(window_);
    MPI_Win_free(&window_);
  }

  [[nodiscard]] std::byte* part_of(int local_rank) const {
    MPI_Aint bytes = 0;
    int unit = 0;
    void* begin = nullptr;
    check_mpi(MPI_Win_shared_query(window_, local_rank, &bytes, &unit, &begin), "MPI_Win_shared_query");
    return first_aligned(begin);
  }

 private:
  std::shared_ptr<const bool> broken_;
  MPI_Win window_ = MPI_WIN_NULL;
};

}  // namespace

NodeMemory allocate_window(MPI_Comm node, std::size_t bytes, std::shared_ptr<const bool> broken) {
  const auto window = std::make_shared<Window>(node, bytes, std::move(broken));
  NodeMemory memory{.parts = {}, .owner = window};
  for (int local = 0; local < size_of(node); ++local) {
    memory.parts.emplace_back(window->part_of(local), bytes);
  }
  return memory;
}

}  // namespace convoy
