#include <fmt/format.h>
#include <google/protobuf/stubs/logging.h>

#include <cmath>
#include <limits>
#include <utility>

#include "sightline/export/runs/buffered_file.h"
#include "sightline/export/runs/json_lines.h"
#include "sightline/export/runs/json_printer.h"
#include "sightline/export/runs/run_writers.h"
#include "sightline/proto/mindspore_event.pb.h"
#include "sightline/proto/tensorboard.pb.h"

namespace sightline {
namespace {

std::string Quoted(std::string_view text) {
  std::string quoted;
  JsonPrinter(quoted, true).Text(text);
  return quoted;
}

std::string Number(double value) {
  if (std::isnan(value)) return "\"NaN\"";
  if (std::isinf(value)) return value > 0 ? "\"Infinity\"" : "\"-Infinity\"";
  return fmt::to_string(value);
}

// An unknown time is left out.
std::string When(std::int64_t step, double wall_time) {
  std::string json = fmt::format(",\"step\":{}", step);
  if (!std::isnan(wall_time)) json += ",\"wall_time\":" + Number(wall_time);
  return json;
}

// A Summary.Value of either dialect; empty where it is malformed.
template <typename Value>
std::string ValueToJson(std::string_view raw) {
  Value value;
  const google::protobuf::LogSilencer silence;  // The library prints nothing.
  if (raw.size() > static_cast<std::size_t>(std::numeric_limits<int>::max()) ||
      !value.ParsePartialFromArray(raw.data(), static_cast<int>(raw.size()))) {
    return {};
  }
  std::string json = "{";
  JsonPrinter(json, true).Fields(value);
  return json + "}";
}

class JsonWriter final : public RunWriter {
 public:
  explicit JsonWriter(std::unique_ptr<WritableFile> file) : out_(std::move(file)) {}

  Status BeginRun(const Run& run) override {
    run_ = Quoted(run.name());
    return {};
  }
  bool Takes(ContentKind) const override { return true; }
  bool Takes(EventKind) const override { return true; }

  Status Scalars(const Series& series, std::size_t begin, std::size_t end) override {
    const std::string front = Front(series.key());
    for (std::size_t i = begin; i < end; ++i) {
      out_.Append(fmt::format("{}{},\"value\":{}}}\n", front,
                              When(series.steps()[i], series.wall_times()[i]),
                              Number(series.values()[i])));
    }
    Wrote("scalar", end - begin);
    return out_.status();
  }

  Status Value(const SeriesKey& key, const StoredValue& value) override {
    if (value.item() != 0) {  // It is in the message that was written for the first one.
      Wrote(KindNameOf(key));
      return {};
    }
    const std::string json = value.file_kind() == EventFileKind::kTensorBoard
                                 ? ValueToJson<tensorboard::Summary::Value>(value.value().raw)
                                 : ValueToJson<mindspore::Summary::Value>(value.value().raw);
    if (json.empty()) {
      LeaveOut(KindNameOf(key), "its message is malformed");
      return {};
    }
    out_.Append(Front(key) + Place(value) + ",\"value\":" + json + "}\n");
    Wrote(KindNameOf(key));
    return out_.status();
  }

  Status Event(EventKind kind, const StoredValue& event) override {
    JsonLinesOptions options;
    options.bytes = true;
    const auto json = EventToJson(event.file_kind(), event.event(), options);
    if (!json) {
      LeaveOut(EventKindName(kind), "its message is malformed");
      return {};
    }
    out_.Append(fmt::format("{{\"run\":{},\"kind\":{}{},\"event\":{}}}\n", run_,
                            Quoted(EventKindName(kind)), Place(event), *json));
    Wrote(EventKindName(kind));
    return out_.status();
  }

  Status EndRun(const Run&) override { return out_.status(); }
  Status Finish() override { return out_.Close(); }

 private:
  std::string Front(const SeriesKey& key) const {
    std::string front = fmt::format("{{\"run\":{},\"rank\":{},\"kind\":\"{}\"", run_, key.rank,
                                    ContentKindName(key.kind));
    if (!key.plugin.empty()) front += ",\"plugin\":" + Quoted(key.plugin);
    return front + ",\"tag\":" + Quoted(key.tag);
  }
  static std::string Place(const StoredValue& value) {
    return fmt::format("{},\"dialect\":\"{}\"", When(value.event().step, value.event().wall_time),
                       EventFileKindName(value.file_kind()));
  }

  BufferedFile out_;
  std::string run_;  // Its name, quoted.
};

}  // namespace

std::unique_ptr<RunWriter> MakeJsonWriter(std::unique_ptr<WritableFile> file) {
  return std::make_unique<JsonWriter>(std::move(file));
}

}  // namespace sightline
