// What the index stores of runs (packed_run.h, file_contents.h), of arbitrary bytes: behind a
// checksum, but a cache that somebody forged must not harm either. What can be read is a run that
// can be shown, and is written as it was read.
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "sightline/runs/index/packed_run.h"
#include "sightline/runs/index/packed_series.h"
#include "sightline/runs/index/packing.h"
#include "sightline/runs/model/series_points.h"
#include "sightline/runs/reading/file_contents.h"
#include "sightline/runs/reading/run_builder.h"
#include "sightline/tests/fuzz/repair.h"
#include "sightline/tests/support/memory_file_system.h"

namespace {

using sightline::fuzz::Check;

class NoPoints : public sightline::SeriesSource {
 public:
  sightline::SeriesPoints Load(std::size_t /*number*/, bool /*scalar*/,
                               const sightline::SeriesSummary& /*summary*/) override {
    return {};
  }
  std::shared_ptr<sightline::SeriesSource> Unloaded() const override {
    return std::make_shared<NoPoints>();
  }
};

void ReadRun(std::string_view bytes) {
  static sightline::testing::MemoryFileSystem fs;
  sightline::PackReader reader(bytes);
  sightline::RunStamp stamp;
  Pack(reader, stamp);
  const auto run =
      sightline::PackedRun::Read(reader, {&fs, "run", "run", stamp, std::make_shared<NoPoints>()});
  if (run == nullptr) return;
  for (const auto& series : run->series()) Check(series->size() != 0, "a series has points");
  for (const auto& series : run->series()) run->Find(series->key().kind, series->key().tag);
  Check(run->files().size() == stamp.files.size(), "its files are those of its stamp");
  run->State();
}

void ReadContents(std::string_view bytes) {
  static sightline::testing::MemoryFileSystem fs;
  sightline::PackReader reader(bytes);
  auto contents = sightline::FileContentsReader::Unpack(reader, 0);
  if (!contents) return;
  std::vector<sightline::NamedSeries> all = sightline::UnpackSeries(reader, 0);
  if (reader.failed()) return;
  std::size_t stored = 0;
  for (sightline::NamedSeries& named : all) {
    const std::size_t points = named.series.points.steps.size();
    if (contents->Add(std::move(named.series))) stored += points;
  }
  sightline::RunBuilder builder(fs, "run", "run", {}, nullptr);
  builder.AddFile({"run/file", contents->contents().kind, std::nullopt}, contents->contents(),
                  nullptr);
  const auto run = builder.Finish();
  std::size_t points = 0;
  for (const auto& series : run->series()) points += series->size();
  for (const auto& series : run->superseded()) points += series->size();
  Check(points == stored, "every point is in the run");
  sightline::PackWriter writer;
  contents->PackInto(writer);
  sightline::PackReader again(writer.bytes());
  Check(sightline::FileContentsReader::Unpack(again, 0).has_value(), "it can be written");
  std::size_t written = 0;
  for (const auto& part : sightline::PackSeries(sightline::NamesOf(*run), *contents, "")) {
    sightline::PackReader of_part(part.bytes);
    for (const auto& named : sightline::UnpackSeries(of_part, 0))
      written += named.series.points.steps.size();
    Check(of_part.AtEnd(), "a part can be read");
  }
  Check(written == stored, "every point is in a part");
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  if (size == 0) return 0;
  const std::string_view bytes(reinterpret_cast<const char*>(data) + 1, size - 1);
  if (data[0] % 2 == 0) {
    ReadRun(bytes);
  } else {
    ReadContents(bytes);
  }
  return 0;
}
