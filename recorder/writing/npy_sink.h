// NpySink: writes each tensor value to <directory>/tensor/<tag, percent-encoded>_<step>.npy. Files
// appear whole; one written again after a kill gets the same bytes under the same name.
#pragma once

#include <string>

#include "sightline/base/file_system.h"
#include "sightline/recorder/writing/sink.h"

namespace sightline {

class NpySink final : public Sink {
 public:
  // `directory`: export_<seconds> of the run; created with the first tensor.
  NpySink(FileSystem& file_system, const std::string& directory, SinkObserver observer,
          Journal& journal, std::size_t slot);

  const std::string& name() const override { return name_; }
  bool expendable() const override { return true; }
  Status Append(const PreparedEvent& event, const JournalCursor& behind) override;
  Status AppendScalars(std::span<const PlacedScalar> events) override {
    taken_ = events.back().behind;
    return {};
  }
  void Skip(const JournalCursor& behind) override { taken_ = behind; }
  Status Flush() override;
  void Rollback() override { taken_ = done(); }
  Status Sync() override;
  Status Close() override { return {}; }
  JournalCursor done() const override { return {stored_.position, stored_.sequence}; }
  JournalCursor taken() const override { return taken_; }

 private:
  const std::string name_ = "npy export";
  FileSystem& file_system_;
  const std::string directory_;
  SinkObserver observer_;
  Journal& journal_;
  const std::size_t slot_;
  bool directory_made_ = false;
  SinkProgress stored_;
  JournalCursor taken_;
};

}  // namespace sightline
