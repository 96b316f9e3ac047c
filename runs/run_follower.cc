#include "sightline/runs/run_follower.h"

#include <algorithm>
#include <optional>
#include <utility>

#include "sightline/base/parallel.h"
#include "sightline/runs/index/run_index.h"
#include "sightline/runs/reading/file_contents.h"
#include "sightline/runs/reading/run_builder.h"

namespace sightline {
namespace {

// The part of the file that does not change any more, without what a journal still holds.
EventSource WithoutJournal(const EventSource& source) {
  EventSource file{source.path, source.kind, std::nullopt, source.stamp};
  if (source.tail)
    file.tail = {source.tail->file_name, source.tail->kind, source.tail->visible_bytes, {}};
  return file;
}

std::uint64_t UncheckedIn(const Run& run) {
  std::uint64_t unchecked = 0;
  for (const RunFile& file : run.files()) unchecked += file.unchecked;
  return unchecked;
}

}  // namespace

struct RunFollower::File : ReadFile {};

RunFollower::RunFollower(FileSystem& file_system, std::string directory, std::string name)
    : file_system_(&file_system), directory_(std::move(directory)), name_(std::move(name)) {}
RunFollower::RunFollower(FileSystem& file_system, std::shared_ptr<const Run> run)
    : RunFollower(file_system, run->directory(), run->name()) {
  run_ = std::move(run);
}
RunFollower::~RunFollower() = default;
RunFollower::RunFollower(RunFollower&& other) noexcept = default;
RunFollower& RunFollower::operator=(RunFollower&& other) noexcept = default;

Result<std::shared_ptr<const Run>> RunFollower::Refresh(unsigned threads) {
  SIGHTLINE_ASSIGN_OR_UNEXPECTED(const RunDirectory listed,
                                 ListRunDirectory(*file_system_, name_, directory_));
  if (listed.sources.empty())
    return Error(StatusCode::kNotFound, directory_ + ": there are no event files in it");
  return Refresh(listed, threads);
}

std::shared_ptr<const Run> RunFollower::Refresh(const RunDirectory& listed, unsigned threads) {
  RunStamp stamp = StampOfRun(*file_system_, directory_, listed.sources, listed.may_have_journals);
  if (run_ != nullptr && run_->stamp() == stamp) return run_;
  if (run_ == nullptr && index_ != nullptr) {
    run_ = index_->Find(key_, directory_, name_, stamp);
    if (run_ != nullptr && !skim_ && UncheckedIn(*run_) != 0) run_ = nullptr;
  }
  if (run_ != nullptr && run_->stamp() == stamp) return run_;
  grew_ = run_ != nullptr;
  if (index_ != nullptr && files_.empty()) TakeFromIndex(stamp);
  run_ = Read(listed.sources, std::move(stamp), threads);
  if (index_ != nullptr) PutIntoIndex();
  ForgetUnlessGrowing();
  return run_;
}

void RunFollower::UseIndex(std::shared_ptr<RunIndex> index, std::string key) {
  index_ = std::move(index);
  key_ = std::move(key);
}

// Takes what was read of the files that are still there.
void RunFollower::TakeFromIndex(const RunStamp& stamp) {
  for (ReadFile& file : index_->Files(key_, directory_)) {
    const std::size_t number = files_.size();
    if (number >= stamp.files.size() || stamp.files[number].path != file.path) return;
    if (!skim_ && file.reader.contents().unchecked != 0) return;
    files_.push_back({std::move(file)});
  }
}

void RunFollower::PutIntoIndex() {
  std::vector<ReadFile> files;
  for (File& file : files_) {
    const auto bytes = file_system_->OpenForRead(file.path);
    if (!bytes) return;
    file.last_bytes = BytesBefore(**bytes, file.reader.position());
    files.push_back(file);
  }
  index_->Put(key_, run_, std::move(files));
}

std::shared_ptr<const Run> RunFollower::Read(const std::vector<EventSource>& sources,
                                             RunStamp stamp, unsigned threads) {
  for (std::size_t i = files_.size(); i < sources.size(); ++i)
    files_.push_back(Anew(sources[i], i));
  files_.erase(files_.begin() + static_cast<std::ptrdiff_t>(sources.size()), files_.end());
  ForEachInParallel(sources.size(), threads, [&](std::size_t i) { ReadOn(sources[i], stamp, i); });
  RunBuilder builder(*file_system_, directory_, name_, std::move(stamp), run_.get());
  for (std::size_t i = 0; i < sources.size(); ++i) {
    const auto& behind = files_[i].behind;
    builder.AddFile(sources[i], files_[i].reader.contents(),
                    behind ? &behind->contents() : nullptr);
  }
  return builder.Finish();
}

RunFollower::File RunFollower::Anew(const EventSource& source, std::size_t number) {
  return {{source.path, {}, {source.kind, static_cast<std::uint32_t>(number)}, {}, {}}};
}

void RunFollower::ReadOn(const EventSource& source, const RunStamp& stamp, std::size_t number) {
  auto bytes = OpenSourceBytes(*file_system_, WithoutJournal(source));
  const auto size = bytes ? (*bytes)->Size() : Result<std::uint64_t>(tl::unexpected(bytes.error()));
  File& file = files_[number];
  const RunStamp::File& now = stamp.files[number];
  const bool written_over = file.stamp && file.stamp->bytes == now.bytes &&
                            static_cast<const FileStamp&>(*file.stamp) != now;
  const bool reads_on = size && !written_over && file.path == source.path &&
                        file.reader.contents().status.ok() && file.reader.position() <= *size &&
                        BytesBefore(**bytes, file.reader.position()) == file.last_bytes;
  if (!reads_on) file = Anew(source, number);
  file.stamp = now;
  file.behind.reset();
  if (!size) {
    file.reader.Fail(size.error());
    return;
  }
  if (file.reader.position() < *size) file.reader.Read(*std::move(bytes), Tail::kGrowing, skim_);
  const bool has_journal = source.tail && !source.tail->payloads.empty();
  if (!file.reader.contents().status.ok() || (file.reader.position() >= *size && !has_journal))
    return;
  file.behind = file.reader.Behind();
  if (auto whole = OpenSourceBytes(*file_system_, source)) {
    file.behind->Read(*std::move(whole), Tail::kFinal);
  } else {
    file.behind->Fail(whole.error());
  }
}

void RunFollower::ForgetUnlessGrowing() {
  if (!run_->signs().journal_held && (run_->signs().ours || !grew_)) {
    files_.clear();
    return;
  }
  for (File& file : files_) {
    file.behind.reset();
    const auto bytes = file_system_->OpenForRead(file.path);
    file.last_bytes = bytes ? BytesBefore(**bytes, file.reader.position()) : std::string();
  }
}

// Declared in runs/model/run.h. Opening a run is following it once.
Result<std::shared_ptr<const Run>> Run::Open(FileSystem& file_system, const std::string& directory,
                                             std::string name) {
  return RunFollower(file_system, directory, std::move(name)).Refresh(/*threads=*/0);
}

}  // namespace sightline
