#include "sightline/dashboard/store/state_folder.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/file.h>
#include <sys/random.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <charconv>
#include <chrono>
#include <csignal>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <optional>
#include <thread>
#include <utility>

#include "sightline/base/descriptor.h"
#include "sightline/base/json/foreign_json.h"
#include "sightline/base/json/json_line.h"
#include "sightline/base/system/user_folder.h"

namespace sightline::dashboard {
namespace {

constexpr std::size_t kTokenBytes = 32;
constexpr std::size_t kMaxFile = 65536;
constexpr std::chrono::milliseconds kStopPause{20};
constexpr std::chrono::seconds kStopTime{20};

std::string ReadAll(int fd) {
  std::string text(kMaxFile, '\0');
  const ssize_t n = pread(fd, text.data(), text.size(), 0);
  text.resize(n > 0 ? static_cast<std::size_t>(n) : 0);
  return text;
}

Status WriteAll(int fd, const std::string& text) {
  if (ftruncate(fd, 0) != 0 ||
      pwrite(fd, text.data(), text.size(), 0) != static_cast<ssize_t>(text.size())) {
    return ErrnoStatus("cannot write into the state folder", errno);
  }
  return {};
}

Status MakePrivateFolder(const std::string& path) {
  std::error_code error;
  std::filesystem::create_directories(std::filesystem::path(path).parent_path(), error);
  if (mkdir(path.c_str(), S_IRWXU) != 0 && errno != EEXIST)
    return ErrnoStatus("cannot make " + path, errno);
  struct stat info {};
  if (lstat(path.c_str(), &info) != 0) return ErrnoStatus("cannot stat " + path, errno);
  if (!S_ISDIR(info.st_mode) || info.st_uid != geteuid() ||
      (info.st_mode & (S_IWGRP | S_IWOTH)) != 0) {
    return {StatusCode::kPermissionDenied,
            path + " is not a directory that only its user can write"};
  }
  return {};
}

// Whether only this user could have read or written it.
bool IsPrivate(int fd) {
  struct stat info {};
  return fstat(fd, &info) == 0 && S_ISREG(info.st_mode) && info.st_uid == geteuid() &&
         (info.st_mode & (S_IRWXG | S_IRWXO)) == 0;
}

bool IsToken(const std::string& text) {
  return text.size() == (kTokenBytes * 8 + 5) / 6 &&
         std::all_of(text.begin(), text.end(),
                     [](unsigned char c) { return std::isalnum(c) != 0 || c == '-' || c == '_'; });
}

struct Noted {
  RunningServer server;
  pid_t process = 0;
};

std::optional<Noted> ParseNote(const std::string& text) {
  const auto json = ParseForeignJson<nlohmann::json>(text);
  if (!json.is_object()) return std::nullopt;
  Noted noted;
  try {
    noted.server.port = json.at("port").get<std::uint16_t>();
    noted.server.url = json.at("url").get<std::string>();
    noted.server.needs_token = json.at("needs_token").get<bool>();
    noted.server.directory = json.at("directory").get<std::string>();
    noted.process = json.at("process").get<pid_t>();
  } catch (const nlohmann::json::exception&) {
    return std::nullopt;
  }
  return noted;
}

// The note of a server that runs: its file is locked, and nobody else's.
std::optional<Noted> ReadNote(const std::string& path) {
  // A pipe of that name keeps nobody waiting.
  const Descriptor fd(open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK));
  if (fd.get() < 0 || !IsPrivate(fd.get())) return std::nullopt;
  if (flock(fd.get(), LOCK_SH | LOCK_NB) == 0 || errno != EWOULDBLOCK) return std::nullopt;
  return ParseNote(ReadAll(fd.get()));
}

}  // namespace

Result<std::string> MakeToken() {
  unsigned char bytes[kTokenBytes];
  if (getrandom(bytes, sizeof(bytes), 0) != static_cast<ssize_t>(sizeof(bytes)))
    return Error(ErrnoStatus("no random numbers", errno));
  constexpr std::string_view kDigits =
      "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";
  std::string token;
  unsigned held = 0;
  unsigned bits = 0;
  for (const unsigned char byte : bytes) {
    held = held << 8U | byte;
    bits += 8;
    for (; bits >= 6; bits -= 6) token.push_back(kDigits[held >> (bits - 6) & 63U]);
  }
  if (bits > 0) token.push_back(kDigits[held << (6 - bits) & 63U]);
  return token;
}

ServerNote::~ServerNote() {
  unlink(path_.c_str());
  close(fd_);
}

Result<StateFolder> StateFolder::OfUser() {
  SIGHTLINE_ASSIGN_OR_RETURN(std::string path, UserStateFolder());
  return StateFolder(std::move(path));
}

