// Runs as JSON lines: every value and every event is an object in a line of its own.
//
//   {"run":"lenet","rank":0,"kind":"scalar","tag":"loss","step":3,"wall_time":1795189336.1,"value":0.5}
//   {"run":"lenet","rank":0,"kind":"image","tag":"input","step":3,"wall_time":...,"dialect":
//    "TensorBoard","value":{"tag":"input","image":{...}}}
//   {"run":"lenet","kind":"train lineage","step":0,"wall_time":...,"dialect":"MindSpore lineage",
//    "event":{...}}
//
// A scalar that is not finite is "NaN", "Infinity" or "-Infinity". Other values and events are the
// message of their file in protobuf's JSON mapping, as in json_lines.h, with all bytes in base64.
// "dialect" tells which kind of event file that is.
#pragma once

#include <memory>

#include "sightline/export/runs/run_export.h"

namespace sightline {

// Writes to `file`, which Finish closes.
std::unique_ptr<RunWriter> MakeJsonWriter(std::unique_ptr<WritableFile> file);

}  // namespace sightline
