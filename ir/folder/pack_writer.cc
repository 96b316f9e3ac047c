#include "sightline/ir/folder/pack_writer.h"

#include <unordered_map>
#include <utility>
#include <vector>

#include "sightline/base/crc32c.h"
#include "sightline/base/replace_file.h"
#include "sightline/base/wire.h"
#include "sightline/ir/folder/anonymous.h"
#include "sightline/ir/folder/deflate.h"
#include "sightline/ir/folder/pack_format.h"
#include "sightline/ir/folder/pack_reader.h"
#include "sightline/ir/model/text_hash.h"
#include "sightline/ir/read/read_file.h"
#include "sightline/ir/read/reader.h"

namespace sightline::ir {
namespace {

// A line is known by two hashes and its size; the pack is read back, which would find two equal.
struct LineKey {
  std::uint64_t hash = 0;
  std::uint32_t checksum = 0;
  std::uint32_t bytes = 0;
  bool operator==(const LineKey&) const = default;
};
struct LineKeyHash {
  std::size_t operator()(const LineKey& key) const { return key.hash; }
};

class Writer {
 public:
  explicit Writer(WritableFile& out) : out_(out) {}

  Status Begin() { return Write(kPackMagic); }
  Status Add(const std::string& path, const FileInfo& info, std::string_view bytes);
  Status Finish();

  const PackStatistics& statistics() const { return statistics_; }

 private:
  Status Write(std::string_view bytes) {
    SIGHTLINE_RETURN_IF_ERROR(out_.WriteAt(statistics_.packed_bytes, bytes));
    statistics_.packed_bytes += bytes.size();
    return {};
  }
  Status WriteBlock(std::string_view bytes, std::uint64_t lines);
  Status WriteLines();
  Result<std::uint64_t> LineNumber(std::string_view line);

  struct Recipe {
    std::string message;  // The file's, up to where its recipe is.
    std::string runs;
  };
  Status WriteRecipes();

