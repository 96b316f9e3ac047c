// The options of a Recorder as YAML and Python write them.
#pragma once

#include <cstdint>
#include <string>

#include "sightline/collectors/option_reader.h"
#include "sightline/recorder/writing/recorder_options.h"

namespace sightline {

// The options that a Recorder and a SummaryMonitor have in common; what is not given stays.
void ReadWritingOptions(OptionReader& options, RecorderOptions& target);

// "mindspore", "tensorboard", or a list of them.
void ReadFormats(OptionReader& options, std::vector<Format>& target);

// Every option of a Recorder; faults, those of RecorderOptions::Check() and unknown names included,
// are added to those of `options`.
RecorderOptions ReadRecorderOptions(OptionReader& options);

// A warning of a max_file_size that holds a few events only, as when a unit is forgotten; empty
// where there is no reason for one. 0: files have no limit.
std::string WarningOfSmallFiles(std::uint64_t max_file_size);

}  // namespace sightline
