// RecordReader on arbitrary bytes. Input: two bytes of settings, then the file.
#include <algorithm>
#include <memory>
#include <string>

#include "sightline/recorder/framing/record_format.h"
#include "sightline/recorder/framing/record_reader.h"
#include "sightline/tests/fuzz/repair.h"
#include "sightline/tests/support/records.h"

namespace {

constexpr std::size_t kSettings = 2;

using sightline::ReadOutcome;
using sightline::RecordReader;
using sightline::Tail;
using sightline::fuzz::Check;
using sightline::testing::BytesFile;

// Reads what is there; returns the bytes of the records. Records and skipped regions follow each
// other.
std::uint64_t ReadOn(RecordReader& reader) {
  std::uint64_t bytes = 0;
  std::uint64_t end = 0;
  while (reader.Next() == ReadOutcome::kRecord) {
    Check(reader.offset() >= end, "records are in order");
    end = reader.position();
    Check(end - reader.offset() == reader.payload().size() + sightline::kRecordOverhead,
          "a record's size");
    bytes += end - reader.offset();
    if (!reader.payload().empty() && reader.payload().front() == 'R') {
      bytes -= end - reader.offset();
      reader.Reject(sightline::SkipReason::kMalformedEvent);
    }
  }
  return bytes;
}

// Every byte of the file is in a record or in a skipped region.
void CheckCover(const RecordReader& reader, std::uint64_t record_bytes, std::uint64_t size) {
  std::uint64_t skipped = 0;
  std::uint64_t end = 0;
  bool first = true;
  for (const auto& region : reader.skipped()) {
    Check(region.length > 0, "a region has bytes");
    Check(first || region.offset > end, "regions are apart");
    first = false;
    end = region.offset + region.length;
    Check(end <= size, "a region lies in the file");
    skipped += region.length;
  }
  Check(record_bytes + skipped == size, "records and regions cover the file");
  Check(reader.position() == size, "the reader is at the end");
}

void ReadAtOnce(const std::string& bytes, std::size_t most_bytes_a_read) {
  RecordReader reader(
      std::make_unique<BytesFile>(std::make_shared<const std::string>(bytes), most_bytes_a_read));
  const std::uint64_t record_bytes = ReadOn(reader);
  CheckCover(reader, record_bytes, bytes.size());
}

void ReadWhileGrowing(const std::string& bytes, std::size_t step) {
  auto visible = std::make_shared<std::string>();
  RecordReader reader(std::make_unique<BytesFile>(visible), Tail::kGrowing);
  std::uint64_t record_bytes = 0;
  while (visible->size() < bytes.size()) {
    visible->append(bytes, visible->size(), step);
    record_bytes += ReadOn(reader);
  }
  reader.Finish();
  record_bytes += ReadOn(reader);
  CheckCover(reader, record_bytes, bytes.size());
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  if (size < kSettings) return 0;
  const std::string bytes(reinterpret_cast<const char*>(data) + kSettings, size - kSettings);
  ReadAtOnce(bytes, data[0] == 0 ? SIZE_MAX : data[0]);
  ReadWhileGrowing(bytes, std::max<std::size_t>(data[1], bytes.size() / 64 + 1));
  return 0;
}

extern "C" std::size_t LLVMFuzzerCustomMutator(std::uint8_t* data, std::size_t size,
                                               std::size_t max_size, unsigned seed) {
  return sightline::fuzz::MutateRecords(data, size, max_size, seed, kSettings);
}
