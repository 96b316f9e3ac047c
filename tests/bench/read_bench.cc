// Reading one-scalar events with every checksum verified, from a file in memory: what an index or a
// dashboard does first with a run. The bar is 10 M events/s through EventReader.
#include <benchmark/benchmark.h>

#include <memory>
#include <string>

#include "sightline/recorder/framing/record_reader.h"
#include "sightline/recorder/reading/event_reader.h"
#include "sightline/tests/bench/scalar_record.h"
#include "sightline/tests/support/records.h"

namespace sightline {
namespace {

constexpr int kEvents = 1'000'000;

// A run of one-scalar events.
std::shared_ptr<const std::string> ScalarFile(std::uint32_t scalar_field) {
  auto bytes = std::make_shared<std::string>();
  for (int step = 1; step <= kEvents; ++step) {
    bytes->append(
        bench::ScalarRecord("loss/train", step, 1.0F / static_cast<float>(step), scalar_field));
  }
  return bytes;
}

void ReadScalarEvents(benchmark::State& state, EventFileKind kind, std::uint32_t scalar_field) {
  const auto bytes = ScalarFile(scalar_field);
  for (auto _ : state) {
    EventReader reader(std::make_unique<testing::BytesFile>(bytes), kind);
    double sum = 0;
    int events = 0;
    while (reader.Next() == ReadOutcome::kRecord) {
      sum += reader.event().values.front().scalar;
      ++events;
    }
    if (events != kEvents || !reader.skipped().empty()) state.SkipWithError("events are missing");
    benchmark::DoNotOptimize(sum);
  }
  state.SetItemsProcessed(state.iterations() * kEvents);
  state.SetBytesProcessed(state.iterations() * static_cast<std::int64_t>(bytes->size()));
}
BENCHMARK_CAPTURE(ReadScalarEvents, mindspore, EventFileKind::kMindSporeSummary, 3)
    ->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(ReadScalarEvents, tensorboard, EventFileKind::kTensorBoard, 2)
    ->Unit(benchmark::kMillisecond);

// Framing and checksums alone.
void ReadRecords(benchmark::State& state) {
  const auto bytes = ScalarFile(3);
  for (auto _ : state) {
    RecordReader reader(std::make_unique<testing::BytesFile>(bytes));
    while (reader.Next() == ReadOutcome::kRecord) benchmark::DoNotOptimize(reader.payload());
    if (reader.records() != kEvents) state.SkipWithError("records are missing");
  }
  state.SetItemsProcessed(state.iterations() * kEvents);
  state.SetBytesProcessed(state.iterations() * static_cast<std::int64_t>(bytes->size()));
}
BENCHMARK(ReadRecords)->Unit(benchmark::kMillisecond);

// Searching for the next record through damage of 64 MB: arbitrary bytes (0), zeros (1), small
// integers (2).
void SearchThroughDamage(benchmark::State& state) {
  auto bytes = std::make_shared<std::string>(std::size_t{64} << 20U, '\0');
  std::uint64_t seed = 1;
  for (std::size_t i = 0; i < bytes->size() && state.range(0) != 1; ++i) {
    seed = seed * 6364136223846793005U + 1442695040888963407U;
    if (state.range(0) == 0 || i % 8 < 2) (*bytes)[i] = static_cast<char>(seed >> 56U);
  }
  bytes->append(testing::FrameRecord("found"));
  for (auto _ : state) {
    RecordReader reader(std::make_unique<testing::BytesFile>(bytes));
    if (reader.Next() != ReadOutcome::kRecord || reader.payload() != "found")
      state.SkipWithError("not found");
  }
  state.SetBytesProcessed(state.iterations() * static_cast<std::int64_t>(bytes->size()));
}
BENCHMARK(SearchThroughDamage)->DenseRange(0, 2)->Unit(benchmark::kMillisecond);

}  // namespace
}  // namespace sightline
