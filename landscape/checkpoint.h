// Checkpoint: the named tensors of one saved network, in place in their mapped file.
//
// Formats, told apart by their first bytes: MindSpore's .ckpt
// (mindspore/ccsrc/utils/checkpoint.proto), NumPy's .npz as numpy.savez writes it, and safetensors
// (github.com/huggingface/safetensors). Elements are never copied: a tensor is one piece of the
// file, or a few where MindSpore has split it. Memory is taken in proportion to what the file's own
// bytes describe.
//
//   SIGHTLINE_ASSIGN_OR_RETURN(Checkpoint last, Checkpoint::Open(files, "LeNet5_3_epoch.ckpt"));
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

struct CheckpointTensor {
  std::string name;
  DType dtype = DType::kFloat32;
  std::vector<std::int64_t> shape;  // Empty: one element.
  // The elements' bytes, C order, little-endian, at any address; each piece holds whole elements,
  // and all together as many as the shape says.
  std::vector<std::string_view> pieces;

  std::size_t ElementCount() const;
  std::size_t ByteSize() const { return ElementCount() * DTypeSize(dtype); }
};

// A tensor that is there but cannot be used, and why.
struct SkippedTensor {
  std::string name;
  std::string reason;
};

class Checkpoint {
 public:
  // kDataLoss for bytes that are none of the formats, or damaged; errors name the path.
  static Result<Checkpoint> Open(FileSystem& files, const std::string& path);

  // The same of bytes in memory, which `owner` keeps alive; `name` is what errors call them.
  static Result<Checkpoint> Parse(std::string name, std::string_view bytes,
                                  std::shared_ptr<const void> owner);

  // Of tensors whose bytes `owner`, or the caller, keeps alive. kInvalidArgument for a tensor whose
  // pieces do not fit its shape, and for two of a name.
  static Result<Checkpoint> Make(std::string name, std::vector<CheckpointTensor> tensors,
                                 std::shared_ptr<const void> owner = nullptr);

  // In the file's order.
  const std::vector<CheckpointTensor>& tensors() const { return tensors_; }
  const std::vector<SkippedTensor>& skipped() const { return skipped_; }
  // The path, or what it was called.
  const std::string& name() const { return name_; }

 private:
  Checkpoint() = default;

  std::string name_;
  std::vector<CheckpointTensor> tensors_;
  std::vector<SkippedTensor> skipped_;
  std::shared_ptr<const void> owner_;
};

}  // namespace sightline::landscape
