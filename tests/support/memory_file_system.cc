#include "sightline/tests/support/memory_file_system.h"

#include <algorithm>
#include <cstring>
#include <filesystem>

namespace sightline::testing {
namespace {

// One spelling a path: "./a//b/" -> "a/b".
std::string Normal(const std::string& path) {
  std::string normal = std::filesystem::path(path.empty() ? "." : path).lexically_normal().string();
  while (normal.size() > 1 && normal.back() == '/') normal.pop_back();
  return normal;
}

std::string Parent(const std::string& path) {
  const std::string parent = std::filesystem::path(path).parent_path().string();
  return parent.empty() ? "." : parent;
}

bool IsInside(const std::string& path, const std::string& directory) {
  if (directory == ".") return !path.starts_with('/') && path != ".";
  const std::string prefix = directory == "/" ? "/" : directory + "/";
  return path.size() > prefix.size() && path.starts_with(prefix);
}

Status NotFound(const std::string& path) {
  return Status(StatusCode::kNotFound, path + ": no such file or directory");
}

}  // namespace

bool MemoryFileSystem::Disk::HasParent(const std::string& path) const {
  return directories.contains(Parent(path));
}

bool MemoryFileSystem::Disk::IsTaken(const std::string& path) const {
  return files.contains(path) || directories.contains(path);
}

std::uint64_t MemoryFileSystem::Disk::Used(const Node* without) const {
  std::uint64_t used = 0;
  std::set<const Node*> counted = {without};  // A file with several names counts once.
  for (const auto& [path, node] : files)
    if (counted.insert(node.get()).second) used += node->bytes.size();
  return used;
}

// Grows or shrinks as far as the capacity allows.
Status MemoryFileSystem::Disk::Resize(Node& node, std::uint64_t size, const std::string& path) {
  node.modified = ++now;
  // Counting goes through every file, each time one is written to: only where there is a limit.
  const bool is_limited = capacity != std::numeric_limits<std::uint64_t>::max();
  const std::uint64_t room = capacity - (is_limited ? std::min(capacity, Used(&node)) : 0);
  node.bytes.resize(static_cast<std::size_t>(std::min(size, room)));
  if (size <= room) return {};
  return Status(StatusCode::kResourceExhausted, path + ": no space left on device");
}

class MemoryFileSystem::Reader : public ReadableFile {
 public:
  Reader(std::shared_ptr<Disk> disk, std::shared_ptr<Node> node)
      : disk_(std::move(disk)), node_(std::move(node)) {}

  Result<std::size_t> ReadAt(std::uint64_t offset, std::span<char> buffer) const override {
    const std::lock_guard lock(disk_->mutex);
    const std::string& bytes = node_->bytes;
    if (offset >= bytes.size()) return std::size_t{0};
    const std::size_t count = std::min<std::size_t>(buffer.size(), bytes.size() - offset);
    std::memcpy(buffer.data(), bytes.data() + offset, count);
    return count;
  }

  Result<std::uint64_t> Size() const override {
    const std::lock_guard lock(disk_->mutex);
    return node_->bytes.size();
  }

 private:
  std::shared_ptr<Disk> disk_;
  std::shared_ptr<Node> node_;
};

class MemoryFileSystem::Writer : public WritableFile {
 public:
  Writer(std::shared_ptr<Disk> disk, std::shared_ptr<Node> node, std::string path)
      : disk_(std::move(disk)), node_(std::move(node)), path_(std::move(path)) {}

  Status WriteAt(std::uint64_t offset, std::string_view bytes) override {
    SIGHTLINE_RETURN_IF_ERROR(CheckOpen());
    const std::lock_guard lock(disk_->mutex);
    const std::uint64_t end = std::max<std::uint64_t>(node_->bytes.size(), offset + bytes.size());
    Status resized = disk_->Resize(*node_, end, path_);
    if (offset < node_->bytes.size()) {
      const std::size_t fits = std::min<std::size_t>(bytes.size(), node_->bytes.size() - offset);
      std::memcpy(node_->bytes.data() + offset, bytes.data(), fits);
    }
    return resized;
  }

  Status Truncate(std::uint64_t size) override {
    SIGHTLINE_RETURN_IF_ERROR(CheckOpen());
    const std::lock_guard lock(disk_->mutex);
    return disk_->Resize(*node_, size, path_);
  }

