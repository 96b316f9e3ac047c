// TranslatingReader: reads a file of another recorder, record by record, as events of TensorBoard's
// dialect and as settings.
//
//   TranslatingReader reader(std::move(file), EventFileKind::kWandb, Tail::kGrowing);
//   while (reader.Next() == ReadOutcome::kRecord) Use(reader.translation());
//
// Damage and the end of a growing file are treated as by RecordReader. Each record is translated by
// itself, so the value at an offset can be read again (ReadTranslatedAt). One thread at a time.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "sightline/base/file_system.h"
#include "sightline/base/status.h"
#include "sightline/recorder/framing/file_name.h"
#include "sightline/recorder/translation/block_log_reader.h"
#include "sightline/recorder/translation/translation.h"

namespace sightline {

class TranslatingReader {
 public:
  // REQUIRES: IsTranslated(kind). `offset` and `state`: where the reader before it ended.
  TranslatingReader(std::unique_ptr<ReadableFile> file, EventFileKind kind, Tail tail,
                    std::uint64_t offset = 0, TranslatorState state = {});

  // Moves to the next record. One that is not of the kind's form is a skipped region.
  ReadOutcome Next();
  // Of the current record; valid until the next call of Next.
  const Translation& translation() const { return translation_; }
  const TranslatorState& state() const { return state_; }

  // Those of RecordReader.
  void Finish() { records_.Finish(); }
  void Reject(SkipReason reason) { records_.Reject(reason); }
  std::uint64_t offset() const { return records_.offset(); }
  std::uint64_t position() const { return records_.position(); }
  std::uint64_t records() const { return records_.records(); }
  const std::vector<SkippedRegion>& skipped() const { return records_.skipped(); }
  const Status& status() const { return records_.status(); }

 private:
  BlockLogReader records_;
  EventFileKind kind_;
  TranslatorState state_;
  Translation translation_;
};

// The event of the record at `offset`. kDataLoss if there is no sound record.
Result<std::string> ReadTranslatedAt(std::unique_ptr<ReadableFile> file, EventFileKind kind,
                                     std::uint64_t offset);

// Whether a file that begins with these bytes may be one of the kinds.
bool BeginsTranslated(std::string_view head);

}  // namespace sightline
