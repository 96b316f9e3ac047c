#include "sightline/recorder/writing/run_config.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "sightline/base/json_text.h"
#include "sightline/base/parse_number.h"
#include "sightline/recorder/message/flat_json.h"
#include "sightline/recorder/writing/event_file_sink.h"
#include "sightline/recorder/writing/npy_sink.h"

namespace sightline {
namespace {

bool Has(const RunConfig& config, Format format) {
  return std::find(config.formats.begin(), config.formats.end(), format) != config.formats.end();
}

Status OpenSink(EventFileSink& sink, SinkStart start) {
  switch (start) {
    case SinkStart::kNewRun:
      return sink.OpenNew();
    case SinkStart::kKilledRun:
      return sink.Resume();
  }
  return {};
}

class ManifestFields {
 public:
  explicit ManifestFields(std::map<std::string, FlatJsonField> fields)
      : fields_(std::move(fields)) {}

  const std::vector<std::string>& ListOf(const std::string& name) { return fields_[name].values; }
  // False if it is missing, or of another type.
  bool Get(const std::string& name, std::string& text) {
    const FlatJsonField& field = fields_[name];
    text = field.one().value_or("");
    return field.is_text && !field.is_list;
  }
  template <typename Number>
  bool Get(const std::string& name, Number& number) {
    const auto parsed = ParseNumber<Number>(Unquoted(name));
    number = parsed.value_or(0);
    return parsed.has_value();
  }
  bool Get(const std::string& name, bool& flag) {
    flag = Unquoted(name) == "true";
    return flag || Unquoted(name) == "false";
  }

 private:
  std::string Unquoted(const std::string& name) {
    const FlatJsonField& field = fields_[name];
    return field.is_text ? "" : field.one().value_or("");
  }

  std::map<std::string, FlatJsonField> fields_;
};

}  // namespace

// Written without nlohmann::json, whose objects allocate memory when they are destroyed, and end
// the program if there is none.
std::string ManifestOf(const RunConfig& config) {
  const RunIdentity& run = config.run;
  std::string json = R"({"session_id":)";
  AppendJsonText(run.session_id, json);
  json += R"(,"hostname":)";
  AppendJsonText(run.hostname, json);
  json += R"(,"continues_session":)";
  AppendJsonText(run.continues_session, json);
  json += fmt::format(R"(,"rank":{},"world_size":{},"device_id":{},"opened_digits":{})", run.rank,
                      run.world_size, run.device_id, run.opened_digits);
  if (run.resume_from_step) json += fmt::format(R"(,"resume_from_step":{})", *run.resume_from_step);
  json += fmt::format(R"(,"export_npy":{},"max_file_size":{},"stop_when_full":{},"formats":[)",
                      config.export_npy, config.max_file_size.value_or(0),
                      config.on_file_full == OnFileFull::kStop);
  const char* separator = "";
  for (const Format format : config.formats) {
    json += std::exchange(separator, ",");
    AppendJsonText(FormatName(format), json);
  }
  return json + "]}";
}

Result<RunConfig> ParseManifest(std::string_view manifest) {
  RunConfig config;
  RunIdentity& run = config.run;
  ManifestFields fields(ParseFlatJson(manifest).value_or(std::map<std::string, FlatJsonField>()));
  std::uint64_t max_file_size = 0;
  bool stop_when_full = false;
  const bool is_sound =
      fields.Get("session_id", run.session_id) && fields.Get("hostname", run.hostname) &&
      fields.Get("rank", run.rank) && fields.Get("world_size", run.world_size) &&
      fields.Get("device_id", run.device_id) && fields.Get("opened_digits", run.opened_digits) &&
      fields.Get("export_npy", config.export_npy) && fields.Get("max_file_size", max_file_size) &&
      fields.Get("stop_when_full", stop_when_full);
  if (!is_sound) return Error(StatusCode::kDataLoss, "the journal's manifest cannot be read");
  // They become parts of file names.
  for (const std::string& part : {run.session_id, run.hostname}) {
    if (part.find_first_of(std::string_view("/\0", 2)) != std::string::npos)
      return Error(StatusCode::kDataLoss, "the journal's session id or host name is not valid");
  }
  // What an earlier version did not write.
  (void)fields.Get("continues_session", run.continues_session);
  if (std::int64_t step = 0; fields.Get("resume_from_step", step)) run.resume_from_step = step;
  if (max_file_size != 0) config.max_file_size = max_file_size;
  config.on_file_full = stop_when_full ? OnFileFull::kStop : OnFileFull::kRotate;
  const auto& names = fields.ListOf("formats");
  for (const Format format : {Format::kMindSpore, Format::kTensorBoard}) {
    if (std::find(names.begin(), names.end(), FormatName(format)) != names.end())
      config.formats.push_back(format);
  }
  return config;
}

std::size_t SinkCount(const RunConfig& config) {
  return DialectsOf(config).size() + (config.export_npy ? 1 : 0);
}

std::vector<std::unique_ptr<Dialect>> DialectsOf(const RunConfig& config) {
  std::vector<std::unique_ptr<Dialect>> dialects;
  if (Has(config, Format::kMindSpore)) {
    dialects.push_back(MindSporeSummaryDialect(config.run));
    dialects.push_back(MindSporeLineageDialect(config.run));
  }
  if (Has(config, Format::kTensorBoard)) dialects.push_back(TensorBoardDialect(config.run));
  return dialects;
}

Result<std::vector<std::unique_ptr<Sink>>> OpenSinks(const RunConfig& config,
                                                     const std::string& directory, SinkStart start,
                                                     FileSystem& file_system, const Clock& clock,
                                                     const SinkObserver& observer,
                                                     Journal& journal) {
  std::vector<std::unique_ptr<Sink>> sinks;
  for (std::unique_ptr<Dialect>& dialect : DialectsOf(config)) {
    EventFileSink::Config sink_config{
        &file_system,        &clock,  directory, config.run, config.max_file_size,
        config.on_file_full, observer};
    auto sink = std::make_unique<EventFileSink>(std::move(sink_config), std::move(dialect), journal,
                                                sinks.size());
    SIGHTLINE_UNEXPECTED_IF_ERROR(OpenSink(*sink, start).WithContext(sink->name()));
    sinks.push_back(std::move(sink));
  }
  if (config.export_npy) {
    auto sink = std::make_unique<NpySink>(file_system, directory, config.run.opened_digits,
                                          observer, journal, sinks.size());
    if (start == SinkStart::kKilledRun) sink->Resume();
    sinks.push_back(std::move(sink));
  }
  return sinks;
}

}  // namespace sightline
