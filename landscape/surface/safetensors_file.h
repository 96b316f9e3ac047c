// A safetensors file in memory that other processes open by a path, and whose moving tensors are
// rewritten for each point. One thread.
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <vector>

#include "sightline/base/status.h"
#include "sightline/landscape/directions/parameter_set.h"

namespace sightline::landscape {

class SafetensorsFile {
 public:
  SafetensorsFile() = default;
  ~SafetensorsFile();
  SafetensorsFile(const SafetensorsFile&) = delete;
  SafetensorsFile& operator=(const SafetensorsFile&) = delete;

  // Makes the file from all tensors of the set's last checkpoint; those of the set are float32.
  // Call it once.
  Status Create(const ParameterSet& set);
  // The values of the set's tensors in the file, in the order of ParameterSet. What you write here,
  // other processes read. Empty until Create succeeded.
  std::span<float> values() const { return values_; }

  // Processes of the same user can read it while this object exists.
  const std::string& path() const { return path_; }

 private:
  Status Map(std::size_t size);

  int fd_ = -1;
  std::string path_;
  std::span<char> mapping_;
  std::span<float> values_;  // Within the mapping.
};

}  // namespace sightline::landscape
