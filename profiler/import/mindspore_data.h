// MindData's records: the queues between its operators, the batches, the processor.
//
// Source: mindspore 2.0.0 and 2.7.0, ccsrc/minddata/dataset/engine/perf; seen are files of 2.0.
// Each fills a part of profile.data; an event a row of text, or an operator of JSON.
#pragma once

#include <string_view>

#include "sightline/profiler/import/byte_window.h"
#include "sightline/profiler/model/model_builder.h"
#include "sightline/profiler/model/profile.h"

namespace sightline::profile {

// pipeline_profiling_<rank>.json: the operators with the sizes of their queues.
Status ReadPipeline(std::string_view text, ModelBuilder& builder, DataPipeline& data);

// minddata_pipeline_raw_<rank>.csv: the same, for where there is no such file.
void ReadPipelineTable(ByteWindow& window, ModelBuilder& builder, DataPipeline& data);

// minddata_cpu_utilization_<rank>.json: idle time of the machine, CPU use of each operator that
// ReadPipeline has found. Arrays of the machine are twice as long as the samples where its sampler
// wrote each twice: then every second one counts.
Status ReadProcessorUse(std::string_view text, ModelBuilder& builder, DataPipeline& data);

// dataset_iterator_profiling_<rank>.txt, device_queue_profiling_<rank>.txt: "0 0 n ms time" getting
// batch n, "0 1 ..." pushing it, "0 2 ..." both, "1 capacity n size time" the queue as it was
// found.
void ReadBatches(ByteWindow& window, ModelBuilder& builder, DataPipeline& data);

// minddata_aicpu_<rank>.txt: "GetNext... start end size" for each step on the device.
void ReadGetNext(ByteWindow& window, ModelBuilder& builder, DataPipeline& data);

}  // namespace sightline::profile
