#include "sightline/profiler/model/profile.h"

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
      return "kernel details";
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

}  // namespace sightline::profiler
