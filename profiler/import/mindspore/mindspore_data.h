// Reads the records of MindData, MindSpore's data pipeline: the queues between its operators, the
// batches, CPU use.
//
// Source: mindspore 2.0.0 and 2.7.0, ccsrc/minddata/dataset/engine/perf; tested with files of 2.0.
// Each function fills a part of profile.data. A row of text counts as one event, as does an
// operator in JSON.
#pragma once

#include <string_view>

#include "sightline/profiler/import/source/byte_window.h"
#include "sightline/profiler/model/model_builder.h"
#include "sightline/profiler/model/profile.h"

namespace sightline::profiler {

// pipeline_profiling_<rank>.json: the operators with the sizes of their queues.
Status ReadPipeline(std::string_view text, ModelBuilder& builder, DataPipeline& data);

// minddata_pipeline_raw_<rank>.csv: the same, for profiles without the JSON file.
void ReadPipelineTable(ByteWindow& window, ModelBuilder& builder, DataPipeline& data);

// minddata_cpu_utilization_<rank>.json: idle time of the machine, and the CPU use of each operator
// that ReadPipeline has found. MindSpore may write each sample of the machine twice; then every
// second one is used.
Status ReadProcessorUse(std::string_view text, ModelBuilder& builder, DataPipeline& data);

// dataset_iterator_profiling_<rank>.txt, device_queue_profiling_<rank>.txt. "0 0 n ms time": how
// long getting batch n took; "0 1 ...": pushing it; "0 2 ...": both. "1 capacity n size time": the
// state of the queue.
void ReadBatches(ByteWindow& window, ModelBuilder& builder, DataPipeline& data);

// minddata_aicpu_<rank>.txt: "GetNext... start end size" for each step; the size of the device's
// queue.
void ReadGetNext(ByteWindow& window, ModelBuilder& builder, DataPipeline& data);

}  // namespace sightline::profiler
