// A safetensors file in memory that other processes open by a path, and whose moving tensors are
// rewritten for each point. One thread.
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <vector>

#include "sightline/base/status.h"
#include "sightline/landscape/parameter_set.h"

namespace sightline::landscape {

class SafetensorsFile {
 public:
  SafetensorsFile() = default;
  ~SafetensorsFile();
  SafetensorsFile(const SafetensorsFile&) = delete;
  SafetensorsFile& operator=(const SafetensorsFile&) = delete;

  // Makes the file, of all tensors of the set's last checkpoint; the set's own as float32.
  Status Create(const ParameterSet& set);
  // Replaces the values of the set's tensors. REQUIRES: Create was OK, values.size() == set.size().
  Status Write(const ParameterSet& set, std::span<const float> values);

  // Readable while this object lives, by processes of the same user.
  const std::string& path() const { return path_; }

 private:
  int fd_ = -1;
  std::string path_;
  std::vector<std::size_t> offsets_;  // Of each slot's elements in the file.
};

}  // namespace sightline::landscape
