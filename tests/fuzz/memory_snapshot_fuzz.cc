// Pickles of memory snapshots on arbitrary bytes.
#include <cstddef>
#include <cstdint>

#include "sightline/tests/fuzz/profile_checks.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  sightline::fuzz::CheckProfile("run/snapshot.pickle", {reinterpret_cast<const char*>(data), size});
  return 0;
}
