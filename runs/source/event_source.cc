#include "sightline/runs/source/event_source.h"

#include <algorithm>
#include <cstring>
#include <iterator>

#include "sightline/recorder/framing/record_format.h"
#include "sightline/recorder/journal/journal_format.h"
#include "sightline/runs/source/foreign_file.h"
#include "sightline/runs/source/stamped_source.h"

namespace sightline {
namespace {

// The first bytes of a file, followed by records.
class SplicedFile final : public ReadableFile {
 public:
  // `file` is null if the file does not exist yet.
  SplicedFile(std::unique_ptr<ReadableFile> file, std::uint64_t visible_bytes,
              const std::vector<std::string>& payloads)
      : file_(std::move(file)), visible_bytes_(visible_bytes) {
    for (const std::string& payload : payloads) AppendRecord(payload, records_);
  }

  Result<std::size_t> ReadAt(std::uint64_t offset, std::span<char> buffer) const override {
    if (offset < visible_bytes_) {
      return file_->ReadAt(
          offset, buffer.first(std::min<std::uint64_t>(buffer.size(), visible_bytes_ - offset)));
    }
    const std::uint64_t from = offset - visible_bytes_;
    if (from >= records_.size()) return std::size_t{0};
    const std::size_t count = std::min<std::size_t>(buffer.size(), records_.size() - from);
    std::memcpy(buffer.data(), records_.data() + from, count);
    return count;
  }

  Result<std::uint64_t> Size() const override { return visible_bytes_ + records_.size(); }

 private:
  std::unique_ptr<ReadableFile> file_;
  const std::uint64_t visible_bytes_;
  std::string records_;
};

std::optional<EventFileKind> KindByName(std::string_view name) {
  const auto parsed = ParseEventFileName(name);
  return parsed ? std::optional(parsed->kind) : std::nullopt;
}

bool FollowsATail(std::string_view name, EventFileKind kind,
                  const std::vector<JournalTail>& tails) {
  return std::any_of(tails.begin(), tails.end(), [&](const JournalTail& tail) {
    return tail.kind == kind && ReadsBefore(tail.file_name, name);
  });
}

}  // namespace

Result<std::vector<EventSource>> ListEventSources(const std::string& directory,
                                                  FileSystem* file_system,
                                                  std::vector<std::string>* notes) {
  SIGHTLINE_ASSIGN_OR_RETURN(const auto names, file_system->List(directory));
  SIGHTLINE_ASSIGN_OR_RETURN(auto stamped, ListStampedSources(*file_system, directory, names));
  std::vector<EventSource> sources(std::make_move_iterator(stamped.begin()),
                                   std::make_move_iterator(stamped.end()));
  DropForeignFiles(*file_system, sources, notes);
  return sources;
}

Result<std::vector<StampedSource>> ListStampedSources(
    FileSystem& file_system, const std::string& directory,
    const std::vector<std::string>& names_before) {
  std::vector<JournalTail> tails;
  std::vector<std::string> names = names_before;
  const auto is_journal = [](const std::string& name) { return name.starts_with(kJournalPrefix); };
  if (std::any_of(names.begin(), names.end(), is_journal)) {
    // A live recorder may start new files at any moment. If a file appeared after the journals were
    // read, its records are in `tails`.
    SIGHTLINE_ASSIGN_OR_RETURN(tails, ReadJournalTails(file_system, directory));
    SIGHTLINE_ASSIGN_OR_RETURN(names, file_system.List(directory));
  }
  std::vector<StampedSource> sources;
  for (const std::string& name : names) {
    const auto kind = KindByName(name);
    if (!kind) continue;
    const bool is_new = !std::binary_search(names_before.begin(), names_before.end(), name);
    if (is_new && FollowsATail(name, *kind, tails)) continue;
    std::string path = JoinPath(directory, name);
    const FileStamp stamp = StampOf(file_system, path);
    if (stamp.is_directory) continue;
    sources.push_back({{std::move(path), kind, std::nullopt}, stamp});
  }
  for (JournalTail& tail : tails) {
    const std::string path = JoinPath(directory, tail.file_name);
    auto source = std::find_if(sources.begin(), sources.end(),
                               [&](const StampedSource& other) { return other.path == path; });
    if (source == sources.end()) {
      if (tail.payloads.empty()) continue;
      source = sources.insert(sources.end(), StampedSource{{path, tail.kind, std::nullopt}, {}});
    }
    source->tail = std::move(tail);
  }
  std::sort(sources.begin(), sources.end(), [](const StampedSource& a, const StampedSource& b) {
    return ReadsBefore(BaseName(a.path), BaseName(b.path));
  });
  return sources;
}

Result<EventSource> FindEventSource(const std::string& path, FileSystem* file_system) {
  const std::string_view name = BaseName(path);
  EventSource source{path, KindByName(name), std::nullopt};
  // A directory that cannot be listed may still hold a file that can be read.
  if (auto tails = ReadJournalTails(*file_system, DirectoryOf(path))) {
    for (JournalTail& tail : *tails) {
      if (tail.file_name == name) source.tail = std::move(tail);
    }
  }
  if (source.tail && !source.tail->payloads.empty()) return source;
  SIGHTLINE_ASSIGN_OR_RETURN(const FileInfo info, file_system->Stat(path));
  if (info.is_directory)
    return Error(StatusCode::kInvalidArgument, path + ": is a directory, not an event file");
  return source;
}

Result<std::unique_ptr<ReadableFile>> OpenSourceBytes(const EventSource& source,
                                                      FileSystem* file_system) {
  auto file = file_system->OpenForRead(source.path);
  if (!source.tail) return file;
  std::uint64_t visible_bytes = 0;
  if (file) {
    SIGHTLINE_ASSIGN_OR_RETURN(const std::uint64_t size, (*file)->Size());
    visible_bytes = std::min(size, source.tail->visible_bytes);
  } else if (file.error().code() != StatusCode::kNotFound) {
    return file;
  }
  return std::make_unique<SplicedFile>(file ? *std::move(file) : nullptr, visible_bytes,
                                       source.tail->payloads);
}

Result<std::unique_ptr<EventReader>> OpenEventSource(const EventSource& source,
                                                     FileSystem* file_system) {
  SIGHTLINE_ASSIGN_OR_RETURN(auto bytes, OpenSourceBytes(source, file_system));
  return std::make_unique<EventReader>(std::move(bytes), source.kind);
}

Status CheckIsEventFile(const EventSource& source, const EventReader& reader,
                        FileSystem* file_system) {
  if (reader.records() > 0 || reader.skipped().empty()) return {};
  if (const auto type = ForeignTypeOf(*file_system, source))
    return Status(StatusCode::kInvalidArgument, ForeignNote(*type));
  if (source.kind) return {};
  return Status(StatusCode::kInvalidArgument, "not an event file: it has no sound record");
}

}  // namespace sightline
