// Finds NaN and infinity in an array, at the speed of memory.
//
// Pure: callable from any thread; elements need no alignment.
#pragma once

#include <optional>

#include "sightline/recorder/tensor/tensor_view.h"

namespace sightline {

// The first element that is NaN or infinite, or none. Integers and bool have none; both parts of
// complex numbers count. REQUIRES: tensor.Check() is OK.
std::optional<double> FindNonFinite(const TensorView& tensor);

}  // namespace sightline
