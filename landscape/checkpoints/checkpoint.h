// Checkpoint: the named tensors of one saved network, read in place from the mapped file.
//
// The formats, told apart by their first bytes, are MindSpore's .ckpt
// (mindspore/ccsrc/utils/checkpoint.proto), NumPy's .npz as numpy.savez writes it, and safetensors
// (github.com/huggingface/safetensors). Elements are not copied: a tensor is one piece of the file,
// or several if MindSpore split it. Memory use is in proportion to the size of the file.
//
//   SIGHTLINE_ASSIGN_OR_RETURN(Checkpoint last, Checkpoint::Open("LeNet5_3_epoch.ckpt"));
//   for (const CheckpointTensor& tensor : last.tensors()) ...
//
// Immutable, so any thread may read.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "sightline/base/file_system.h"
#include "sightline/base/status.h"
#include "sightline/recorder/tensor/tensor_view.h"

namespace sightline::landscape {

class MappedFile;

struct CheckpointTensor {
  std::string name;
  DType dtype = DType::kFloat32;
  std::vector<std::int64_t> shape;  // Empty: one element.
  // The elements in C order, little-endian, at any address. Each piece holds whole elements; all
  // pieces together hold as many as the shape needs.
  std::vector<std::string_view> pieces;

  std::size_t ElementCount() const;
  std::size_t ByteSize() const { return ElementCount() * DTypeSize(dtype); }
};

// A tensor of the file that cannot be used, and why.
struct SkippedTensor {
  std::string name;
  std::string reason;
};

class Checkpoint {
 public:
  // kDataLoss if the file has none of the formats, or is damaged. Errors name the path.
  static Result<Checkpoint> Open(const std::string& path,
                                 FileSystem* file_system = &FileSystem::Local());

  // The same for bytes in memory, which `owner` keeps alive. Errors call them `name`.
  static Result<Checkpoint> Parse(std::string name, std::string_view bytes,
                                  std::shared_ptr<const void> owner);

  // From tensors whose bytes `owner`, or the caller, keeps alive. kInvalidArgument for a tensor
  // whose pieces do not fit its shape, and for two tensors of one name.
  static Result<Checkpoint> Make(std::string name, std::vector<CheckpointTensor> tensors,
                                 std::shared_ptr<const void> owner = nullptr);

  // In the file's order.
  const std::vector<CheckpointTensor>& tensors() const { return tensors_; }
  const std::vector<SkippedTensor>& skipped() const { return skipped_; }
  // The path, or the name that was given.
  const std::string& name() const { return name_; }

  // kDataLoss if the file became shorter and bytes were read that it does not have any more, which
  // are zeros. Call it after the elements were used.
  Status CheckFile() const;

 private:
  Checkpoint() = default;

  std::string name_;
  std::vector<CheckpointTensor> tensors_;
  std::vector<SkippedTensor> skipped_;
  std::shared_ptr<const void> owner_;
  std::shared_ptr<const MappedFile> file_;  // Null without a file.
};

}  // namespace sightline::landscape
