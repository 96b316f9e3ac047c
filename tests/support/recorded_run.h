// RecordedRun: what the event files of a directory hold, read with the records' own schemas, so
// that tests can say what they expect in one line a value.
//
//   const RecordedRun run = ReadRun(dir.path());
//   EXPECT_THAT(run.summary, ElementsAre("1 loss=0.5", "2 loss=0.25"));
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "sightline/recorder/framing/record_reader.h"

namespace sightline::testing {

// One value of one event. `text` is what identifies it: the number of a scalar, the first element
// of a tensor, the count of a histogram, the size of a picture, the length of a sound, a graph's
// name, network and loss of a lineage, the status of a training's end.
struct RecordedValue {
  std::int64_t step = 0;
  std::string tag;
  // scalar, histogram, tensor, image, landscape, graph, lineage, text, audio, session log,
  // training end
  std::string kind;
  std::string text;

  // "<step> <tag>:<kind>=<text>"; scalars without the kind.
  std::string ToString() const;
};

struct RecordedFile {
  std::string name;
  std::uint64_t bytes = 0;
  std::uint64_t records = 0;
  std::vector<SkippedRegion> skipped;
  std::vector<std::vector<RecordedValue>> events;  // Without the version record.
  std::string session;                             // Serialized SessionInfo, where there is one.
};

struct RecordedRun {
  std::vector<RecordedFile> mindspore;  // In reading order.
  std::vector<RecordedFile> lineage;
  std::vector<RecordedFile> tensorboard;
  std::vector<std::string> npy;    // Names below export_*/tensor.
  std::vector<std::string> other;  // Anything else in the directory: journals, temporary files.

  // The values of all files of a dialect, as text.
  static std::vector<std::string> Values(const std::vector<RecordedFile>& files);
  // Whether every file was read without damage.
  bool sound() const;
};

RecordedRun ReadRun(const std::string& directory);

}  // namespace sightline::testing
