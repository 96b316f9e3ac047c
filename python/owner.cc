#include "sightline/python/owner.h"

#include <atomic>

namespace sightline::python {
namespace {

struct Released {
  PyObject* object;
  Released* next;
};

// A stack without a lock, so that a child forked while a thread puts something on it can go on.
std::atomic<Released*> released{nullptr};
std::atomic<bool> stopped{false};

int DropReleasedCall(void*) {
  DropReleased();
  return 0;
}

void Release(Released* node) noexcept {
  Released* before = released.load(std::memory_order_relaxed);
  do {
    node->next = before;
  } while (!released.compare_exchange_weak(before, node, std::memory_order_release,
                                           std::memory_order_relaxed));
  // From here on `node` may be gone. Where others wait already a call is on its way. If the
  // interpreter has no room for one more, a later call of ours drops the reference.
  if (before == nullptr && !stopped.load(std::memory_order_acquire))
    (void)Py_AddPendingCall(DropReleasedCall, nullptr);
}

}  // namespace

std::shared_ptr<const void> KeepAlive(nanobind::object object) {
  // Allocated here, so that releasing cannot fail.
  auto* const node = new Released{nullptr, nullptr};
  PyObject* const kept = object.release().ptr();
  node->object = kept;
  return {kept, [node](const void*) { Release(node); }};
}

void DropReleased() noexcept {
  if (released.load(std::memory_order_relaxed) == nullptr) return;
  Released* node = released.exchange(nullptr, std::memory_order_acquire);
  while (node != nullptr) {
    Released* const next = node->next;
    Py_DECREF(node->object);
    delete node;
    node = next;
  }
}

void StopDropping() noexcept { stopped.store(true, std::memory_order_release); }

}  // namespace sightline::python
