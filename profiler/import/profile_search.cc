#include "sightline/profiler/import/profile_search.h"

#include <algorithm>
#include <array>
#include <optional>
#include <span>

#include "sightline/base/ascii.h"
#include "sightline/base/text/natural_order.h"
#include "sightline/profiler/import/ascend_db/database_reader.h"
#include "sightline/profiler/import/folder/msprof_folder.h"
#include "sightline/profiler/import/source/byte_source.h"

namespace sightline::profiler {
namespace {

constexpr int kMaxDepth = 8;
constexpr std::size_t kMaxEntries = 100'000;
constexpr std::size_t kLookedAt = 65536;  // Bytes of a file, unpacked.

bool EndsWithAny(std::string_view name, std::initializer_list<std::string_view> ends) {
  return std::any_of(ends.begin(), ends.end(),
                     [&](std::string_view end) { return name.ends_with(end); });
}

bool IsOldFile(std::string_view name) {
  constexpr std::array<std::string_view, 14> kStarts = {"cpu_op_type_info_",
                                                        "cpu_op_detail_info_",
                                                        "cpu_op_execute_timestamp_",
                                                        "cpu_timeline_display_",
                                                        "ascend_timeline_display_",
                                                        "gpu_timeline_display_",
                                                        "step_trace_raw_",
                                                        "pipeline_profiling_",
                                                        "dataset_iterator_profiling_",
                                                        "minddata_pipeline_raw_",
                                                        "device_queue_profiling_",
                                                        "aicore_intermediate_",
                                                        "gpu_op_detail_info_",
                                                        "hccl_raw_"};
  return std::any_of(kStarts.begin(), kStarts.end(),
                     [&](std::string_view start) { return name.starts_with(start); });
}

// Of a folder PROF_* of msprof, or of its folder with tables.
bool IsMsprofFile(std::string_view name) {
  return name == kMsprofOutput || (name.starts_with("op_summary") && name.ends_with(".csv"));
}

// Of msprof-analyze's folder cluster_analysis_output.
bool IsClusterFile(std::string_view name) {
  return name == "cluster_step_trace_time.csv" || name == "cluster_communication.json" ||
         name == "cluster_communication_matrix.json" || name == "cluster_analysis.db";
}

// msprof-analyze writes its folder beside the profiles of which it has the sums.
void LeaveOutSums(std::vector<FoundProfile>& found) {
  std::vector<std::string> others;
  for (const FoundProfile& one : found)
    if (one.format != SourceFormat::kClusterOutput) others.push_back(one.path);
  std::erase_if(found, [&](const FoundProfile& one) {
    const std::string folder = DirectoryOf(one.path) + '/';
    return one.format == SourceFormat::kClusterOutput &&
           std::any_of(others.begin(), others.end(),
                       [&](const std::string& path) { return path.starts_with(folder); });
  });
}

// Whether a file of JSON without a name of its own is a trace, by its first bytes: an object with
// "traceEvents", or an array of events.
bool HoldsTrace(FileSystem& file_system, const std::string& path) {
  auto source = OpenByteSource(file_system, path);
  if (!source) return false;
  std::string begin(kLookedAt, '\0');
  std::size_t size = 0;
  while (size < begin.size()) {
    const auto read = (*source)->Read(std::span(begin).subspan(size));
    if (!read || *read == 0) break;
    size += *read;
  }
  begin.resize(size);
  if (begin.find("\"traceEvents\"") != std::string::npos) return true;
  const std::size_t first = begin.find_first_not_of(" \t\r\n");
  return first != std::string::npos && begin[first] == '[' &&
         begin.find("\"ph\"") != std::string::npos && begin.find("\"ts\"") != std::string::npos;
}

class Search {
 public:
  explicit Search(FileSystem& file_system) : file_system_(file_system) {}

