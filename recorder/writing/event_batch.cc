#include "sightline/recorder/writing/event_batch.h"

#include <algorithm>
#include <map>
#include <string_view>
#include <unordered_set>

#include "sightline/recorder/tensor/image.h"

namespace sightline {
namespace {

// Comparing every pair is fastest for the few values that a step usually has.
constexpr std::size_t kPairwiseLimit = 16;

bool SameKey(const PreparedValue& a, const PreparedValue& b) {
  return a.kind == b.kind && a.tag == b.tag;
}

}  // namespace

void EventBatch::Clear() { size_ = heavy_count_ = 0; }

EventBatch::Item& EventBatch::NextItem(const JournalCursor& behind) {
  if (size_ == items_.size()) items_.emplace_back();
  Item& item = items_[size_++];
  item.behind = behind;
  item.skip = false;
  item.entry.values.clear();
  item.entry.lost_values = 0;
  return item;
}

void EventBatch::AddSkipped(const JournalCursor& behind) { NextItem(behind).skip = true; }

void EventBatch::Add(const Journal::Entry& entry, const JournalCursor& behind,
                     bool external_values_lost) {
  Item& item = NextItem(behind);
  if (const Status status = ParseEntry(entry.body, external_values_lost, item.entry);
      !status.ok()) {
    faults_.Note(status);
    counters_.lost_values.fetch_add(1, std::memory_order_relaxed);
    item.skip = true;
    item.entry.values.clear();
    item.entry.lost_values = 0;
    return;
  }
  if (item.entry.lost_values != 0)
    counters_.lost_values.fetch_add(item.entry.lost_values, std::memory_order_relaxed);
  if (item.entry.values.size() > 1) DropDuplicates(item);
  if (item.entry.values.size() == 1)
    item.entry.values[0].tensor_crc = TensorCrc(entry.body, entry.checksum, item.entry);
  for (std::size_t i = 0; i < item.entry.values.size(); ++i) {
    const ValueKind kind = item.entry.values[i].kind;
    if (kind != ValueKind::kHistogram && kind != ValueKind::kImage) continue;
    if (heavy_count_ == heavy_.size()) heavy_.emplace_back();
    HeavyValue& heavy = heavy_[heavy_count_++];
    heavy.item = size_ - 1;
    heavy.value = i;
  }
  item.skip = item.entry.values.empty();
}

// Keeps only the newest of several values of an event with the same kind and tag. It is the last
// one.
void EventBatch::DropDuplicates(Item& item) {
  std::vector<PreparedValue>& values = item.entry.values;
  std::vector<bool> drop(values.size(), false);
  std::size_t drops = 0;
  if (values.size() <= kPairwiseLimit) {
    for (std::size_t i = 0; i < values.size(); ++i) {
      const auto newer = values.begin() + static_cast<std::ptrdiff_t>(i) + 1;
      drop[i] = std::any_of(newer, values.end(),
                            [&](const PreparedValue& v) { return SameKey(v, values[i]); });
      drops += drop[i] ? 1U : 0U;
    }
  } else {
    std::map<ValueKind, std::unordered_set<std::string_view>> seen;
    for (std::size_t i = values.size(); i-- > 0;) {
      drop[i] = !seen[values[i].kind].insert(values[i].tag).second;
      drops += drop[i] ? 1U : 0U;
    }
  }
  if (drops == 0) return;
  counters_.duplicate_tags.fetch_add(drops, std::memory_order_relaxed);
  std::size_t kept = 0;
  for (std::size_t i = 0; i < values.size(); ++i) {
    if (!drop[i]) values[kept++] = values[i];
  }
  values.resize(kept);
}

void EventBatch::Compute(const PreparedValue& value, HeavyValue& heavy) {
  heavy.status = Status();
  if (value.kind == ValueKind::kHistogram) {
    auto histogram = ComputeHistogram(value.tensor);
    if (histogram) {
      heavy.histogram = *std::move(histogram);
    } else {
      heavy.status = histogram.error();
    }
    return;
  }
  auto canvas = MakeCanvas(value.tensor);
  if (!canvas) {
    heavy.status = canvas.error();
    return;
  }
  auto png = EncodePng(canvas->width, canvas->height, 3, canvas->rgb);
  if (png) {
    heavy.image = {canvas->width, canvas->height, 3, *std::move(png)};
  } else {
    heavy.status = png.error();
  }
}

void EventBatch::Prepare(WorkerPool& pool) {
  if (heavy_count_ != 0) {
    pool.Run(heavy_count_, [this](std::size_t i) {
      Compute(items_[heavy_[i].item].entry.values[heavy_[i].value], heavy_[i]);
    });
  }
  // Goes backwards, so that erasing a failed value leaves the indices before it valid.
  for (std::size_t i = heavy_count_; i-- > 0;) {
    HeavyValue& heavy = heavy_[i];
    std::vector<PreparedValue>& values = items_[heavy.item].entry.values;
    if (!heavy.status.ok()) {
      faults_.Note(heavy.status.WithContext(values[heavy.value].tag));
      counters_.lost_values.fetch_add(1, std::memory_order_relaxed);
      values.erase(values.begin() + static_cast<std::ptrdiff_t>(heavy.value));
      continue;
    }
    PreparedValue& value = values[heavy.value];
    if (value.kind == ValueKind::kHistogram) {
      value.histogram = &heavy.histogram;
    } else {
      value.image = &heavy.image;
    }
  }
  for (std::size_t i = 0; i < size_; ++i) {
    Item& item = items_[i];
    item.skip = item.skip || item.entry.values.empty();
    item.event = PreparedEvent{item.entry.wall_time, item.entry.step, item.entry.values,
                               item.entry.lost_values != 0};
  }
}

}  // namespace sightline
