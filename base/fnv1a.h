// FNV-1a, 64 bits: a hash that must be the same in every build, for names on disk.
// Source: draft-eastlake-fnv-21. Not for hash tables that an adversary fills.
#pragma once

#include <cstdint>
#include <string_view>

namespace sightline {

constexpr std::uint64_t Fnv1a64(std::string_view bytes) {
  std::uint64_t hash = 0xcbf29ce484222325U;
  for (const char byte : bytes) hash = (hash ^ static_cast<unsigned char>(byte)) * 0x100000001b3U;
  return hash;
}

}  // namespace sightline