  WritableFile& out_;
  PackStatistics statistics_;
  std::string directory_;
  std::uint64_t blocks_ = 0;
  std::unordered_map<LineKey, std::uint64_t, LineKeyHash> known_;
  std::string sizes_;  // Of the block of lines that is being filled.
  std::string lines_;
  std::uint64_t line_count_ = 0;
  std::vector<Recipe> recipes_;  // Of files whose recipes are not written yet.
  std::size_t recipe_bytes_ = 0;
};

Status Writer::WriteBlock(std::string_view bytes, std::uint64_t lines) {
  const std::string packed = Deflate(bytes);
  std::string message;
  wire::AppendInt(message, kPackBlockOffset, static_cast<std::int64_t>(statistics_.packed_bytes));
  wire::AppendInt(message, kPackBlockPacked, static_cast<std::int64_t>(packed.size()));
  wire::AppendInt(message, kPackBlockSize, static_cast<std::int64_t>(bytes.size()));
  wire::AppendInt(message, kPackBlockLines, static_cast<std::int64_t>(lines));
  wire::AppendBytes(directory_, kPackBlock, message);
  ++blocks_;
  return Write(packed);
}

Status Writer::WriteLines() {
  if (line_count_ == 0) return {};
  SIGHTLINE_RETURN_IF_ERROR(WriteBlock(sizes_ + lines_, line_count_));
  sizes_.clear();
  lines_.clear();
  line_count_ = 0;
  return {};
}

Status Writer::WriteRecipes() {
  if (recipes_.empty()) return {};
  std::string bytes;
  for (Recipe& recipe : recipes_) {
    wire::AppendInt(recipe.message, kPackFileBlock, static_cast<std::int64_t>(blocks_));
    wire::AppendInt(recipe.message, kPackFileOffset, static_cast<std::int64_t>(bytes.size()));
    wire::AppendInt(recipe.message, kPackFileRecipe, static_cast<std::int64_t>(recipe.runs.size()));
    wire::AppendBytes(directory_, kPackFile, recipe.message);
    bytes += recipe.runs;
  }
  recipes_.clear();
  recipe_bytes_ = 0;
  return WriteBlock(bytes, 0);
}

Result<std::uint64_t> Writer::LineNumber(std::string_view line) {
  const LineKey key{HashText(line), crc32c::Value(line), static_cast<std::uint32_t>(line.size())};
  const auto [found, added] = known_.emplace(key, known_.size());
  if (!added) return found->second;
  wire::AppendVarint(sizes_, line.size());
  lines_ += line;
  ++line_count_;
  const std::uint64_t number = found->second;
  if (sizes_.size() + lines_.size() >= kPackBlockBytes) SIGHTLINE_UNEXPECTED_IF_ERROR(WriteLines());
  return number;
}

Status Writer::Add(const std::string& path, const FileInfo& info, std::string_view bytes) {
  Recipe recipe;
  wire::AppendBytes(recipe.message, kPackFilePath, path);
  wire::AppendInt(recipe.message, kPackFileSize, static_cast<std::int64_t>(bytes.size()));
  wire::AppendDouble(recipe.message, kPackFileModified, info.modified_seconds);
  wire::AppendInt(recipe.message, kPackFileChecksum, crc32c::Value(bytes));
  ++statistics_.files;
  statistics_.bytes += bytes.size();
  std::uint64_t first = 0;
  std::uint64_t count = 0;
  std::uint64_t end_before = 0;
  const auto end_run = [&] {
    if (count == 0) return;
    wire::AppendVarint(recipe.runs, ZigZag(static_cast<std::int64_t>(first - end_before)));
    wire::AppendVarint(recipe.runs, count);
    end_before = first + count;
  };
  while (!bytes.empty()) {
    const std::string_view window = bytes.substr(0, kMaxPackLineBytes);
    const std::size_t newline = window.find('\n');
    const std::string_view line =
        newline == std::string_view::npos ? window : window.substr(0, newline + 1);
    bytes.remove_prefix(line.size());
    SIGHTLINE_ASSIGN_OR_RETURN(const std::uint64_t number, LineNumber(line));
    if (count > 0 && number == first + count) {
      ++count;
      continue;
    }
    end_run();
    first = number;
    count = 1;
  }
  end_run();
  recipe_bytes_ += recipe.runs.size();
  recipes_.push_back(std::move(recipe));
  return recipe_bytes_ >= kPackRecipeBytes ? WriteRecipes() : Status();
}

Status Writer::Finish() {
  SIGHTLINE_RETURN_IF_ERROR(WriteLines());
  SIGHTLINE_RETURN_IF_ERROR(WriteRecipes());
  const std::string packed = Deflate(directory_);
  std::string trailer;
  wire::AppendFixed(trailer, statistics_.packed_bytes);
  wire::AppendFixed(trailer, std::uint64_t{packed.size()});
  wire::AppendFixed(trailer, std::uint64_t{directory_.size()});
  wire::AppendFixed(trailer, crc32c::Value(packed));
  wire::AppendFixed(trailer, crc32c::Value(trailer));
  wire::AppendFixed(trailer, kPackVersion);
  trailer += kPackEndMagic;
  SIGHTLINE_RETURN_IF_ERROR(Write(packed));
  return Write(trailer);
}

// Adds what lies in `below` of `folder`, and in the folders there.
Status AddFolder(FileSystem& files, const std::string& folder, const std::string& below, int depth,
                 const std::string& without, Anonymizer* anonymizer, Writer& writer) {
  constexpr int kMaxDepth = 8;
  SIGHTLINE_ASSIGN_OR_RETURN(const auto names, files.List(JoinPath(folder, below)));
  for (const std::string& name : names) {
    const std::string inner = JoinPath(below, name);
    const std::string path = JoinPath(folder, inner);
    if (path == without || path == TemporaryPackPath(without)) continue;
    SIGHTLINE_ASSIGN_OR_RETURN(const FileInfo info, files.Stat(path));
    if (info.is_directory) {
      if (depth == kMaxDepth) continue;
      SIGHTLINE_RETURN_IF_ERROR(
          AddFolder(files, folder, inner, depth + 1, without, anonymizer, writer));
      continue;
    }
    SIGHTLINE_ASSIGN_OR_RETURN(std::string bytes, ReadFile(files, path, kMaxFileBytes));
    if (anonymizer != nullptr) bytes = anonymizer->Replace(bytes);
    SIGHTLINE_RETURN_IF_ERROR(writer.Add(inner, info, bytes));
  }
  return {};
}

Status ReadBack(FileSystem& files, const std::string& pack) {
  SIGHTLINE_ASSIGN_OR_RETURN(const auto reader, PackReader::Open(files, pack));
  for (const auto& [path, file] : reader->files()) {
    const auto bytes = reader->Read(file);
    if (!bytes) return bytes.error().WithContext(path);
  }
  return {};
}

}  // namespace

std::string TemporaryPackPath(const std::string& pack) { return pack + ".tmp"; }

Result<PackStatistics> WritePack(FileSystem& files, const std::string& folder,
                                 const std::string& pack, const PackOptions& options) {
  if (!pack.ends_with(kPackExtension)) {
    return Error(StatusCode::kInvalidArgument,
                 pack + " must end in " + kPackExtension + ", by which packs are known");
  }
  PackStatistics statistics;
  const auto write = [&](WritableFile& out) -> Status {
    Writer writer(out);
    Anonymizer anonymizer;
    SIGHTLINE_RETURN_IF_ERROR(writer.Begin());
    SIGHTLINE_RETURN_IF_ERROR(
        AddFolder(files, folder, "", 0, pack, options.anonymous ? &anonymizer : nullptr, writer));
    SIGHTLINE_RETURN_IF_ERROR(writer.Finish());
    statistics = writer.statistics();
    return ReadBack(files, TemporaryPackPath(pack));
  };
  SIGHTLINE_UNEXPECTED_IF_ERROR(ReplaceFile(files, pack, TemporaryPackPath(pack), write));
  return statistics;
}

}  // namespace sightline::ir
