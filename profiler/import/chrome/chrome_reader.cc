#include "sightline/profiler/import/chrome/chrome_reader.h"

#include <algorithm>

#include "sightline/base/parse_number.h"
#include "sightline/profiler/import/source/decimal_time.h"
#include "sightline/profiler/import/source/file_kind.h"
#include "sightline/profiler/import/source/span_kind.h"

namespace sightline::profiler {
namespace {

constexpr std::size_t kMaxAttribute = 4096;
// An event that is larger is taken for a damaged one: a quote that is missing makes everything
// after it a text.
constexpr std::size_t kMaxEvent = std::size_t{8} << 20U;
// How many bytes may be parsed in vain to find where events go on, in a file made to have them
// parsed again and again.
constexpr std::size_t kMaxSearched = std::size_t{256} << 20U;

bool IsPlain(std::string_view written) { return written.find('\\') == std::string_view::npos; }

std::optional<std::int64_t> ParseTime(std::string_view microseconds) {
  const auto time = ParseDecimal(microseconds, 3);
  return time && IsTime(*time) ? time : std::nullopt;
}

}  // namespace

Status ChromeReader::Damage(std::string_view what) const {
  return {StatusCode::kDataLoss,
          std::string(what) + " at byte " + std::to_string(window_.offset())};
}

bool ChromeReader::NextCharacter(char& character) {
  for (;;) {
    const std::string_view rest = window_.rest();
    const std::size_t at = rest.find_first_not_of(" \t\r\n");
    if (at != std::string_view::npos) {
      window_.Skip(at);
      character = rest[at];
      return true;
    }
    window_.Skip(rest.size());
    if (!window_.More()) return false;
  }
}

Status ChromeReader::Read() {
  while (window_.rest().size() < 3 && window_.More()) {
  }
  if (window_.rest().starts_with("\xef\xbb\xbf")) window_.Skip(3);
  const std::string other_kind(KindOfFile(window_.rest()));
  Status status;
  for (char next = 0; status.ok() && NextCharacter(next);) {
    if (next == '\0') {  // What a program that reserves its file in advance leaves at the end.
      window_.Skip(1);
    } else if (next == '[') {
      window_.Skip(1);
      ++values_;
      status = ReadEvents();
    } else if (next == '{') {
      window_.Skip(1);
      status = ReadObject();
    } else {
      status = Damage("neither an array nor an object");
    }
  }
  AddSpansAtZero();
  CloseOpenSpans();
  if (!damage_.ok()) status = damage_;  // It is before any other.
  if (!window_.status().ok()) status = window_.status();
  if (values_ == 0 && status.code() != StatusCode::kIoError) {
    return {StatusCode::kInvalidArgument,
            "not a trace: " +
                (other_kind.empty()
                     ? "it has neither an array of events nor an object with \"traceEvents\""
                     : other_kind)};
  }
  return status;
}

Status ChromeReader::ReadObject() {
  for (;;) {
    JsonCursor cursor(window_.rest());
    std::string_view key;
    std::string_view value;
    if (!cursor.NextKey(key)) {
      if (cursor.state() == JsonCursor::State::kSound) {
        window_.Skip(cursor.position());
        return {};
      }
    } else if (key == "traceEvents" && cursor.Peek() == '[') {
      window_.Skip(cursor.position() + 1);
      ++values_;
      SIGHTLINE_RETURN_IF_ERROR(ReadEvents());
      continue;
    } else if (cursor.Value(value)) {
      if (value.size() <= kMaxAttribute) builder_.AddAttribute(key, Unescape(value));
      window_.Skip(cursor.position());
      continue;
    }
    if (cursor.state() == JsonCursor::State::kMalformed) return Damage("this is not JSON");
    if (!window_.More()) return Damage("the file ends within an object");
  }
}

Status ChromeReader::ReadEvents() {
  for (char next = 0; NextCharacter(next);) {
    if (next == ']' || next == ',') window_.Skip(1);
    if (next == ']') return {};
    if (next == ',') continue;
    SIGHTLINE_RETURN_IF_ERROR(ReadElement());
  }
  // An array may lack its end, since a program that is killed cannot write it. Source: the format's
  // document.
  return window_.status();
}

Status ChromeReader::ReadElement() {
  for (;;) {
    const bool is_object = window_.rest().starts_with('{');
    JsonCursor cursor(window_.rest());
    Raw raw;
    std::string_view value;
    if (is_object ? ReadRaw(cursor, raw) : cursor.Value(value)) {
      if (is_object) AddEvent(raw, window_.rest().substr(0, cursor.position()));
      if (!is_object) builder_.NotUnderstand("not a JSON object", value);
      window_.Skip(cursor.position());
      return {};
    }
    const bool cut = cursor.state() == JsonCursor::State::kCut;
    if (cut && window_.rest().size() < kMaxEvent && window_.More()) continue;
    return SkipDamaged(cut);
  }
}

Status ChromeReader::SkipDamaged(bool cut) {
  const std::string example(window_.rest().substr(0, kMaxAttribute));
  Status damage = Damage("this is not JSON");
  const Status ends_within = Damage("the file ends within an event");
  const bool found = FindEvent();
  const bool ends = !found && cut && searched_ <= kMaxSearched;
  builder_.NotUnderstand(ends ? "the file ends within this event" : "not a JSON object", example);
  if (ends) damage = ends_within;
  if (damage_.ok()) damage_ = damage;
  return found ? Status() : window_.status();
}

bool ChromeReader::FindEvent() {
  window_.Skip(1);
  for (;;) {
    const std::size_t begin = window_.rest().find('{');
    window_.Skip(std::min(begin, window_.rest().size()));
    if (begin == std::string_view::npos) {
      if (!window_.More()) return false;
      continue;
    }
    JsonCursor cursor(window_.rest());
    Raw raw;
    if (ReadRaw(cursor, raw) && raw.phase.size() == 1) return true;
    searched_ += cursor.position();
    if (searched_ > kMaxSearched) {
      window_.Skip(window_.rest().size());
      return false;
    }
    const bool cut = cursor.state() == JsonCursor::State::kCut;
    if (cut && window_.rest().size() < kMaxEvent && window_.More()) continue;
    window_.Skip(1);
  }
}

bool ChromeReader::ReadRaw(JsonCursor& cursor, Raw& raw) {
  if (!cursor.Take('{')) return false;
  for (std::string_view key, value; cursor.NextKey(key);) {
    if (!cursor.Value(value)) return false;
    if (key == "ph") raw.phase = value;
    if (key == "ts") raw.time = value;
    if (key == "id") raw.id = value;
    if (key == "id2" && raw.id.empty()) raw.id = value;
    if (key == "pid") raw.process = value;
    if (key == "tid") raw.thread = value;
    if (key == "dur") raw.duration = value;
    if (key == "cat") raw.category = value;
    if (key == "name") raw.name = value;
    if (key == "args") raw.args = value;
  }
  return cursor.state() == JsonCursor::State::kSound;
}

void ChromeReader::AddEvent(const Raw& raw, std::string_view text) {
  if (raw.phase.size() != 1) return builder_.NotUnderstand("no one-letter phase (ph)", text);
  const char phase = raw.phase.front();
  if (phase == 'X') return AddComplete(raw, text);
  if (phase == 'M') {
    if (AddMetadata(raw)) return builder_.CountEvent();
    return builder_.NotUnderstand("metadata of an unknown name", text);
  }
  const auto time = ParseTime(raw.time);
  if (!time) return builder_.NotUnderstand("no time (ts)", text);
  last_time_ = std::max(last_time_, *time);
  bool understood = true;
  switch (phase) {
    case 'B':
    case 'E':
      return AddMark(raw, *time);  // Counted when its lane is complete.
    case 'b':
    case 'n':
    case 'e':
    case 'S':  // The older form of the three, which has 'p' beside 'T'.
    case 'T':
    case 'p':
    case 'F':
      if (AddAsync(raw, *time)) return;
      return builder_.NotUnderstand("an end without a beginning before it", text);
    case 'i':
    case 'I':
    case 'R':
      AddInstant(raw, *time);
      break;
    case 'C':
      understood = AddCounters(raw, *time);
      break;
    case 's':
    case 't':
    case 'f':
      AddFlow(raw, *time);
      break;
    default:
      return builder_.NotUnderstand(std::string("phase ") + phase, text);
  }
  if (understood) return builder_.CountEvent();
  builder_.NotUnderstand("a counter without a number", text);
}

void ChromeReader::AddComplete(const Raw& raw, std::string_view text) {
  const auto start = ParseTime(raw.time);
  if (!start) return builder_.NotUnderstand("no time (ts)", text);
  const auto duration = ParseTime(raw.duration);
  if (!duration) return builder_.NotUnderstand("no duration (dur)", text);
  NewSpan span;
  span.start = *start;
  span.duration = *duration;
  span.name = Text(raw.name);
  span.category = Text(raw.category);
  span.lane = FindLane(raw);
  span.kind = kinds_.Find(builder_, span.category, span.name);
  if (raw.args.size() > 2) {
    span.detail = builder_.Intern(raw.args);
    const Told& told = ToldBy(span.detail);
    span.type = told.type;
    if (told.is_operator && span.kind == SpanKind::kOther) span.kind = SpanKind::kOperator;
    // jax.profiler.StepTraceAnnotation("train", step_num=3).
    if (told.step && span.kind == SpanKind::kOther) {
      span.kind = SpanKind::kStep;
      span.name = builder_.Intern(NameOfStep(builder_.Name(span.name), *told.step));
    }
  }
  if (span.start == 0) {
    at_zero_.push_back(span);
    return;  // Counted when it is clear whether this is a time.
  }
  if (!builder_.AddSpan(span)) return builder_.NotUnderstand("an impossible duration", text);
  first_time_ = std::min(first_time_, *start);
  last_time_ = std::max(last_time_, *start + *duration);
  builder_.CountEvent();
}

// A kernel whose time was lost has 0, where others count from 1970 or from the start of the system:
// the profile would last for years.
void ChromeReader::AddSpansAtZero() {
  constexpr std::int64_t kHour = std::int64_t{3'600'000'000'000};
  const bool others = first_time_ != std::numeric_limits<std::int64_t>::max();
  for (const NewSpan& span : at_zero_) {
    if (others && first_time_ - span.duration > kHour) {
      builder_.NotUnderstand("a time of 0, an hour or more before all others",
                             builder_.Name(span.name));
    } else if (builder_.AddSpan(span)) {
      last_time_ = std::max(last_time_, span.duration);
      builder_.CountEvent();
    } else {
      builder_.NotUnderstand("an impossible duration", builder_.Name(span.name));
    }
  }
}

void ChromeReader::AddMark(const Raw& raw, std::int64_t time) {
  const LaneId lane = FindLane(raw);
  marks_[static_cast<std::uint32_t>(lane)].push_back(
      {time, Text(raw.name), Text(raw.category), DetailOf(raw), raw.phase == "E"});
}

// Writers that merge the buffers of threads do not keep the order of the times.
void ChromeReader::PairMarks() {
  for (auto& [lane, marks] : marks_) {
    std::stable_sort(marks.begin(), marks.end(),
                     [](const Mark& a, const Mark& b) { return a.time < b.time; });
    OpenSpans& open = open_[lane];
    for (const Mark& mark : marks) {
      if (!mark.is_end) {
        open.push_back(
            {mark.time, mark.name, mark.category, mark.detail, static_cast<LaneId>(lane)});
      } else if (AddEnd(mark.detail, mark.time, open, open.size() - 1)) {
        builder_.CountEvent(2);
      } else {
        builder_.NotUnderstand("an end without a beginning before it", builder_.Name(mark.name));
      }
    }
    marks.clear();
    marks.shrink_to_fit();
  }
}

NameId ChromeReader::DetailOf(const Raw& raw) {
  return raw.args.size() > 2 ? builder_.Intern(raw.args) : kNoName;
}

bool ChromeReader::AddEnd(NameId detail, std::int64_t time, OpenSpans& open, std::size_t which) {
  if (which >= open.size()) return false;
  const Open& begin = open[which];
  NewSpan span;
  span.start = begin.start;
  span.duration = time - begin.start;
  span.name = begin.name;
  span.category = begin.category;
  span.detail = begin.detail == kNoName ? detail : begin.detail;
  span.lane = begin.lane;
  span.kind = kinds_.Find(builder_, span.category, span.name);
  if (!builder_.AddSpan(span)) return false;  // It ends before it begins.
  open.erase(open.begin() + static_cast<std::ptrdiff_t>(which));
  return true;
}

bool ChromeReader::AddAsync(const Raw& raw, std::int64_t time) {
  std::string key(raw.process);
  key.append(1, '\0').append(raw.category).append(1, '\0').append(raw.id);
  OpenSpans& open = async_open_[key];
  if (raw.phase == "e" || raw.phase == "F") {
    // Events of one id may overlap; an end names the one that it ends.
    const NameId name = Text(raw.name);
    std::size_t which = open.size() - 1;
    while (name != kNoName && which < open.size() && open[which].name != name) --which;
    if (!AddEnd(DetailOf(raw), time, open, which)) return false;
    builder_.CountEvent(2);
    return true;
  }
  const LaneId lane = builder_.AddLane(builder_.Name(Text(raw.process)),
                                       "async " + std::string(builder_.Name(Text(raw.category))));
  builder_.lane(lane).kind = LaneKind::kAsync;
  if (raw.phase == "b" || raw.phase == "S") {
    open.push_back({time, Text(raw.name), Text(raw.category), DetailOf(raw), lane});
    return true;
  }
  builder_.AddInstant({time, Text(raw.name), DetailOf(raw), lane});
  builder_.CountEvent();
  return true;
}

void ChromeReader::AddInstant(const Raw& raw, std::int64_t time) {
  const LaneId lane = FindLane(raw);
  builder_.AddInstant({time, Text(raw.name), DetailOf(raw), lane});
  if (raw.name != "[memory]") return;
  // PyTorch's allocator adds its total to every allocation; that of 1.8 and 1.9 has only what an
  // allocation added, so that the sum is that since the profile began.
  auto total = ParseNumber<double>(JsonField(raw.args, "Total Allocated"));
  const auto bytes = ParseNumber<double>(JsonField(raw.args, "Bytes"));
  if (!total && !bytes) return;
  const std::string_view device = JsonField(raw.args, "Device Id");
  const bool host = device.empty() || device == "-1";
  const NameId name = builder_.Intern(host ? std::string("memory allocated")
                                           : "memory allocated, device " + std::string(device));
  if (!total) total = allocated_[name] += *bytes;
  builder_.AddCounter(builder_.AddLane(builder_.Name(Text(raw.process)), ""), name, time, *total);
}

bool ChromeReader::AddCounters(const Raw& raw, std::int64_t time) {
  JsonCursor cursor(raw.args);
  if (!cursor.Take('{')) return false;
  const LaneId lane = FindLane(raw);
  std::string name(builder_.Name(Text(raw.name)));
  // Counters of one name and several ids are several.
  if (!raw.id.empty()) name.append(1, '[').append(builder_.Name(Text(raw.id))).append(1, ']');
  bool any = false;
  for (std::string_view key, value; cursor.NextKey(key) && cursor.Value(value);) {
    const auto number = ParseNumber<double>(value);
    if (!number) continue;
    // An NPU's profiler writes memory in KB. The model has bytes.
    const bool kilobytes = key == "KB";
    const NameId series = builder_.Intern(name + "/" + (kilobytes ? "Bytes" : Unescape(key)));
    builder_.AddCounter(lane, series, time, kilobytes ? *number * 1024 : *number);
    any = true;
  }
  return any;
}

void ChromeReader::AddFlow(const Raw& raw, std::int64_t time) {
  const FlowPhase phase = raw.phase == "s"   ? FlowPhase::kStart
                          : raw.phase == "t" ? FlowPhase::kStep
                                             : FlowPhase::kEnd;
  std::string id(raw.category);
  id.append(":").append(raw.id);
  builder_.AddFlow({time, builder_.Intern(id), Text(raw.name), FindLane(raw), phase});
}

bool ChromeReader::AddMetadata(const Raw& raw) {
  const std::string_view process = builder_.Name(Text(raw.process));
  const auto argument = [&](std::string_view key) { return Unescape(JsonField(raw.args, key)); };
  if (raw.name == "process_name") {
    builder_.NameProcess(process, argument("name"));
  } else if (raw.name == "process_labels") {
    builder_.LabelProcess(process, argument("labels"));
  } else if (raw.name == "process_sort_index") {
    builder_.SortProcess(process, ParseDecimal(argument("sort_index"), 0).value_or(0));
  } else if (raw.name == "thread_name") {
    builder_.lane(FindLane(raw)).thread_name = builder_.Intern(argument("name"));
  } else if (raw.name == "thread_sort_index") {
    builder_.lane(FindLane(raw)).thread_sort = ParseDecimal(argument("sort_index"), 0).value_or(0);
  } else {
    return false;
  }
  return true;
}

void ChromeReader::CloseOpenSpans() {
  PairMarks();
  std::uint64_t closed = 0;
  const auto close = [&](OpenSpans& open) {
    while (!open.empty()) {
      if (AddEnd(kNoName, last_time_, open, open.size() - 1)) {
        builder_.CountEvent();
        ++closed;
      } else {
        builder_.NotUnderstand("a beginning after the end of the trace",
                               builder_.Name(open.back().name));
        open.pop_back();
      }
    }
  };
  for (auto& [lane, open] : open_) close(open);
  for (auto& [key, open] : async_open_) close(open);
  if (closed > 0) builder_.AddAttribute("spans without an end", std::to_string(closed));
}

NameId ChromeReader::Text(std::string_view written) {
  return IsPlain(written) ? builder_.Intern(written) : builder_.Intern(Unescape(written));
}

LaneId ChromeReader::FindLane(const Raw& raw) {
  if (!has_last_lane_ || raw.thread != last_thread_ || raw.process != last_process_) {
    last_process_ = raw.process;
    last_thread_ = raw.thread;
    has_last_lane_ = true;
    last_lane_ =
        builder_.AddLane(builder_.Name(Text(raw.process)), builder_.Name(Text(raw.thread)));
  }
  return last_lane_;
}

const ChromeReader::Told& ChromeReader::ToldBy(NameId detail) {
  if (detail != told_.detail) {
    told_ = {.detail = detail};
    JsonCursor cursor(builder_.Name(detail));
    cursor.Take('{');
    for (std::string_view key, value; cursor.NextKey(key) && cursor.Value(value);) {
      if (key == "hlo_op") told_.is_operator = true;
      if (key == "step_num") told_.step = ParseNumber<std::int64_t>(value);
      if (key != "type") continue;
      told_.is_operator = true;
      // "HostCpuOps": MindSpore's word for every operator of the host.
      if (value != "HostCpuOps") told_.type = Text(value);
    }
  }
  return told_;
}

}  // namespace sightline::profiler
