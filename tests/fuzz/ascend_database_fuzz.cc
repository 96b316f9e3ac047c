// Databases of Ascend's profilers, of arbitrary bytes. The mutator works on pages, and keeps the
// beginning of the file that of a database, so that most inputs get past SQLite's first look.
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <random>
#include <string_view>

#include "sightline/tests/fuzz/profile_checks.h"
#include "sightline/tests/fuzz/repair.h"

namespace {

constexpr std::size_t kPage = 512;
constexpr std::size_t kHeader = 100;

// Makes the header say what the file is: a database of pages of 512 bytes, as many as there are.
void RepairHeader(std::uint8_t* data, std::size_t size) {
  constexpr std::string_view kMagic("SQLite format 3\0", 16);
  if (size < kHeader) return;
  std::memcpy(data, kMagic.data(), kMagic.size());
  const std::size_t pages = size / kPage;
  const std::uint8_t fixed[] = {2, 0, 1, 1, 0, 64, 32, 32};
  std::memcpy(data + 16, fixed, sizeof(fixed));
  for (std::size_t i = 0; i < 4; ++i)
    data[28 + i] = static_cast<std::uint8_t>(pages >> (8 * (3 - i)));
  // The size counts if the file was changed last by the version that wrote it.
  std::memcpy(data + 92, data + 24, 4);
}

}  // namespace

extern "C" std::size_t LLVMFuzzerCustomMutator(std::uint8_t* data, std::size_t size,
                                               std::size_t max_size, unsigned int seed) {
  std::minstd_rand random(seed);
  const std::size_t pages = size / kPage;
  const auto any_page = [&] { return data + random() % pages * kPage; };
  switch (pages == 0 ? 0 : random() % 4) {
    case 0:
      size = LLVMFuzzerMutate(data, size, max_size);
      break;
    case 1:  // One page again in the place of another.
      std::memmove(any_page(), any_page(), kPage);
      break;
    case 2: {  // Some bytes of one page: its header, or the beginning of its cells' places.
      std::uint8_t* page = any_page();
      const std::size_t skip = page == data ? kHeader : 0;
      LLVMFuzzerMutate(page + skip, 32, 32);
      break;
    }
    default: {  // The end of one page, where its cells are.
      std::uint8_t* page = any_page();
      LLVMFuzzerMutate(page + kPage / 2, kPage / 2, kPage / 2);
      break;
    }
  }
  if (random() % 8 != 0) RepairHeader(data, size);
  return size;
}

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view bytes(reinterpret_cast<const char*>(data), size);
  // The schema of one that has the sums of all ranks says so.
  const bool is_cluster = bytes.find("ClusterStepTraceTime") != std::string_view::npos;
  sightline::fuzz::CheckProfile(is_cluster
                                    ? "run/cluster_analysis.db"
                                    : "run/ASCEND_PROFILER_OUTPUT/ascend_pytorch_profiler_0.db",
                                bytes);
  return 0;
}
