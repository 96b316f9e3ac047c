// The functions sightline._core._..._event: values of TensorBoard's pages as the bytes that
// Recorder.add_tensorboard_event takes (recorder/message/tensorboard_values.h).
#pragma once

#include <nanobind/nanobind.h>

namespace sightline::python {

void BindTensorBoardValues(nanobind::module_& module);

}  // namespace sightline::python
