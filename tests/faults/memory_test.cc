// Memory: the configured buffer plus the largest single value is the bound, however much is
// recorded.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdio>
#include <fstream>
#include <string>
#include <vector>

#include "sightline/recorder/recorder.h"
#include "sightline/tests/support/support.h"

namespace sightline {
namespace {

// The largest resident size of this process so far.
std::size_t PeakBytes() {
  std::ifstream status("/proc/self/status");
  for (std::string line; std::getline(status, line);) {
    unsigned long kilobytes = 0;
    if (std::sscanf(line.c_str(), "VmHWM: %lu kB", &kilobytes) == 1) return kilobytes * 1024;
  }
  return 0;
}

// Records `total` bytes in values of `each` in a child with a fresh peak; what the peak grew by, in
// KiB, by way of a pipe. The ring is mapped twice, and the kernel counts its pages once for each
// mapping.
std::size_t GrowthOfRecording(const RecorderOptions& options, std::size_t total, std::size_t each,
                              ValueKind kind) {
  testing::TempDir dir;
  int ends[2];
  EXPECT_EQ(pipe(ends), 0);
  const pid_t child = fork();
  if (child == 0) {
    const std::vector<std::uint8_t> bytes(each, 7);
    const std::int64_t pixels = static_cast<std::int64_t>(each);
    const std::int64_t shape[] = {1, 1, 16, pixels / 16};
    std::ofstream("/proc/self/clear_refs") << 5;  // Resets the peak.
    const std::size_t before = PeakBytes();
    auto recorder = Recorder::Open(dir.path(), options);
    if (!recorder) _exit(1);
    Value value = Value::Tensor({DType::kUint8, shape, bytes.data()});
    value.kind = kind;
    for (std::size_t done = 0; done < total; done += each) {
      if ((*recorder)->Add("t", 1, value) != Outcome::kAccepted) _exit(2);
    }
    if (!(*recorder)->Close().ok()) _exit(3);
    const std::size_t growth = PeakBytes() - before;
    _exit(write(ends[1], &growth, sizeof(growth)) == sizeof(growth) ? 0 : 4);
  }
  int status = 0;
  waitpid(child, &status, 0);
  EXPECT_EQ(status, 0);
  std::size_t growth = 0;
  EXPECT_EQ(read(ends[0], &growth, sizeof(growth)), static_cast<ssize_t>(sizeof(growth)));
  close(ends[0]);
  close(ends[1]);
  return growth;
}

RecorderOptions SmallBuffer() {
  RecorderOptions options;
  options.writing.buffer_bytes = std::size_t{4} << 20;
  options.writing.min_free_disk_bytes = 0;
  return options;
}

constexpr std::size_t kRingMappedTwice = std::size_t{3}
                                         << 20;  // Counted once more than it is there.
// Code and stacks touched for the first time, more if the machine is busy.
constexpr std::size_t kProgram = std::size_t{4} << 20;

TEST(MemoryTest, ManyTensorsStayWithinTheBuffer) {
  const RecorderOptions options = SmallBuffer();
  constexpr std::size_t kEach = std::size_t{64} << 10;
  const std::size_t growth =
      GrowthOfRecording(options, std::size_t{200} << 20, kEach, ValueKind::kTensor);
  EXPECT_LT(growth, options.writing.buffer_bytes + kEach + kRingMappedTwice + kProgram);
}

// uint8 becomes float32 in the file: four times its size, in pieces.
TEST(MemoryTest, AValueLargerThanTheBufferIsNeitherCopiedNorConvertedAsAWhole) {
  const RecorderOptions options = SmallBuffer();
  constexpr std::size_t kEach = std::size_t{64} << 20;
  const std::size_t growth =
      GrowthOfRecording(options, std::size_t{256} << 20, kEach, ValueKind::kTensor);
  EXPECT_LT(growth, options.writing.buffer_bytes + kRingMappedTwice + kProgram);
}

TEST(MemoryTest, HistogramsAndPicturesStayWithinTheBuffer) {
  const RecorderOptions options = SmallBuffer();
  constexpr std::size_t kEach = std::size_t{64} << 10;
  for (const ValueKind kind : {ValueKind::kHistogram, ValueKind::kImage}) {
    const std::size_t growth = GrowthOfRecording(options, std::size_t{64} << 20, kEach, kind);
    EXPECT_LT(growth, options.writing.buffer_bytes + kEach + kRingMappedTwice + kProgram)
        << static_cast<int>(kind);
  }
}

}  // namespace
}  // namespace sightline
