// Runs as JSON lines: every value and every event, one object a line.
//
//   {"run":"lenet","rank":0,"kind":"scalar","tag":"loss","step":3,"wall_time":1795189336.1,"value":0.5}
//   {"run":"lenet","rank":0,"kind":"image","tag":"input","step":3,"wall_time":...,"dialect":
//    "TensorBoard","value":{"tag":"input","image":{...}}}
//   {"run":"lenet","kind":"train lineage","step":0,"wall_time":...,"dialect":"MindSpore lineage",
//    "event":{...}}
//
// A scalar that is no number is "NaN", "Infinity" or "-Infinity". Other values and events are in
// protobuf's JSON mapping of the dialect's own message, as in json_lines.h, with their bytes in
// base64, so that nothing is lost.
#pragma once

#include <memory>

#include "sightline/export/run_export.h"

namespace sightline {

// Into `file`, which Finish closes.
std::unique_ptr<RunWriter> MakeJsonWriter(std::unique_ptr<WritableFile> file);

}  // namespace sightline
