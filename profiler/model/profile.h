// Profile: the model of a profile's events, and the tables that the profiler computed besides.
//
// Which of them a profile has depends on the program that wrote it. A table that is empty, or an
// optional without a value, is not in the source. Immutable once imported.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "sightline/base/status.h"
#include "sightline/profiler/model/model.h"

namespace sightline::profiler {

enum class SourceFormat : std::uint8_t {
  kChromeTrace,     // Chrome's JSON: PyTorch, XLA, RuntimeProfiler and others.
  kMindSpore,       // A folder *_ascend_ms: MindSpore 2.6 to 2.10.
  kTorchNpu,        // A folder *_ascend_pt of torch_npu, which has the same form.
  kMindSporeOld,    // A folder profiler/ as MindInsight reads it: MindSpore up to 2.0.
  kPerfetto,        // Perfetto's protobuf trace.
  kXplane,          // XLA's *.xplane.pb.
  kKernelDetails,   // msprof's tables: a folder of them, or one CSV file alone.
  kAscendDatabase,  // An SQLite database of msprof, torch_npu or MindSpore.
  kClusterOutput,   // A folder cluster_analysis_output of msprof-analyze: the sums of all ranks.
  kMemorySnapshot,  // A pickle of torch.cuda.memory or torch_npu: the allocator's history and
                    // state.
};
std::string_view SourceFormatName(SourceFormat format);

// A file of the profile, and what was read of it. The difference of `events` and `modelled` is what
// Model::not_understood counts.
struct SourceFile {
  std::string path;
  std::uint64_t bytes = 0;
  std::uint64_t events = 0;  // Events of a trace, rows of a table, samples of a queue.
  std::uint64_t modelled = 0;
  Status status;          // kDataLoss if a part could not be read.
  bool untested = false;  // Read by its documented columns: no real file was available for tests.
  std::string note;       // What is to be known of it: "columns that are not known: ...".
  std::string unread;     // Why the file is not read: "the same sums as ..."; empty if it is.
};

// An operator in a table of the source.
struct ListedOperator {
  NameId name = kNoName;  // Full name.
  NameId type = kNoName;
  NameId shapes = kNoName;
  std::uint64_t count = 0;
  std::int64_t total = 0;  // Nanoseconds.
};

// The executions of a device's kernels of one type that had the same shapes, core and blocks.
struct KernelUse {
  NameId type = kNoName;    // "MatMulV3"
  NameId shapes = kNoName;  // kNoName: unknown.
  NameId core = kNoName;    // As the source has it: "AI_VECTOR_CORE", "MIX_AIC", "AI_CPU".
  std::int64_t blocks = 0;  // Into how many blocks the work was cut, one for a core; 0: unknown.
  std::uint64_t count = 0;
  std::int64_t total = 0;  // Nanoseconds.
  // For which share of the time each of Profile::kernel_units was busy, 0..1. Empty: unknown.
  std::vector<double> busy = {};
};

// The floating-point operations of one execution, from a table of the source.
struct OperatorFlops {
  NameId name = kNoName;  // The name that the executions have.
  double flops = 0;
};

// Where the figures of operators come from, the most exact source first. If a profile has several,
// the first one is used.
enum class OperatorSource : std::uint8_t { kTimestamps, kTrace, kKernelDetails, kCsv, kNone };
std::string_view OperatorSourceName(OperatorSource source);

// The times in a step, from MindSpore's step trace: nanoseconds of a clock of its own.
struct StepRecord {
  std::int64_t number = 0;
  std::int64_t start = 0;  // The end of the step before.
  std::int64_t end = 0;
  std::int64_t forward_start = 0;
  std::optional<std::int64_t> backward_end;  // None for inference.
  struct Communication {
    std::string name;
    std::int64_t start = 0;
    std::int64_t end = 0;
  };
  std::vector<Communication> communication;
};

// What a device did in a step, from a table of the source. Times in nanoseconds.
struct DeviceStep {
  // None: the row is about the whole profile, whose steps are not marked.
  std::optional<std::int64_t> number;
  std::int64_t computing = 0;
  std::int64_t communication = 0;
  std::int64_t communication_alone = 0;  // While nothing was computed.
  std::int64_t idle = 0;
  // The part of communication_alone that waited for the stage before.
  std::int64_t receive_alone = 0;
  // From the begin of the step to the first task of the device. It is in none of the others.
  std::int64_t preparing = 0;
};

// What two devices exchanged over one kind of link.
struct LinkUse {
  // "0-1": the ranks; empty if the source has only the sum of all links.
  std::string link;
  std::string transport;  // "HCCS", "SDMA", "RDMA"
  double bytes = 0;
  std::int64_t time = 0;  // Nanoseconds.

