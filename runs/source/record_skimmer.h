// RecordSkimmer: lists the records of an event file without reading its large values, so that
// gigabytes of pictures are listed at once. In a record of kLarge bytes or more, it reads the keys
// and lengths of fields and skips their contents, so it cannot verify the payload's checksum.
//
//   RecordSkimmer skimmer(file, EventFileKind::kTensorBoard, offset);
//   while (skimmer.Next()) Use(skimmer.payload(), skimmer.offset(), skimmer.checked());
//   RecordReader rest(..., skimmer.position());  // Continues where the skimmer cannot.
//
// Private to this folder. One thread.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "sightline/base/file_system.h"
#include "sightline/recorder/framing/file_name.h"

namespace sightline {

class RecordSkimmer {
 public:
  static constexpr std::uint64_t kLarge = std::uint64_t{64} << 10U;

  // `file` must outlive the skimmer.
  RecordSkimmer(const ReadableFile& file, EventFileKind kind, std::uint64_t offset)
      : file_(file), kind_(kind), position_(offset) {}

  // Moves to the next record. Returns false, and leaves position() as it is, if RecordReader must
  // continue: at the end of the file, at damage, at a record that is not complete or has unusual
  // fields, and after a long part without large records.
  bool Next();

  // Of the current record. If it was not checked, its large bytes fields are empty. A tensor keeps
  // its type, its sizes and the number of its strings.
  std::string_view payload() const { return payload_; }
  std::uint64_t offset() const { return offset_; }
  bool checked() const { return checked_; }
  // The offset at which the next record is expected.
  std::uint64_t position() const { return position_; }

 private:
  // Bytes [begin, end) of the file.
  struct Range {
    std::uint64_t begin;
    std::uint64_t end;
  };
  // The first field of a message; `rest` then begins after it.
  struct Head {
    std::uint32_t number = 0;
    bool is_bytes = false;
    Range whole{};    // With its key.
    Range content{};  // Of a bytes field.
  };

  const char* At(std::uint64_t offset, std::uint64_t need);
  bool ReadHead(Range& rest, Head& head);
  bool CopyWhole(const Head& head, std::string& out);
  bool SkimEvent(Range rest, std::string& out);
  bool SkimSummary(Range rest, std::string& out);
  bool SkimValue(Range rest, std::string& out);
  bool SkimTensor(Range rest, std::string& out);

  const ReadableFile& file_;
  const EventFileKind kind_;
  std::uint64_t position_;
  std::uint64_t size_ = 0;  // Of the file.
  std::uint64_t offset_ = 0;
  bool checked_ = false;
  std::string_view payload_;
  std::string skimmed_;
  std::string window_;  // Bytes of the file, from window_offset_ on.
  std::uint64_t window_offset_ = 0;
  std::uint64_t since_large_ = 0;  // Records since the last large one.
};

}  // namespace sightline
