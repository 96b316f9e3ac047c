#include "sightline/landscape/safetensors_file.h"

#include <fmt/format.h>
#include <sys/mman.h>
#include <unistd.h>

#include <cerrno>
#include <map>
#include <nlohmann/json.hpp>
#include <string_view>

#include "sightline/base/wire.h"

namespace sightline::landscape {
namespace {

std::string_view TypeName(DType dtype) {
  switch (dtype) {
    case DType::kBool:
      return "BOOL";
    case DType::kInt8:
      return "I8";
    case DType::kInt16:
      return "I16";
    case DType::kInt32:
      return "I32";
    case DType::kInt64:
      return "I64";
    case DType::kUint8:
      return "U8";
    case DType::kUint16:
      return "U16";
    case DType::kUint32:
      return "U32";
    case DType::kUint64:
      return "U64";
    case DType::kFloat16:
      return "F16";
    case DType::kFloat32:
      return "F32";
    case DType::kFloat64:
      return "F64";
    case DType::kBfloat16:
      return "BF16";
    case DType::kComplex64:
    case DType::kComplex128:
      break;  // The format has none, nor have the checkpoints that are read.
  }
  return "";
}

Status WriteAll(int fd, std::string_view bytes, std::size_t offset) {
  while (!bytes.empty()) {
    const ssize_t written = pwrite(fd, bytes.data(), bytes.size(), static_cast<off_t>(offset));
    if (written < 0 && errno == EINTR) continue;
    if (written <= 0) return ErrnoStatus("cannot write the parameters of a point", errno);
    bytes.remove_prefix(static_cast<std::size_t>(written));
    offset += static_cast<std::size_t>(written);
  }
  return {};
}

}  // namespace

SafetensorsFile::~SafetensorsFile() {
  if (fd_ >= 0) close(fd_);
}

Status SafetensorsFile::Create(const ParameterSet& set) {
  fd_ = memfd_create("sightline-point", MFD_CLOEXEC);
  if (fd_ < 0) return ErrnoStatus("cannot make a file of parameters in memory", errno);
  path_ = fmt::format("/proc/{}/fd/{}", getpid(), fd_);
  const std::vector<CheckpointTensor>& tensors = set.last().tensors();
  std::map<std::size_t, std::size_t> slot_of;
  for (std::size_t i = 0; i < set.slots().size(); ++i) slot_of[set.slots()[i].tensor] = i;
  nlohmann::ordered_json header = nlohmann::ordered_json::object();
  std::vector<std::size_t> begins;
  std::size_t end = 0;
  for (std::size_t i = 0; i < tensors.size(); ++i) {
    const DType dtype = slot_of.contains(i) ? DType::kFloat32 : tensors[i].dtype;
    const std::size_t size = tensors[i].ElementCount() * DTypeSize(dtype);
    header[tensors[i].name] = {{"dtype", TypeName(dtype)},
                               {"shape", tensors[i].shape},
                               {"data_offsets", {end, end + size}}};
    begins.push_back(end);
    end += size;
  }
  std::string text = header.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
  text.append((8 - text.size() % 8) % 8, ' ');  // Elements begin at a multiple of eight.
  std::string front;
  wire::AppendFixed(front, static_cast<std::uint64_t>(text.size()));
  front += text;
  SIGHTLINE_RETURN_IF_ERROR(WriteAll(fd_, front, 0));
  if (ftruncate(fd_, static_cast<off_t>(front.size() + end)) != 0)
    return ErrnoStatus("cannot make a file of parameters in memory", errno);
  offsets_.resize(set.slots().size());
  for (std::size_t i = 0; i < tensors.size(); ++i) {
    std::size_t at = front.size() + begins[i];
    if (const auto slot = slot_of.find(i); slot != slot_of.end()) {
      offsets_[slot->second] = at;
      continue;
    }
    for (const std::string_view piece : tensors[i].pieces) {
      SIGHTLINE_RETURN_IF_ERROR(WriteAll(fd_, piece, at));
      at += piece.size();
    }
  }
  return {};
}

Status SafetensorsFile::Write(const ParameterSet& set, std::span<const float> values) {
  for (std::size_t i = 0; i < set.slots().size(); ++i) {
    const auto part = values.subspan(set.slots()[i].begin, set.slots()[i].count);
    SIGHTLINE_RETURN_IF_ERROR(WriteAll(
        fd_, {reinterpret_cast<const char*>(part.data()), part.size_bytes()}, offsets_[i]));
  }
  return {};
}

}  // namespace sightline::landscape
