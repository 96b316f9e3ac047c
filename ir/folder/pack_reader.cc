#include "sightline/ir/folder/pack_reader.h"

#include <algorithm>
#include <cstring>

#include "sightline/base/crc32c.h"
#include "sightline/base/wire.h"
#include "sightline/ir/folder/deflate.h"
#include "sightline/ir/folder/pack_format.h"

namespace sightline::ir {
namespace {

using wire::Field;
using wire::Scanner;

// What is kept uncompressed: the blocks of a folder of some hundred megabytes.
constexpr std::size_t kKeptBlocks = 64;
// A zlib stream is never shorter than its content by more, and never shorter than this.
constexpr std::uint64_t kMaxRatio = 1040;
constexpr std::uint64_t kMinStreamBytes = 8;

template <typename T>
T Load(std::string_view bytes, std::size_t offset) {
  T value;
  std::memcpy(&value, bytes.data() + offset, sizeof(value));
  return value;
}

// Paths stay below the folder: "a/b", never "/a" or "a/../b".
bool IsRelative(std::string_view path) {
  while (!path.empty()) {
    const std::size_t slash = std::min(path.size(), path.find('/'));
    const std::string_view part = path.substr(0, slash);
    if (part.empty() || part == "." || part == "..") return false;
    if (slash == path.size()) return true;
    path.remove_prefix(slash + 1);
  }
  return false;
}

}  // namespace

Status PackReader::Damaged(std::string_view what) const {
  return {StatusCode::kDataLoss, path_ + ": " + std::string(what)};
}

Result<std::shared_ptr<PackReader>> PackReader::Open(FileSystem& files, const std::string& path) {
  SIGHTLINE_ASSIGN_OR_UNEXPECTED(auto file, files.OpenForRead(path));
  SIGHTLINE_ASSIGN_OR_UNEXPECTED(const std::uint64_t size, file->Size());
  std::shared_ptr<PackReader> reader(new PackReader(path, std::move(file), size));
  SIGHTLINE_UNEXPECTED_IF_ERROR(reader->ReadDirectory());
  return reader;
}

Result<std::string> PackReader::ReadBytes(std::uint64_t offset, std::uint64_t size) const {
  if (offset > bytes_ || size > bytes_ - offset)
    return tl::unexpected(Damaged("the pack is cut off"));
  std::string bytes(size, '\0');
  SIGHTLINE_ASSIGN_OR_UNEXPECTED(const std::size_t got, file_->ReadAt(offset, bytes));
  if (got != size) return tl::unexpected(Damaged("the pack is cut off"));
  return bytes;
}

Status PackReader::ReadDirectory() {
  if (bytes_ < kPackMagic.size() + kPackTrailerBytes) return Damaged("this is no pack of dumps");
  SIGHTLINE_ASSIGN_OR_RETURN(const std::string head, ReadBytes(0, kPackMagic.size()));
  SIGHTLINE_ASSIGN_OR_RETURN(const std::string trailer,
                             ReadBytes(bytes_ - kPackTrailerBytes, kPackTrailerBytes));
  if (head != kPackMagic) return Damaged("this is no pack of dumps");
  if (!trailer.ends_with(kPackEndMagic)) return Damaged("the pack is cut off");
  if (Load<std::uint32_t>(trailer, 28) != crc32c::Value(trailer.substr(0, 28)))
    return Damaged("the pack's trailer is damaged");
  if (const auto version = Load<std::uint32_t>(trailer, 32); version != kPackVersion) {
    return {StatusCode::kUnimplemented, path_ + " is a pack of version " + std::to_string(version) +
                                            "; this program reads version " +
                                            std::to_string(kPackVersion)};
  }
  const auto size = Load<std::uint64_t>(trailer, 16);
  SIGHTLINE_ASSIGN_OR_RETURN(const std::string packed, ReadBytes(Load<std::uint64_t>(trailer, 0),
                                                                 Load<std::uint64_t>(trailer, 8)));
  if (crc32c::Value(packed) != Load<std::uint32_t>(trailer, 24) || size > kMaxPackDirectoryBytes)
    return Damaged("the pack's directory is damaged");
  const auto message = Inflate(packed, size);
  if (!message || !ParseDirectory(*message)) return Damaged("the pack's directory is damaged");
  return {};
}

bool PackReader::ParseDirectory(std::string_view message) {
  Field field;
  Scanner scan(message);
  std::uint64_t lines = 0;
  while (scan.Next(field)) {
    if (field.number == kPackBlock) {
      if (!ParseBlock(field.bytes)) return false;
      Block& block = blocks_.back();
      block.first_line = lines;
      lines += block.lines;
      if (block.lines > 0) line_blocks_.push_back(blocks_.size() - 1);
    } else if (field.number != kPackFile || !ParseFile(field.bytes)) {
      return false;
    }
  }
  return !scan.malformed();
}

bool PackReader::ParseBlock(std::string_view message) {
  Block block;
  Field field;
  Scanner scan(message);
  while (scan.Next(field)) {
    if (field.number == kPackBlockOffset) block.offset = field.number_value;
    if (field.number == kPackBlockPacked) block.packed = field.number_value;
    if (field.number == kPackBlockSize) block.bytes = field.number_value;
    if (field.number == kPackBlockLines) block.lines = field.number_value;
  }
  blocks_.push_back(block);
  return !scan.malformed() && block.offset <= bytes_ && block.packed <= bytes_ - block.offset &&
         block.bytes <= kMaxPackBlockBytes && block.bytes / kMaxRatio <= block.packed &&
         block.lines <= block.bytes && blocks_.size() <= bytes_ / kMinStreamBytes;
}

bool PackReader::ParseFile(std::string_view message) {
  PackedFile file;
  std::string path;
  Field field;
  Scanner scan(message);
  while (scan.Next(field)) {
    if (field.number == kPackFilePath) path = field.bytes;
    if (field.number == kPackFileSize) file.bytes = field.number_value;
    if (field.number == kPackFileModified) file.modified_seconds = field.AsDouble();
    if (field.number == kPackFileChecksum)
      file.checksum = static_cast<std::uint32_t>(field.number_value);
    if (field.number == kPackFileBlock) file.block = field.number_value;
    if (field.number == kPackFileOffset) file.offset = field.number_value;
    if (field.number == kPackFileRecipe) file.recipe_bytes = field.number_value;
  }
  return !scan.malformed() && IsRelative(path) && PackFileSizeAllowed(file.bytes, bytes_) &&
         files_.size() < bytes_ && files_.emplace(std::move(path), file).second;
}

Result<std::string> PackReader::ReadBlock(const Block& block) const {
  std::string packed;
  {
    const std::lock_guard lock(mutex_);  // One file object serves one thread at a time.
    SIGHTLINE_ASSIGN_OR_UNEXPECTED(packed, ReadBytes(block.offset, block.packed));
  }
  auto bytes = Inflate(packed, block.bytes);
  if (!bytes) return tl::unexpected(Damaged("a block is damaged"));
  return bytes;
}

Result<std::shared_ptr<const PackReader::Lines>> PackReader::LinesOf(std::size_t index) const {
  {
    const std::lock_guard lock(mutex_);
    if (const auto found = lines_.find(index); found != lines_.end()) return found->second;
  }
  const Block& block = blocks_[index];
  SIGHTLINE_ASSIGN_OR_UNEXPECTED(std::string bytes, ReadBlock(block));
  auto lines = std::make_shared<Lines>();
  std::string_view rest = bytes;
  std::uint64_t end = 0;
  lines->ends.reserve(block.lines);
  for (std::uint64_t i = 0; i < block.lines; ++i) {
    const auto size = TakeVarint(rest);
    if (!size || *size == 0 || *size > kMaxPackLineBytes)
      return tl::unexpected(Damaged("a block is damaged"));
    end += *size;
    lines->ends.push_back(static_cast<std::uint32_t>(end));
  }
  if (end != rest.size()) return tl::unexpected(Damaged("a block is damaged"));
  lines->text = std::string(rest);
  const std::lock_guard lock(mutex_);
  if (lines_.size() >= kKeptBlocks) lines_.erase(lines_.begin());
  lines_[index] = lines;
  return lines;
}

Status PackReader::AppendLines(std::uint64_t first, std::uint64_t count, std::uint64_t limit,
                               std::string& out) const {
  while (count > 0) {
    const auto after = std::upper_bound(
        line_blocks_.begin(), line_blocks_.end(), first,
        [this](std::uint64_t line, std::size_t i) { return line < blocks_[i].first_line; });
    if (after == line_blocks_.begin()) return Damaged("a recipe is damaged");
    const std::size_t index = *(after - 1);
    const std::uint64_t begin = first - blocks_[index].first_line;
    if (begin >= blocks_[index].lines) return Damaged("a recipe is damaged");
    const std::uint64_t taken = std::min(count, blocks_[index].lines - begin);
    SIGHTLINE_ASSIGN_OR_RETURN(const auto lines, LinesOf(index));
    const std::size_t from = begin == 0 ? 0 : lines->ends[begin - 1];
    const std::size_t bytes = lines->ends[begin + taken - 1] - from;
    if (bytes > limit - out.size()) return Damaged("a recipe is damaged");
    out.append(lines->text, from, bytes);
    first += taken;
    count -= taken;
  }
  return {};
}

Result<std::string> PackReader::Read(const PackedFile& file) const {
  const Status damaged = Damaged("a recipe is damaged");
  if (file.block >= blocks_.size()) return tl::unexpected(damaged);
  SIGHTLINE_ASSIGN_OR_UNEXPECTED(const std::string block, ReadBlock(blocks_[file.block]));
  if (file.offset > block.size() || file.recipe_bytes > block.size() - file.offset)
    return tl::unexpected(damaged);
  std::string_view recipe(block);
  recipe = recipe.substr(file.offset, file.recipe_bytes);
  std::string out;
  std::uint64_t next = 0;
  while (!recipe.empty()) {
    const auto delta = TakeVarint(recipe);
    const auto count = TakeVarint(recipe);
    if (!delta || !count || *count == 0) return tl::unexpected(damaged);
    const std::uint64_t first = next + static_cast<std::uint64_t>(UnZigZag(*delta));
    SIGHTLINE_UNEXPECTED_IF_ERROR(AppendLines(first, *count, file.bytes, out));
    next = first + *count;
  }
  if (out.size() != file.bytes || crc32c::Value(out) != file.checksum)
    return tl::unexpected(Damaged("a file's bytes are not those that were packed"));
  return out;
}

}  // namespace sightline::ir