  Result<std::uint64_t> Size() const override {
    SIGHTLINE_RETURN_IF_ERROR(CheckOpen());
    const std::lock_guard lock(disk_->mutex);
    return node_->bytes.size();
  }

  Status Sync() override { return CheckOpen(); }

  Status Close() override {
    open_ = false;
    return {};
  }

 private:
  Status CheckOpen() const {
    if (open_) return {};
    return Status(StatusCode::kFailedPrecondition, path_ + ": file is closed");
  }

  std::shared_ptr<Disk> disk_;
  std::shared_ptr<Node> node_;
  std::string path_;
  bool open_ = true;
};

void MemoryFileSystem::SetCapacity(std::uint64_t bytes) {
  const std::lock_guard lock(disk_->mutex);
  disk_->capacity = bytes;
}

void MemoryFileSystem::SetFreeBytes(std::uint64_t bytes) {
  const std::lock_guard lock(disk_->mutex);
  disk_->free_bytes = bytes;
}

void MemoryFileSystem::Put(const std::string& path, std::string_view bytes) {
  // Errors show when the test reads the file.
  (void)CreateDirectories(Parent(Normal(path)));
  auto file = OpenForWrite(path, OpenMode::kTruncate);
  if (file) (void)(*file)->WriteAt(0, bytes);
}

std::string MemoryFileSystem::Get(const std::string& path) const {
  const std::lock_guard lock(disk_->mutex);
  const auto found = disk_->files.find(Normal(path));
  return found == disk_->files.end() ? std::string() : found->second->bytes;
}

bool MemoryFileSystem::Exists(const std::string& path) const {
  const std::lock_guard lock(disk_->mutex);
  return disk_->IsTaken(Normal(path));
}

std::vector<std::string> MemoryFileSystem::Files(const std::string& directory) const {
  const std::lock_guard lock(disk_->mutex);
  std::vector<std::string> found;
  for (const auto& [path, node] : disk_->files) {
    if (IsInside(path, Normal(directory))) found.push_back(path);
  }
  return found;
}

Result<std::unique_ptr<ReadableFile>> MemoryFileSystem::OpenForRead(const std::string& path) {
  const std::lock_guard lock(disk_->mutex);
  const auto found = disk_->files.find(Normal(path));
  if (found == disk_->files.end()) return Error(NotFound(path));
  return std::make_unique<Reader>(disk_, found->second);
}

Result<std::unique_ptr<WritableFile>> MemoryFileSystem::OpenForWrite(const std::string& path,
                                                                     OpenMode mode) {
  const std::string normal = Normal(path);
  const std::lock_guard lock(disk_->mutex);
  if (disk_->directories.contains(normal)) {
    return Error(StatusCode::kInvalidArgument, path + ": is a directory");
  }
  const auto found = disk_->files.find(normal);
  if (found == disk_->files.end()) {
    if (mode == OpenMode::kOpenExisting || !disk_->HasParent(normal)) {
      return Error(NotFound(path));
    }
  } else if (mode == OpenMode::kCreateNew) {
    return Error(StatusCode::kAlreadyExists, path + ": file exists");
  }
  std::shared_ptr<Node>& node = disk_->files[normal];
  if (node == nullptr) node = std::make_shared<Node>();
  if (mode == OpenMode::kTruncate) node->bytes.clear();
  node->modified = ++disk_->now;
  return std::make_unique<Writer>(disk_, node, path);
}

Result<FileInfo> MemoryFileSystem::Stat(const std::string& path) {
  const std::string normal = Normal(path);
  const std::lock_guard lock(disk_->mutex);
  if (disk_->directories.contains(normal)) return FileInfo{0, 0, true};
  const auto found = disk_->files.find(normal);
  if (found == disk_->files.end()) return Error(NotFound(path));
  return FileInfo{found->second->bytes.size(), found->second->modified, false};
}

Result<std::vector<std::string>> MemoryFileSystem::List(const std::string& directory) {
  const std::string normal = Normal(directory);
  const std::lock_guard lock(disk_->mutex);
  if (!disk_->directories.contains(normal)) return Error(NotFound(directory));
  // Both are sorted: what the directory holds follows its own name.
  const std::string prefix = normal == "." ? "" : normal == "/" ? normal : normal + "/";
  std::vector<std::string> names;
  const auto add = [&](const std::string& path) {
    if (!path.starts_with(prefix)) return false;
    const std::string name = path.substr(prefix.size());
    if (!name.empty() && name != "." && name.find('/') == std::string::npos) names.push_back(name);
    return true;
  };
  const auto& files = disk_->files;
  const auto& directories = disk_->directories;
  for (auto at = files.lower_bound(prefix); at != files.end() && add(at->first);) ++at;
  for (auto at = directories.lower_bound(prefix); at != directories.end() && add(*at);) ++at;
  std::sort(names.begin(), names.end());
  return names;
}

Status MemoryFileSystem::CreateDirectories(const std::string& path) {
  const std::lock_guard lock(disk_->mutex);
  for (std::string at = Normal(path); !disk_->directories.contains(at); at = Parent(at)) {
    if (disk_->files.contains(at)) {
      return Status(StatusCode::kAlreadyExists, at + ": is a file, not a directory");
    }
    disk_->directories.insert(at);
  }
  return {};
}

Status MemoryFileSystem::Remove(const std::string& path) {
  const std::string normal = Normal(path);
  const std::lock_guard lock(disk_->mutex);
  if (disk_->files.erase(normal) > 0) return {};
  if (!disk_->directories.contains(normal)) return NotFound(path);
  const auto inside = [&](const std::string& other) { return IsInside(other, normal); };
  if (std::any_of(disk_->directories.begin(), disk_->directories.end(), inside) ||
      std::any_of(disk_->files.begin(), disk_->files.end(),
                  [&](const auto& file) { return inside(file.first); })) {
    return Status(StatusCode::kIoError, path + ": directory not empty");
  }
  disk_->directories.erase(normal);
  return {};
}

Status MemoryFileSystem::Rename(const std::string& from, const std::string& to) {
  return Move(from, to, /*exclusive=*/false);
}

Status MemoryFileSystem::RenameExclusive(const std::string& from, const std::string& to) {
  return Move(from, to, /*exclusive=*/true);
}

Status MemoryFileSystem::Move(const std::string& from, const std::string& to, bool exclusive) {
  const std::string target = Normal(to);
  const std::lock_guard lock(disk_->mutex);
  const auto source = disk_->files.find(Normal(from));
  if (source == disk_->files.end()) return NotFound(from);
  if (exclusive && disk_->IsTaken(target)) {
    return Status(StatusCode::kAlreadyExists, to + ": file exists");
  }
  if (!disk_->HasParent(target)) return NotFound(to);
  if (disk_->directories.contains(target)) {
    return Status(StatusCode::kIoError, to + ": is a directory");
  }
  std::shared_ptr<Node> node = source->second;
  disk_->files.erase(source);
  disk_->files[target] = std::move(node);
  return {};
}

Status MemoryFileSystem::Link(const std::string& from, const std::string& to) {
  const std::string target = Normal(to);
  const std::lock_guard lock(disk_->mutex);
  const auto source = disk_->files.find(Normal(from));
  if (source == disk_->files.end()) return NotFound(from);
  if (disk_->IsTaken(target)) return Status(StatusCode::kAlreadyExists, to + ": file exists");
  if (!disk_->HasParent(target)) return NotFound(to);
  const std::shared_ptr<Node> node = source->second;
  disk_->files[target] = node;
  return {};
}

Result<std::uint64_t> MemoryFileSystem::FreeBytes(const std::string&) {
  const std::lock_guard lock(disk_->mutex);
  if (disk_->free_bytes) return *disk_->free_bytes;
  return disk_->capacity - std::min(disk_->capacity, disk_->Used());
}

Status MemoryFileSystem::SyncDirectory(const std::string& path) {
  const std::lock_guard lock(disk_->mutex);
  return disk_->directories.contains(Normal(path)) ? Status() : NotFound(path);
}

Result<std::string> MemoryFileSystem::MappablePath(const std::string& path) {
  return Error(StatusCode::kUnimplemented, path + ": a file in memory cannot be mapped");
}

}  // namespace sightline::testing
