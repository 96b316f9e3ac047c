// SummaryConfig: SummaryMonitor's parameters from a configuration file in MindFormers' form.
//
//   callbacks:
//     - type: SummaryMonitor
//       summary_dir: ./run
//       collect_freq: 10
//       max_file_size: 4GB
//
// The file may have other keys and callbacks. docs/summary_monitor.md has every parameter;
// docs/summary_monitor.schema.json is their JSON schema. JSON is also YAML.
#pragma once

#include <string>
#include <string_view>

#include "sightline/base/file_system.h"
#include "sightline/base/status.h"
#include "sightline/collectors/rules/summary_options.h"

namespace sightline {

struct SummaryConfig {
  std::string summary_dir = {};  // Empty: DefaultSummaryDir().
  SummaryOptions options = {};
};

// Reads the parameters of the only SummaryMonitor among the callbacks in `yaml`. Parameters that
// are not given stay as in `base`. None, null, ~ and an absent key all mean the default. A "*" in
// place of a list's dash, as in MindFormers' documentation, is read as a dash.
//
// kInvalidArgument with every fault of the parameters, including those of SummaryOptions::Check(),
// each with the parameter, its value and what is allowed. Also kInvalidArgument if the text is no
// YAML, or has no SummaryMonitor or several. Any thread.
Result<SummaryConfig> ParseSummaryConfig(std::string_view yaml, SummaryOptions base = {});

// The same for a file of at most 16 MiB; errors name it.
Result<SummaryConfig> LoadSummaryConfig(const std::string& path, SummaryOptions base = {},
                                        FileSystem& file_system = FileSystem::Local());

}  // namespace sightline
