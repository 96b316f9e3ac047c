#include "sightline/landscape/journal/journal_owner.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <chrono>
#include <nlohmann/json.hpp>
#include <utility>

#include "sightline/base/background_thread.h"
#include "sightline/base/json/foreign_json.h"
#include "sightline/base/json/json_line.h"
#include "sightline/base/system/host_name.h"

namespace sightline::landscape {
namespace {

constexpr auto kBeat = std::chrono::seconds(10);
constexpr std::int64_t kSilence = 60;  // Seconds. Several beats may be late.

// Seconds since the file was touched, by the clock of its drive, which is the time of a new file.
Result<std::int64_t> SecondsSinceTouched(const std::string& path, int fd) {
  const std::string clock = fmt::format("{}.{}.clock", path, getpid());
  unlink(clock.c_str());  // Of a killed process, or a link to another file.
  const int now = open(clock.c_str(), O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
  if (now < 0) return Error(ErrnoStatus("cannot write beside " + path, errno));
  struct stat touched {};
  struct stat made {};
  const bool is_known =
      fstat(fd, &touched) == 0 && futimens(now, nullptr) == 0 && fstat(now, &made) == 0;
  const int error = errno;
  close(now);
  unlink(clock.c_str());
  if (!is_known) return Error(ErrnoStatus("cannot read " + path, error));
  return made.st_mtim.tv_sec - touched.st_mtim.tv_sec;
}

}  // namespace

std::string OwnerOfThisProcess() {
  return JsonLine(nlohmann::json{{"pid", getpid()}, {"host", HostName()}});
}

Status CheckOtherMachines(const std::string& path, int fd, const std::string& owner) {
  const auto json = ParseForeignJson<nlohmann::json>(owner);
  if (!json.is_object() || !json.contains("host") || json["host"] == HostName()) return {};
  SIGHTLINE_ASSIGN_OR_RETURN(const std::int64_t seconds, SecondsSinceTouched(path, fd));
  if (seconds > kSilence) return {};
  return Status(
      StatusCode::kUnavailable,
      fmt::format(
          "{} is in use by {}, which touched it {} s ago: only one job at a "
          "time may compute a landscape (after {} s without a touch, the job counts as ended)",
          path, owner, seconds, kSilence));
}

Heartbeat::Heartbeat(int fd) : fd_(fd) {
  if (auto started = StartBackgroundThread("sl-heartbeat", [this] { Beat(); }))
    thread_ = *std::move(started);
}

Heartbeat::~Heartbeat() {
  {
    const std::lock_guard lock(mutex_);
    is_over_ = true;
  }
  wake_.notify_all();
  if (thread_.joinable()) thread_.join();
}

void Heartbeat::Beat() {
  std::unique_lock lock(mutex_);
  while (!wake_.wait_for(lock, kBeat, [this] { return is_over_; })) futimens(fd_, nullptr);
}

}  // namespace sightline::landscape
