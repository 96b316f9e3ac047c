#include "sightline/tests/fuzz/repair.h"

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <random>
#include <string_view>

#include "sightline/base/crc32c.h"
#include "sightline/recorder/framing/record_format.h"

namespace sightline::fuzz {
namespace {

void StoreChecksum(std::span<std::uint8_t> covered, std::uint8_t* at) {
  const std::string_view bytes(reinterpret_cast<const char*>(covered.data()), covered.size());
  const std::uint32_t crc = crc32c::Mask(crc32c::Value(bytes));
  std::memcpy(at, &crc, sizeof(crc));
}

}  // namespace

void RepairRecords(std::span<std::uint8_t> file, std::uint32_t seed) {
  std::minstd_rand random(seed);
  while (file.size() >= kRecordOverhead) {
    std::uint64_t length = 0;
    std::memcpy(&length, file.data(), sizeof(length));
    const std::uint64_t room = file.size() - kRecordOverhead;
    if (length > room) length = std::min<std::uint64_t>(room, random() % 256);
    const bool repair = random() % 8 != 0;
    if (repair) {
      std::memcpy(file.data(), &length, sizeof(length));
      StoreChecksum(file.first(kRecordLengthSize), file.data() + kRecordLengthSize);
      StoreChecksum(file.subspan(kRecordHeaderSize, length),
                    file.data() + kRecordHeaderSize + length);
    }
    file = file.subspan(kRecordOverhead + length);
  }
}

std::size_t MutateRecords(std::uint8_t* data, std::size_t size, std::size_t max_size,
                          std::uint32_t seed, std::size_t settings) {
  size = LLVMFuzzerMutate(data, size, max_size);
  if (size > settings) RepairRecords({data + settings, size - settings}, seed);
  return size;
}

void Check(bool holds, const char* what) {
  if (holds) return;
  std::fprintf(stderr, "fuzz: does not hold: %s\n", what);
  std::abort();
}

}  // namespace sightline::fuzz
