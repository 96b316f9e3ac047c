#include "sightline/landscape/surface/safetensors_file.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <nlohmann/json.hpp>
#include <set>
#include <string_view>
#include <utility>

#include "sightline/base/json/json_line.h"
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
      break;  // Neither the format nor the checkpoints have such a type.
  }
  return "";
}

}  // namespace

SafetensorsFile::~SafetensorsFile() {
  if (!mapping_.empty()) munmap(mapping_.data(), mapping_.size());
  if (fd_ >= 0) close(fd_);
}

Status SafetensorsFile::Create(const ParameterSet& set) {
  fd_ = memfd_create("sightline-point", MFD_CLOEXEC);
  if (fd_ < 0) return ErrnoStatus("cannot make a file of parameters in memory", errno);
  path_ = fmt::format("/proc/{}/fd/{}", getpid(), fd_);
  // The set's tensors come first, side by side, so that a point can be formed in the file.
  const std::vector<CheckpointTensor>& tensors = set.last().tensors();
  nlohmann::ordered_json header = nlohmann::ordered_json::object();
  std::size_t end = 0;
  const auto describe = [&](const CheckpointTensor& tensor, DType dtype) {
    const std::size_t begin = std::exchange(end, end + tensor.ElementCount() * DTypeSize(dtype));
    header[tensor.name] = {
        {"dtype", TypeName(dtype)}, {"shape", tensor.shape}, {"data_offsets", {begin, end}}};
  };
  std::set<std::size_t> moving;
  for (const auto& slot : set.slots()) {
    moving.insert(slot.tensor);
    describe(tensors[slot.tensor], DType::kFloat32);
  }
  for (std::size_t i = 0; i < tensors.size(); ++i)
    if (!moving.contains(i)) describe(tensors[i], tensors[i].dtype);
  std::string text = JsonLine(header);
  text.append((8 - text.size() % 8) % 8, ' ');  // Elements begin at a multiple of eight.
  std::string front;
  wire::AppendFixed(front, static_cast<std::uint64_t>(text.size()));
  front += text;
  SIGHTLINE_RETURN_IF_ERROR(Map(front.size() + end));
  values_ = {reinterpret_cast<float*>(mapping_.data() + front.size()), set.size()};
  char* at = std::copy(front.begin(), front.end(), mapping_.data()) + values_.size_bytes();
  for (std::size_t i = 0; i < tensors.size(); ++i) {
    if (moving.contains(i)) continue;
    for (const std::string_view piece : tensors[i].pieces)
      at = std::copy(piece.begin(), piece.end(), at);
  }
  return {};
}

// Allocates the whole file: without room for it, a write to the mapping would end the process.
Status SafetensorsFile::Map(std::size_t size) {
  if (const int error = posix_fallocate(fd_, 0, static_cast<off_t>(size)); error != 0)
    return ErrnoStatus("no memory for the parameters of a point", error);
  void* const mapping = mmap(nullptr, size, PROT_READ | PROT_WRITE, MAP_SHARED, fd_, 0);
  if (mapping == MAP_FAILED) return ErrnoStatus("cannot map the parameters of a point", errno);
  mapping_ = {static_cast<char*>(mapping), size};
  return {};
}

}  // namespace sightline::landscape
