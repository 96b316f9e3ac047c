// Reads the options of a Recorder from YAML or Python.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "sightline/collectors/config/option_reader.h"
#include "sightline/recorder/writing/recorder_options.h"

namespace sightline {

// Reads the options that a Recorder and a SummaryMonitor have in common. Options that are not given
// stay as they are in `target`.
void ReadWritingOptions(OptionReader& options, WritingOptions& target);

// Reads "max_file_size" and "on_file_full".
void ReadFileSize(OptionReader& options, std::optional<std::uint64_t>& max_file_size,
                  OnFileFull& on_file_full);

// Reads "formats": "mindspore", "tensorboard", or a list of them.
void ReadFormats(OptionReader& options, std::vector<Format>& target);

// Reads every option of a Recorder. Adds the faults to those of `options`, including unknown names
// and the faults of RecorderOptions::Check().
RecorderOptions ReadRecorderOptions(OptionReader& options);

// A warning if a file of `max_file_size` holds only a few events, as when a unit was forgotten;
// empty if there is no reason for one.
std::string WarningOfSmallFiles(std::optional<std::uint64_t> max_file_size);

}  // namespace sightline
