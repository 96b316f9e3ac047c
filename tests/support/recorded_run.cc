#include "sightline/tests/support/recorded_run.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <variant>

#include "sightline/proto/mindspore_event.pb.h"
#include "sightline/proto/mindspore_lineage.pb.h"
#include "sightline/proto/tensorboard.pb.h"
#include "sightline/proto/tensorboard_hparams.pb.h"
#include "sightline/recorder/framing/file_name.h"
#include "sightline/recorder/message/lineage.h"
#include "sightline/tests/support/support.h"

namespace sightline::testing {
namespace {

using Values = std::vector<RecordedValue>;

std::string SessionOf(const google::protobuf::Message& event) {
  const auto* field = event.GetDescriptor()->FindFieldByNumber(1000);
  if (field == nullptr || !event.GetReflection()->HasField(event, field)) return {};
  return event.GetReflection()->GetMessage(event, field).SerializeAsString();
}

template <typename Tensor>
std::string FirstElement(const Tensor& tensor) {
  return tensor.float_data().empty() ? "" : fmt::format("{}", tensor.float_data(0));
}

Values ValuesOf(const mindspore::Event& event) {
  Values values;
  if (event.has_graph_def())
    values.push_back({event.step(), "", "graph", event.graph_def().name()});
  for (const auto& value : event.summary().value()) {
    RecordedValue& out = values.emplace_back(RecordedValue{event.step(), value.tag(), "", ""});
    if (value.has_scalar_value()) {
      out.kind = "scalar";
      out.text = fmt::format("{}", value.scalar_value());
    } else if (value.has_tensor()) {
      out.kind = "tensor";
      out.text = FirstElement(value.tensor());
    } else if (value.has_histogram()) {
      out.kind = "histogram";
      out.text = fmt::format("{}", value.histogram().count());
    } else if (value.has_image()) {
      out.kind = "image";
      out.text = fmt::format("{}x{}", value.image().height(), value.image().width());
    } else if (value.has_loss_landscape()) {
      out.kind = "landscape";
      out.text = value.loss_landscape().metadata().decomposition();
    }
  }
  return values;
}

std::string PairsOf(const mindspore::UserDefinedInfo& info) {
  const CustomLineage lineage = ParseCustomLineage(info.SerializeAsString()).value();
  std::string pairs;
  for (const auto& [name, value] : lineage) {
    const std::string text =
        std::visit([](const auto& is) { return fmt::format("{}", is); }, value);
    pairs += fmt::format("{}{}={}", pairs.empty() ? "" : " ", name, text);
  }
  return pairs;
}

Values ValuesOf(const mindspore::LineageEvent& event) {
  if (event.has_train_lineage()) {
    const auto& algorithm = event.train_lineage().algorithm();
    const std::string loss =
        algorithm.has_loss() ? fmt::format(" loss={}", algorithm.loss()) : std::string();
    return {{event.step(), "train", "lineage", algorithm.network() + loss}};
  }
  if (event.has_evaluation_lineage())
    return {{event.step(), "eval", "lineage", event.evaluation_lineage().metric()}};
  if (event.has_dataset_graph()) return {{event.step(), "dataset", "lineage", ""}};
  if (event.has_user_defined_info())
    return {{event.step(), "custom", "lineage", PairsOf(event.user_defined_info())}};
  return {};
}

std::string EndOf(const tensorboard::SummaryMetadata& metadata) {
  tensorboard::hparams::HParamsPluginData data;
  data.ParseFromString(metadata.plugin_data().content());
  return tensorboard::hparams::Status_Name(data.session_end_info().status());
}

Values ValuesOf(const tensorboard::Event& event) {
  Values values;
  if (event.has_graph_def()) values.push_back({event.step(), "", "graph", ""});
  if (event.has_session_log()) values.push_back({event.step(), "", "session log", ""});
  for (const auto& value : event.summary().value()) {
    RecordedValue& out = values.emplace_back(RecordedValue{event.step(), value.tag(), "", ""});
    if (value.has_simple_value()) {
      out.kind = "scalar";
      out.text = fmt::format("{}", value.simple_value());
    } else if (value.has_histo()) {
      out.kind = "histogram";
      out.text = fmt::format("{}", value.histo().num());
    } else if (value.has_image()) {
      out.kind = "image";
      out.text = fmt::format("{}x{}", value.image().height(), value.image().width());
    } else if (value.has_audio()) {
      out.kind = "audio";
      out.text = fmt::format("{}", value.audio().length_frames());
    } else if (value.tag() == "_hparams_/session_end_info") {
      out.kind = "training end";
      out.text = EndOf(value.metadata());
    } else if (value.has_tensor()) {
      out.kind = value.metadata().plugin_data().plugin_name() == "text" ? "text" : "tensor";
    }
  }
  return values;
}

template <typename Event>
void ReadEvents(RecordReader& reader, RecordedFile& file) {
  Event event;
  while (reader.Next() == ReadOutcome::kRecord) {
    ++file.records;
    if (!event.ParseFromArray(reader.payload().data(), static_cast<int>(reader.payload().size()))) {
      ADD_FAILURE() << file.name << ": a record at " << reader.offset() << " is not an event";
      continue;
    }
    if (std::string session = SessionOf(event); !session.empty()) {
      file.session = std::move(session);
    } else if (Values values = ValuesOf(event); !values.empty()) {
      file.events.push_back(std::move(values));
    }
  }
}

RecordedFile ReadEventFile(const std::string& path, EventFileKind kind) {
  RecordedFile file;
  file.name = std::string(BaseName(path));
  auto opened = FileSystem::Local().OpenForRead(path);
  EXPECT_THAT(opened, IsOk());
  if (!opened) return file;
  file.bytes = (*opened)->Size().value_or(0);
  RecordReader reader(*std::move(opened));
  switch (kind) {
    case EventFileKind::kMindSporeSummary:
      ReadEvents<mindspore::Event>(reader, file);
      break;
    case EventFileKind::kMindSporeLineage:
      ReadEvents<mindspore::LineageEvent>(reader, file);
      break;
    case EventFileKind::kTensorBoard:
      ReadEvents<tensorboard::Event>(reader, file);
      break;
    case EventFileKind::kWandb:  // A recorder writes none.
    case EventFileKind::kSwanLab:
      break;
  }
  EXPECT_THAT(reader.status(), IsOk());
  file.skipped = reader.skipped();
  return file;
}

}  // namespace

std::string RecordedValue::ToString() const {
  return fmt::format("{} {}{}={}", step, tag, kind == "scalar" ? "" : ":" + kind, text);
}

std::vector<std::string> RecordedRun::Values(const std::vector<RecordedFile>& files) {
  std::vector<std::string> texts;
  for (const RecordedFile& file : files) {
    for (const auto& event : file.events) {
      for (const RecordedValue& value : event) texts.push_back(value.ToString());
    }
  }
  return texts;
}

bool RecordedRun::sound() const {
  for (const auto* files : {&mindspore, &lineage, &tensorboard}) {
    if (std::any_of(files->begin(), files->end(),
                    [](const RecordedFile& f) { return !f.skipped.empty(); }))
      return false;
  }
  return true;
}

RecordedRun ReadRun(const std::string& directory) {
  RecordedRun run;
  auto names = FileSystem::Local().List(directory);
  EXPECT_THAT(names, IsOk());
  if (!names) return run;
  std::sort(names->begin(), names->end(), ReadsBefore);
  for (const std::string& name : *names) {
    const std::string path = JoinPath(directory, name);
    const auto parsed = ParseEventFileName(name);
    if (name.starts_with("export_")) {
      std::error_code none;  // After a power loss the folder may be empty.
      for (const auto& entry : std::filesystem::directory_iterator(path + "/tensor", none)) {
        run.npy.push_back(entry.path().filename().string());
      }
    } else if (!parsed) {
      run.other.push_back(name);
    } else if (parsed->kind == EventFileKind::kMindSporeSummary) {
      run.mindspore.push_back(ReadEventFile(path, parsed->kind));
    } else if (parsed->kind == EventFileKind::kMindSporeLineage) {
      run.lineage.push_back(ReadEventFile(path, parsed->kind));
    } else {
      run.tensorboard.push_back(ReadEventFile(path, parsed->kind));
    }
  }
  std::sort(run.npy.begin(), run.npy.end());
  return run;
}

}  // namespace sightline::testing
