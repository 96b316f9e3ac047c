#include "sightline/recorder/message/training_end.h"

#include "sightline/proto/tensorboard.pb.h"
#include "sightline/proto/tensorboard_hparams.pb.h"
#include "sightline/recorder/message/proto_util.h"

namespace sightline {

std::string SerializeTrainingEnd(TrainingEnd end, double wall_time) {
  tensorboard::hparams::HParamsPluginData data;
  // A member of a oneof is made before it is set: mutable_...() notes that it is set before it asks
  // for memory, so that without memory the destructor would free a null pointer.
  data.set_allocated_session_end_info(
      std::make_unique<tensorboard::hparams::SessionEndInfo>().release());
  auto& info = *data.mutable_session_end_info();
  info.set_status(static_cast<tensorboard::hparams::Status>(end));
  info.set_end_time_secs(wall_time);

  // The data is in the metadata; the tensor is empty.
  tensorboard::Event event;
  auto& value = *event.mutable_summary()->add_value();
  value.set_tag("_hparams_/session_end_info");
  auto& metadata = *value.mutable_metadata();
  metadata.mutable_plugin_data()->set_plugin_name("hparams");
  metadata.mutable_plugin_data()->set_content(SerializeDeterministic(data));
  metadata.set_data_class(tensorboard::DATA_CLASS_TENSOR);
  value.mutable_tensor()->set_dtype(tensorboard::DT_FLOAT);
  value.mutable_tensor()->mutable_tensor_shape()->add_dim();  // Of size 0.
  return SerializeDeterministic(event);
}

}  // namespace sightline
