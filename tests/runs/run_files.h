// Event files in memory, for tests of runs.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "sightline/proto/mindspore_event.pb.h"
#include "sightline/proto/mindspore_lineage.pb.h"
#include "sightline/proto/tensorboard.pb.h"
#include "sightline/tests/support/records.h"

namespace sightline::testing {

constexpr char kMindSporeName[] = "events.out.events.summary.1.0.vm_MS";
constexpr char kLineageName[] = "events.out.events.summary.1.0.vm_lineage";
constexpr char kTensorBoardName[] = "events.out.tfevents.1.vm";

inline double TimeOf(std::int64_t step) { return 1000.0 + static_cast<double>(step); }

inline std::string MindSporeScalar(const std::string& tag, std::int64_t step, float value) {
  mindspore::Event event;
  event.set_wall_time(TimeOf(step));
  event.set_step(step);
  auto* added = event.mutable_summary()->add_value();
  added->set_tag(tag);
  added->set_scalar_value(value);
  return FrameRecord(event.SerializeAsString());
}

inline std::string TensorBoardScalar(const std::string& tag, std::int64_t step, float value) {
  tensorboard::Event event;
  event.set_wall_time(TimeOf(step));
  event.set_step(step);
  auto* added = event.mutable_summary()->add_value();
  added->set_tag(tag);
  added->set_simple_value(value);
  return FrameRecord(event.SerializeAsString());
}

// The first record of a file of ours.
template <typename Event>
std::string SessionRecord(const std::string& id, std::int32_t rank,
                          std::optional<std::int64_t> resume_from = std::nullopt,
                          const std::string& continues = "") {
  Event event;
  event.set_wall_time(1);
  auto* session = event.mutable_session();
  session->set_session_id(id);
  session->set_rank(rank);
  if (resume_from) session->set_resume_from_step(*resume_from);
  if (!continues.empty()) session->set_continues_session(continues);
  return FrameRecord(event.SerializeAsString());
}

inline std::string TensorBoardStart(std::int64_t step) {
  tensorboard::Event event;
  event.set_wall_time(TimeOf(step));
  event.set_step(step);
  event.mutable_session_log()->set_status(tensorboard::SessionLog::START);
  return FrameRecord(event.SerializeAsString());
}

inline std::string Tensor(const std::string& tag, std::int64_t step) {
  mindspore::Event event;
  event.set_wall_time(TimeOf(step));
  event.set_step(step);
  for (int i = 0; i < 2; ++i) {
    auto* value = event.mutable_summary()->add_value();
    value->set_tag(tag + std::to_string(i));
    value->mutable_tensor()->add_dims(1);
    value->mutable_tensor()->set_data_type(mindspore::DT_FLOAT32);
    value->mutable_tensor()->add_float_data(1.5F);
  }
  return FrameRecord(event.SerializeAsString());
}

inline std::string Lineage(const std::string& network, std::int64_t step) {
  mindspore::LineageEvent event;
  event.set_wall_time(TimeOf(step));
  event.mutable_train_lineage()->mutable_algorithm()->set_network(network);
  return FrameRecord(event.SerializeAsString());
}

}  // namespace sightline::testing
