#include "sightline/profiler/import/mindspore/recorded_queues.h"

#include <algorithm>
#include <cmath>
#include <set>
#include <string>
#include <string_view>
#include <utility>

#include "sightline/base/parse_number.h"
#include "sightline/profiler/import/chrome/json_cursor.h"

namespace sightline::profiler {
namespace {

constexpr std::size_t kMaxQueues = 1000;

struct Queue {
  std::string name = {};
  std::string takes_from = {};
  std::int64_t capacity = 0;
  std::int64_t workers = 0;
  const Counter* depth = nullptr;
};

// The queue whose depth the counter shows, by the counter's name; Chrome's JSON adds the series to
// it.
std::string_view QueueName(std::string_view counter) {
  constexpr std::string_view kDepth = ": depth";
  const std::size_t slash = counter.rfind('/');
  if (!counter.ends_with(kDepth) && slash != std::string_view::npos)
    counter = counter.substr(0, slash);
  if (!counter.ends_with(kDepth)) return {};
  return counter.substr(0, counter.size() - kDepth.size());
}

// The recorder describes a queue by an instant with its name and these arguments.
std::vector<Queue> AnnouncedIn(const Model& model) {
  std::vector<Queue> queues;
  std::set<NameId> known;
  for (const Instant& instant : model.instants) {
    const std::string_view detail = model.names[instant.detail];
    const std::string_view capacity = JsonField(detail, "capacity");
    if (capacity.empty() || queues.size() == kMaxQueues || !known.insert(instant.name).second)
      continue;
    Queue queue;
    queue.name = model.names[instant.name];
    queue.takes_from = Unescape(JsonField(detail, "parent"));
    queue.capacity = std::max<std::int64_t>(ParseNumber<std::int64_t>(capacity).value_or(0), 0);
    queue.workers = std::max<std::int64_t>(
        ParseNumber<std::int64_t>(JsonField(detail, "workers")).value_or(0), 0);
    queues.push_back(std::move(queue));
  }
  // The depth is all that is recorded of a queue without a known capacity.
  for (const Counter& counter : model.counters) {
    const std::string_view name = QueueName(model.names[counter.name]);
    if (name.empty()) continue;
    auto queue = std::find_if(queues.begin(), queues.end(),
                              [&](const Queue& one) { return one.name == name; });
    if (queue == queues.end() && queues.size() < kMaxQueues) {
      queues.push_back({.name = std::string(name)});
      queue = queues.end() - 1;
    }
    if (queue != queues.end()) queue->depth = &counter;
  }
  return queues;
}

std::int64_t Whole(double value) { return value >= 0 && value < 1e15 ? std::llround(value) : 0; }

// Adds the waits for an element of this queue, each with the queue's depth at that time.
std::vector<BatchRecord> FindBatches(const Model& model, const Queue& queue) {
  std::vector<BatchRecord> batches;
  if (queue.depth == nullptr) return batches;
  const std::string get = queue.name + ": get";
  const std::string next = queue.name + ": next";
  for (std::size_t i = 0; i < model.spans.size(); ++i) {
    if (model.spans.kind[i] != SpanKind::kDataWait) continue;
    const std::string_view name = model.names[model.spans.name[i]];
    if (name != get && name != next) continue;
    BatchRecord batch;
    batch.time = model.spans.start[i];
    batch.get = batch.total = model.spans.duration[i];
    batch.queue_capacity = queue.capacity;
    batches.push_back(batch);
  }
  std::sort(batches.begin(), batches.end(),
            [](const BatchRecord& a, const BatchRecord& b) { return a.time < b.time; });
  const auto& times = queue.depth->time;
  for (std::size_t i = 0; i < batches.size(); ++i) {
    BatchRecord& batch = batches[i];
    batch.batch = static_cast<std::int64_t>(i) + 1;
    const auto behind = std::upper_bound(times.begin(), times.end(), batch.time);
    if (behind != times.begin()) {
      batch.queue_size =
          Whole(queue.depth->value[static_cast<std::size_t>(behind - times.begin()) - 1]);
    }
  }
  return batches;
}

}  // namespace

DataPipeline RecordedQueues(const Model& model) {
  DataPipeline data;
  const std::vector<Queue> queues = AnnouncedIn(model);
  const auto feeds_another = [&](const Queue& queue) {
    return std::any_of(queues.begin(), queues.end(),
                       [&](const Queue& other) { return other.takes_from == queue.name; });
  };
  std::vector<const Queue*> in_order;
  for (const Queue& queue : queues) {
    if (!feeds_another(queue)) in_order.push_back(&queue);
  }
  // Link each queue to the one from which its workers take.
  for (std::size_t i = 0; i < in_order.size() && in_order.size() < queues.size(); ++i) {
    for (const Queue& queue : queues) {
      const bool there = std::find(in_order.begin(), in_order.end(), &queue) != in_order.end();
      if (!there && queue.name == in_order[i]->takes_from) in_order.push_back(&queue);
    }
  }
  for (std::size_t i = 0; i < in_order.size(); ++i) {
    const Queue& queue = *in_order[i];
    PipelineOperator one;
    one.id = static_cast<std::int64_t>(i);
    one.type = queue.name;
    one.workers = queue.workers;
    for (std::size_t j = 0; j < in_order.size(); ++j) {
      if (j != i && in_order[j]->name == queue.takes_from)
        one.children.push_back(static_cast<std::int64_t>(j));
      if (j != i && in_order[j]->takes_from == queue.name)
        one.parent = static_cast<std::int64_t>(j);
    }
    one.queue_capacity = queue.capacity;
    if (queue.depth != nullptr) {
      for (const double depth : queue.depth->value) one.queue_sizes.push_back(Whole(depth));
    }
    data.operators.push_back(std::move(one));
  }
  if (!in_order.empty()) data.batches = FindBatches(model, *in_order.front());
  return data;
}

}  // namespace sightline::profiler
