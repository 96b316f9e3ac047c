// The reader of safetensors on arbitrary bytes.
#include "sightline/tests/fuzz/checkpoint_checks.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  sightline::fuzz::CheckCheckpoint({reinterpret_cast<const char*>(data), size},
                                   &sightline::landscape::ParseSafetensors);
  return 0;
}
