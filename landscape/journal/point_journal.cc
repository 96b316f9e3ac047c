#include "sightline/landscape/journal/point_journal.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdint>
#include <cstring>
#include <utility>

#include "sightline/base/crc32c.h"
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

// REQUIRES: the number lies inside of `bytes`.
std::uint32_t NumberAt(std::string_view bytes, std::size_t offset) {
  std::uint32_t value = 0;
  std::memcpy(&value, bytes.data() + offset, sizeof(value));
  return value;
}

// The whole record at the front of `bytes`; empty where there is none.
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

Result<std::string> ReadWhole(FileSystem& files, const std::string& path) {
  SIGHTLINE_ASSIGN_OR_UNEXPECTED(const auto in, files.OpenForRead(path));
  SIGHTLINE_ASSIGN_OR_UNEXPECTED(const std::uint64_t size, in->Size());
  std::string bytes(size, '\0');
  SIGHTLINE_ASSIGN_OR_UNEXPECTED(const std::size_t got, in->ReadAt(0, bytes));
  bytes.resize(got);
  return bytes;
}

std::string OwnerText(const std::string& path) {
  const auto content = ReadPointJournal(FileSystem::Local(), path);
  return content && !content->owner.empty() ? content->owner : "another process";
}

}  // namespace

Result<JournalContent> ParsePointJournal(std::string_view bytes) {
  if (!bytes.starts_with(kMagic))
    return Error(StatusCode::kDataLoss, "this is no journal of a landscape's points");
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

Result<JournalContent> ReadPointJournal(FileSystem& files, const std::string& path) {
  SIGHTLINE_ASSIGN_OR_UNEXPECTED(const std::string bytes, ReadWhole(files, path));
  auto content = ParsePointJournal(bytes);
  if (!content) return tl::unexpected(content.error().WithContext(path));
  return content;
}

Result<std::vector<std::string>> ListPointJournals(FileSystem& files,
                                                   const std::string& directory) {
  SIGHTLINE_ASSIGN_OR_UNEXPECTED(const auto names, files.List(directory));
  std::vector<std::string> paths;
  for (const std::string& name : names) {
    if (name.starts_with(".landscape_") && name.ends_with(kSuffix))
      paths.push_back(JoinPath(directory, name));
  }
  return paths;
}

Result<std::unique_ptr<PointJournal>> PointJournal::Open(const std::string& path,
                                                         const std::string& header) {
  auto journal = std::unique_ptr<PointJournal>(new PointJournal());
  journal->path_ = path;
  journal->fd_ = open(path.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0666);
  if (journal->fd_ < 0) return tl::unexpected(ErrnoStatus("cannot open " + path, errno));
  if (flock(journal->fd_, LOCK_EX | LOCK_NB) != 0) {
    if (errno != EWOULDBLOCK) return tl::unexpected(ErrnoStatus("cannot lock " + path, errno));
    return Error(StatusCode::kUnavailable,
                 fmt::format("{} is in use by {}: a landscape is computed by one job at a time",
                             path, OwnerText(path)));
  }
  SIGHTLINE_UNEXPECTED_IF_ERROR(journal->Begin(header));
  return journal;
}

PointJournal::~PointJournal() {
  heartbeat_.reset();
  if (owner_ == getpid()) static_cast<void>(Append(std::string(1, kEnd)));
  if (fd_ >= 0) close(fd_);
}

Status PointJournal::Begin(const std::string& header) {
  struct stat info {};
  if (fstat(fd_, &info) != 0) return ErrnoStatus("cannot read " + path_, errno);
  if (info.st_size != 0) {
    SIGHTLINE_ASSIGN_OR_RETURN(const std::string bytes, ReadWhole(FileSystem::Local(), path_));
    auto content = ParsePointJournal(bytes);
    // A kill may have left less than the magic.
    const bool is_torn = bytes.size() < kMagic.size() && kMagic.starts_with(bytes);
    if (!content && !is_torn) return content.error().WithContext(path_);
    if (content) content_ = *std::move(content);
  }
  SIGHTLINE_RETURN_IF_ERROR(CheckOtherMachines(path_, fd_, content_.owner));
  if (!content_.header.empty() && content_.header != header) {
    return Status(StatusCode::kFailedPrecondition,
                  path_ +
                      " holds points of another landscape, of other checkpoints or options: "
                      "remove it (or ask for a restart), or compute with the options it was made "
                      "with");
  }
  const bool is_new = content_.header.empty();
  if (is_new) content_ = {};
  if (ftruncate(fd_, static_cast<off_t>(content_.bytes)) != 0 || lseek(fd_, 0, SEEK_END) < 0)
    return ErrnoStatus("cannot cut " + path_, errno);
  if (is_new) {
    if (write(fd_, kMagic.data(), kMagic.size()) != static_cast<ssize_t>(kMagic.size()))
      return ErrnoStatus("cannot write " + path_, errno);
    SIGHTLINE_RETURN_IF_ERROR(Append(kHeader + header));
    content_.header = header;
  }
  SIGHTLINE_RETURN_IF_ERROR(Append(kOwner + OwnerOfThisProcess()));
  owner_ = getpid();
  heartbeat_.emplace(fd_);
  return {};
}

// In one call, so that a record is torn by a full disk or the machine's end only.
Status PointJournal::Append(std::string_view payload) {
  std::string record;
  wire::AppendFixed(record, static_cast<std::uint32_t>(payload.size()));
  wire::AppendFixed(record, crc32c::Value(payload));
  record += payload;
  const ssize_t written = write(fd_, record.data(), record.size());
  if (written == static_cast<ssize_t>(record.size())) return {};
  return written < 0
             ? ErrnoStatus("cannot write " + path_, errno)
             : Status(StatusCode::kResourceExhausted, "cannot write " + path_ + ": disk full");
}

Status PointJournal::AddPoint(std::size_t index, const std::vector<double>& values) {
  std::string payload(1, kPoint);
  wire::AppendFixed(payload, static_cast<std::uint32_t>(index));
  for (const double value : values) wire::AppendFixed(payload, value);
  return Append(payload);
}

Status PointJournal::MarkDone() { return Append(std::string(1, kDone)); }

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
