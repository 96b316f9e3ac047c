#include "sightline/runs/followed_run.h"

#include <algorithm>
#include <optional>
#include <utility>

#include "sightline/base/parallel.h"
#include "sightline/runs/reading/file_contents.h"
#include "sightline/runs/reading/run_builder.h"

namespace sightline {
namespace {

// The part of the file that does not change any more, without what a journal still holds.
EventSource WithoutJournal(const EventSource& source) {
  EventSource file{source.path, source.kind, std::nullopt};
  if (source.tail)
    file.tail = {source.tail->file_name, source.tail->kind, source.tail->visible_bytes, {}};
  return file;
}

bool SomeLackMetadata(const ReadFile& file) {
  return !file.reader.contents().lacking_metadata.empty() ||
         (file.rest && !file.rest->contents().lacking_metadata.empty());
}

// Whether the file was read with the metadata in `earlier` of all tags for which it matters.
bool Knows(const ReadFile& file, const MetadataByTag& earlier) {
  const auto bytes_of = [](const MetadataByTag& metadata,
                           const std::string& tag) -> std::string_view {
    const auto found = metadata.find(tag);
    if (found == metadata.end()) return {};
    return found->second.bytes;
  };
  const auto knows = [&](const FileContents& contents) {
    const auto& tags = contents.lacking_metadata;
    return std::all_of(tags.begin(), tags.end(), [&](const std::string& tag) {
      return bytes_of(file.reader.inherited(), tag) == bytes_of(earlier, tag);
    });
  };
  return knows(file.reader.contents()) && (!file.rest || knows(file.rest->contents()));
}

void AddMetadata(const ReadFile& file, MetadataByTag& to) {
  const auto add = [&](const FileContents& contents) {
    to.insert(contents.metadata.begin(), contents.metadata.end());
  };
  add(file.reader.contents());
  if (file.rest) add(file.rest->contents());
}

}  // namespace

FollowedRun::FollowedRun(std::string directory, const RunOptions& options)
    : directory_(std::move(directory)), options_(options) {}
FollowedRun::FollowedRun(std::shared_ptr<const Run> run, const RunOptions& options)
    : FollowedRun(run->directory(), options) {
  options_.name = run->name();
  run_ = std::move(run);
}

void FollowedRun::UseIndex(std::shared_ptr<RunIndex> index, std::string key) {
  index_ = std::move(index);
  key_ = std::move(key);
}

Result<std::shared_ptr<const Run>> FollowedRun::Refresh() {
  SIGHTLINE_ASSIGN_OR_RETURN(const RunDirectory listed,
                             ListRunDirectory(*options_.file_system, options_.name, directory_));
  if (!listed.sources.empty()) {
    auto run = Refresh(listed, options_.threads);
    if (run->has_event_files()) return run;
  }
  return Error(StatusCode::kNotFound, directory_ + ": there are no event files in it");
}

bool FollowedRun::IsCurrent(const RunStamp& stamp) const {
  return run_ != nullptr && run_->stamp() == stamp &&
         (options_.leave_large_unchecked || run_->unchecked() == 0);
}

std::shared_ptr<const Run> FollowedRun::Refresh(const RunDirectory& listed, unsigned threads) {
  RunStamp stamp =
      StampOfRun(*options_.file_system, directory_, listed.sources, listed.may_have_journals);
  stamp.killed_sessions = listed.killed_sessions;
  stamp.fact_sessions = listed.fact_sessions;
  if (IsCurrent(stamp)) return run_;
  const bool first = run_ == nullptr;
  if (first && index_ != nullptr) {
    run_ = index_->Find(key_, directory_, options_.name, stamp);
    if (IsCurrent(stamp)) return run_;
    run_ = nullptr;  // It has large records that must be checked.
  }
  grew_ = grew_ || (!first && run_->stamp() != stamp);
  if (index_ != nullptr && files_.empty()) TakeFromIndex(stamp);
  stored_ = nullptr;
  run_ = Read(listed.sources, std::move(stamp), threads);
  const bool grows = run_->signs().journal_held || (!run_->signs().ours && grew_);
  const bool stores = index_ != nullptr && (first || !grows);
  if (stores || grows) NoteLastBytes();
  if (stores) stored_ = index_->Put(key_, run_, files_);
  if (!grows) files_.clear();
  return run_;
}

bool FollowedRun::CheckLargeRecords() {
  if (!options_.leave_large_unchecked) return false;
  options_.leave_large_unchecked = false;
  if (run_->unchecked() != 0) files_.clear();
  return true;
}

void FollowedRun::EndGrowth() {
  if (index_ != nullptr) stored_ = index_->Put(key_, run_, files_);
  files_.clear();
}

bool FollowedRun::ReleasePoints() {
  if (grows() || stored_ == nullptr || !stored_->written()) return false;
  run_ = run_->WithPointsFrom(std::exchange(stored_, nullptr));
  return true;
}

// Takes the contents of those files that the run still has.
void FollowedRun::TakeFromIndex(const RunStamp& stamp) {
  for (ReadFile& file : index_->Files(key_, directory_)) {
    const std::size_t number = files_.size();
    if (number >= stamp.files.size() || stamp.files[number].path != file.path) return;
    if (!options_.leave_large_unchecked && file.reader.contents().unchecked != 0) return;
    files_.push_back(std::move(file));
  }
}

void FollowedRun::NoteLastBytes() {
  for (ReadFile& file : files_) {
    const auto bytes = options_.file_system->OpenForRead(file.path);
    file.last_bytes = bytes ? BytesBefore(**bytes, file.reader.position()) : std::string();
  }
}

std::shared_ptr<const Run> FollowedRun::Read(const std::vector<StampedSource>& sources,
                                             RunStamp stamp, unsigned threads) {
  for (std::size_t i = files_.size(); i < sources.size(); ++i)
    files_.push_back(NewFile(sources[i], i));
  files_.erase(files_.begin() + static_cast<std::ptrdiff_t>(sources.size()), files_.end());
  ForEachInParallel(sources.size(), threads, [&](std::size_t i) { ReadOn(sources[i], stamp, i); });
  InheritMetadata(sources, stamp);
  RunBuilder builder(*options_.file_system, directory_, options_.name, std::move(stamp),
                     run_.get());
  for (std::size_t i = 0; i < sources.size(); ++i) {
    const auto& rest = files_[i].rest;
    builder.AddFile(sources[i], files_[i].reader.contents(), rest ? &rest->contents() : nullptr);
  }
  return builder.Finish();
}

// A file is read without knowing those before it, which other threads may be reading. So this is
// done afterwards, and again if an earlier file has got further metadata.
void FollowedRun::InheritMetadata(const std::vector<StampedSource>& sources,
                                  const RunStamp& stamp) {
  if (!std::any_of(files_.begin() + 1, files_.end(), SomeLackMetadata)) return;
  MetadataByTag earlier;
  for (std::size_t i = 0; i < sources.size(); ++i) {
    if (!Knows(files_[i], earlier)) {
      files_[i] = NewFile(sources[i], i);
      files_[i].reader.Inherit(earlier);
      ReadOn(sources[i], stamp, i);
    }
    AddMetadata(files_[i], earlier);
  }
}

ReadFile FollowedRun::NewFile(const EventSource& source, std::size_t number) {
  return {source.path, {}, {source.kind, static_cast<std::uint32_t>(number)}, {}, {}};
}

void FollowedRun::ReadOn(const EventSource& source, const RunStamp& stamp, std::size_t number) {
  auto bytes = OpenSourceBytes(WithoutJournal(source), options_.file_system);
  const auto size = bytes ? (*bytes)->Size() : Result<std::uint64_t>(Error(bytes.error()));
  ReadFile& file = files_[number];
  const RunStamp::File& now = stamp.files[number];
  const bool written_over = file.stamp && file.stamp->bytes == now.bytes &&
                            static_cast<const FileStamp&>(*file.stamp) != now;
  const bool reads_on = size && !written_over && file.path == source.path &&
                        file.reader.contents().status.ok() && file.reader.position() <= *size &&
                        BytesBefore(**bytes, file.reader.position()) == file.last_bytes;
  if (!reads_on) file = NewFile(source, number);
  file.stamp = now;
  file.rest.reset();
  if (!size) {
    file.reader.Fail(size.error());
    return;
  }
  if (file.reader.position() < *size)
    file.reader.Read(*std::move(bytes), Tail::kGrowing, options_.leave_large_unchecked);
  const bool has_journal = source.tail && !source.tail->payloads.empty();
  if (!file.reader.contents().status.ok() || (file.reader.position() >= *size && !has_journal))
    return;
  file.rest = file.reader.Rest();
  if (auto whole = OpenSourceBytes(source, options_.file_system)) {
    file.rest->Read(*std::move(whole), Tail::kFinal);
  } else {
    file.rest->Fail(whole.error());
  }
}

// Declared in runs/model/run.h. Opening a run is following it once.
Result<std::shared_ptr<const Run>> Run::Open(const std::string& directory,
                                             const RunOptions& options) {
  return FollowedRun(directory, options).Refresh();
}

}  // namespace sightline
