// SummaryConfig: SummaryMonitor's parameters as a configuration file has them, in MindFormers'
// form.
//
//   callbacks:
//     - type: SummaryMonitor
//       summary_dir: ./run
//       collect_freq: 10
//       max_file_size: 4GB
//
// Other keys and callbacks may stand beside. docs/summary_monitor.md has every parameter;
// docs/summary_monitor.schema.json is their JSON schema. JSON is YAML too.
#pragma once

#include <string>
#include <string_view>

#include "sightline/base/file_system.h"
#include "sightline/base/status.h"
#include "sightline/collectors/summary_options.h"

namespace sightline {

struct SummaryConfig {
  std::string summary_dir = {};  // Empty: DefaultSummaryDir().
  SummaryOptions options = {};
};

// Reads the parameters of the one SummaryMonitor among the callbacks of `yaml`; what it does not
// say stays as in `base`. None, null, ~ and an absent key all mean the default. A "*" in place of a
// list's dash, as in MindFormers' documentation, is read as the dash.
//
// Errors: kInvalidArgument with every fault of the parameters, each naming parameter, value and
// what is allowed, including those of SummaryOptions::Check(); or where the text is no YAML, or has
// none or several SummaryMonitors. Any thread.
Result<SummaryConfig> ParseSummaryConfig(std::string_view yaml, SummaryOptions base = {});

// The same for a file of at most 16 MiB; errors name it.
Result<SummaryConfig> LoadSummaryConfig(const std::string& path, SummaryOptions base = {},
                                        FileSystem& file_system = FileSystem::Local());

}  // namespace sightline
