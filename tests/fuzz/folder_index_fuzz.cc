// The stored index of a folder on arbitrary bytes, with and without its checksum put right: what is
// not sound is empty. What is saved of a dump, whatever its texts and numbers, is found again.
#include <cstring>
#include <string>
#include <string_view>

#include "sightline/base/crc32c.h"
#include "sightline/base/wire.h"
#include "sightline/ir/folder/folder_index.h"
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

// Takes so many bytes from the front.
std::string Take(std::string_view& bytes, std::size_t size) {
  std::string taken(bytes.substr(0, size));
  bytes.remove_prefix(taken.size());
  return taken;
}

void SaveAndLoad(std::string_view bytes) {
  constexpr char kFolder[] = "graphs";
  sightline::ir::Dump dump;
  dump.path = Take(bytes, 5);
  dump.figures.entry = Take(bytes, 5);
  dump.modified_seconds = static_cast<double>(bytes.size());
  sightline::ir::Summary& summary = dump.figures.summary;
  for (std::uint64_t* number :
       {&dump.bytes, &summary.subgraphs, &summary.parameters, &summary.statements,
        &summary.location_lines, &summary.actors, &summary.sections, &dump.figures.problem_count,
        &dump.figures.digest.high, &dump.figures.digest.low}) {
    const std::string taken = Take(bytes, sizeof(*number));
    std::memcpy(number, taken.data(), taken.size());
    *number >>= 1;  // The fields are signed.
  }
  while (!bytes.empty()) {
    const std::string name = Take(bytes, 3);
    summary.callees[name] = bytes.size();
  }
  sightline::testing::MemoryFileSystem files;
  const auto saved = FolderIndex::Save(files, kPath, kFolder, {dump});
  sightline::fuzz::Check(saved.ok(), "an index is saved");
  const FolderIndex index = FolderIndex::Load(files, kPath, kFolder);
  const auto* found = index.Find(dump.path, dump.bytes, dump.modified_seconds);
  sightline::fuzz::Check(found != nullptr && *found == dump.figures, "it is found again");
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view bytes(reinterpret_cast<const char*>(data), size);
  Load(bytes);
  SaveAndLoad(bytes);
  if (size < kMagicBytes) return 0;
  const std::string_view message = bytes.substr(kMagicBytes);
  std::string repaired(bytes.substr(0, kMagicBytes));
  sightline::wire::AppendFixed(repaired, sightline::crc32c::Value(message));
  repaired += message;
  Load(repaired);
  return 0;
}
