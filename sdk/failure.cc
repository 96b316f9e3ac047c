#include "sightline/sdk/failure.h"

#include <algorithm>
#include <array>

#include "sightline/base/version.h"

namespace sightline::sdk {
namespace {

struct LastFailure {
  const void* handle = nullptr;
  std::array<char, 1024> words = {};  // Ends with a zero byte.
};
constinit thread_local LastFailure last_failure;

sightline_code CodeOf(StatusCode code) {
  switch (code) {
    case StatusCode::kOk:
      return SIGHTLINE_OK;
    case StatusCode::kInvalidArgument:
      return SIGHTLINE_INVALID_ARGUMENT;
    case StatusCode::kNotFound:
      return SIGHTLINE_NOT_FOUND;
    case StatusCode::kAlreadyExists:
      return SIGHTLINE_ALREADY_EXISTS;
    case StatusCode::kPermissionDenied:
      return SIGHTLINE_PERMISSION_DENIED;
    case StatusCode::kFailedPrecondition:
      return SIGHTLINE_FAILED_PRECONDITION;
    case StatusCode::kResourceExhausted:
      return SIGHTLINE_RESOURCE_EXHAUSTED;
    case StatusCode::kDataLoss:
      return SIGHTLINE_DATA_LOSS;
    case StatusCode::kUnavailable:
      return SIGHTLINE_UNAVAILABLE;
    case StatusCode::kUnimplemented:
      return SIGHTLINE_UNIMPLEMENTED;
    case StatusCode::kIoError:
      return SIGHTLINE_IO_ERROR;
  }
  return SIGHTLINE_INTERNAL;
}

}  // namespace

sightline_code Fail(const void* handle, sightline_code code, std::string_view words) noexcept {
  last_failure.handle = handle;
  const std::size_t size = std::min(words.size(), last_failure.words.size() - 1);
  *std::copy_n(words.begin(), size, last_failure.words.begin()) = '\0';
  return code;
}

sightline_code FailNull(const void* handle, const char* name) noexcept {
  std::array<char, 64> words{};
  char* end = words.data();
  for (const std::string_view part :
       {std::string_view(name), std::string_view(" is a null pointer")})
    end = std::copy_n(part.begin(), part.size(), end);
  return Fail(handle, SIGHTLINE_INVALID_ARGUMENT,
              {words.data(), static_cast<std::size_t>(end - words.data())});
}

sightline_code Done(const void* handle, const Status& status) noexcept {
  return status.ok() ? SIGHTLINE_OK : Fail(handle, CodeOf(status.code()), status.message());
}

void Forget(const void* handle) noexcept {
  if (handle != nullptr && last_failure.handle == handle) last_failure = {};
}

}  // namespace sightline::sdk

const char* sightline_error(const void* handle) {
  const auto& last = sightline::sdk::last_failure;
  return handle == nullptr || handle == last.handle ? last.words.data() : "";
}

const char* sightline_version(void) {
  return sightline::Version().data();  // A literal, which ends with a zero byte.
}

const char* sightline_code_name(int code) {
  constexpr std::array<const char*, SIGHTLINE_INTERNAL + 1> kNames = {
      "ok",
      "invalid argument",
      "not found",
      "already exists",
      "permission denied",
      "failed precondition",
      "resource exhausted",
      "data loss",
      "unavailable",
      "not supported",
      "input/output error",
      "closed",
      "no memory",
      "internal",
  };
  return code >= 0 && static_cast<std::size_t>(code) < kNames.size()
             ? kNames[static_cast<std::size_t>(code)]
             : "unknown code";
}
