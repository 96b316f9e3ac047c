// PartEvidence: what the event files of one directory show of its place in a training: the rank
// that recorded them, when, and whether they hold one of several curves of another directory.
//
// Plain data and pure functions, callable from any thread.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "sightline/runs/model/run.h"

namespace sightline {

// The process that wrote an event file, as the file's name says.
struct FileWriter {
  std::string host;  // Empty if it is unknown.
  std::string pid;   // The same. torch and TensorFlow name it, tensorboardX does not.
  bool operator==(const FileWriter&) const = default;
};

struct PartEvidence {
  // From the sessions if they are of more than one rank, else from the directory's name: "rank_3",
  // "rank3" or "rank-3".
  std::optional<std::int32_t> rank;
  std::optional<std::int32_t> world_size;  // From the sessions, if it is more than 1.
  struct Interval {
    double first = 0;  // Seconds since the Unix epoch.
    double last = 0;
  };
  std::vector<Interval> recorded;  // Of each file with more than its first event.
  // Set if all values of the directory are scalars of one tag, of one rank.
  std::optional<std::string> only_tag;
  std::vector<FileWriter> writers;  // Of each file.
};

// `name` is the directory's path below its root.
PartEvidence EvidenceOf(std::string_view name, const Run& run);

// The number of "rank_3", "rank3" or "rank-3", which must be the whole name.
std::optional<std::int32_t> RankOfFolder(std::string_view name);

// The key of a curve that add_scalars(tag, {key: value}) wrote into the directory `below` of its
// run's directory; nothing if no writer would have named it so. tensorboardX names it
// "<main tag>/<key>", and torch "<main tag with '_' for '/'>_<key>"; in the tag inside, characters
// other than letters, digits, "-", "_", "." and "/" became "_". A key may contain "/".
struct CurveName {
  std::string key;
  bool by_torch = false;
};
std::optional<CurveName> CurveNameOf(std::string_view below, std::string_view tag);

}  // namespace sightline
