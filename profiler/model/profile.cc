#include "sightline/profiler/model/profile.h"

#include "sightline/base/parse_number.h"

namespace sightline::profiler {

std::string_view SourceFormatName(SourceFormat format) {
  switch (format) {
    case SourceFormat::kChromeTrace:
      return "Chrome trace";
    case SourceFormat::kMindSpore:
      return "MindSpore";
    case SourceFormat::kTorchNpu:
      return "torch_npu";
    case SourceFormat::kMindSporeOld:
      return "MindSpore 2.0";
    case SourceFormat::kPerfetto:
      return "Perfetto trace";
    case SourceFormat::kXplane:
      return "XLA xplane";
    case SourceFormat::kKernelDetails:
      return "msprof";
    case SourceFormat::kAscendDatabase:
      return "Ascend database";
    case SourceFormat::kClusterOutput:
      return "msprof-analyze cluster";
    case SourceFormat::kMemorySnapshot:
      return "memory snapshot";
  }
  return "";
}

std::string_view OperatorSourceName(OperatorSource source) {
  switch (source) {
    case OperatorSource::kTimestamps:
      return "execution timestamps";
    case OperatorSource::kTrace:
      return "trace";
    case OperatorSource::kKernelDetails:
      return "kernel details";
    case OperatorSource::kCsv:
      return "csv";
    case OperatorSource::kNone:
      return "none";
  }
  return "";
}

std::optional<std::pair<std::string_view, std::string_view>> SidesOfLink(std::string_view link) {
  const std::size_t dash = link.find('-');
  if (dash == std::string_view::npos) return std::nullopt;
  return std::pair(link.substr(0, dash), link.substr(dash + 1));
}

std::optional<std::pair<std::int64_t, std::int64_t>> EndsOfLink(std::string_view link) {
  const auto sides = SidesOfLink(link);
  if (!sides) return std::nullopt;
  const auto from = ParseNumber<std::int64_t>(sides->first);
  const auto to = ParseNumber<std::int64_t>(sides->second);
  if (!from || !to) return std::nullopt;
  return std::pair(*from, *to);
}

}  // namespace sightline::profiler
