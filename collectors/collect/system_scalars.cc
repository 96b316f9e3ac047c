#include "sightline/collectors/collect/system_scalars.h"

#include <unistd.h>

#include <atomic>
#include <condition_variable>
#include <mutex>
#include <optional>
#include <string>
#include <thread>
#include <unordered_map>
#include <utility>
#include <vector>

#include "sightline/base/background_thread.h"
#include "sightline/base/system/resource_sampler.h"

namespace sightline {

struct SystemScalars::State {
  State(Recorder& its_recorder, std::int64_t step, std::chrono::milliseconds its_interval)
      : recorder(its_recorder), interval(its_interval), newest_step(step) {}

  void Run() {
    ResourceSampler sampler({.threads = false});
    (void)sampler.Sample();
    std::unique_lock lock(mutex);
    while (!wake.wait_for(lock, interval, [this] { return stopped; })) {
      lock.unlock();
      Record(sampler.Sample());
      lock.lock();
    }
  }

  void Record(const std::vector<ResourceValue>& sample) {
    values.clear();
    for (const ResourceValue& each : sample) {
      auto tag = tags.find(each.name);
      if (tag == tags.end()) tag = tags.emplace(each.name, recorder.Intern(each.name)).first;
      values.push_back({tag->second, Value::Scalar(each.value)});
    }
    if (!values.empty()) recorder.Record(newest_step.load(std::memory_order_relaxed), values);
  }

  Recorder& recorder;
  const std::chrono::milliseconds interval;
  const pid_t process = getpid();
  std::atomic<std::int64_t> newest_step;
  std::unordered_map<std::string, TagId> tags;
  std::vector<TaggedValue> values;
  std::thread thread;
  std::mutex mutex;
  std::condition_variable wake;
  bool stopped = false;
};

Result<std::unique_ptr<SystemScalars>> SystemScalars::Start(Recorder& recorder, std::int64_t step,
                                                            std::chrono::milliseconds interval) {
  auto state = std::make_unique<State>(recorder, step, interval);
  SIGHTLINE_ASSIGN_OR_RETURN(
      state->thread, StartBackgroundThread("sl-system", [its = state.get()] { its->Run(); }));
  return std::unique_ptr<SystemScalars>(new SystemScalars(std::move(state)));
}

SystemScalars::SystemScalars(std::unique_ptr<State> state) : state_(std::move(state)) {}

SystemScalars::~SystemScalars() {
  if (state_->process != getpid()) {
    (void)state_.release();  // Its thread does not exist here, so nobody can wait for it.
    return;
  }
  {
    const std::lock_guard lock(state_->mutex);
    state_->stopped = true;
  }
  state_->wake.notify_all();
  state_->thread.join();
}

void SystemScalars::NoteStep(std::int64_t step) {
  state_->newest_step.store(step, std::memory_order_relaxed);
}

}  // namespace sightline
