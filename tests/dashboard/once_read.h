// Asks again until an import has ended, as a client does.
#pragma once

#include <thread>

#include "sightline/base/status.h"
#include "sightline/dashboard/http/http_message.h"
#include "sightline/dashboard/store/background_imports.h"

namespace sightline::dashboard::testing {

// `ask`: Result<Opened<T>> ask(). REQUIRES: the result is a value.
template <typename Ask>
auto OnceRead(const Ask& ask) {
  auto opened = ask();
  for (; opened && opened->value == nullptr; opened = ask()) std::this_thread::yield();
  using Value = decltype(opened->value);
  return opened ? Result<Value>(std::move(opened->value)) : Error(opened.error());
}

// The same for responses: `ask` is asked until the status is not 202.
template <typename Ask>
auto OnceAccepted(const Ask& ask) {
  auto reply = ask();
  for (; reply.status == 202; reply = ask()) std::this_thread::yield();
  return reply;
}

}  // namespace sightline::dashboard::testing
