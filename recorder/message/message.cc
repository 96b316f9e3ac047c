#include "sightline/recorder/message/message.h"

#include <fmt/format.h>
#include <google/protobuf/descriptor.h>

#include <memory>
#include <string>
#include <vector>

#include "sightline/base/utf8.h"
#include "sightline/proto/mindspore_event.pb.h"
#include "sightline/proto/mindspore_graph.pb.h"
#include "sightline/proto/mindspore_lineage.pb.h"
#include "sightline/proto/tensorboard.pb.h"
#include "sightline/recorder/message/proto_util.h"

namespace sightline {
namespace {

using google::protobuf::FieldDescriptor;
using google::protobuf::Message;

std::unique_ptr<Message> NewMessage(ValueKind kind) {
  switch (kind) {
    case ValueKind::kScalar:
    case ValueKind::kHistogram:
    case ValueKind::kTensor:
    case ValueKind::kImage:
      return nullptr;
    case ValueKind::kGraph:
      return std::make_unique<mindspore::GraphProto>();
    case ValueKind::kLandscape:
      return std::make_unique<mindspore::LossLandscape>();
    case ValueKind::kTrainLineage:
      return std::make_unique<mindspore::TrainLineage>();
    case ValueKind::kEvaluationLineage:
      return std::make_unique<mindspore::EvaluationLineage>();
    case ValueKind::kDatasetGraph:
      return std::make_unique<mindspore::DatasetGraph>();
    case ValueKind::kCustomLineage:
      return std::make_unique<mindspore::UserDefinedInfo>();
    case ValueKind::kTensorBoardEvent:
      return std::make_unique<tensorboard::Event>();
  }
  return nullptr;
}

// The first string field that is not UTF-8; nullptr if there is none. Protobuf 2 does not check
// strings when it parses them, but TensorBoard's and MindInsight's Python fails on them later. The
// recursion is no deeper than kMaxMessageDepth.
const FieldDescriptor* FirstBadString(const Message& message) {
  const auto* reflection = message.GetReflection();
  std::vector<const FieldDescriptor*> fields;
  reflection->ListFields(message, &fields);
  std::string scratch;
  for (const FieldDescriptor* field : fields) {
    const int count = field->is_repeated() ? reflection->FieldSize(message, field) : 1;
    for (int i = 0; i < count; ++i) {
      if (field->type() == FieldDescriptor::TYPE_STRING) {
        const std::string& text =
            field->is_repeated()
                ? reflection->GetRepeatedStringReference(message, field, i, &scratch)
                : reflection->GetStringReference(message, field, &scratch);
        if (!IsUtf8(text)) return field;
      } else if (field->cpp_type() == FieldDescriptor::CPPTYPE_MESSAGE) {
        const Message& part = field->is_repeated()
                                  ? reflection->GetRepeatedMessage(message, field, i)
                                  : reflection->GetMessage(message, field);
        if (const FieldDescriptor* bad = FirstBadString(part)) return bad;
      }
    }
  }
  return nullptr;
}

// Refuses an event that has fields which the recorder sets, or that has nothing else.
Status CheckTensorBoardEvent(const tensorboard::Event& event) {
  if (event.wall_time() != 0 || event.step() != 0 || event.has_source_metadata() ||
      event.has_session() || event.what_case() == tensorboard::Event::kFileVersion) {
    return Status(StatusCode::kInvalidArgument,
                  "this Event has a wall_time, step, file_version, source_metadata or session, "
                  "which the recorder sets; leave them out");
  }
  if (event.what_case() == tensorboard::Event::WHAT_NOT_SET)
    return Status(StatusCode::kInvalidArgument, "this Event has no content");
  return {};
}

}  // namespace

Status CheckMessage(ValueKind kind, std::string_view serialized) {
  const std::unique_ptr<Message> message = NewMessage(kind);
  if (message == nullptr) return {};
  const std::string name = message->GetDescriptor()->name();
  if (!ParseMessage(serialized, *message)) {
    return Status(
        StatusCode::kInvalidArgument,
        fmt::format("these {} bytes are not a serialized {} (nested at most {} deep); make them "
                    "with the functions of sightline/recorder or the classes of {}",
                    serialized.size(), name, kMaxMessageDepth,
                    message->GetDescriptor()->file()->name()));
  }
  if (const FieldDescriptor* bad = FirstBadString(*message)) {
    return Status(StatusCode::kInvalidArgument,
                  fmt::format("{} has text that is not UTF-8 in {}", name, bad->full_name()));
  }
  if (kind == ValueKind::kTensorBoardEvent)
    return CheckTensorBoardEvent(static_cast<const tensorboard::Event&>(*message));
  return {};
}

}  // namespace sightline
