// RunConfig: everything that determines a run's files. It is stored in the journal's header, so
// that a replay writes exactly what the killed recorder would have written.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "sightline/base/clock.h"
#include "sightline/base/file_system.h"
#include "sightline/base/status.h"
#include "sightline/recorder/dialect/dialect.h"
#include "sightline/recorder/journal/journal.h"
#include "sightline/recorder/writing/recorder_options.h"
#include "sightline/recorder/writing/sink.h"

namespace sightline {

struct RunConfig {
  RunIdentity run;
  std::vector<Format> formats;
  bool export_npy = false;
  std::optional<std::uint64_t> max_file_size = std::nullopt;
  OnFileFull on_file_full = OnFileFull::kRotate;
};

// The configuration as JSON (max_file_size 0: no limit), for JournalHeader::manifest, which has
// room for kMaxManifestBytes.
std::string ManifestOf(const RunConfig& config);
// kDataLoss if `manifest` cannot be read.
Result<RunConfig> ParseManifest(std::string_view manifest);

// The number of sinks: two for MindSpore's dialect (summary and lineage), one for TensorBoard's,
// one for the npy export.
std::size_t SinkCount(const RunConfig& config);

enum class SinkStart { kNewRun, kKilledRun };

// Opens the run's sinks, in the order of their journal slots. Errors name the sink.
Result<std::vector<std::unique_ptr<Sink>>> OpenSinks(const RunConfig& config,
                                                     const std::string& directory, SinkStart start,
                                                     FileSystem& file_system, const Clock& clock,
                                                     const SinkObserver& observer,
                                                     Journal& journal);

// The dialects of a run's event files, in the order of their journal slots.
std::vector<std::unique_ptr<Dialect>> DialectsOf(const RunConfig& config);

}  // namespace sightline
