#include "sightline/recorder/dialect/dialect.h"

#include <fmt/format.h>

#include "sightline/base/version.h"
#include "sightline/base/wire.h"
#include "sightline/recorder/dialect/mindspore_encoder.h"
#include "sightline/recorder/dialect/tensorboard_encoder.h"
#include "sightline/recorder/framing/file_name.h"

namespace sightline {
namespace {

// Writes the message of proto/session.proto by hand, since it is only a few dozen bytes.
std::string SessionBytes(const RunIdentity& run, std::uint32_t segment, std::int64_t first_step) {
  std::string out;
  wire::AppendBytes(out, 1, "Sightline");
  wire::AppendBytes(out, 2, Version());
  out += SessionIdField(run);
  wire::AppendInt(out, 4, run.rank);
  wire::AppendInt(out, 5, run.world_size);
  wire::AppendInt(out, 6, segment);
  // The first file is opened before the first step is known.
  if (segment > 1) wire::AppendInt(out, 7, first_step);
  if (run.resume_from_step) wire::AppendInt(out, 8, *run.resume_from_step);
  if (!run.continues_session.empty()) wire::AppendBytes(out, 9, run.continues_session);
  return out;
}

// The next payload of a reused vector, empty.
Payload& Next(std::vector<Payload>& payloads, std::size_t& count) {
  if (count == payloads.size()) payloads.emplace_back();
  Payload& payload = payloads[count++];
  payload.Clear();
  return payload;
}

class MindSporeSummary final : public Dialect {
 public:
  explicit MindSporeSummary(const RunIdentity& run) : run_(run) {}

  const std::string& name() const override { return name_; }
  std::string FileName(std::uint64_t digits) const override {
    return MakeEventFileName({EventFileKind::kMindSporeSummary, digits,
                              static_cast<std::uint32_t>(run_.device_id), run_.hostname});
  }
  bool opens_at_once() const override { return true; }
  std::vector<Payload> Header(double wall_time, std::uint32_t segment,
                              std::int64_t first_step) const override {
    std::vector<Payload> header(1);
    mindspore::EncodeVersionEvent(wall_time, SessionBytes(run_, segment, first_step), header[0]);
    return header;
  }

  Status Encode(const PreparedEvent& event, std::vector<Payload>& out,
                std::size_t& count) const override {
    for (const PreparedValue& value : event.values) {
      if (value.kind != ValueKind::kGraph) continue;
      mindspore::EncodeGraphEvent(event.wall_time, event.step, value.message, Next(out, count));
    }
    if (!mindspore::EncodeSummaryEvent(event, Next(out, count))) --count;
    return {};
  }

  bool takes_scalars() const override { return true; }
  char* PutScalarRecord(char* out, double wall_time, std::int64_t step, std::string_view tag,
                        double value) const override {
    return mindspore::PutScalarRecord(out, wall_time, step, tag, value);
  }

 private:
  const std::string name_ = "MindSpore summary";
  const RunIdentity run_;
};

class MindSporeLineage final : public Dialect {
 public:
  explicit MindSporeLineage(const RunIdentity& run) : run_(run) {}

  const std::string& name() const override { return name_; }
  std::string FileName(std::uint64_t digits) const override {
    return MakeEventFileName({EventFileKind::kMindSporeLineage, digits,
                              static_cast<std::uint32_t>(run_.device_id), run_.hostname});
  }
  bool opens_at_once() const override { return false; }
  // MindSpore writes no such record. Its readers skip it, and a replay recognises the file by it.
  std::vector<Payload> Header(double wall_time, std::uint32_t segment,
                              std::int64_t first_step) const override {
    std::vector<Payload> header(1);
    mindspore::EncodeVersionEvent(wall_time, SessionBytes(run_, segment, first_step), header[0]);
    return header;
  }

  Status Encode(const PreparedEvent& event, std::vector<Payload>& out,
                std::size_t& count) const override {
    for (const PreparedValue& value : event.values) {
      if (PartOf(value.kind) != EventPart::kLineage) continue;
      mindspore::EncodeLineageEvent(event.wall_time, event.step, value, Next(out, count));
    }
    return {};
  }

  bool takes_scalars() const override { return false; }
  char* PutScalarRecord(char* out, double /*wall_time*/, std::int64_t /*step*/,
                        std::string_view /*tag*/, double /*value*/) const override {
    return out;
  }

 private:
  const std::string name_ = "MindSpore lineage";
  const RunIdentity run_;
};

class TensorBoard final : public Dialect {
 public:
  explicit TensorBoard(const RunIdentity& run) : run_(run) {}

  const std::string& name() const override { return name_; }
  std::string FileName(std::uint64_t digits) const override {
    // The device id keeps the names of a host's ranks apart.
    return MakeEventFileName({EventFileKind::kTensorBoard, digits, std::nullopt,
                              fmt::format("{}.{}", run_.hostname, run_.device_id)});
  }
  bool opens_at_once() const override { return true; }
  std::vector<Payload> Header(double wall_time, std::uint32_t segment,
                              std::int64_t first_step) const override {
    std::vector<Payload> header(1);
    tensorboard::EncodeVersionEvent(wall_time, SessionBytes(run_, segment, first_step), header[0]);
    // Only in the first file: in a later one it would hide values of this session.
    if (run_.resume_from_step && segment == 1) {
      tensorboard::EncodeSessionStartEvent(wall_time, *run_.resume_from_step,
                                           header.emplace_back());
    }
    return header;
  }

  Status Encode(const PreparedEvent& event, std::vector<Payload>& out,
                std::size_t& count) const override {
    Status status;
    for (const PreparedValue& value : event.values) {
      if (value.kind == ValueKind::kTensorBoardEvent) {
        tensorboard::EncodeOwnEvent(event.wall_time, event.step, value.message, Next(out, count));
      } else if (value.kind == ValueKind::kGraph) {
        status = tensorboard::EncodeGraphEvent(event.wall_time, event.step, value.message,
                                               Next(out, count));
        if (!status.ok()) --count;
      }
    }
    if (!tensorboard::EncodeSummaryEvent(event, Next(out, count))) --count;
    return status;
  }

  bool takes_scalars() const override { return true; }
  char* PutScalarRecord(char* out, double wall_time, std::int64_t step, std::string_view tag,
                        double value) const override {
    return tensorboard::PutScalarRecord(out, wall_time, step, tag, value);
  }

 private:
  const std::string name_ = "TensorBoard";
  const RunIdentity run_;
};

}  // namespace

std::string SessionIdField(const RunIdentity& run) {
  std::string field;
  wire::AppendBytes(field, 3, run.session_id);
  return field;
}

std::unique_ptr<Dialect> MindSporeSummaryDialect(const RunIdentity& run) {
  return std::make_unique<MindSporeSummary>(run);
}

std::unique_ptr<Dialect> MindSporeLineageDialect(const RunIdentity& run) {
  return std::make_unique<MindSporeLineage>(run);
}

std::unique_ptr<Dialect> TensorBoardDialect(const RunIdentity& run) {
  return std::make_unique<TensorBoard>(run);
}

}  // namespace sightline
