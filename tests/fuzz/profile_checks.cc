#include "sightline/tests/fuzz/profile_checks.h"

#include "sightline/profiler/analysis/comparison.h"
#include "sightline/profiler/analysis/data_pipeline.h"
#include "sightline/profiler/analysis/disagreements.h"
#include "sightline/profiler/analysis/flame.h"
#include "sightline/profiler/analysis/memory.h"
#include "sightline/profiler/analysis/operators.h"
#include "sightline/profiler/analysis/ranks.h"
#include "sightline/profiler/analysis/steps.h"
#include "sightline/profiler/analysis/summary.h"
#include "sightline/profiler/export/trace_export.h"
#include "sightline/profiler/import/import_profile.h"
#include "sightline/tests/fuzz/repair.h"
#include "sightline/tests/support/memory_file_system.h"

namespace sightline::fuzz {

void CheckProfile(const std::string& path, std::string_view bytes) {
  testing::MemoryFileSystem files;
  files.Put(path, bytes);
  const std::string found = path.starts_with("run/") ? "run" : path;
  const auto profile = profiler::ImportProfile(found, {.file_system = &files});
  if (!profile) return;
  const profiler::Model& model = profile->model;
  std::uint64_t lost = 0;
  for (const profiler::NotUnderstood& one : model.not_understood) lost += one.count;
  Check(model.events_in == model.events_modelled + lost, "every event is counted once");
  std::size_t spans = 0;
  for (const profiler::Lane& lane : model.lanes) {
    Check(lane.first == spans, "lanes lie side by side");
    spans += lane.count;
    for (std::size_t i = lane.first + 1; i < lane.first + lane.count; ++i)
      Check(model.spans.start[i - 1] <= model.spans.start[i], "spans are in order");
  }
  Check(spans == model.spans.size(), "every span has its lane");
  AnalyzeOperators(*profile, profiler::OperatorGrouping::kByType);
  AnalyzeOperators(*profile, profiler::OperatorGrouping::kByName);
  AnalyzeSteps(*profile);
  AnalyzeDataPipeline(*profile);
  FindMemoryCurves(*profile);
  FindMemoryPeaks(*profile);
  profiler::CompareRanks({MeasureRank(*profile), MeasureRank(*profile)});
  FindDisagreements(*profile);
  FoldStacks(model);
  Summarize(*profile);
  ExportPerfetto(model, Extent(model));
  ExportChrome(model, Extent(model));
  Compare(*profile, *profile);
}

}  // namespace sightline::fuzz
