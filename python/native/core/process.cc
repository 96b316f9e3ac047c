#include "sightline/python/native/core/process.h"

#include <nanobind/nanobind.h>

#include <list>
#include <utility>

namespace sightline::python {
namespace {

struct Closer {
  std::weak_ptr<void> target;
  std::function<void()> close;
};

std::list<Closer>& Closers() {
  static auto* closers = new std::list<Closer>();
  return *closers;
}

}  // namespace

void CloseAtExit(const std::shared_ptr<void>& target, std::function<void()> close) {
  Closers().remove_if([](const Closer& closer) { return closer.target.expired(); });
  Closers().push_back({target, std::move(close)});
}

void CloseAll() {
  const std::list<Closer> closers = std::exchange(Closers(), {});
  for (const Closer& closer : closers) {
    const std::shared_ptr<void> target = closer.target.lock();
    if (target == nullptr) continue;
    const nanobind::gil_scoped_release released;
    closer.close();
  }
}

}  // namespace sightline::python
