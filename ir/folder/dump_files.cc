#include "sightline/ir/folder/dump_files.h"

#include <algorithm>
#include <cstring>
#include <set>

#include "sightline/ir/folder/deflate.h"
#include "sightline/ir/folder/pack_writer.h"
#include "sightline/ir/model/summary.h"
#include "sightline/ir/read/read_file.h"
#include "sightline/ir/read/reader.h"

namespace sightline::ir {
namespace {

// Bytes that were uncompressed.
class MemoryFile final : public ReadableFile {
 public:
  explicit MemoryFile(std::string bytes) : bytes_(std::move(bytes)) {}

  Result<std::size_t> ReadAt(std::uint64_t offset, std::span<char> buffer) const override {
    if (offset >= bytes_.size()) return 0;
    const std::size_t got = std::min(buffer.size(), bytes_.size() - offset);
    std::memcpy(buffer.data(), bytes_.data() + offset, got);
    return got;
  }
  Result<std::uint64_t> Size() const override { return bytes_.size(); }

 private:
  std::string bytes_;
};

// The entries of a folder in a pack: files and folders, as the paths of the files say.
std::set<std::string> EntriesOf(const PackReader& pack, const std::string& directory) {
  const std::string prefix = directory.empty() ? "" : directory + "/";
  std::set<std::string> names;
  for (auto at = pack.files().lower_bound(prefix);
       at != pack.files().end() && at->first.starts_with(prefix); ++at) {
    const std::string rest = at->first.substr(prefix.size());
    names.insert(rest.substr(0, rest.find('/')));
  }
  return names;
}

Status NotFound(const std::string& path) { return {StatusCode::kNotFound, "there is no " + path}; }

}  // namespace

Result<std::shared_ptr<PackReader>> DumpFileSystem::Open(const std::string& path,
                                                         const FileInfo& info) {
  const std::lock_guard lock(mutex_);
  if (pack_ != nullptr && pack_path_ == path && pack_info_.size == info.size &&
      pack_info_.modified_seconds == info.modified_seconds)
    return pack_;
  SIGHTLINE_ASSIGN_OR_UNEXPECTED(pack_, PackReader::Open(base_, path));
  pack_path_ = path;
  pack_info_ = info;
  return pack_;
}

Result<std::optional<DumpFileSystem::Inside>> DumpFileSystem::Enter(const std::string& path) {
  constexpr std::string_view kExtension = kPackExtension;
  for (std::size_t at = 0; (at = path.find(kExtension, at)) != std::string::npos;) {
    at += kExtension.size();
    if (at < path.size() && path[at] != '/') continue;
    const std::string pack = path.substr(0, at);
    const auto info = base_.Stat(pack);
    if (!info || info->is_directory) continue;
    SIGHTLINE_ASSIGN_OR_UNEXPECTED(auto reader, Open(pack, *info));
    const std::size_t inner = std::min(path.size(), path.find_first_not_of('/', at));
    std::string inside = path.substr(inner);
    while (inside.ends_with('/')) inside.pop_back();
    return Inside{std::move(reader), std::move(inside)};
  }
  return std::nullopt;
}

Result<std::unique_ptr<ReadableFile>> DumpFileSystem::OpenForRead(const std::string& path) {
  SIGHTLINE_ASSIGN_OR_UNEXPECTED(const auto inside, Enter(path));
  const bool compressed = path.ends_with(".gz");
  if (!inside && !compressed) return base_.OpenForRead(path);
  std::string bytes;
  if (inside) {
    const auto found = inside->pack->files().find(inside->path);
    if (found == inside->pack->files().end()) return tl::unexpected(NotFound(path));
    SIGHTLINE_ASSIGN_OR_UNEXPECTED(bytes, inside->pack->Read(found->second));
  } else {
    SIGHTLINE_ASSIGN_OR_UNEXPECTED(bytes, ReadFile(base_, path, kMaxFileBytes));
  }
  if (compressed) {
    auto plain = Gunzip(bytes, kMaxFileBytes);
    if (!plain) return tl::unexpected(plain.error().WithContext(path));
    bytes = *std::move(plain);
  }
  return std::make_unique<MemoryFile>(std::move(bytes));
}

Result<FileInfo> DumpFileSystem::Stat(const std::string& path) {
  SIGHTLINE_ASSIGN_OR_UNEXPECTED(const auto inside, Enter(path));
  if (!inside) return base_.Stat(path);
  const auto found = inside->pack->files().find(inside->path);
  if (found != inside->pack->files().end())
    return FileInfo{found->second.bytes, found->second.modified_seconds, false};
  if (inside->path.empty() || !EntriesOf(*inside->pack, inside->path).empty())
    return FileInfo{0, 0, true};
  return tl::unexpected(NotFound(path));
}

Result<std::vector<std::string>> DumpFileSystem::List(const std::string& directory) {
  SIGHTLINE_ASSIGN_OR_UNEXPECTED(const auto inside, Enter(directory));
  if (!inside) return base_.List(directory);
  const auto names = EntriesOf(*inside->pack, inside->path);
  if (names.empty() && !inside->path.empty()) return tl::unexpected(NotFound(directory));
  return std::vector<std::string>(names.begin(), names.end());
}

Result<std::string> DumpFileSystem::MappablePath(const std::string& path) {
  return Error(StatusCode::kUnimplemented, path + " is read through a file system of dumps");
}

FileSystem& LocalDumps() {
  static DumpFileSystem dumps(FileSystem::Local());
  return dumps;
}

Result<Module> ReadDump(const std::string& path) {
  const auto info = LocalDumps().Stat(path);
  if (info && info->is_directory)
    return Error(StatusCode::kInvalidArgument, path + " is a folder; name a dump in it");
  Result<Module> module = ReadIr(LocalDumps(), path);
  if (module && module->lines.empty())
    return Error(StatusCode::kInvalidArgument, path + " is no dump: it is empty");
  if (module && !HoldsDump(*module)) {
    return Error(StatusCode::kInvalidArgument,
                 path + " is no dump: " + ToText(module->problems.front()));
  }
  return module;
}

}  // namespace sightline::ir
