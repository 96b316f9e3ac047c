#include "sightline/tests/support/allocations.h"

#include <atomic>
#include <cstdlib>
#include <new>

namespace {

thread_local std::uint64_t allocations = 0;
std::atomic<std::uint64_t> allocated_bytes = 0;

}  // namespace

// NOLINTBEGIN(cppcoreguidelines-no-malloc)
void* operator new(std::size_t size) {
  ++allocations;
  allocated_bytes += size;
  if (void* memory = std::malloc(size)) return memory;
  throw std::bad_alloc();
}
void operator delete(void* memory) noexcept { std::free(memory); }
void operator delete(void* memory, std::size_t /*size*/) noexcept { std::free(memory); }
// NOLINTEND(cppcoreguidelines-no-malloc)

namespace sightline::testing {

std::uint64_t AllocationsOfThisThread() { return allocations; }
std::uint64_t AllocatedBytes() { return allocated_bytes; }

}  // namespace sightline::testing
