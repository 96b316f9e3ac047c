#include "sightline/recorder/crc32c.h"

#include <isa-l/crc.h>

namespace sightline::crc32c {
namespace {

// ISA-L takes an int length.
constexpr std::size_t kMaxChunk = std::size_t{1} << 30;

}  // namespace

std::uint32_t Extend(std::uint32_t crc, std::string_view bytes) {
  std::uint32_t state = ~crc;
  while (!bytes.empty()) {
    const std::string_view chunk = bytes.substr(0, kMaxChunk);
    // The library declares the buffer non-const but only reads it.
    state = crc32_iscsi(reinterpret_cast<unsigned char*>(const_cast<char*>(chunk.data())),
                        static_cast<int>(chunk.size()), state);
    bytes.remove_prefix(chunk.size());
  }
  return ~state;
}

}  // namespace sightline::crc32c
