#include "sightline/tests/support/losing_file_system.h"

#include <algorithm>
#include <filesystem>

#include "sightline/tests/support/support.h"

namespace sightline::testing {
namespace {

constexpr std::size_t kPageBytes = 4096;

std::shared_ptr<const std::string> Share(std::string bytes) {
  return std::make_shared<const std::string>(std::move(bytes));
}

std::size_t Newest(std::size_t ages) { return ages - 1; }
std::size_t Oldest(std::size_t /*ages*/) { return 0; }

}  // namespace

void Contents::WriteTo(const std::string& directory) const {
  for (const std::string& path : directories)
    std::filesystem::create_directories(JoinPath(directory, path));
  for (const auto& [path, bytes] : files) {
    std::filesystem::create_directories(DirectoryOf(JoinPath(directory, path)));
    WriteFileOrDie(JoinPath(directory, path), bytes);
  }
}

Contents LosingDisk::AfterKill() const { return Choose(Newest, Newest); }

Contents LosingDisk::AfterPowerLoss(std::mt19937& random) const {
  const Pick any = [&](std::size_t ages) {
    return std::uniform_int_distribution<std::size_t>(0, ages - 1)(random);
  };
  switch (any(4)) {
    case 0:
      return Choose(Oldest, Oldest);
    case 1:
      return Choose(Newest, Oldest);
    case 2:
      return Choose(Newest, any);
    default:
      return Choose(any, any);
  }
}

Contents LosingDisk::Choose(const Pick& name_age, const Pick& page_age) const {
  Contents contents;
  std::set<std::string> gone;
  for (const auto& [path, history] : names_) {  // Directories before their content.
    const std::shared_ptr<Node>& node = history[name_age(history.size())];
    const bool has_no_parent = gone.contains(DirectoryOf(path));
    if (node == nullptr || has_no_parent) {
      gone.insert(path);
    } else if (node->is_directory) {
      contents.directories.insert(path);
    } else {
      contents.files[path] = BytesOf(*node, page_age);
    }
  }
  return contents;
}

std::string LosingDisk::BytesOf(const Node& node, const Pick& page_age) {
  std::string bytes;
  for (const auto& ages : node.pages) bytes += *ages[page_age(ages.size())];
  if (node.versions.empty()) return bytes;
  const std::size_t size = node.versions[page_age(node.versions.size())]->size();
  for (std::size_t at = 0; at < size; at += kPageBytes) {
    const std::string& version = *node.versions[page_age(node.versions.size())];
    if (at < version.size()) bytes += version.substr(at, kPageBytes);
    bytes.resize(std::min(at + kPageBytes, size), '\0');
  }
  return bytes;
}

template <typename Call>
auto LosingFileSystem::Watched(Call&& call) {
  if (hook_) hook_();
  auto result = call();
  if (hook_) hook_();
  return result;
}

class LosingFileSystem::Writer : public WritableFile {
 public:
  Writer(LosingFileSystem& files, std::unique_ptr<WritableFile> inner, std::shared_ptr<Node> node)
      : files_(files), inner_(std::move(inner)), node_(std::move(node)) {}

  Status WriteAt(std::uint64_t offset, std::string_view bytes) override {
    return files_.Watched([&]() -> Status {
      SIGHTLINE_RETURN_IF_ERROR(inner_->WriteAt(offset, bytes));
      Change([&](std::string& all) {
        if (all.size() < offset + bytes.size()) all.resize(offset + bytes.size());
        all.replace(offset, bytes.size(), bytes);
      });
      return Status();
    });
  }
  Status Truncate(std::uint64_t size) override {
    return files_.Watched([&]() -> Status {
      SIGHTLINE_RETURN_IF_ERROR(inner_->Truncate(size));
      Change([&](std::string& all) { all.resize(size); });
      return Status();
    });
  }
  Result<std::uint64_t> Size() const override { return inner_->Size(); }
  Status Sync() override {
    return files_.Watched([&]() -> Status {
      SIGHTLINE_RETURN_IF_ERROR(inner_->Sync());
      const std::lock_guard lock(files_.mutex_);
      if (node_ != nullptr)
        node_->versions.erase(node_->versions.begin(), node_->versions.end() - 1);
      return Status();
    });
  }
  Status Close() override { return inner_->Close(); }

 private:
  template <typename Edit>
  void Change(Edit&& edit) {
    if (node_ == nullptr) return;
    const std::lock_guard lock(files_.mutex_);
    std::string all = *node_->versions.back();
    edit(all);
    node_->versions.push_back(Share(std::move(all)));
  }

