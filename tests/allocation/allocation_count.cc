#include "allocation_count.h"

#include <dnnl.h>
#include <malloc.h>
#include <sys/mman.h>

#include <atomic>
#include <cerrno>
#include <cstddef>

// The names below are glibc's and the linker's.
// NOLINTBEGIN(readability-identifier-naming,bugprone-reserved-identifier)

// glibc's own, under the names that nobody replaces. NOLINTBEGIN(readability-identifier-naming)
extern "C" {
void* __libc_malloc(std::size_t bytes);
void* __libc_calloc(std::size_t count, std::size_t bytes);
void* __libc_realloc(void* memory, std::size_t bytes);
void* __libc_memalign(std::size_t alignment, std::size_t bytes);
void __libc_free(void* memory);
// The linker's option --wrap turns calls of f into calls of __wrap_f, which calls the original as __real_f.
dnnl_status_t __real_dnnl_primitive_execute(const_dnnl_primitive_t primitive, dnnl_stream_t stream, int count,
                                            const dnnl_exec_arg_t* arguments);
void* __real_mmap(void* address, std::size_t bytes, int protection, int flags, int file, off_t offset);
}  // NOLINTEND(readability-identifier-naming)

namespace convoy::allocation {
namespace {

std::atomic<bool> counting = false;
// One kernel runs at a time, so one flag serves all threads.
std::atomic<bool> in_library = false;
std::atomic<std::int64_t> own = 0;
std::atomic<std::int64_t> library = 0;
std::atomic<std::int64_t> library_live = 0;
std::atomic<std::int64_t> executes = 0;

void* taken(void* memory) {
  if (!counting || memory == nullptr) return memory;
  if (in_library) {
    ++library;
    library_live += static_cast<std::int64_t>(malloc_usable_size(memory));
  } else {
    ++own;
  }
  return memory;
}

void given_back(void* memory) {
  if (counting && in_library && memory != nullptr) {
    library_live -= static_cast<std::int64_t>(malloc_usable_size(memory));
  }
}

}  // namespace

void start() {
  own = library = library_live = executes = 0;
  counting = true;
}

Count stop() {
  counting = false;
  return {.own = own, .library = library, .library_live = library_live, .executes = executes};
}

}  // namespace convoy::allocation

using convoy::allocation::given_back;
using convoy::allocation::taken;

// The standard library's operator new and delete call these.
extern "C" {

void* malloc(std::size_t bytes) { return taken(__libc_malloc(bytes)); }

void* calloc(std::size_t count, std::size_t bytes) { return taken(__libc_calloc(count, bytes)); }

void* realloc(void* memory, std::size_t bytes) {
  given_back(memory);
  return taken(__libc_realloc(memory, bytes));
}

void* memalign(std::size_t alignment, std::size_t bytes) { return taken(__libc_memalign(alignment, bytes)); }

void* aligned_alloc(std::size_t alignment, std::size_t bytes) { return taken(__libc_memalign(alignment, bytes)); }

int posix_memalign(void** memory, std::size_t alignment, std::size_t bytes) {
  *memory = taken(__libc_memalign(alignment, bytes));
  return *memory == nullptr ? ENOMEM : 0;
}

void free(void* memory) {
  given_back(memory);
  __libc_free(memory);
}

void* __wrap_mmap(void* address, std::size_t bytes, int protection, int flags, int file, off_t offset) {
  if (convoy::allocation::counting) ++convoy::allocation::own;
  return __real_mmap(address, bytes, protection, flags, file, offset);
}

dnnl_status_t __wrap_dnnl_primitive_execute(const_dnnl_primitive_t primitive, dnnl_stream_t stream, int count,
                                            const dnnl_exec_arg_t* arguments) {
  convoy::allocation::in_library = true;
  if (convoy::allocation::counting) ++convoy::allocation::executes;
  const dnnl_status_t status = __real_dnnl_primitive_execute(primitive, stream, count, arguments);
  convoy::allocation::in_library = false;
  return status;
}
}

// NOLINTEND(readability-identifier-naming,bugprone-reserved-identifier)