Result<std::string> StateFolder::Token() const {
  SIGHTLINE_RETURN_IF_ERROR(MakePrivateFolder(path_));
  const std::string path = path_ + "/token";
  // Twice: another server may make it at the same time.
  for (int attempt = 0; attempt < 3; ++attempt) {
    {
      const Descriptor known(open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK));
      if (known.get() >= 0 && IsPrivate(known.get())) {
        if (std::string token = ReadAll(known.get()); IsToken(token)) return token;
      }
      if (known.get() >= 0 || errno == ELOOP) unlink(path.c_str());
    }
    SIGHTLINE_ASSIGN_OR_RETURN(const std::string token, MakeToken());
    const std::string fresh = fmt::format("{}.{}", path, getpid());
    unlink(fresh.c_str());
    const Descriptor file(
        open(fresh.c_str(), O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, S_IRUSR | S_IWUSR));
    if (file.get() < 0) return Error(ErrnoStatus("cannot write " + fresh, errno));
    SIGHTLINE_RETURN_IF_ERROR(WriteAll(file.get(), token));
    const bool first = link(fresh.c_str(), path.c_str()) == 0;
    const int error = errno;
    unlink(fresh.c_str());
    if (first) return token;
    if (error != EEXIST) return Error(ErrnoStatus("cannot write " + path, error));
  }
  return Error(StatusCode::kUnavailable, "cannot keep a token in " + path);
}

Result<std::string> StateFolder::ServersFolder() const {
  SIGHTLINE_RETURN_IF_ERROR(MakePrivateFolder(path_));
  std::string folder = path_ + "/servers";
  SIGHTLINE_RETURN_IF_ERROR(MakePrivateFolder(folder));
  return folder;
}

Result<std::string> StateFolder::FileFor(const std::string& name) const {
  SIGHTLINE_ASSIGN_OR_RETURN(const std::string folder, ServersFolder());
  return folder + "/" + name;
}

Result<std::unique_ptr<ServerNote>> StateFolder::Note(const RunningServer& server) const {
  SIGHTLINE_ASSIGN_OR_RETURN(std::string path, FileFor(std::to_string(server.port)));
  Descriptor fd(open(path.c_str(), O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK,
                     S_IRUSR | S_IWUSR));
  if (fd.get() < 0 || fchmod(fd.get(), S_IRUSR | S_IWUSR) != 0)
    return Error(ErrnoStatus("cannot write " + path, errno));
  if (!IsPrivate(fd.get()))
    return Error(StatusCode::kPermissionDenied, path + " is not a regular file of this user alone");
  if (flock(fd.get(), LOCK_EX | LOCK_NB) != 0) {
    return Error(StatusCode::kAlreadyExists,
                 fmt::format("a server of yours has port {} already", server.port));
  }
  const nlohmann::json json = {{"port", server.port},
                               {"url", server.url},
                               {"needs_token", server.needs_token},
                               {"directory", server.directory},
                               {"process", getpid()}};
  SIGHTLINE_RETURN_IF_ERROR(WriteAll(fd.get(), JsonLine(json)));
  return std::unique_ptr<ServerNote>(new ServerNote(fd.Release(), std::move(path)));
}

Result<std::vector<RunningServer>> StateFolder::Servers() const {
  SIGHTLINE_ASSIGN_OR_RETURN(const std::string folder, ServersFolder());
  std::vector<RunningServer> servers;
  std::error_code error;
  for (std::filesystem::directory_iterator at(folder, error), end; !error && at != end;
       at.increment(error)) {
    if (auto noted = ReadNote(at->path().string())) servers.push_back(std::move(noted->server));
  }
  std::sort(servers.begin(), servers.end(),
            [](const RunningServer& a, const RunningServer& b) { return a.port < b.port; });
  return servers;
}

Status StateFolder::StopServer(std::uint16_t port) const {
  SIGHTLINE_ASSIGN_OR_RETURN(const std::string path, FileFor(std::to_string(port)));
  const auto none = [&] {
    return Status(StatusCode::kNotFound, fmt::format("no server of yours runs on port {}", port));
  };
  const auto noted = ReadNote(path);
  if (!noted || noted->process <= 0) return none();
  // Once the process is held by a descriptor its number cannot become another's; that the lock is
  // still held then says that it is the server.
  const Descriptor process(static_cast<int>(syscall(SYS_pidfd_open, noted->process, 0)));
  const auto again = ReadNote(path);
  if (!again || again->process != noted->process) return none();
  const int sent =
      process.get() >= 0
          ? static_cast<int>(syscall(SYS_pidfd_send_signal, process.get(), SIGTERM, nullptr, 0))
          : kill(noted->process, SIGTERM);
  if (sent != 0) return ErrnoStatus(fmt::format("cannot end the server on port {}", port), errno);
  const auto deadline = std::chrono::steady_clock::now() + kStopTime;
  while (ReadNote(path)) {
    if (std::chrono::steady_clock::now() > deadline) {
      return {StatusCode::kUnavailable,
              fmt::format("the server on port {} has not ended yet", port)};
    }
    std::this_thread::sleep_for(kStopPause);
  }
  return {};
}

}  // namespace sightline::dashboard
