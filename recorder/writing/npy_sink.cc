#include "sightline/recorder/writing/npy_sink.h"

#include "sightline/recorder/tensor/npy.h"

namespace sightline {

NpySink::NpySink(FileSystem& file_system, const std::string& directory, SinkObserver observer,
                 Journal& journal, std::size_t slot)
    : file_system_(file_system),
      directory_(JoinPath(directory, "tensor")),
      observer_(std::move(observer)),
      journal_(journal),
      slot_(slot),
      stored_(journal.LoadProgress(slot)) {
  taken_ = done();
}

Status NpySink::Append(const PreparedEvent& event, const JournalCursor& behind) {
  for (const PreparedValue& value : event.values) {
    if (value.kind != ValueKind::kTensor) continue;
    if (!directory_made_) SIGHTLINE_RETURN_IF_ERROR(file_system_.CreateDirectories(directory_));
    directory_made_ = true;
    const std::string path = JoinPath(directory_, NpyFileName(value.tag, event.step));
    SIGHTLINE_RETURN_IF_ERROR(WriteNpy(file_system_, path, value.tensor));
    if (observer_.written) observer_.written(value.tensor.ByteSize());
  }
  taken_ = behind;
  return {};
}

Status NpySink::Flush() {
  if (taken_.position == stored_.position) return {};
  stored_.position = taken_.position;
  stored_.sequence = taken_.sequence;
  journal_.StoreProgress(slot_, stored_);
  return {};
}

// The files were closed long ago; making each durable would cost more than an export is worth, and
// the event file holds the same tensors.
Status NpySink::Sync() {
  return directory_made_ ? file_system_.SyncDirectory(directory_) : Status();
}

}  // namespace sightline