  void Look(const std::string& folder, int depth) {
    const auto names = file_system_.List(folder);
    if (!names || (seen_ += names->size()) > kMaxEntries) return;
    if (AddFolder(folder, *names)) return;
    bool has_xplane = std::any_of(names->begin(), names->end(), [](const std::string& name) {
      return FormatFromName(name) == SourceFormat::kXplane;
    });
    const bool has_database = std::any_of(
        names->begin(), names->end(),
        [](const std::string& name) { return KindOfDatabase(name) == DatabaseKind::kTimeline; });
    for (const std::string& name : *names) {
      const std::string path = JoinPath(folder, name);
      if (const auto format = FormatFromName(name)) {
        // XLA writes the same profile twice.
        const bool again = (has_xplane && format == SourceFormat::kChromeTrace) ||
                           (has_database && KindOfDatabase(name) == DatabaseKind::kSums);
        if (!again) found_.push_back({path, *format});
        continue;
      }
      const auto info = file_system_.Stat(path);
      if (!info) continue;
      if (info->is_directory) {
        if (depth < kMaxDepth) Look(path, depth + 1);
      } else if (!has_xplane && EndsWithAny(name, {".json", ".json.gz"}) &&
                 HoldsTrace(file_system_, path)) {
        found_.push_back({path, SourceFormat::kChromeTrace});
      }
    }
  }

  std::vector<FoundProfile> found() && { return std::move(found_); }

 private:
  // Returns true if the folder is a profile.
  bool AddFolder(const std::string& folder, const std::vector<std::string>& names) {
    // A profile that was not analysed, or whose tables were lost, is one that cannot be read.
    const bool is_named = EndsWithAny(folder, {"_ascend_pt", "_ascend_ms"});
    const bool is_new = std::any_of(names.begin(), names.end(), [&](const std::string& name) {
      return name == "FRAMEWORK" || name == "ASCEND_PROFILER_OUTPUT" ||
             (is_named && name.starts_with("profiler_info"));
    });
    if (is_new || BaseName(folder) == "ASCEND_PROFILER_OUTPUT") {
      std::string profile = is_new ? folder : DirectoryOf(folder);
      const SourceFormat format = FormatOfFolder(profile);
      found_.push_back({std::move(profile), format});
      return true;
    }
    if (std::any_of(names.begin(), names.end(), IsMsprofFile)) {
      found_.push_back({folder, SourceFormat::kKernelDetails});
      return true;
    }
    if (std::any_of(names.begin(), names.end(), IsClusterFile)) {
      found_.push_back({folder, SourceFormat::kClusterOutput});
      return true;
    }
    if (std::any_of(names.begin(), names.end(), IsOldFile)) {
      found_.push_back({folder, SourceFormat::kMindSporeOld});
      return true;
    }
    return false;
  }

  // Both profilers write the same files; torch_npu names its folders so.
  static SourceFormat FormatOfFolder(std::string_view folder) {
    return folder.ends_with("_ascend_pt") ? SourceFormat::kTorchNpu : SourceFormat::kMindSpore;
  }

  FileSystem& file_system_;
  std::size_t seen_ = 0;
  std::vector<FoundProfile> found_;
};

}  // namespace

std::optional<SourceFormat> FormatFromName(std::string_view name) {
  constexpr std::string_view kPacked = ".gz";
  if (name.ends_with(kPacked)) name.remove_suffix(kPacked.size());
  if (name.ends_with(".xplane.pb")) return SourceFormat::kXplane;
  if (EndsWithAny(name, {".perfetto-trace", ".pftrace", ".perfetto"}))
    return SourceFormat::kPerfetto;
  if (name.ends_with(".trace.json") || name == "trace_view.json") return SourceFormat::kChromeTrace;
  if (name.starts_with("RuntimeProfilerJson") && name.ends_with(".json"))
    return SourceFormat::kChromeTrace;
  if (name == "kernel_details.csv") return SourceFormat::kKernelDetails;
  if (IsClusterFile(name)) return SourceFormat::kClusterOutput;
  if (KindOfDatabase(name)) return SourceFormat::kAscendDatabase;
  // Pickles hold anything.
  if (EndsWithAny(name, {".pkl", ".pickle"}) && ContainsIgnoringCase(name, "snapshot"))
    return SourceFormat::kMemorySnapshot;
  return std::nullopt;
}

std::vector<FoundProfile> FindProfiles(const std::string& folder, FileSystem* file_system) {
  Search search(*file_system);
  search.Look(folder, 0);
  std::vector<FoundProfile> found = std::move(search).found();
  LeaveOutSums(found);
  std::sort(found.begin(), found.end(), [](const FoundProfile& a, const FoundProfile& b) {
    return NaturallyLess(a.path, b.path);
  });
  return found;
}

}  // namespace sightline::profiler
