#include "sightline/base/no_memory.h"

namespace sightline {
namespace {

const Status* const no_memory = new Status(StatusCode::kResourceExhausted, kNoMemory);

}  // namespace

const Status& NoMemory() { return *no_memory; }

}  // namespace sightline
