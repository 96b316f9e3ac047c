#include "sightline/landscape/directions/parameter_set.h"

#include <fmt/format.h>

#include <algorithm>
#include <unordered_map>
#include <utility>

#include "sightline/base/pattern/name_pattern.h"
#include "sightline/landscape/directions/vector_kernels.h"
#include "sightline/recorder/tensor/tensor_data.h"

namespace sightline::landscape {
namespace {

bool IsFloating(DType dtype) {
  return dtype == DType::kFloat16 || dtype == DType::kBfloat16 || dtype == DType::kFloat32 ||
         dtype == DType::kFloat64;
}

class Chooser {
 public:
  static Result<Chooser> Make(const ParameterChoice& choice) {
    Chooser chooser;
    if (!choice.pattern) return chooser;
    SIGHTLINE_ASSIGN_OR_RETURN(chooser.pattern_, NamePattern::Make("parameters", *choice.pattern));
    return chooser;
  }

  Result<bool> Chooses(std::string_view name) const {
    if (pattern_) return pattern_->MatchesAnywhere(name);
    return (name.find("weight") != std::string_view::npos ||
            name.find("bias") != std::string_view::npos) &&
           name.find("moment") == std::string_view::npos;
  }

 private:
  std::optional<NamePattern> pattern_;
};

Result<std::vector<ParameterSlot>> ChooseSlots(const Checkpoint& last,
                                               const ParameterChoice& choice) {
  SIGHTLINE_ASSIGN_OR_RETURN(const Chooser chooser, Chooser::Make(choice));
  for (const SkippedTensor& skipped : last.skipped()) {
    SIGHTLINE_ASSIGN_OR_RETURN(const bool chosen, chooser.Chooses(skipped.name));
    if (!chosen) continue;
    return Error(StatusCode::kUnimplemented,
                 fmt::format("{}: parameter '{}' cannot be read: {}", last.name(), skipped.name,
                             skipped.reason));
  }
  std::vector<ParameterSlot> slots;
  std::size_t begin = 0;
  for (std::size_t i = 0; i < last.tensors().size(); ++i) {
    const CheckpointTensor& tensor = last.tensors()[i];
    if (!IsFloating(tensor.dtype)) continue;
    SIGHTLINE_ASSIGN_OR_RETURN(const bool chosen, chooser.Chooses(tensor.name));
    if (!chosen) continue;
    if (choice.ignore_biases_and_norms && tensor.shape.size() < 2) continue;
    const std::size_t count = tensor.ElementCount();
    if (count == 0) continue;
    slots.push_back({tensor.name, tensor.shape, begin, count, i});
    begin += count;
  }
  if (slots.empty()) {
    return Error(
        StatusCode::kInvalidArgument,
        fmt::format("{}: none of its {} tensors is a parameter of the landscape ({})", last.name(),
                    last.tensors().size(),
                    !choice.pattern ? "floating-point, named with 'weight' or 'bias', not 'moment'"
                                    : "floating-point, matching '" + *choice.pattern + "'"));
  }
  return slots;
}

}  // namespace

std::size_t ParameterSlot::filters() const {
  return shape.size() < 2 ? 1 : static_cast<std::size_t>(shape.front());
}

Result<ParameterSet> ParameterSet::Make(std::vector<Checkpoint> checkpoints,
                                        const ParameterChoice& choice) {
  if (checkpoints.empty())
    return Error(StatusCode::kInvalidArgument, "a landscape needs a checkpoint");
  ParameterSet set;
  SIGHTLINE_ASSIGN_OR_RETURN(set.slots_, ChooseSlots(checkpoints.back(), choice));
  set.size_ = set.slots_.back().begin + set.slots_.back().count;
  set.checkpoints_ = std::move(checkpoints);
  set.pieces_.resize(set.checkpoints_.size());
  for (std::size_t i = 0; i < set.checkpoints_.size(); ++i)
    SIGHTLINE_RETURN_IF_ERROR(set.AddPieces(i));
  return set;
}

Status ParameterSet::CheckFiles() const {
  for (const Checkpoint& checkpoint : checkpoints_)
    SIGHTLINE_RETURN_IF_ERROR(checkpoint.CheckFile());
  return {};
}

Status ParameterSet::AddPieces(std::size_t index) {
  const Checkpoint& checkpoint = checkpoints_[index];
  std::unordered_map<std::string_view, const CheckpointTensor*> by_name;
  for (const CheckpointTensor& tensor : checkpoint.tensors()) by_name[tensor.name] = &tensor;
  for (const ParameterSlot& slot : slots_) {
    const auto found = by_name.find(slot.name);
    if (found == by_name.end()) {
      return Status(StatusCode::kNotFound,
                    fmt::format("{} has no parameter '{}', which {} has", checkpoint.name(),
                                slot.name, last().name()));
    }
    const CheckpointTensor& tensor = *found->second;
    if (tensor.shape != slot.shape || !IsFloating(tensor.dtype)) {
      return Status(
          StatusCode::kDataLoss,
          fmt::format("{}: parameter '{}' is {} of shape [{}], but of shape [{}] in {}",
                      checkpoint.name(), slot.name, DTypeName(tensor.dtype),
                      fmt::join(tensor.shape, ", "), fmt::join(slot.shape, ", "), last().name()));
    }
    std::size_t begin = slot.begin;
    for (const std::string_view piece : tensor.pieces) {
      const std::size_t count = piece.size() / DTypeSize(tensor.dtype);
      if (count == 0) continue;
      pieces_[index].push_back({begin, count, tensor.dtype, piece.data()});
      begin += count;
    }
  }
  return {};
}

template <typename Visit>
void ParameterSet::ForPieces(std::size_t index, std::size_t begin, std::size_t count,
                             Visit&& visit) const {
  const std::vector<Piece>& pieces = pieces_[index];
  auto piece = std::upper_bound(pieces.begin(), pieces.end(), begin,
                                [](std::size_t at, const Piece& p) { return at < p.begin; }) -
               1;
  for (std::size_t done = 0; done < count; ++piece) {
    const std::size_t skip = begin + done - piece->begin;
    const std::size_t n = std::min(piece->count - skip, count - done);
    visit(piece->dtype, piece->data + skip * DTypeSize(piece->dtype), done, n);
    done += n;
  }
}

void ParameterSet::Read(std::size_t index, std::size_t begin, std::span<double> out) const {
  ForPieces(index, begin, out.size(),
            [out](DType dtype, const char* data, std::size_t at, std::size_t n) {
              if (dtype == DType::kFloat32) {
                WidenFloats(data, out.data() + at, n);
              } else {
                ConvertToFloat64(dtype, data, n, out.data() + at);
              }
            });
}

void ParameterSet::Read(std::size_t index, std::size_t begin, std::span<float> out) const {
  ForPieces(index, begin, out.size(),
            [out](DType dtype, const char* data, std::size_t at, std::size_t n) {
              ConvertToFloat32(dtype, data, n, out.data() + at);
            });
}

void ParameterSet::ReadDifference(std::size_t index, std::size_t begin,
                                  std::span<const double> base, std::span<double> out) const {
  ForPieces(index, begin, out.size(),
            [base, out](DType dtype, const char* data, std::size_t at, std::size_t n) {
              if (dtype == DType::kFloat32) {
                SubtractFromFloats(data, base.data() + at, out.data() + at, n);
              } else {
                ConvertToFloat64(dtype, data, n, out.data() + at);
                for (std::size_t i = at; i < at + n; ++i) out[i] -= base[i];
              }
            });
}

}  // namespace sightline::landscape
