// NpySink: writes each tensor value to export_<seconds>/tensor/<tag, percent-encoded>_<step>.npy
// below the run's directory. Files appear whole. If one is written again after a kill, it has the
// same name and the same bytes. No other recorder writes into the folder: if several ranks that
// open in the same second want the same number, the later ones take higher numbers.
#pragma once

#include <cstdint>
#include <string>

#include "sightline/base/file_system.h"
#include "sightline/recorder/writing/sink.h"

namespace sightline {

// "export_1700000000".
std::string NpyFolderName(std::uint64_t number);

class NpySink final : public Sink {
 public:
  // `directory`: the run's directory. The folder is created with the first tensor, as
  // export_<first_number> or with the next free number.
  NpySink(FileSystem& file_system, std::string directory, std::uint64_t first_number,
          SinkObserver observer, Journal& journal, std::size_t slot);

  // For a run that was killed: removes the file that was being written. Its tensor may be gone with
  // the process; if it is not, the replay writes the file again.
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
  std::string folder_;  // The folder of the tensors; empty before the first one.
  SinkObserver observer_;
  Journal& journal_;
  const std::size_t slot_;
  SinkProgress stored_;
  JournalCursor taken_;
};

}  // namespace sightline
