// Reads the tables of MindSpore and torch_npu about the communication between devices and its part
// of each step.
//
// hccl_raw_* and *_cluster_analyse_* were tested with real files (MindInsight's fixtures), the
// others with real files of torch_npu. Each function fills a part of `profile`.
#pragma once

#include <string_view>

#include "sightline/profiler/import/ascend/cluster_output.h"
#include "sightline/profiler/import/ascend/parallel_groups.h"
#include "sightline/profiler/import/source/byte_window.h"
#include "sightline/profiler/model/model_builder.h"
#include "sightline/profiler/model/profile.h"

namespace sightline::profiler {

// "step12" -> 12; "step" is the only step of a profile without marks.
std::optional<std::int64_t> StepOfKey(std::string_view key);

// The transport SDMA is the sum of HCCS, PCIE and SIO: leaves it out where one of these carried
// anything.
void LeaveOutSums(std::vector<LinkUse>& links);
void LeaveOutSums(std::vector<PacketUse>& packets);

// Notes the ends of these links of a group of which the metadata says nothing: RankGroup::inferred.
void NoteMembers(std::string_view id, const std::vector<LinkUse>& links, Profile& profile);

// {"step1": {"p2p": {}, "collective": {"<operator>@<group>": {"Communication Time Info": {...},
// "Communication Bandwidth Info": {"HCCS": {...}}}, "Total Op Info": ...}}}. An operator counts as
// one event; "Total Op Info", the sum of the others, does not count.
Status ReadCommunication(std::string_view text, const ParallelGroups& groups, ModelBuilder& builder,
                         Profile& profile);

// {"step1": {"collective": {"<operator>@<group>": {"0-1": {"Transport Type", "Transit Size(MB)",
// "Transit Time(ms)", ...}}}}}: the links of the operators that ReadCommunication has found. In
// newer files the keys are "allreduce-total@<group>" (the sums, which are profile.links), and
// "-top1",
// "-middle", "-bottom1" and so on: examples, which are left out. An operator counts as one event.
// "0-1" are ranks within the group.
Status ReadCommunicationMatrix(std::string_view text, const ParallelGroups& groups,
                               ModelBuilder& builder, Profile& profile);

// hccl_raw_<rank>.csv: one row for each step, in milliseconds and kilobytes. The last row is their
// mean, which is not used. A row counts as one event.
void ReadHccl(ByteWindow& window, ModelBuilder& builder, Profile& profile);

// step_trace_time.csv: computing, communication and idle time of each step, in microseconds.
void ReadStepTimes(ByteWindow& window, ModelBuilder& builder, Profile& profile);

// cluster_step_trace_time.csv: the same columns for all ranks, after "Type" and "Index". Rows of
// the type "stage" are the greatest times of the ranks in their index, and give these a stage. No
// row counts as an event yet: which rank is read is not known.
void ReadClusterStepTimes(ByteWindow& window, ModelBuilder& builder, ClusterSteps& steps);

// <device>_cluster_analyse_<mode>_<stages>_<ranks>_<rank>.csv: row k is step k, in milliseconds.
// The last row is their mean, which is not used.
void ReadClusterSteps(ByteWindow& window, ModelBuilder& builder, Profile& profile);

}  // namespace sightline::profiler
