#include "sightline/recorder/writing/kept_records.h"

#include <bit>
#include <cstring>

#include "sightline/base/crc32c.h"
#include "sightline/recorder/framing/record_format.h"
#include "sightline/recorder/framing/record_reader.h"

namespace sightline {
namespace {

// Both dialects' events begin with field 1, the wall time.
constexpr char kWallTimeKey = 0x09;

std::uint64_t ContentKey(std::uint64_t payload_bytes, std::uint32_t masked_crc) {
  return payload_bytes << 32U ^ masked_crc;
}

}  // namespace

Status KeptRecords::Add(std::unique_ptr<ReadableFile> file, std::uint64_t offset,
                        std::size_t skip) {
  BeginFile();
  // The reader of a growing file does not count a torn end.
  RecordReader reader(std::move(file), Tail::kGrowing, offset);
  ReadOutcome outcome = reader.Next();
  for (; outcome == ReadOutcome::kRecord; outcome = reader.Next()) {
    if (reader.records() <= skip) continue;
    const std::string_view payload = reader.payload();
    const std::size_t index = records_.size();
    records_.push_back(reader.offset());
    const std::uint32_t crc = crc32c::Mask(crc32c::Value(payload));
    by_content_.emplace(ContentKey(payload.size(), crc), index);
    if (payload.size() > sizeof(double) && payload[0] == kWallTimeKey) {
      std::uint64_t wall_time = 0;
      std::memcpy(&wall_time, payload.data() + 1, sizeof(wall_time));
      by_time_.emplace(wall_time, index);
    }
  }
  if (outcome == ReadOutcome::kError) return reader.status();
  end_ = reader.position();
  return {};
}

void KeptRecords::BeginFile() {
  newest_file_begin_ = records_.size();
  end_ = 0;
}

bool KeptRecords::Find(const Index& index, std::uint64_t key) {
  const auto found = index.lower_bound({key, next_});
  if (found == index.end() || found->first != key) return false;
  next_ = found->second + 1;
  return true;
}

bool KeptRecords::Take(const Payload& payload) {
  if (exhausted()) return false;
  std::uint32_t crc = 0;
  payload.ForEachChunk([&](const Payload::Chunk& chunk) {
    crc = chunk.crc ? crc32c::Combine(crc, *chunk.crc, chunk.bytes.size())
                    : crc32c::Extend(crc, chunk.bytes);
  });
  return Find(by_content_, ContentKey(payload.size(), crc32c::Mask(crc)));
}

bool KeptRecords::TakeFramed(std::string_view record) {
  if (exhausted()) return false;
  std::uint32_t masked_crc = 0;
  std::memcpy(&masked_crc, record.data() + record.size() - kRecordFooterSize, sizeof(masked_crc));
  return Find(by_content_, ContentKey(record.size() - kRecordOverhead, masked_crc));
}

bool KeptRecords::TakeAt(double wall_time) {
  return !exhausted() && Find(by_time_, std::bit_cast<std::uint64_t>(wall_time));
}

}  // namespace sightline
