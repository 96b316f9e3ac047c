// One profile: the model of its events, and the tables that its writer computed beside them.
//
// Which of these are there depends on who wrote it; what is empty is not in the source. Immutable
// once imported.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "sightline/base/status.h"
#include "sightline/profiler/model/model.h"

namespace sightline::profile {

enum class SourceFormat : std::uint8_t {
  kChromeTrace,    // Chrome's JSON: PyTorch, XLA, RuntimeProfiler and others.
  kMindSpore,      // A folder *_ascend_ms or *_ascend_pt: MindSpore 2.7 and 2.10, torch_npu.
  kMindSporeOld,   // A folder profiler/ as MindInsight reads it: MindSpore up to 2.0.
  kPerfetto,       // Perfetto's protobuf trace.
  kXplane,         // XLA's *.xplane.pb.
  kKernelDetails,  // A kernel_details.csv alone.
};
std::string_view SourceFormatName(SourceFormat format);

// A file that was read. events = modelled + what the model lists as not understood.
struct SourceFile {
  std::string path;
  std::uint64_t bytes = 0;
  std::uint64_t events = 0;  // Events of a trace, rows of a table, samples of a queue.
  std::uint64_t modelled = 0;
  Status status;        // kDataLoss where a part could not be read.
  bool unseen = false;  // Read by its documented headers: no real file was there to test with.
  std::string unread;  // Why nothing of it is read: "the same sums as ..."; empty for what is read.
};

// An operator as a table of the source lists it.
struct ListedOperator {
  NameId name = kNoName;  // Full name.
  NameId type = kNoName;
  NameId shapes = kNoName;
  std::uint64_t count = 0;
  std::int64_t total = 0;  // Nanoseconds.
};

// Floating-point operations of one execution, as a table of the source has them.
struct OperatorFlops {
  NameId name = kNoName;  // As the executions are called.
  double flops = 0;
};

// In the order of preference: the more exact source wins.
enum class OperatorSource : std::uint8_t { kTimestamps, kTrace, kKernelDetails, kCsv, kNone };
std::string_view OperatorSourceName(OperatorSource source);

// Times within a step, in nanoseconds of a clock of its own.
struct StepRecord {
  std::int64_t number = 0;
  std::int64_t start = 0;  // The end of the step before.
  std::int64_t end = 0;
  std::int64_t forward_start = 0;
  std::optional<std::int64_t> backward_end;  // Nothing for inference.
  struct Communication {
    std::string name;
    std::int64_t start = 0;
    std::int64_t end = 0;
  };
  std::vector<Communication> communication;
};

// What a device did in a step, as a table of the source sums it up. Times in nanoseconds.
struct DeviceStep {
  std::optional<std::int64_t>
      number;  // Nothing: the profile as a whole, whose steps are not marked.
  std::int64_t computing = 0;
  std::int64_t communication = 0;
  std::int64_t communication_alone = 0;  // Beside which nothing was computed.
  std::int64_t idle = 0;
  std::int64_t receive_alone = 0;  // Of communication_alone: waiting for the stage before.
};

// What went between two devices in one kind of communication.
struct LinkUse {
  std::string link;       // "0-1"; empty where the source sums over all links.
  std::string transport;  // "HCCS", "SDMA", "RDMA"
  double bytes = 0;
  std::int64_t time = 0;  // Nanoseconds.
};

// One communication operator in one step.
struct CommunicationUse {
  std::optional<std::int64_t> step;  // Nothing: the source does not say.
  std::string name;                  // "hcom_allReduce__0@group"
  bool point_to_point = false;
  std::int64_t transit = 0;  // Nanoseconds, as wait.
  std::int64_t wait = 0;
  std::vector<LinkUse> links;
};

// A piece of memory that an operator got.
struct Allocation {
  NameId name = kNoName;
  double bytes = 0;
  std::int64_t time = 0;
  std::optional<std::int64_t> released;  // Nothing: it was there at the end.
};

// What one fetched batch found. Times in nanoseconds.
struct BatchRecord {
  std::int64_t batch = 0;  // From 1.
  std::int64_t get = 0;    // Waiting for the pipeline.
  std::int64_t push = 0;   // Handing it to the device.
  std::int64_t total = 0;
  std::int64_t time = 0;
  std::int64_t queue_size = 0;
  std::int64_t queue_capacity = 0;
};

struct PipelineOperator {
  std::int64_t id = 0;
  std::string type;  // "BatchOp", "Batch"
  std::int64_t workers = 0;
  std::optional<std::int64_t> parent;
  std::vector<std::int64_t> children;
  // The queue behind it; capacity 0 where it has none.
  std::int64_t queue_capacity = 0;
  std::vector<std::int64_t> queue_sizes;
  std::optional<double> cpu_percent;  // Mean of its threads' sum, of one core.
};

struct DataPipeline {
  std::vector<PipelineOperator> operators;
  std::int64_t sampling_interval = 0;  // Milliseconds between queue_sizes.
  std::vector<BatchRecord> batches;
  bool has_device_queue = false;             // The batches go to a device (sink), not to the loop.
  std::vector<std::int64_t> get_next_sizes;  // Queue on the device as each step found it.
  std::vector<std::int64_t> machine_idle;    // Percent of the whole machine, by sample.
  std::int64_t cores = 0;
};

struct Profile {
  std::string path;
  SourceFormat format = SourceFormat::kChromeTrace;
  std::optional<std::int64_t> rank;
  std::vector<std::int64_t> ranks;    // All that the folder holds.
  std::optional<std::int64_t> stage;  // Of a pipeline-parallel training, from 1 on.
  Model model;
  std::vector<SourceFile> files;
  std::vector<ListedOperator> operators;
  OperatorSource operator_source = OperatorSource::kNone;  // Of `operators`.
  std::vector<OperatorFlops> flops;
  std::vector<StepRecord> steps;
  std::optional<StepRecord> step_average;  // As the source has it: relative to its own rows.
  std::string forward_operator, backward_operator;
  std::vector<DeviceStep> device_steps;
  std::vector<CommunicationUse> communication;
  std::vector<Allocation> allocations;
  DataPipeline data;
};

}  // namespace sightline::profile
