// Failures of the C interface: their codes, and the words that sightline_error returns. Every
// function of sightline.h that can fail ends here, so that no exception leaves one.
//
//   return Guarded(handle, [&] {
//     if (text == nullptr) return FailNull(handle, "text");
//     return Done(handle, Work());
//   });
//
// The words are in memory of the thread, which exists before anything fails: no function here
// allocates or throws. Any thread may call them.
#pragma once

#include <exception>
#include <new>
#include <string_view>

#include "sightline/base/status.h"
#include "sightline/sdk/sightline.h"

namespace sightline::sdk {

// Remembers the words, cut after 1,023 bytes, and returns the code. `handle`: null if there is
// none.
sightline_code Fail(const void* handle, sightline_code code, std::string_view words) noexcept;

// "<name> is a null pointer".
sightline_code FailNull(const void* handle, const char* name) noexcept;

// Remembers the words of an error; SIGHTLINE_OK for an OK status.
sightline_code Done(const void* handle, const Status& status) noexcept;

// Forgets this thread's words for a handle that is released, since the next one may be there.
void Forget(const void* handle) noexcept;

template <typename Call>
sightline_code Guarded(const void* handle, const Call& call) noexcept {
  try {
    return call();
  } catch (const std::bad_alloc&) {
    return Fail(handle, SIGHTLINE_NO_MEMORY, "there is no memory left");
  } catch (const std::exception& exception) {
    return Fail(handle, SIGHTLINE_INTERNAL, exception.what());
  } catch (...) {
    return Fail(handle, SIGHTLINE_INTERNAL, "an unknown exception");
  }
}

}  // namespace sightline::sdk
