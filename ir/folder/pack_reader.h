// Reads packs of dumps (docs/ir_pack.md). Any thread, several at a time.
//
// A pack may be damaged or forged: what cannot be read is an error that names it, and memory stays
// in proportion to the pack's size and to the file that is asked for.
#pragma once

#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <string_view>
#include <vector>

#include "sightline/base/file_system.h"
#include "sightline/base/status.h"

namespace sightline::ir {

struct PackedFile {
  std::uint64_t bytes = 0;
  double modified_seconds = 0;
  std::uint32_t checksum = 0;  // CRC32C of its bytes.
  std::uint64_t block = 0;     // Where its recipe is.
  std::uint64_t offset = 0;
  std::uint64_t recipe_bytes = 0;
};

class PackReader {
 public:
  // Reads the directory. kDataLoss for what is no pack, or is damaged there.
  static Result<std::shared_ptr<PackReader>> Open(FileSystem& files, const std::string& path);

  // By path below the folder that was packed.
  const std::map<std::string, PackedFile, std::less<>>& files() const { return files_; }

  // A file's bytes. kDataLoss where the pack is damaged.
  Result<std::string> Read(const PackedFile& file) const;

 private:
  struct Block {
    std::uint64_t offset = 0;
    std::uint64_t packed = 0;
    std::uint64_t bytes = 0;
    std::uint64_t lines = 0;
    std::uint64_t first_line = 0;
  };
  // A block of lines: line i is text[ends[i - 1], ends[i]).
  struct Lines {
    std::string text;
    std::vector<std::uint32_t> ends;
  };

  PackReader(std::string path, std::unique_ptr<ReadableFile> file, std::uint64_t bytes)
      : path_(std::move(path)), file_(std::move(file)), bytes_(bytes) {}

  Status ReadDirectory();
  bool ParseDirectory(std::string_view message);
  bool ParseBlock(std::string_view message);
  bool ParseFile(std::string_view message);
  Result<std::string> ReadBytes(std::uint64_t offset, std::uint64_t size) const;
  Result<std::string> ReadBlock(const Block& block) const;
  Result<std::shared_ptr<const Lines>> LinesOf(std::size_t index) const;
  // Appends `count` lines from `first` on to `out`, which must not grow beyond `limit`.
  Status AppendLines(std::uint64_t first, std::uint64_t count, std::uint64_t limit,
                     std::string& out) const;
  Status Damaged(std::string_view what) const;

  std::string path_;
  std::unique_ptr<ReadableFile> file_;
  std::uint64_t bytes_;
  std::vector<Block> blocks_;
  std::vector<std::size_t> line_blocks_;  // Indices of those with lines, in the order of lines.
  std::map<std::string, PackedFile, std::less<>> files_;

  mutable std::mutex mutex_;  // Of the file and of what was uncompressed lately.
  mutable std::map<std::size_t, std::shared_ptr<const Lines>> lines_;
};

}  // namespace sightline::ir
