// The reader of packs on arbitrary bytes, with and without checksums and trailer put right: no
// crash, and files of the sizes that the directory says, or errors.
#include <string>
#include <string_view>

#include "sightline/base/crc32c.h"
#include "sightline/base/wire.h"
#include "sightline/ir/folder/deflate.h"
#include "sightline/ir/folder/pack_format.h"
#include "sightline/ir/folder/pack_reader.h"
#include "sightline/tests/fuzz/repair.h"
#include "sightline/tests/support/memory_file_system.h"

namespace {

using sightline::fuzz::Check;
using sightline::ir::PackReader;
namespace ir = sightline::ir;
namespace wire = sightline::wire;

constexpr char kPath[] = "p.irpack";

void ReadAll(std::string_view pack) {
  sightline::testing::MemoryFileSystem files;
  files.Put(kPath, pack);
  const auto reader = PackReader::Open(files, kPath);
  if (!reader) return;
  for (const auto& [path, file] : (*reader)->files()) {
    const auto bytes = (*reader)->Read(file);
    if (bytes) Check(bytes->size() == file.bytes, "a file has the size that is said");
  }
}

// A pack of one block of lines, one of recipes, and this directory: only it is arbitrary.
std::string Wrap(std::string_view lines, std::string_view recipes, std::string_view directory) {
  std::string pack(ir::kPackMagic);
  pack += ir::Deflate(lines) + ir::Deflate(recipes);
  const std::string packed = ir::Deflate(directory);
  std::string trailer;
  wire::AppendFixed(trailer, std::uint64_t{pack.size()});
  wire::AppendFixed(trailer, std::uint64_t{packed.size()});
  wire::AppendFixed(trailer, std::uint64_t{directory.size()});
  wire::AppendFixed(trailer, sightline::crc32c::Value(packed));
  wire::AppendFixed(trailer, sightline::crc32c::Value(trailer));
  wire::AppendFixed(trailer, ir::kPackVersion);
  return pack + packed + trailer + std::string(ir::kPackEndMagic);
}

// A directory that names the two blocks, and one file with this recipe.
std::string Directory(std::string_view lines, std::string_view recipes, std::uint8_t line_count,
                      std::uint8_t file_bytes) {
  std::string directory;
  const auto add_block = [&directory](std::size_t offset, std::string_view bytes,
                                      std::int64_t count) {
    std::string block;
    wire::AppendInt(block, ir::kPackBlockOffset, static_cast<std::int64_t>(offset));
    wire::AppendInt(block, ir::kPackBlockPacked,
                    static_cast<std::int64_t>(ir::Deflate(bytes).size()));
    wire::AppendInt(block, ir::kPackBlockSize, static_cast<std::int64_t>(bytes.size()));
    wire::AppendInt(block, ir::kPackBlockLines, count);
    wire::AppendBytes(directory, ir::kPackBlock, block);
  };
  add_block(ir::kPackMagic.size(), lines, line_count);
  add_block(ir::kPackMagic.size() + ir::Deflate(lines).size(), recipes, 0);
  std::string file;
  wire::AppendBytes(file, ir::kPackFilePath, "a.ir");
  wire::AppendInt(file, ir::kPackFileSize, file_bytes);
  wire::AppendInt(file, ir::kPackFileBlock, 1);
  wire::AppendInt(file, ir::kPackFileRecipe, static_cast<std::int64_t>(recipes.size()));
  wire::AppendBytes(directory, ir::kPackFile, file);
  return directory;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view bytes(reinterpret_cast<const char*>(data), size);
  ReadAll(bytes);
  if (size < 4) return 0;
  const std::string_view rest = bytes.substr(4);
  const std::string_view lines = rest.substr(0, data[0]);
  const std::string_view recipes = rest.substr(lines.size(), data[1]);
  ReadAll(Wrap(lines, recipes, rest.substr(lines.size() + recipes.size())));
  ReadAll(Wrap(lines, recipes, Directory(lines, recipes, data[2], data[3])));
  return 0;
}
