// The writers of run_export.h, one for each format. docs/export.md says what each format holds.
//
// A writer of one file takes that file, and Finish closes it. A writer of a folder takes the path
// of a folder that exists, in a file system that must outlive the writer.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <set>
#include <string>

#include "sightline/base/file_system.h"
#include "sightline/export/runs/csv.h"
#include "sightline/export/runs/run_export.h"

namespace sightline {

// Scalars as CSV (RFC 4180): run,rank,tag,step,wall_time,value, a row for each point. Numbers have
// as many digits as it takes to read back the same float64; nan, inf or -inf if they are not
// finite.
std::unique_ptr<RunWriter> MakeCsvWriter(std::unique_ptr<WritableFile> file,
                                         CsvText text = CsvText::kAsItIs);

// Scalars as CSV: run,rank,step,wall_time,<tag>,<tag>,... A row for each step has the last value of
// each tag and the latest wall_time; a cell without a value is empty. The columns are the `tags`:
// call AddTags for each run before you make the writer.
std::unique_ptr<RunWriter> MakeWideCsvWriter(std::unique_ptr<WritableFile> file,
                                             const std::set<std::string>& tags,
                                             CsvText text = CsvText::kAsItIs);
// Adds the tags of the run's scalars that have a point in the selection.
void AddTags(const Run& run, const ExportSelection& selection, std::set<std::string>& tags);

// JSON lines: every value and every event is an object in a line of its own.
//
//   {"run":"lenet","rank":0,"kind":"scalar","tag":"loss","step":3,"wall_time":1795189336.1,"value":0.5}
//   {"run":"lenet","rank":0,"kind":"image","tag":"input","step":3,"wall_time":...,"dialect":
//    "TensorBoard","value":{"tag":"input","image":{...}}}
//   {"run":"lenet","kind":"train lineage","step":0,"wall_time":...,"dialect":"MindSpore lineage",
//    "event":{...}}
//
// A scalar that is not finite is "NaN", "Infinity" or "-Infinity". Other values and events are the
// message of their file in protobuf's JSON mapping, as in json_lines.h, with all bytes in base64.
// "dialect" is the kind of that event file.
std::unique_ptr<RunWriter> MakeJsonWriter(std::unique_ptr<WritableFile> file);

// NumPy arrays, in a folder of .npy files, or in one .npz file, not compressed:
//
//   <run>/scalars/<tag>/steps, wall_times, values         columns: int64, float64, float64
//   <run>/tensors/<tag>/<step>                            as recorded
//   <run>/images/<tag>/<step>                             uint8, (height, width, channels)
//   <run>/histograms/<tag>/<step>                         float64, (buckets, 3): left, right, count
//   <run>/landscapes/<tag>/<step>.x, .y, .z               float64; z is (y, x)
//
// If a run has several ranks, all but the lowest are below <run>/rank_<n>. Tags are quoted as by
// Python's urllib.parse.quote(tag, safe=""). Further values of one step have numbers: <step>.2,
// <step>.3.
std::unique_ptr<RunWriter> MakeNpyWriter(std::string folder,
                                         FileSystem* file_system = &FileSystem::Local());
std::unique_ptr<RunWriter> MakeNpzWriter(std::unique_ptr<WritableFile> file);

// One HTML page: a chart of every scalar, the lineage, and the last image of each tag (PNG, GIF or
// JPEG as recorded) until all images together have `max_image_bytes` in base64.
//
// The page needs no network and loads nothing. Its Content-Security-Policy allows only its own
// script; recorded texts are shown as text. A chart has all points, or at least kHtmlColumns
// columns, each with the minimum and the maximum of its points, so that no spike is lost. Numbers
// are float32; a column takes 16 bytes of the page.
inline constexpr std::size_t kHtmlColumns = 1000;
std::unique_ptr<RunWriter> MakeHtmlWriter(std::unique_ptr<WritableFile> file,
                                          std::uint64_t max_image_bytes);

// TensorBoard's event files, in a folder for each run.
//
// Values of TensorBoard's files are copied byte for byte. Scalars are written anew: float32 numbers
// as simple_value, a series with other numbers as tensors of float64. Values of MindSpore's files
// are converted as a recorder writes them, and graphs become GraphDefs. The lineage of a run
// becomes its hyper-parameters, unless it has some already. A loss landscape also becomes an image
// "<tag>/picture" (landscape_picture.h). All ranks but the lowest are in folders "rank_<n>".
std::unique_ptr<RunWriter> MakeTensorBoardWriter(std::string folder,
                                                 FileSystem* file_system = &FileSystem::Local());

}  // namespace sightline
