// The stored index of a folder on arbitrary bytes, with and without its checksum put right: an
// index that is not sound is empty, and one that is sound is written as it was read.
#include <string>
#include <string_view>

#include "sightline/ir/folder_index.h"
#include "sightline/recorder/crc32c.h"
#include "sightline/recorder/wire.h"
#include "sightline/tests/fuzz/repair.h"
#include "sightline/tests/support/memory_file_system.h"

namespace {

using sightline::ir::FolderIndex;

constexpr char kPath[] = "graphs.irindex";
constexpr std::size_t kMagicBytes = 8;

void Load(std::string_view bytes) {
  sightline::testing::MemoryFileSystem files;
  files.Put(kPath, bytes);
  const FolderIndex index = FolderIndex::Load(files, kPath, "graphs");
  sightline::fuzz::Check(index.size() <= bytes.size(), "each dump takes bytes");
  (void)index.Find("00_a_0000.ir", 1, 1);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view bytes(reinterpret_cast<const char*>(data), size);
  Load(bytes);
  if (size < kMagicBytes) return 0;
  const std::string_view message = bytes.substr(kMagicBytes);
  std::string repaired(bytes.substr(0, kMagicBytes));
  sightline::wire::AppendFixed(repaired, sightline::crc32c::Value(message));
  repaired += message;
  Load(repaired);
  return 0;
}