  LosingFileSystem& files_;
  std::unique_ptr<WritableFile> inner_;
  std::shared_ptr<Node> node_;  // Null: not below the directory.
};

LosingFileSystem::LosingFileSystem(FileSystem& inner, std::string directory)
    : inner_(inner), directory_(std::move(directory)) {
  Find(directory_);
}

LosingFileSystem::~LosingFileSystem() = default;

void LosingFileSystem::Find(const std::string& directory) {
  const std::vector<std::string> names = inner_.List(directory).value();
  for (const std::string& name : names) {
    const std::string path = JoinPath(directory, name);
    auto node = std::make_shared<Node>();
    node->is_directory = std::filesystem::is_directory(path);
    if (!node->is_directory) node->versions.push_back(Share(ReadFileOrDie(path)));
    Name(path, node);
    disk_.names_[path.substr(directory_.size() + 1)] = {node};
    if (node->is_directory) Find(path);
  }
}

void LosingFileSystem::Name(const std::string& path, std::shared_ptr<Node> node) {
  if (!IsBelow(path)) return;
  auto& history = disk_.names_[path.substr(directory_.size() + 1)];
  if (history.empty()) history.push_back(nullptr);
  if (history.back() != node) history.push_back(std::move(node));
}

std::shared_ptr<LosingFileSystem::Node> LosingFileSystem::NodeAt(const std::string& path) const {
  if (!IsBelow(path)) return nullptr;
  const auto found = disk_.names_.find(path.substr(directory_.size() + 1));
  return found == disk_.names_.end() ? nullptr : found->second.back();
}

void LosingFileSystem::LookAtMapped(const std::string& path) {
  if (!std::filesystem::is_regular_file(path)) return;
  auto node = NodeAt(path);
  if (node == nullptr) Name(path, node = std::make_shared<Node>());
  const std::string bytes = ReadFileOrDie(path);
  const std::string_view all = bytes;
  node->versions.clear();
  const bool is_new = node->pages.empty();
  node->pages.resize((bytes.size() + kPageBytes - 1) / kPageBytes);
  for (std::size_t i = 0; i < node->pages.size(); ++i) {
    const std::string_view page = all.substr(i * kPageBytes, kPageBytes);
    auto& ages = node->pages[i];
    if (is_new) ages.push_back(Share(std::string(page.size(), '\0')));
    if (*ages.back() != page) ages.push_back(Share(std::string(page)));
  }
}

LosingDisk LosingFileSystem::Disk() {
  const std::lock_guard lock(mutex_);
  for (const std::string& path : mapped_) LookAtMapped(path);
  std::map<std::shared_ptr<Node>, std::shared_ptr<Node>> copies;
  LosingDisk copy = disk_;
  for (auto& [path, history] : copy.names_) {
    for (auto& node : history) {
      if (node == nullptr) continue;
      auto& same = copies[node];
      if (same == nullptr) same = std::make_shared<Node>(*node);
      node = same;
    }
  }
  return copy;
}

Result<std::unique_ptr<ReadableFile>> LosingFileSystem::OpenForRead(const std::string& path) {
  return inner_.OpenForRead(path);
}

Result<std::unique_ptr<WritableFile>> LosingFileSystem::OpenForWrite(const std::string& path,
                                                                     OpenMode mode) {
  return Watched([&]() -> Result<std::unique_ptr<WritableFile>> {
    SIGHTLINE_ASSIGN_OR_RETURN(auto file, inner_.OpenForWrite(path, mode));
    const std::lock_guard lock(mutex_);
    std::shared_ptr<Node> node = NodeAt(path);
    if (node == nullptr && IsBelow(path)) {
      node = std::make_shared<Node>();
      node->versions.push_back(Share(""));
      Name(path, node);
    } else if (node != nullptr && mode == OpenMode::kTruncate) {
      node->versions.push_back(Share(""));
    }
    return std::make_unique<Writer>(*this, std::move(file), std::move(node));
  });
}

Result<FileInfo> LosingFileSystem::Stat(const std::string& path) { return inner_.Stat(path); }

Result<std::vector<std::string>> LosingFileSystem::List(const std::string& directory) {
  return inner_.List(directory);
}

Status LosingFileSystem::CreateDirectories(const std::string& path) {
  return Watched([&]() -> Status {
    SIGHTLINE_RETURN_IF_ERROR(inner_.CreateDirectories(path));
    const std::lock_guard lock(mutex_);
    for (std::string at = path; IsBelow(at) && NodeAt(at) == nullptr; at = DirectoryOf(at)) {
      auto node = std::make_shared<Node>();
      node->is_directory = true;
      Name(at, node);
    }
    return Status();
  });
}

Status LosingFileSystem::Remove(const std::string& path) {
  return Watched([&]() -> Status {
    SIGHTLINE_RETURN_IF_ERROR(inner_.Remove(path));
    const std::lock_guard lock(mutex_);
    Name(path, nullptr);
    return Status();
  });
}

Status LosingFileSystem::Rename(const std::string& from, const std::string& to) {
  return Watched([&]() -> Status {
    SIGHTLINE_RETURN_IF_ERROR(inner_.Rename(from, to));
    const std::lock_guard lock(mutex_);
    Name(to, NodeAt(from));
    Name(from, nullptr);
    return Status();
  });
}

Status LosingFileSystem::RenameExclusive(const std::string& from, const std::string& to) {
  SIGHTLINE_RETURN_IF_ERROR(Link(from, to));
  return Remove(from);
}

Status LosingFileSystem::Link(const std::string& from, const std::string& to) {
  return Watched([&]() -> Status {
    SIGHTLINE_RETURN_IF_ERROR(inner_.Link(from, to));
    const std::lock_guard lock(mutex_);
    Name(to, NodeAt(from));
    return Status();
  });
}

Result<std::uint64_t> LosingFileSystem::FreeBytes(const std::string& path) {
  return inner_.FreeBytes(path);
}

Status LosingFileSystem::SyncDirectory(const std::string& path) {
  return Watched([&]() -> Status {
    SIGHTLINE_RETURN_IF_ERROR(inner_.SyncDirectory(path));
    const std::lock_guard lock(mutex_);
    for (auto& [name, history] : disk_.names_) {
      if (DirectoryOf(JoinPath(directory_, name)) == path)
        history.erase(history.begin(), history.end() - 1);
    }
    return Status();
  });
}

Result<std::string> LosingFileSystem::MappablePath(const std::string& path) {
  const std::lock_guard lock(mutex_);
  if (IsBelow(path)) mapped_.insert(path);
  return inner_.MappablePath(path);
}

}  // namespace sightline::testing
