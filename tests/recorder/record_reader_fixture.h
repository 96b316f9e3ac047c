// A file of records, a way to damage it, and its readers.
#pragma once

#include <gtest/gtest.h>

#include <cstdint>
#include <initializer_list>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "sightline/recorder/framing/record_reader.h"
#include "sightline/tests/support/records.h"
#include "sightline/tests/support/support.h"

namespace sightline::testing {

using Payloads = std::vector<std::string>;

// A file of records "0", "1", ... with payloads of different sizes, a way to damage it, and its
// readers.
class RecordReaderTest : public ::testing::Test {
 protected:
  // Record i holds its number and padding; records are 116, 117, ... bytes long.
  static std::string Payload(int i) {
    return std::to_string(i) +
           std::string(static_cast<std::size_t>(100 + i) - std::to_string(i).size(), '.');
  }
  static Payloads Numbers(std::initializer_list<int> numbers) {
    Payloads payloads;
    for (const int i : numbers) payloads.push_back(Payload(i));
    return payloads;
  }
  void Write(int count) {
    for (int i = 0; i < count; ++i) Append(Payload(i));
  }
  void Append(std::string_view payload) {
    begins_.push_back(bytes_->size());
    bytes_->append(FrameRecord(payload));
  }
  // Where record i begins; that of the last but one is the end.
  std::uint64_t Begin(std::size_t i) const {
    return i < begins_.size() ? begins_[i] : bytes_->size();
  }

  void FlipBit(std::uint64_t offset) {
    (*bytes_)[offset] = static_cast<char>((*bytes_)[offset] ^ 0x10);
  }

  std::unique_ptr<RecordReader> Open(Tail tail = Tail::kFinal,
                                     std::size_t most_bytes_a_read = SIZE_MAX) {
    return std::make_unique<RecordReader>(std::make_unique<BytesFile>(bytes_, most_bytes_a_read),
                                          tail);
  }
  // Everything that is there now.
  static Payloads ReadOn(RecordReader& reader) {
    Payloads payloads;
    while (reader.Next() == ReadOutcome::kRecord) payloads.emplace_back(reader.payload());
    EXPECT_THAT(reader.status(), IsOk());
    return payloads;
  }
  // Reads the file as it is; leaves what was skipped in skipped_.
  Payloads ReadAll(std::size_t most_bytes_a_read = SIZE_MAX) {
    auto reader = Open(Tail::kFinal, most_bytes_a_read);
    Payloads payloads = ReadOn(*reader);
    skipped_ = reader->skipped();
    EXPECT_EQ(reader->records(), payloads.size());
    return payloads;
  }
  SkippedRegion Region(std::uint64_t begin, std::uint64_t end, SkipReason reason) const {
    return {begin, end - begin, reason};
  }

  std::shared_ptr<std::string> bytes_ = std::make_shared<std::string>();
  std::vector<std::uint64_t> begins_;
  std::vector<SkippedRegion> skipped_;
};

}  // namespace sightline::testing
