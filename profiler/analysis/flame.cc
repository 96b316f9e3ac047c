#include "sightline/profiler/analysis/flame.h"

#include <algorithm>
#include <string_view>
#include <unordered_map>
#include <utility>

namespace sightline::profiler {
namespace {

// Limits for the text of a stack and for all texts together, in bytes: without them the output
// could grow with the square of the file's size.
constexpr std::size_t kMaxFrame = 4096;
constexpr std::size_t kMaxStack = std::size_t{32} << 10U;
constexpr std::size_t kMaxTexts = std::size_t{128} << 20U;

// A name as a frame, without the divider of frames and line ends.
std::string Frame(std::string_view name) {
  std::string frame(name.empty() ? "(no name)" : name.substr(0, kMaxFrame));
  for (char& letter : frame) {
    if (letter == ';') letter = ':';
    if (static_cast<unsigned char>(letter) < ' ') letter = ' ';
  }
  return frame;
}

// The member "Call stack" of a detail's JSON object, with the escapes of line ends and quotes
// decoded; empty if it is missing.
std::string CallStackIn(std::string_view detail) {
  constexpr std::string_view kKey = "\"Call stack\"";
  std::size_t at = detail.find(kKey);
  if (at == std::string_view::npos) return {};
  at = detail.find_first_not_of(" \t\r\n:", at + kKey.size());
  if (at == std::string_view::npos || detail[at] != '"') return {};
  std::string text;
  for (++at; at < detail.size() && detail[at] != '"'; ++at) {
    if (detail[at] != '\\' || at + 1 == detail.size()) {
      text += detail[at];
      continue;
    }
    const char escaped = detail[++at];
    text += escaped == 'n' || escaped == 'r' ? '\n' : escaped;
  }
  return text;
}

// The frames of a call stack, the outermost first, each followed by a divider.
std::string OuterFirst(std::string_view call_stack) {
  std::string frames;
  while (!call_stack.empty()) {
    const std::size_t end = call_stack.find_last_of(";\n");
    const std::string_view frame =
        end == std::string_view::npos ? call_stack : call_stack.substr(end + 1);
    if (!frame.empty()) frames += Frame(frame) + ";";
    call_stack = end == std::string_view::npos ? std::string_view() : call_stack.substr(0, end);
  }
  return frames;
}

class Folding {
 public:
  explicit Folding(const Model& model) : model_(model) {}

  void AddLane(const Lane& lane) {
    if (HasOnlySteps(lane)) return;
    const NameId name = lane.thread_name != kNoName ? lane.thread_name : lane.thread;
    lane_ = Frame(model_.names[name]) + ";";
    for (std::size_t i = lane.first; i < lane.first + lane.count; ++i) AddSpan(i);
    while (!open_.empty()) Close();
  }

  std::vector<FoldedStack> Take() && {
    std::vector<FoldedStack> stacks;
    stacks.reserve(own_.size());
    for (const auto& [stack, own] : own_) stacks.push_back({stack, own.first, own.second});
    std::sort(stacks.begin(), stacks.end(),
              [](const FoldedStack& a, const FoldedStack& b) { return a.stack < b.stack; });
    return stacks;
  }

 private:
  struct Open {
    std::int64_t end = 0;
    std::int64_t own = 0;
    bool python = false;
    std::string stack;  // With a divider at its end.
  };

  bool HasOnlySteps(const Lane& lane) const {
    for (std::size_t i = lane.first; i < lane.first + lane.count; ++i)
      if (model_.spans.kind[i] != SpanKind::kStep) return false;
    return true;
  }

  void AddSpan(std::size_t i) {
    MemoryLimit::Keep(i);
    const Spans& spans = model_.spans;
    while (!open_.empty() && open_.back().end <= spans.start[i]) Close();
    // A span that ends after the one around it counts only up to the outer one's end.
    const std::int64_t end =
        open_.empty() ? spans.end(i) : std::min(spans.end(i), open_.back().end);
    const std::int64_t duration = end - spans.start[i];
    const bool in_python = !open_.empty() && open_.back().python;
    const std::string written = in_python || spans.detail[i] == kNoName
                                    ? std::string()
                                    : OuterFirst(CallStackIn(model_.names[spans.detail[i]]));
    std::string stack = !written.empty() ? lane_ + written
                        : open_.empty()  ? lane_
                                         : open_.back().stack;
    stack += spans.kind[i] == SpanKind::kStep ? "step;" : Frame(model_.names[spans.name[i]]) + ";";
    if (stack.size() > kMaxStack && !open_.empty()) return;
    if (!open_.empty()) open_.back().own -= duration;
    const bool python = in_python || spans.kind[i] == SpanKind::kPython;
    open_.push_back({end, duration, python, std::move(stack)});
  }

  void Close() {
    Open last = std::move(open_.back());
    open_.pop_back();
    last.stack.pop_back();
    const bool known = own_.contains(last.stack);
    if (!known && !open_.empty() && texts_ + last.stack.size() > kMaxTexts) {
      open_.back().own += last.own;
      return;
    }
    if (!known) texts_ += last.stack.size();
    auto& [nanos, count] = own_[std::move(last.stack)];
    nanos = AddTimes(nanos, std::max<std::int64_t>(last.own, 0));
    ++count;
  }

  const Model& model_;
  std::string lane_;
  std::vector<Open> open_;
  std::unordered_map<std::string, std::pair<std::int64_t, std::uint64_t>> own_;
  std::size_t texts_ = 0;
};

}  // namespace

std::vector<FoldedStack> FoldStacks(const Model& model) {
  Folding folding(model);
  for (const Lane& lane : model.lanes) {
    if (lane.kind == LaneKind::kThread || lane.kind == LaneKind::kStream) folding.AddLane(lane);
  }
  return std::move(folding).Take();
}

}  // namespace sightline::profiler
