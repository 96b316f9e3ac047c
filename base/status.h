// Status and Result<T>: how the library reports errors; it throws none.
//
// An OK Status allocates nothing. An error has a code (what the caller should do) and a message
// that names the thing, the value and the remedy. A Status is immutable, so any thread may read it.
//
//   Status Save(FileSystem& fs) {
//     SIGHTLINE_ASSIGN_OR_RETURN(auto file, fs.OpenForWrite(path, OpenMode::kCreateNew));
//     SIGHTLINE_RETURN_IF_ERROR(file->WriteAt(0, bytes));
//     return file->Close();
//   }
#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <tl/expected.hpp>
#include <utility>

namespace sightline {

enum class StatusCode {
  kOk,
  kInvalidArgument,     // The caller's argument is wrong; calling again will not help.
  kNotFound,            // The named thing does not exist.
  kAlreadyExists,       // The named thing exists and must not.
  kPermissionDenied,    // The operating system refuses access.
  kFailedPrecondition,  // The object is in the wrong state (closed, forked child).
  kResourceExhausted,   // Disk, memory or buffer is full; may pass.
  kDataLoss,            // The input is damaged; what could be read was read.
  kUnavailable,         // Not now: the end is missing, or somebody holds the lock. Try later.
  kUnimplemented,       // Not supported here.
  kIoError,             // Any other failure of the operating system.
};

// The code's name as it appears in messages, e.g. "invalid argument".
std::string_view StatusCodeName(StatusCode code);

class [[nodiscard]] Status {
 public:
  Status() = default;  // OK.
  Status(StatusCode code, std::string message)
      : rep_(std::make_shared<const Rep>(Rep{code, std::move(message)})) {}

  bool ok() const { return rep_ == nullptr; }
  StatusCode code() const { return ok() ? StatusCode::kOk : rep_->code; }
  std::string_view message() const {
    return ok() ? std::string_view{} : std::string_view{rep_->message};
  }

  // "OK", or "<code name>: <message>".
  std::string ToString() const;

  // The same code with `context + ": "` in front of the message; OK stays OK.
  Status WithContext(std::string_view context) const;

 private:
  struct Rep {
    StatusCode code;
    std::string message;
  };
  std::shared_ptr<const Rep> rep_;
};

template <typename T>
using Result = tl::expected<T, Status>;

// An error as a function returns it, whether it returns Status or Result<T>:
//
//   if (!found) return Error(StatusCode::kNotFound, path + " does not exist");
class [[nodiscard]] Error : public tl::unexpected<Status> {
 public:
  Error(StatusCode code, std::string message) : Error(Status(code, std::move(message))) {}
  // REQUIRES: `status` is not OK.
  explicit Error(Status status) : unexpected(std::move(status)) {}

  operator Status() const& { return value(); }               // NOLINT(google-explicit-constructor)
  operator Status() && { return std::move(*this).value(); }  // NOLINT(google-explicit-constructor)
};

// The Status of a failed system call: a code for `error_number`, and the message `what` with its
// text ("No space left on device").
Status ErrnoStatus(std::string_view what, int error_number);

}  // namespace sightline

// Both are for functions that return Status or Result<T>. A lambda needs its return type.
//
// Returns the error of `expression`, a Status, if it is not OK.
#define SIGHTLINE_RETURN_IF_ERROR(expression)                                          \
  do {                                                                                 \
    if (::sightline::Status sightline_status_ = (expression); !sightline_status_.ok()) \
      return ::sightline::Error(std::move(sightline_status_));                         \
  } while (false)

// SIGHTLINE_ASSIGN_OR_RETURN(auto x, F()): x is the value of F(), a Result; its error is returned.
#define SIGHTLINE_ASSIGN_OR_RETURN(declaration, expression)                                     \
  SIGHTLINE_ASSIGN_OR_RETURN_IMPL_(SIGHTLINE_CONCAT_(sightline_result_, __LINE__), declaration, \
                                   expression)
#define SIGHTLINE_ASSIGN_OR_RETURN_IMPL_(result, declaration, expression) \
  auto result = (expression);                                             \
  if (!result) return ::sightline::Error(std::move(result).error());      \
  declaration = *std::move(result)

#define SIGHTLINE_CONCAT_INNER_(a, b) a##b
#define SIGHTLINE_CONCAT_(a, b) SIGHTLINE_CONCAT_INNER_(a, b)
