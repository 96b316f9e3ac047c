#include "sightline/watch/watch_state.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <filesystem>

#include "sightline/base/digest/sha256.h"
#include "sightline/base/file_system.h"
#include "sightline/base/json/foreign_json.h"
#include "sightline/base/json/json_line.h"
#include "sightline/base/system/user_folder.h"
#include "sightline/base/system/write_all.h"

namespace sightline::watch {
namespace {

constexpr std::size_t kMostBytes = std::size_t{64} << 20U;
constexpr std::size_t kDigits = 16;  // Of the roots' digest.
constexpr int kVersion = 1;

Result<std::string> ReadAll(int fd, const std::string& path) {
  struct stat info {};
  if (fstat(fd, &info) != 0) return Error(ErrnoStatus(path, errno));
  const auto size = static_cast<std::size_t>(info.st_size);
  if (!S_ISREG(info.st_mode) || size > kMostBytes)
    return Error(StatusCode::kInvalidArgument, path + ": is not the state of a watch");
  std::string text(size, '\0');
  const ssize_t got = pread(fd, text.data(), text.size(), 0);
  if (got < 0) return Error(ErrnoStatus(path, errno));
  text.resize(static_cast<std::size_t>(got));
  return text;
}

bool IsAt(int fd, const std::string& path) {
  struct stat open_one {};
  struct stat there {};
  return fstat(fd, &open_one) == 0 && stat(path.c_str(), &there) == 0 &&
         open_one.st_ino == there.st_ino && open_one.st_dev == there.st_dev;
}

Status HeldBy(const std::string& path, const std::string& text) {
  const auto json = ParseForeignJson<nlohmann::json>(text);
  std::string holder = "another process";
  if (json.is_object() && json.contains("process") && json["process"].is_number_integer())
    holder = fmt::format("process {}", json["process"].get<std::int64_t>());
  return {StatusCode::kFailedPrecondition,
          fmt::format("{} watches these already ({} holds its state)", holder, path)};
}

// The file at `path`, locked. It may be replaced between its opening and its locking.
Result<std::unique_ptr<const Descriptor>> Lock(const std::string& path) {
  for (;;) {
    auto file = std::make_unique<const Descriptor>(
        ::open(path.c_str(), O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, S_IRUSR | S_IWUSR));
    if (file->get() < 0) return Error(ErrnoStatus(path, errno));
    if (flock(file->get(), LOCK_EX | LOCK_NB) != 0) {
      if (errno != EWOULDBLOCK) return Error(ErrnoStatus(path, errno));
      const auto text = ReadAll(file->get(), path);
      return Error(HeldBy(path, text.value_or("")));
    }
    if (IsAt(file->get(), path)) return file;
  }
}

}  // namespace

Result<std::unique_ptr<WatchState>> WatchState::Open(const std::string& path) {
  auto state = std::make_unique<WatchState>();
  std::error_code ignored;  // Opening the file says what is wrong.
  std::filesystem::create_directories(DirectoryOf(path), ignored);
  SIGHTLINE_ASSIGN_OR_RETURN(state->file_, Lock(path));
  state->path_ = path;
  SIGHTLINE_ASSIGN_OR_RETURN(const std::string text, ReadAll(state->file_->get(), path));
  state->is_new_ = !state->Read(text);
  SIGHTLINE_RETURN_IF_ERROR(state->Save());  // From now on it names this process.
  return state;
}

bool WatchState::Read(const std::string& text) {
  const auto json = ParseForeignJson<nlohmann::json>(text);
  if (!json.is_object()) return false;
  try {
    if (json.at("version").get<int>() != kVersion) return false;
    for (const auto& one : json.at("open")) {
      open.insert_or_assign(
          Key{one.at("directory").get<std::string>(), one.at("rule").get<std::string>(),
              one.at("cause").get<std::string>()},
          Held{one.at("text").get<std::string>(), one.at("since").get<double>()});
    }
    growing = json.at("growing").get<std::set<std::string>>();
    if (json.at("outbox").is_array()) outbox = json["outbox"];
  } catch (const nlohmann::json::exception&) {
    open.clear();
    growing.clear();
    return false;
  }
  return true;
}

std::string WatchState::Text() const {
  nlohmann::ordered_json json = {{"version", kVersion}, {"process", getpid()}};
  json["open"] = nlohmann::ordered_json::array();
  for (const auto& [key, held] : open) {
    json["open"].push_back({{"directory", key.directory},
                            {"rule", key.rule},
                            {"cause", key.cause},
                            {"text", held.text},
                            {"since", held.since}});
  }
  json["growing"] = growing;
  json["outbox"] = outbox;
  return JsonLine(json) + "\n";
}

Status WatchState::Save() {
  if (path_.empty()) return {};
  std::string text = Text();
  if (text == saved_) return {};
  const std::string fresh = path_ + ".tmp";
  unlink(fresh.c_str());  // A killed watch left it. Nobody else writes while the lock is held.
  auto file = std::make_unique<const Descriptor>(
      ::open(fresh.c_str(), O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, S_IRUSR | S_IWUSR));
  if (file->get() < 0) return ErrnoStatus(fresh, errno);
  // The new file is locked before it has the name, so that at any time one process holds the state.
  if (flock(file->get(), LOCK_EX | LOCK_NB) != 0 || !WriteAll(file->get(), text) ||
      fsync(file->get()) != 0 || rename(fresh.c_str(), path_.c_str()) != 0) {
    const int error = errno;
    unlink(fresh.c_str());
    return ErrnoStatus(path_, error);
  }
  file_ = std::move(file);
  saved_ = std::move(text);
  return {};
}

Result<std::string> DefaultStatePath(const std::vector<std::string>& roots) {
  SIGHTLINE_ASSIGN_OR_RETURN(const std::string folder, UserStateFolder());
  std::vector<std::string> paths;
  paths.reserve(roots.size());
  for (const std::string& root : roots) {
    std::error_code error;
    const auto path = std::filesystem::weakly_canonical(root, error);
    paths.push_back(error ? root : path.string());
  }
  std::sort(paths.begin(), paths.end());
  std::string all;
  for (const std::string& path : paths) all += path + '\0';
  return fmt::format("{}/watch/{}.json", folder, Sha256Hex(all).substr(0, kDigits));
}

}  // namespace sightline::watch
