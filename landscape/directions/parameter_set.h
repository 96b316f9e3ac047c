// ParameterSet: the parameters that a landscape moves, as one vector for each of several
// checkpoints of a network.
//
// Immutable, so any thread may read.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "sightline/base/status.h"
#include "sightline/landscape/checkpoints/checkpoint.h"

namespace sightline::landscape {

// Which tensors of a checkpoint move; all others keep the last checkpoint's value.
struct ParameterChoice {
  // A regular expression as of Python's `re` (base/pattern/name_pattern.h) that may match anywhere
  // in a name. By default MindSpore's rule: names with "weight" or "bias" and without "moment".
  std::optional<std::string> pattern = {};
  // Leave out tensors of fewer than two dimensions, as Li et al. do with biases and norms.
  bool ignore_biases_and_norms = false;
};

// The place of a parameter in the vector.
struct ParameterSlot {
  std::string name;
  std::vector<std::int64_t> shape;
  std::size_t begin = 0;
  std::size_t count = 0;
  std::size_t tensor = 0;  // Its index in the last checkpoint's tensors().

  // How many filters (rows of the first dimension) it has; 1 below two dimensions.
  std::size_t filters() const;
};

class ParameterSet {
 public:
  // In the order of the last checkpoint. kInvalidArgument for a bad pattern, and if no parameter is
  // chosen. kResourceExhausted if the pattern is too costly to match with a name. kNotFound or
  // kDataLoss, naming file and parameter, if another checkpoint does not have a parameter, or has
  // it in another shape, or if it is not floating-point.
  static Result<ParameterSet> Make(std::vector<Checkpoint> checkpoints,
                                   const ParameterChoice& choice);

  std::size_t size() const { return size_; }  // Numbers in the vector.
  const std::vector<ParameterSlot>& slots() const { return slots_; }
  std::size_t checkpoint_count() const { return checkpoints_.size(); }
  const Checkpoint& last() const { return checkpoints_.back(); }
  const std::string& name(std::size_t index) const { return checkpoints_[index].name(); }

  // Copies out.size() numbers of checkpoint `index` from `begin` on. REQUIRES: there are so many.
  void Read(std::size_t index, std::size_t begin, std::span<double> out) const;
  void Read(std::size_t index, std::size_t begin, std::span<float> out) const;
  // out = these numbers - base.
  void ReadDifference(std::size_t index, std::size_t begin, std::span<const double> base,
                      std::span<double> out) const;

  // Checkpoint::CheckFile of each checkpoint.
  Status CheckFiles() const;

 private:
  // Numbers that follow each other in a file.
  struct Piece {
    std::size_t begin;
    std::size_t count;
    DType dtype;
    const char* data;
  };

  template <typename Visit>
  void ForPieces(std::size_t index, std::size_t begin, std::size_t count, Visit&& visit) const;

  Status AddPieces(std::size_t index);

  std::vector<Checkpoint> checkpoints_;
  std::vector<ParameterSlot> slots_;
  std::vector<std::vector<Piece>> pieces_;  // Of each checkpoint, by begin.
  std::size_t size_ = 0;
};

}  // namespace sightline::landscape
