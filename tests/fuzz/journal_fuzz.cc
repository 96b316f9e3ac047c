// What a killed recorder leaves (journal_format.h), with bytes changed as the input says, read by
// readers and by the replay. A journal lies in a directory that others may write, so the checksums
// of header and first entry are made to hold.
//
//   input := change*    change := offset (3 bytes, little endian) value (1 byte)
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <filesystem>
#include <string>
#include <vector>

#include "sightline/base/crc32c.h"
#include "sightline/recorder/journal/journal_entry.h"
#include "sightline/recorder/journal/journal_format.h"
#include "sightline/recorder/recorder.h"
#include "sightline/recorder/writing/journal_reader.h"
#include "sightline/recorder/writing/journal_replay.h"
#include "sightline/tests/fuzz/repair.h"
#include "sightline/tests/support/recorded_run.h"
#include "sightline/tests/support/support.h"

namespace {

using sightline::EntryHeader;
using sightline::FileSystem;
using sightline::JournalHeader;
using sightline::kJournalRingOffset;

// How much of the ring an input can change.
constexpr std::size_t kChangedRing = 4096;

struct Sound {
  std::string name;
  std::string bytes;  // Up to what can be changed; zeros follow.
  std::size_t size = 0;
};

// The journal of a recorder that has recorded scalars and a tensor and was not asked to flush.
Sound MakeSound() {
  const sightline::testing::TempDir dir;
  sightline::RecorderOptions options;
  options.writing.flush_interval = std::chrono::hours(1);
  auto recorder = sightline::Recorder::Open(dir.path(), options);
  (*recorder)->AddScalar("loss", 1, 0.5F);
  (void)(*recorder)->Flush();
  (*recorder)->AddScalar("loss", 2, 0.25F);
  const float elements[] = {1, 2, 3, 4};
  const std::vector<std::int64_t> shape = {4};
  (*recorder)->AddTensor("t", 2, sightline::View(&elements[0], shape));
  const std::string path = sightline::FindJournals(dir.path(), FileSystem::Local()).at(0);
  Sound sound{std::filesystem::path(path).filename(), sightline::testing::ReadFileOrDie(path)};
  sound.size = sound.bytes.size();
  sound.bytes.resize(kJournalRingOffset + kChangedRing);
  return sound;
}

void MakeChecksumsHold(std::string& journal) {
  alignas(JournalHeader) static char header[sizeof(JournalHeader)];
  std::memcpy(header, journal.data(), sizeof(header));
  auto& fields = *reinterpret_cast<JournalHeader*>(header);
  fields.checksum = sightline::JournalHeaderChecksum(fields);
  std::memcpy(journal.data(), header, sizeof(header));
  char* const entry = journal.data() + kJournalRingOffset;
  std::uint32_t size = 0;
  std::memcpy(&size, entry + offsetof(EntryHeader, size), sizeof(size));
  if (size < sizeof(EntryHeader) || size > kChangedRing) return;
  const std::uint32_t checksum =
      sightline::crc32c::Value({entry + sizeof(EntryHeader), size - sizeof(EntryHeader)});
  std::memcpy(entry + offsetof(EntryHeader, checksum), &checksum, sizeof(checksum));
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  static const Sound sound = MakeSound();
  std::string journal = sound.bytes;
  for (; size >= 4; data += 4, size -= 4) {
    const std::size_t offset = data[0] + (std::size_t{data[1]} << 8) + (std::size_t{data[2]} << 16);
    journal[offset % journal.size()] = static_cast<char>(data[3]);
  }
  MakeChecksumsHold(journal);
  const sightline::testing::TempDir dir;
  sightline::testing::WriteFileOrDie(dir.File(sound.name), journal);
  std::filesystem::resize_file(dir.File(sound.name), sound.size);
  const auto tails = sightline::ReadJournalTails(FileSystem::Local(), dir.path());
  sightline::fuzz::Check(tails.has_value(), "a journal that cannot be read is left out");
  sightline::FaultLog faults;
  sightline::ReplayJournals(dir.path(), FileSystem::Local(), sightline::Clock::System(), faults);
  sightline::fuzz::Check(sightline::testing::ReadRun(dir.path()).sound(),
                         "what the replay writes is sound");
  return 0;
}
