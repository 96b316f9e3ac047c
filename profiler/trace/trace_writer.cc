#include "sightline/profiler/trace/trace_writer.h"

#include <algorithm>
#include <cstdio>
#include <optional>
#include <unordered_map>

#include "sightline/profiler/trace/packet_writer.h"

namespace sightline::profiler {

namespace event = perfetto::event;
namespace packet = perfetto::packet;

class TraceWriter::Impl {
 public:
  explicit Impl(const std::string& path) : file_(std::fopen(path.c_str(), "wb")) {}

  Track NewTrack() { return ++last_track_; }

  void Describe(const perfetto::TrackDescriptor& track) {
    packets_.AddTrack(track);
    Finish();
  }

  void Event(event::Type type, Track track, std::int64_t time, std::optional<std::string_view> name,
             std::uint64_t flow, std::optional<double> value = std::nullopt) {
    packets_.SetTime(std::max<std::int64_t>(0, time));
    packets_.SetType(type);
    packets_.SetTrack(track);
    if (name) SetName(*name);
    if (value) packets_.SetCounterValue(*value);
    if (flow != 0) packets_.AddFlow(flow, false);
    packets_.AddEvent();
    Finish();
  }

  bool Flush() {
    if (file_ != nullptr) {
      failed_ = failed_ || std::fwrite(out_.data(), 1, out_.size(), file_) != out_.size();
      failed_ = std::fflush(file_) != 0 || failed_;
    }
    out_.clear();
    return file_ != nullptr && !failed_;
  }

  bool Close() {
    if (file_ == nullptr) return closed_well_;
    closed_well_ = Flush();
    closed_well_ = std::fclose(file_) == 0 && closed_well_;
    file_ = nullptr;
    return closed_well_;
  }

 private:
  void SetName(std::string_view name) {
    const auto [known, is_new] = names_.try_emplace(std::string(name), names_.size() + 1);
    const auto iid = static_cast<std::int64_t>(known->second);
    packets_.SetName(iid);
    if (is_new) packets_.InternName(iid, name);
  }

  // The first packet begins the names anew.
  void Finish() {
    constexpr std::uint8_t kFlags = packet::kNeedsState;
    constexpr std::uint8_t kFirstFlags = packet::kStateCleared | packet::kNeedsState;
    packets_.SetSequence(1, is_first_ ? kFirstFlags : kFlags);
    is_first_ = false;
    packets_.Finish();
    constexpr std::size_t kFlushAt = std::size_t{1} << 20U;
    if (out_.size() > kFlushAt) Flush();
  }

  std::FILE* file_;
  std::string out_;
  perfetto::PacketWriter packets_{out_};
  std::unordered_map<std::string, std::size_t> names_;
  Track last_track_ = 0;
  bool is_first_ = true;
  bool failed_ = false;
  bool closed_well_ = false;
};

TraceWriter::TraceWriter(const std::string& path) : impl_(std::make_unique<Impl>(path)) {}
TraceWriter::~TraceWriter() { impl_->Close(); }

TraceWriter::Track TraceWriter::AddTrack(std::string_view name, Track below) {
  const Track track = impl_->NewTrack();
  perfetto::TrackDescriptor descriptor(track);
  descriptor.Name(name);
  if (below != 0) descriptor.Parent(below);
  impl_->Describe(descriptor);
  return track;
}

TraceWriter::Track TraceWriter::AddCounter(std::string_view name, std::string_view unit,
                                           Track below) {
  const Track track = impl_->NewTrack();
  perfetto::TrackDescriptor descriptor(track);
  descriptor.Name(name);
  if (below != 0) descriptor.Parent(below);
  impl_->Describe(descriptor.Counter(unit));
  return track;
}

void TraceWriter::Span(Track track, std::string_view name, std::int64_t start, std::int64_t end,
                       std::uint64_t flow) {
  Begin(track, name, start, flow);
  End(track, end);
}

void TraceWriter::Begin(Track track, std::string_view name, std::int64_t time, std::uint64_t flow) {
  impl_->Event(event::kSliceBegin, track, time, name, flow);
}

void TraceWriter::End(Track track, std::int64_t time) {
  impl_->Event(event::kSliceEnd, track, time, std::nullopt, 0);
}

void TraceWriter::Instant(Track track, std::string_view name, std::int64_t time,
                          std::uint64_t flow) {
  impl_->Event(event::kInstant, track, time, name, flow);
}

void TraceWriter::Value(Track counter, std::int64_t time, double value) {
  impl_->Event(event::kCounter, counter, time, std::nullopt, 0, value);
}

bool TraceWriter::Flush() { return impl_->Flush(); }
bool TraceWriter::Close() { return impl_->Close(); }

}  // namespace sightline::profiler
