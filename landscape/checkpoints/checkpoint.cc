#include "sightline/landscape/checkpoints/checkpoint.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "sightline/landscape/checkpoints/checkpoint_formats.h"
#include "sightline/landscape/checkpoints/mapped_file.h"

namespace sightline::landscape {
namespace {

Status CheckTensor(const CheckpointTensor& tensor) {
  // Any data will do here; the pieces are counted below.
  const TensorView view{tensor.dtype, tensor.shape, tensor.name.data()};
  SIGHTLINE_RETURN_IF_ERROR(view.Check().WithContext("tensor '" + tensor.name + "'"));
  std::size_t bytes = 0;
  for (const std::string_view piece : tensor.pieces) {
    if (piece.size() % DTypeSize(tensor.dtype) != 0) {
      return Status(StatusCode::kDataLoss,
                    fmt::format("tensor '{}': a piece of {} bytes is not a whole number of {}",
                                tensor.name, piece.size(), DTypeName(tensor.dtype)));
    }
    bytes += piece.size();
  }
  if (bytes == view.ByteSize()) return {};
  return Status(
      StatusCode::kDataLoss,
      fmt::format("tensor '{}' of shape [{}], {}, needs {} bytes and has {}", tensor.name,
                  fmt::join(tensor.shape, ", "), DTypeName(tensor.dtype), view.ByteSize(), bytes));
}

Status CheckNames(const std::vector<CheckpointTensor>& tensors) {
  std::vector<std::string_view> names;
  names.reserve(tensors.size());
  for (const CheckpointTensor& tensor : tensors) names.push_back(tensor.name);
  std::sort(names.begin(), names.end());
  const auto twice = std::adjacent_find(names.begin(), names.end());
  if (twice == names.end()) return {};
  return Status(StatusCode::kDataLoss, fmt::format("tensor '{}' occurs twice", *twice));
}

// Two tensors may not share bytes: otherwise a small file could have any number of parameters.
Status CheckTotal(const std::vector<CheckpointTensor>& tensors, std::size_t available) {
  for (const CheckpointTensor& tensor : tensors) {
    for (const std::string_view piece : tensor.pieces) {
      if (piece.size() > available) {
        return Status(StatusCode::kDataLoss,
                      "the tensors overlap: they have more bytes than the file");
      }
      available -= piece.size();
    }
  }
  return {};
}

Result<ParsedTensors> ParseTensors(std::string_view bytes) {
  if (LooksLikeNpz(bytes)) return ParseNpz(bytes);
  if (LooksLikeSafetensors(bytes)) return ParseSafetensors(bytes);
  return ParseMindSporeCheckpoint(bytes);
}

}  // namespace

std::size_t CheckpointTensor::ElementCount() const {
  return TensorView{dtype, shape, nullptr}.ElementCount();
}

Result<Checkpoint> Checkpoint::Open(const std::string& path, FileSystem* file_system) {
  SIGHTLINE_ASSIGN_OR_RETURN(const auto file, MappedFile::Open(*file_system, path));
  auto checkpoint = Parse(path, file->bytes(), file);
  if (!checkpoint) return checkpoint;
  checkpoint->file_ = file;
  SIGHTLINE_RETURN_IF_ERROR(checkpoint->CheckFile());
  return checkpoint;
}

Status Checkpoint::CheckFile() const {
  if (file_ == nullptr || !file_->Shrank()) return {};
  return Status(StatusCode::kDataLoss, name_ + ": the file became shorter while it was read");
}

Result<Checkpoint> Checkpoint::Parse(std::string name, std::string_view bytes,
                                     std::shared_ptr<const void> owner) {
  if (bytes.empty()) return Error(StatusCode::kDataLoss, name + ": the checkpoint is empty");
  auto parsed = ParseTensors(bytes);
  if (!parsed) return Error(parsed.error().WithContext(name));
  SIGHTLINE_RETURN_IF_ERROR(CheckTotal(parsed->tensors, bytes.size()).WithContext(name));
  auto made = Make(std::move(name), std::move(parsed->tensors), std::move(owner));
  if (made) made->skipped_ = std::move(parsed->skipped);
  return made;
}

Result<Checkpoint> Checkpoint::Make(std::string name, std::vector<CheckpointTensor> tensors,
                                    std::shared_ptr<const void> owner) {
  for (const CheckpointTensor& tensor : tensors)
    SIGHTLINE_RETURN_IF_ERROR(CheckTensor(tensor).WithContext(name));
  SIGHTLINE_RETURN_IF_ERROR(CheckNames(tensors).WithContext(name));
  Checkpoint checkpoint;
  checkpoint.name_ = std::move(name);
  checkpoint.tensors_ = std::move(tensors);
  checkpoint.owner_ = std::move(owner);
  return checkpoint;
}

}  // namespace sightline::landscape
