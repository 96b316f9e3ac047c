// What the devices of several ranks said to each other, and how much of a step it took, in the
// tables of MindSpore and torch_npu.
//
// Seen are hccl_raw_* and *_cluster_analyse_* (MindInsight's fixtures); communication.json,
// communication_matrix.json and step_trace_time.csv are read as MindSpore 2.7's sources write them
// (profiler/analysis/parser, docs of msprof-analyze). Each fills a part of `profile`.
#pragma once

#include <string_view>

#include "sightline/profiler/import/byte_window.h"
#include "sightline/profiler/model/model_builder.h"
#include "sightline/profiler/model/profile.h"

namespace sightline::profile {

// {"step1": {"p2p": {}, "collective": {"<operator>@<group>": {"Communication Time Info": {...},
// "Communication Bandwidth Info": {"HCCS": {...}}}, "Total Op Info": ...}}}: an event an operator.
// "Total Op Info" is the sum of the others, and no event.
Status ReadCommunication(std::string_view text, ModelBuilder& builder, Profile& profile);

// {"step1": {"collective": {"<operator>@<group>": {"0-1": {"Transport Type", "Transit Size(MB)",
// "Transit Time(ms)", ...}}}}}: the links of the operators that ReadCommunication has found. An
// event an operator.
Status ReadCommunicationMatrix(std::string_view text, ModelBuilder& builder, Profile& profile);

// hccl_raw_<rank>.csv: a row a step, in milliseconds and kilobytes, the last one their mean, which
// is not taken. An event a row.
void ReadHccl(ByteWindow& window, ModelBuilder& builder, Profile& profile);

// step_trace_time.csv: computing, communication and idle time of each step, in microseconds.
void ReadStepTimes(ByteWindow& window, ModelBuilder& builder, Profile& profile);

// <device>_cluster_analyse_<mode>_<stages>_<ranks>_<rank>.csv: row k is step k, in milliseconds;
// the last one is the mean, which is not taken.
void ReadClusterSteps(ByteWindow& window, ModelBuilder& builder, Profile& profile);

}  // namespace sightline::profile
