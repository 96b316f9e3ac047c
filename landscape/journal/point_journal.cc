#include "sightline/landscape/journal/point_journal.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/file.h>
#include <unistd.h>

#include <cerrno>
#include <cstdint>
#include <cstring>
#include <utility>

#include "sightline/base/crc32c.h"
#include "sightline/base/process_registry.h"
#include "sightline/base/wire.h"

namespace sightline::landscape {
namespace {

constexpr std::string_view kMagic = "SLPOINT1";
constexpr std::size_t kRecordHeader = 8;
constexpr char kHeader = 'H';
constexpr char kOwner = 'O';
constexpr char kPoint = 'P';
constexpr char kDone = 'D';
constexpr char kEnd = 'E';
constexpr std::string_view kSuffix = ".points";
constexpr std::size_t kPointHeader = 5;  // 'P' and the index.
constexpr std::int64_t kSyncNanos = 5'000'000'000;

// REQUIRES: the number is within `bytes`.
std::uint32_t NumberAt(std::string_view bytes, std::size_t offset) {
  std::uint32_t value = 0;
  std::memcpy(&value, bytes.data() + offset, sizeof(value));
  return value;
}

// The record at the front of `bytes`; empty if there is no whole one.
std::string_view PayloadAt(std::string_view bytes) {
  if (bytes.size() < kRecordHeader) return {};
  const std::size_t length = NumberAt(bytes, 0);
  if (length > bytes.size() - kRecordHeader) return {};
  const std::string_view payload = bytes.substr(kRecordHeader, length);
  return crc32c::Value(payload) == NumberAt(bytes, 4) ? payload : std::string_view();
}

void TakePoint(std::string_view payload, PointValues& points) {
  const std::size_t bytes = payload.size() - std::min(payload.size(), kPointHeader);
  if (bytes == 0 || bytes % sizeof(double) != 0) return;
  std::vector<double> values(bytes / sizeof(double));
  std::memcpy(values.data(), payload.data() + kPointHeader, bytes);
  points.insert_or_assign(NumberAt(payload, 1), std::move(values));
}

Result<std::string> ReadWhole(FileSystem& file_system, const std::string& path) {
  SIGHTLINE_ASSIGN_OR_RETURN(const auto in, file_system.OpenForRead(path));
  SIGHTLINE_ASSIGN_OR_RETURN(const std::uint64_t size, in->Size());
  std::string bytes(size, '\0');
  SIGHTLINE_ASSIGN_OR_RETURN(const std::size_t got, in->ReadAt(0, bytes));
  bytes.resize(got);
  return bytes;
}

// True for a journal whose process, or machine, ended before the first record was on the disk: it
// has a part of the magic, or zeros in place of some of its bytes.
bool IsUnwritten(std::string_view bytes) {
  if (bytes.size() < kMagic.size() && kMagic.starts_with(bytes)) return true;
  return bytes.find_first_not_of('\0') == std::string_view::npos;
}

}  // namespace

Result<JournalContent> ParsePointJournal(std::string_view bytes) {
  if (!bytes.starts_with(kMagic))
    return Error(StatusCode::kDataLoss, "not a journal of a landscape's points");
  JournalContent content;
  content.bytes = kMagic.size();
  for (;;) {
    const std::string_view payload = PayloadAt(bytes.substr(content.bytes));
    if (payload.empty()) return content;
    content.bytes += kRecordHeader + payload.size();
    const std::string_view text = payload.substr(1);
    switch (payload.front()) {
      case kHeader:
        content.header = text;
        break;
      case kOwner:
        content.owner = text;
        break;
      case kPoint:
        TakePoint(payload, content.points);
        break;
      case kDone:
        content.done = true;
        break;
      case kEnd:
        content.owner.clear();
        break;
      default:  // Of a later version.
        break;
    }
  }
}

Result<JournalContent> ReadPointJournal(FileSystem& file_system, const std::string& path) {
  SIGHTLINE_ASSIGN_OR_RETURN(const std::string bytes, ReadWhole(file_system, path));
  auto content = ParsePointJournal(bytes);
  if (!content) return Error(content.error().WithContext(path));
  return content;
}

Result<std::vector<std::string>> ListPointJournals(FileSystem& file_system,
                                                   const std::string& directory) {
  SIGHTLINE_ASSIGN_OR_RETURN(const auto names, file_system.List(directory));
  std::vector<std::string> paths;
  for (const std::string& name : names) {
    if (name.starts_with(".landscape_") && name.ends_with(kSuffix))
      paths.push_back(JoinPath(directory, name));
  }
  return paths;
}

Result<std::unique_ptr<PointJournal>> PointJournal::Open(FileSystem& file_system,
                                                         const std::string& path,
                                                         const std::string& header,
                                                         const Clock& clock) {
  auto journal = std::unique_ptr<PointJournal>(new PointJournal(path, file_system, clock));
  SIGHTLINE_RETURN_IF_ERROR(journal->OpenFile());
  SIGHTLINE_RETURN_IF_ERROR(journal->Lock());
  SIGHTLINE_RETURN_IF_ERROR(journal->Begin(header));
  return journal;
}

PointJournal::~PointJournal() {
  heartbeat_.reset();
  if (owner_ == getpid()) static_cast<void>(Append(std::string(1, kEnd)));
  {
    const ProcessRegistry::NoFork no_fork;
    if (fd_ >= 0) close(std::exchange(fd_, -1));
  }
  ProcessRegistry::Remove(this);
}

// Another process may create or remove the file between the two calls.
Status PointJournal::OpenFile() {
  for (const OpenMode mode :
       {OpenMode::kOpenExisting, OpenMode::kCreateNew, OpenMode::kOpenExisting}) {
    auto opened = file_system_.OpenForWrite(path_, mode);
    if (opened) {
      file_ = *std::move(opened);
      return {};
    }
    const StatusCode code = opened.error().code();
    if (code != StatusCode::kNotFound && code != StatusCode::kAlreadyExists) return opened.error();
  }
  return Status(StatusCode::kUnavailable,
                "cannot open " + path_ + ": other processes create and remove it");
}

Status PointJournal::Lock() {
  const auto real = file_system_.MappablePath(path_);
  if (!real) return {};
  {
    // A forked child closes its copy, which would hold the lock after the end of this process.
    const ProcessRegistry::NoFork no_fork;
    fd_ = open(real->c_str(), O_RDWR | O_CLOEXEC | O_NONBLOCK);
    if (fd_ < 0) return ErrnoStatus("cannot open " + path_, errno);
    no_fork.Add(this, [this] {
      if (fd_ >= 0) close(std::exchange(fd_, -1));
    });
  }
  if (flock(fd_, LOCK_EX | LOCK_NB) == 0) return {};
  if (errno != EWOULDBLOCK) return ErrnoStatus("cannot lock " + path_, errno);
  const auto content = ReadPointJournal(file_system_, path_);
  return Status(
      StatusCode::kUnavailable,
      fmt::format("{} is in use by {}: only one job at a time may compute a landscape", path_,
                  content && !content->owner.empty() ? content->owner : "another process"));
}

Status PointJournal::Begin(const std::string& header) {
  SIGHTLINE_ASSIGN_OR_RETURN(const std::string bytes, ReadWhole(file_system_, path_));
  if (!IsUnwritten(bytes)) {
    auto content = ParsePointJournal(bytes);
    if (!content) return content.error().WithContext(path_);
    content_ = *std::move(content);
  }
  if (fd_ >= 0) SIGHTLINE_RETURN_IF_ERROR(CheckOtherMachines(path_, fd_, content_.owner));
  if (!content_.header.empty() && content_.header != header) {
    return Status(StatusCode::kFailedPrecondition,
                  path_ +
                      " holds points of another landscape, of other checkpoints or options: "
                      "remove it (or ask for a restart), or compute with the options it was made "
                      "with");
  }
  const bool is_new = content_.header.empty();
  if (is_new) content_ = {};
  end_ = content_.bytes;
  SIGHTLINE_RETURN_IF_ERROR(file_->Truncate(end_));
  if (is_new) {
    SIGHTLINE_RETURN_IF_ERROR(file_->WriteAt(0, kMagic));
    end_ = kMagic.size();
    SIGHTLINE_RETURN_IF_ERROR(Append(kHeader + header));
    content_.header = header;
  }
  SIGHTLINE_RETURN_IF_ERROR(Append(kOwner + OwnerOfThisProcess()));
  SIGHTLINE_RETURN_IF_ERROR(Sync());
  SIGHTLINE_RETURN_IF_ERROR(file_system_.SyncDirectory(DirectoryOf(path_)));
  owner_ = getpid();
  if (fd_ >= 0) heartbeat_.emplace(fd_);
  return {};
}

Status PointJournal::Append(std::string_view payload) {
  std::string record;
  wire::AppendFixed(record, static_cast<std::uint32_t>(payload.size()));
  wire::AppendFixed(record, crc32c::Value(payload));
  record += payload;
  SIGHTLINE_RETURN_IF_ERROR(file_->WriteAt(end_, record));
  end_ += record.size();
  return {};
}

Status PointJournal::Sync() {
  SIGHTLINE_RETURN_IF_ERROR(file_->Sync());
  synced_at_ = clock_.MonotonicNanos();
  return {};
}

Status PointJournal::AddPoint(std::size_t index, const std::vector<double>& values) {
  std::string payload(1, kPoint);
  wire::AppendFixed(payload, static_cast<std::uint32_t>(index));
  for (const double value : values) wire::AppendFixed(payload, value);
  SIGHTLINE_RETURN_IF_ERROR(Append(payload));
  return clock_.MonotonicNanos() - synced_at_ >= kSyncNanos ? Sync() : Status();
}

Status PointJournal::MarkDone() {
  SIGHTLINE_RETURN_IF_ERROR(Append(std::string(1, kDone)));
  return Sync();
}

std::string PointJournalName(std::string_view tag, std::string_view decomposition) {
  std::string name = ".";
  for (const char c : tag) {
    const bool digit = c >= '0' && c <= '9';
    const bool letter = c >= 'a' && c <= 'z';
    if (digit || letter) {
      name += c;
    } else if (name.back() != '_') {
      name += '_';
    }
  }
  while (name.back() == '_') name.pop_back();
  return fmt::format("{}_{}{}", name, decomposition, kSuffix);
}

}  // namespace sightline::landscape
