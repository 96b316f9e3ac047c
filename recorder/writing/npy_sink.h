// NpySink: writes each tensor value to export_<seconds>/tensor/<tag, percent-encoded>_<step>.npy
// below the run's directory. Files appear whole; one written again after a kill gets the same bytes
// under the same name. The folder is this recorder's alone: where ranks that open in one second
// want one number, the next takes a higher one.
#pragma once

#include <cstdint>
#include <string>

#include "sightline/base/file_system.h"
#include "sightline/recorder/writing/sink.h"

namespace sightline {

class NpySink final : public Sink {
 public:
  // `directory`: of the run. The folder is created with the first tensor, as export_<first_number>
  // or the next that is free.
  NpySink(FileSystem& file_system, std::string directory, std::uint64_t first_number,
          SinkObserver observer, Journal& journal, std::size_t slot);

  // For a run that was killed: removes the file that was being written. Its tensor may be gone with
  // the process; if not, the replay writes it anew.
  void Resume();

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
  Status OpenFolder();

  const std::string name_ = "npy export";
  FileSystem& file_system_;
  const std::string directory_;
  const std::uint64_t first_number_;
  std::string folder_;  // Of the tensors; empty until the first.
  SinkObserver observer_;
  Journal& journal_;
  const std::size_t slot_;
  SinkProgress stored_;
  JournalCursor taken_;
};

}  // namespace sightline