  double bytes_per_second() const {
    return time == 0 ? 0 : bytes * 1e9 / static_cast<double>(time);
  }
};
// What is on both sides of the dash in "0-1"; none without a dash.
std::optional<std::pair<std::string_view, std::string_view>> SidesOfLink(std::string_view link);
// The same as ranks; none if they are no numbers.
std::optional<std::pair<std::int64_t, std::int64_t>> EndsOfLink(std::string_view link);

// What a transport carried in packets of one size.
struct PacketUse {
  std::string transport;
  double bytes = 0;  // Of each packet.
  std::uint64_t count = 0;
  std::int64_t time = 0;  // Nanoseconds, of all of them.
};

// Ranks that communicate with each other.
struct RankGroup {
  // What communication files write after the "@"; empty if they have no operator of the group.
  std::string id = {};
  std::string communicator = {};  // What some files write in its place; may be empty.
  std::string name = {};          // What it is for: "dp", "pp"; empty if the source does not tell.
  std::vector<std::int64_t> ranks = {};  // Of the training, in the order of the group.
  // The source does not list the members: they are the ends of the links, numbered within the
  // group, and may be fewer than there are.
  bool inferred = false;
};

// One communication operator in one step.
struct CommunicationUse {
  std::optional<std::int64_t> step;  // None: the source does not tell.
  std::string name;                  // "hcom_allReduce__0@group"
  // What the group is for: "dp", "pp", "tp", "default_group". Empty if the source does not tell.
  std::string group;
  bool point_to_point = false;
  // Nanoseconds since the epoch, by the clock of the rank's host; 0 if the source does not tell.
  std::int64_t start = 0;
  std::int64_t elapsed = 0;  // Nanoseconds, like the others; 0 if the source does not tell.
  std::int64_t transit = 0;
  std::int64_t wait = 0;
  std::uint64_t retries = 0;  // How often a packet was sent again; 0 also if it is not recorded.
  std::vector<LinkUse> links;
  std::vector<PacketUse> packets;
};

struct StackFrame {
  NameId function = kNoName;
  NameId file = kNoName;
  std::int64_t line = 0;
};

// Distinct call stacks. A stack has an id; 0 is that of no stack.
struct CallStacks {
  std::vector<StackFrame> frames;       // Distinct, too.
  std::vector<std::uint32_t> items;     // Indices of frames; a stack's are neighbours, the
                                        // innermost first.
  std::vector<std::size_t> ends = {0};  // Where the items of stack i end, and those of i + 1 begin.

  std::span<const std::uint32_t> operator[](std::uint32_t stack) const {
    if (stack == 0) return {};
    return std::span(items).subspan(ends[stack - 1], ends[stack] - ends[stack - 1]);
  }
};

// Memory that an operator allocated.
struct Allocation {
  NameId name = kNoName;    // Of the operator; of a snapshot the function that allocated.
  NameId device = kNoName;  // "device 0"; kNoName if the source has one device.
  std::uint32_t stack = 0;  // In Profile::stacks.
  double bytes = 0;
  std::int64_t time = 0;
  std::optional<std::int64_t> released;  // None: it was not released before the profile ended.
};

// How one batch was fetched from the pipeline. Times in nanoseconds.
struct BatchRecord {
  std::int64_t batch = 0;       // From 1.
  std::int64_t get = 0;         // How long it waited for the pipeline.
  std::int64_t push = 0;        // How long it took to hand the batch to the device.
  std::int64_t total = 0;       // Both.
  std::int64_t time = 0;        // When that was recorded.
  std::int64_t queue_size = 0;  // Batches in the queue at that time.
  std::int64_t queue_capacity = 0;
};

struct PipelineOperator {
  std::int64_t id = 0;
  std::string type;  // "BatchOp", "Batch"
  std::int64_t workers = 0;
  std::optional<std::int64_t> parent;
  std::vector<std::int64_t> children;
  // Its output queue; capacity 0 means that it has none.
  std::int64_t queue_capacity = 0;
  std::vector<std::int64_t> queue_sizes;  // One for each sample.
  // Mean CPU use of all its threads together; 100 is one core.
  std::optional<double> cpu_percent;
};

struct DataPipeline {
  std::vector<PipelineOperator> operators;
  std::int64_t sampling_interval = 0;  // Milliseconds between queue_sizes.
  std::vector<BatchRecord> batches;
  bool has_device_queue = false;  // The batches go to a device (sink mode), not to the loop.
  std::vector<std::int64_t> get_next_sizes;  // Batches in the device's queue at each step.
  std::vector<std::int64_t> machine_idle;    // Percent of the whole machine, for each sample.
  std::int64_t cores = 0;
};

struct Profile {
  std::string path;
  SourceFormat format = SourceFormat::kChromeTrace;
  std::optional<std::int64_t> rank;
  std::vector<std::int64_t> ranks;    // All ranks of the folder.
  std::optional<std::int64_t> stage;  // Of a pipeline-parallel training, from 0.
  Model model;
  std::vector<SourceFile> files;
  std::vector<ListedOperator> operators;
  OperatorSource operator_source = OperatorSource::kNone;  // Where `operators` come from.
  // The same by type, of a second table of the source (op_statistic.csv beside kernel_details.csv).
  std::vector<ListedOperator> operator_types;
  std::vector<KernelUse> kernels;  // Without those that communicate.
  // The units of the cores whose time was measured: "aic_mac", "aiv_mte2".
  std::vector<std::string> kernel_units;
  std::vector<OperatorFlops> flops;
  std::vector<StepRecord> steps;
  std::optional<StepRecord> step_average;  // The source's own row of averages.
  // The operators with which forward begins and backward ends, if the source names them.
  std::string forward_operator, backward_operator;
  std::vector<DeviceStep> device_steps;
  std::vector<CommunicationUse> communication;
  std::vector<RankGroup> groups;
  std::optional<std::int64_t> device;  // Its number on the host.
  // The sums of each link over all operators, if the source has them apart from `communication`
  // (communication_matrix.json).
  std::vector<LinkUse> links;
  std::vector<Allocation> allocations;
  CallStacks stacks;
  // False: the source has no times. Then times are the numbers of its events, from 0.
  bool has_clock = true;
  DataPipeline data;
};

}  // namespace sightline::profiler
