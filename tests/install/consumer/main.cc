// Records with the installed library, in both dialects, and reads the recording back; the only
// argument is the run's directory.
#include <cstdint>
#include <iostream>
#include <string>

#include "sightline/base/version.h"
#include "sightline/recorder/reading/event_reader.h"
#include "sightline/recorder/recorder.h"

namespace {

using sightline::Status;

constexpr std::int64_t kSteps = 100;

Status Record(const std::string& directory) {
  sightline::RecorderOptions options;
  options.formats = {sightline::Format::kMindSpore, sightline::Format::kTensorBoard};
  SIGHTLINE_ASSIGN_OR_RETURN(const auto recorder, sightline::Recorder::Open(directory, options));
  const float weights[] = {0.5F, -1.0F, 2.0F, 0.25F};
  const std::int64_t shape[] = {2, 2};
  for (std::int64_t step = 1; step <= kSteps; ++step) {
    recorder->AddScalar("loss", step, 1.0 / static_cast<double>(step));
    recorder->AddHistogram("weights", step, sightline::View(weights, shape));
  }
  return recorder->Close();
}

Status CountEvents(const std::string& path, std::int64_t& scalars, std::int64_t& histograms) {
  SIGHTLINE_ASSIGN_OR_RETURN(const auto reader,
                             sightline::EventReader::Open(sightline::FileSystem::Local(), path));
  while (reader->Next() == sightline::ReadOutcome::kRecord) {
    for (const sightline::ValueView& value : reader->event().values) {
      scalars += value.kind == sightline::ContentKind::kScalar ? 1 : 0;
      histograms += value.kind == sightline::ContentKind::kHistogram ? 1 : 0;
    }
  }
  return reader->status();
}

Status ReadBack(const std::string& directory) {
  sightline::FileSystem& files = sightline::FileSystem::Local();
  SIGHTLINE_ASSIGN_OR_RETURN(const auto names, files.List(directory));
  std::int64_t scalars = 0;
  std::int64_t histograms = 0;
  for (const std::string& name : names) {
    SIGHTLINE_RETURN_IF_ERROR(
        CountEvents(sightline::JoinPath(directory, name), scalars, histograms));
  }
  if (scalars == 2 * kSteps && histograms == 2 * kSteps) return {};
  return {sightline::StatusCode::kDataLoss, "read " + std::to_string(scalars) + " scalars and " +
                                                std::to_string(histograms) + " histograms"};
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 2) return 2;
  if (sightline::Version() != EXPECTED_VERSION) {
    std::cerr << "version " << sightline::Version() << ", not " << EXPECTED_VERSION << '\n';
    return 1;
  }
  Status status = Record(argv[1]);
  if (status.ok()) status = ReadBack(argv[1]);
  if (status.ok()) return 0;
  std::cerr << status.ToString() << '\n';
  return 1;
}
