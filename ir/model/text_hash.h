// A fast hash of short texts, only for tables in memory: it differs between machines.
#pragma once

#include <cstdint>
#include <cstring>
#include <string_view>

namespace sightline::ir {
namespace hash_internal {

template <typename Word>
std::uint64_t Load(const char* from) {
  Word word;
  std::memcpy(&word, from, sizeof(word));
  return word;
}

inline std::uint64_t Mix(std::uint64_t word) {
  word *= 0x9e3779b97f4a7c15U;
  return word ^ (word >> 32);
}

}  // namespace hash_internal

inline std::uint64_t HashText(std::string_view text) {
  using hash_internal::Load;
  using hash_internal::Mix;
  const char* at = text.data();
  std::size_t left = text.size();
  std::uint64_t hash = left;
  if (left >= 32) {
    // Four chains, so that the multiplications of a long line overlap.
    std::uint64_t lanes[4] = {hash, 1, 2, 3};
    for (; left >= 32; at += 32, left -= 32) {
      for (std::size_t i = 0; i < 4; ++i)
        lanes[i] = Mix(lanes[i] ^ Load<std::uint64_t>(at + 8 * i));
    }
    hash = Mix(lanes[0] ^ Mix(lanes[1] + 1)) ^ Mix(lanes[2] + Mix(lanes[3] + 2));
  }
  for (; left >= 8; at += 8, left -= 8) hash = Mix(hash ^ Load<std::uint64_t>(at));
  if (left >= 4) {
    hash = Mix(hash ^ (Load<std::uint32_t>(at) << 32 | Load<std::uint32_t>(at + left - 4)));
  } else if (left > 0) {
    const auto byte = [&](std::size_t i) {
      return std::uint64_t{static_cast<unsigned char>(at[i])};
    };
    hash = Mix(hash ^ (byte(0) | byte(left / 2) << 8 | byte(left - 1) << 16 | 1U << 24));
  }
  return Mix(hash);
}

}  // namespace sightline::ir
